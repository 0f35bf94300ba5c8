// SPDX-License-Identifier: Apache-2.0
#include "effects.hpp"

#include "forms.hpp"

#include <array>
#include <optional>

namespace warplight::ptx {
namespace {

constexpr Opcode kOpcodes[] = {
#define WARPLIGHT_OPCODE(identifier, spelling) Opcode::identifier,
#include "opcodes.def"
#undef WARPLIGHT_OPCODE
};

/// What forms_of(opcode) agree on, or that they do not.
struct Rule {
    FirstOperand first = FirstOperand::read;
    bool reads_memory = false;
    bool writes_memory = false;
    bool by_form = false; ///< the modifiers tell which
};

/// Of opcodes that have no row in forms.def: verify_texture.cpp and verify_matrix.cpp check them.
constexpr std::optional<Rule> rule_without_forms(Opcode opcode) {
    constexpr FirstOperand read = FirstOperand::read, written = FirstOperand::written;
    switch (opcode) {
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::suld:
    case Opcode::ldmatrix: return Rule{written, true, false};
    case Opcode::txq:
    case Opcode::suq:
    case Opcode::istypep:
    case Opcode::mma:
    case Opcode::movmatrix: return Rule{written, false, false};
    case Opcode::sust:
    case Opcode::stmatrix: return Rule{read, false, true};
    case Opcode::sured: return Rule{read, true, true};
    case Opcode::wmma: return Rule{FirstOperand::written_unless_address, true, true, true};
    default: return std::nullopt;
    }
}

constexpr bool is_known(Opcode opcode) {
    for (const Opcode with_forms : {
#define WARPLIGHT_FORM(opcode, types, modifiers, operands) Opcode::opcode,
#include "forms.def"
#undef WARPLIGHT_FORM
         })
        if (with_forms == opcode) return true;
    return rule_without_forms(opcode).has_value();
}
constexpr bool all_are_known() {
    for (const Opcode opcode : kOpcodes)
        if (!is_known(opcode)) return false;
    return true;
}
static_assert(all_are_known(), "an opcode of opcodes.def whose effects are not known");

Rule rule_of(const Form& form) { return {form.first, form.reads_memory, form.writes_memory}; }

Rule common_rule(Opcode opcode) {
    if (const std::optional<Rule> rule = rule_without_forms(opcode)) return *rule;
    const std::span<const Form> forms = forms_of(opcode);
    if (forms.empty()) return {};
    Rule rule = rule_of(forms.front());
    for (const Form& form : forms)
        rule.by_form |= form.first != rule.first || form.reads_memory != rule.reads_memory ||
                        form.writes_memory != rule.writes_memory;
    // Where a call goes it may do anything to memory.
    if (opcode == Opcode::call) rule.reads_memory = rule.writes_memory = true;
    return rule;
}

const Rule& rule_of(Opcode opcode) {
    static const auto table = [] {
        std::array<Rule, std::size(kOpcodes) + 1> rules{};
        for (const Opcode each : kOpcodes)
            rules[static_cast<std::size_t>(each)] = common_rule(each);
        return rules;
    }();
    return table[static_cast<std::size_t>(opcode)];
}

Rule rule_by_form(const Instruction& i) {
    if (i.opcode == Opcode::wmma) {
        const bool load = i.has(Modifier::load), store = i.has(Modifier::store);
        return {store ? FirstOperand::read : FirstOperand::written, load, store};
    }
    for (const Form& form : forms_of(i.opcode))
        if (has_modifiers_of(form, i.modifiers)) return rule_of(form);
    return {};
}

} // namespace

Effects effects_of(const Instruction& i) {
    Rule rule = rule_of(i.opcode);
    if (rule.by_form) rule = rule_by_form(i);
    Effects effects{false, true, rule.reads_memory, rule.writes_memory};
    switch (rule.first) {
    case FirstOperand::read: break;
    case FirstOperand::read_and_written: effects.writes_first = true; break;
    case FirstOperand::written_unless_address:
        effects.writes_first = !i.operands.empty() && i.operands.front().kind != Operand::Kind::address;
        effects.reads_first = !effects.writes_first;
        break;
    case FirstOperand::written:
        effects.writes_first = true;
        effects.reads_first = false;
        break;
    }
    return effects;
}

std::vector<std::vector<std::uint32_t>> writers_of(const Function& function) {
    std::vector<std::vector<std::uint32_t>> writers(function.registers.size());
    for (std::uint32_t at = 0; at < function.instructions.size(); ++at)
        each_written(function, function.instructions[at], [&](RegisterId r) { writers[r].push_back(at); });
    return writers;
}

} // namespace warplight::ptx
