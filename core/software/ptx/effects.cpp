// SPDX-License-Identifier: Apache-2.0
#include "effects.hpp"

#include "forms.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

namespace warplight::ptx {
namespace {

constexpr Opcode kOpcodes[] = {
#define WARPLIGHT_OPCODE(identifier, spelling, group) Opcode::identifier,
#include "opcodes.def"
#undef WARPLIGHT_OPCODE
};
constexpr OpcodeGroup kGroups[] = {
    OpcodeGroup::advice, // Opcode::invalid
#define WARPLIGHT_OPCODE(identifier, spelling, group) OpcodeGroup::group,
#include "opcodes.def"
#undef WARPLIGHT_OPCODE
};

/// The effects that all forms of an opcode have.
struct Rule {
    FirstOperand first = FirstOperand::read;
    bool reads_memory = false;
    bool writes_memory = false;
    bool by_form = false; ///< they differ from form to form
};

/// Textures and matrices have no rows in forms.def.
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
static_assert(all_are_known(), "an opcode of opcodes.def has no row in forms.def that tells its effects");

Rule rule_of(const Form& form) { return {form.first, form.reads_memory, form.writes_memory}; }

Rule common_rule(Opcode opcode) {
    if (const std::optional<Rule> rule = rule_without_forms(opcode)) return *rule;
    const std::span<const Form> forms = forms_of(opcode);
    if (forms.empty()) return {};
    Rule rule = rule_of(forms.front());
    for (const Form& form : forms)
        rule.by_form |= form.first != rule.first || form.reads_memory != rule.reads_memory ||
                        form.writes_memory != rule.writes_memory;
    // The callee may read and write any memory.
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

OpcodeGroup group_of(Opcode opcode) { return kGroups[static_cast<std::size_t>(opcode)]; }

Effects effects_of(const Instruction& i) {
    switch (i.aid) {
    case Aid::lane_access:
    case Aid::spare_row:
    case Aid::tile_begin:
    case Aid::lanes_within: return {true, false, false, false};
    default: break;
    }
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

const Operand* accessed_address(const Instruction& i) {
    const Effects effects = effects_of(i);
    if (!effects.reads_memory && !effects.writes_memory) return nullptr;
    const auto found = std::find_if(i.operands.begin(), i.operands.end(),
                                    [](const Operand& x) { return x.kind == Operand::Kind::address; });
    return found == i.operands.end() ? nullptr : &*found;
}

bool writes_for_others(const Instruction& i) {
    return effects_of(i).writes_memory && i.space != Space::local && i.space != Space::param;
}

bool observes_others(const Instruction& i) {
    const auto has_any = [&](std::initializer_list<Modifier> modifiers) {
        return std::any_of(modifiers.begin(), modifiers.end(), [&](Modifier m) { return i.has(m); });
    };
    switch (i.opcode) {
    case Opcode::ld:
        return has_any({Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::mmio, Modifier::cv});
    case Opcode::atom: // adding a number goes on counting without another thread
        return !(i.has(Modifier::add) && i.operands.size() > 2 && i.operands[2].kind == Operand::Kind::integer &&
                 i.operands[2].integer != 0);
    case Opcode::mbarrier: return has_any({Modifier::test_wait, Modifier::try_wait});
    case Opcode::mov:
        return i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::special &&
               i.operands[1].special >= SpecialRegister::clock &&
               i.operands[1].special <= SpecialRegister::globaltimer_hi;
    default: return false;
    }
}

bool publishes(const Instruction& i) {
    if (group_of(i.opcode) == OpcodeGroup::fence) return true;
    return i.opcode != Opcode::ld && (i.has(Modifier::release) || i.has(Modifier::acq_rel) ||
                                      i.has(Modifier::volatile_) || i.has(Modifier::mmio));
}

bool may_suspend(const Instruction& i) {
    switch (group_of(i.opcode)) {
    case OpcodeGroup::barrier:
    case OpcodeGroup::warp:
    case OpcodeGroup::matrix:
    case OpcodeGroup::suspension: return true;
    default: return i.opcode == Opcode::mbarrier && i.has(Modifier::try_wait);
    }
}

bool is_warp_operation(const Instruction& i) {
    switch (group_of(i.opcode)) {
    case OpcodeGroup::warp:
    case OpcodeGroup::matrix: return true;
    case OpcodeGroup::barrier: return i.has(Modifier::warp);
    default: return false;
    }
}

bool is_block_barrier(const Instruction& i) {
    return group_of(i.opcode) == OpcodeGroup::barrier && !i.has(Modifier::warp);
}

bool is_of_clusters(const Instruction& i) {
    if (group_of(i.opcode) == OpcodeGroup::cluster) return true;
    if (i.space == Space::shared_cluster || i.source_space == Space::shared_cluster) return true;
    if (group_of(i.opcode) == OpcodeGroup::barrier && i.has(Modifier::cluster)) return true;
    return std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& x) {
        return x.kind == Operand::Kind::special && x.special >= SpecialRegister::is_explicit_cluster &&
               x.special <= SpecialRegister::cluster_nctarank;
    });
}

} // namespace warplight::ptx
