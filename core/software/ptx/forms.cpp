// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"

#include "words.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

namespace warplight::ptx {
namespace {

struct Row {
    Opcode opcode;
    std::string_view types, modifiers, operands;
};
constexpr Row kRows[] = {
#define WARPLIGHT_FORM(opcode, types, modifiers, operands) {Opcode::opcode, types, modifiers, operands},
#include "forms.def"
#undef WARPLIGHT_FORM
};

/// Calls `take` with each part of `text` between separators.
template <class Take>
constexpr void split(std::string_view text, char separator, Take take) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end != 0) take(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Whether the operands of a row tell the effects: `*` has a letter for the first operand, and a destination is first.
constexpr bool tells_effects(std::string_view operands) {
    if (operands.starts_with('*')) {
        if (operands.size() < 2 || std::string_view("sdtb").find(operands[1]) == std::string_view::npos) return false;
        return operands.substr(2).find_first_not_of("rw") == std::string_view::npos;
    }
    bool tells = true;
    std::size_t index = 0;
    split(operands, ' ', [&](std::string_view operand) {
        tells &= operand != "*" && (index == 0 || std::string_view("dotpz").find(operand[0]) == std::string_view::npos);
        ++index;
    });
    return tells;
}
static_assert(std::all_of(std::begin(kRows), std::end(kRows),
                          [](const Row& row) { return tells_effects(row.operands); }),
              "forms.def: what a form reads and writes is not known");

TypeSet type_set(std::string_view alternatives) {
    TypeSet set = 0;
    split(alternatives, '|', [&](std::string_view name) {
        if (name == "I") {
            for (const Type t : {Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64})
                set |= type_bit(t);
            return;
        }
        const std::optional<Type> type = find_type(name);
        assert(type && "forms.def names an unknown type");
        if (type) set |= type_bit(*type);
    });
    return set;
}

OperandRule operand_rule(std::string_view text) {
    using Role = OperandRule::Role;
    using Width = OperandRule::Width;
    OperandRule rule;
    if (text.back() == '?') {
        rule.optional = true;
        text.remove_suffix(1);
    }
    const char letter = text.front();
    text.remove_prefix(1);
    if (!text.empty() && (letter == 'd' || letter == 's')) {
        if (text.front() == 'w') rule.width = Width::doubled;
        if (text.front() == 'r') rule.width = Width::relaxed;
        if (text.front() == 'v') rule.width = Width::vector;
        if (rule.width != Width::same) text.remove_prefix(1);
    }
    while (letter == 'a' && !text.empty())
        text.remove_prefix(1); // effects on memory: note_effects()
    if (!text.empty()) rule.type_index = static_cast<std::int8_t>(text.front() - '0');
    const auto of_type = [&](Role role, Type type) {
        rule.role = role;
        rule.type_index = -1;
        rule.type = type;
    };
    switch (letter) {
    case 'd': rule.role = Role::destination; break;
    case 's': rule.role = Role::source; break;
    case 'o': of_type(Role::destination, Type::b32); break;
    case 'u': of_type(Role::source, Type::b32); break;
    case 'n':
        of_type(Role::source, Type::b32);
        rule.may_be_negated = true;
        break;
    case 'l': of_type(Role::source, Type::b64); break;
    case 't': of_type(Role::paired, Type::b32); break;
    case 'p': of_type(Role::predicates, Type::pred); break;
    case 'q': of_type(Role::predicate_source, Type::pred); break;
    case 'a': rule.role = Role::address; break;
    case 'c': rule.role = Role::constant; break;
    case 'L': rule.role = Role::label; break;
    case 'T': rule.role = Role::branch_list; break;
    case 'm': rule.role = Role::move_source; break;
    case 'z': rule.role = Role::anything_destination; break;
    default: assert(letter == 'x' && "forms.def has an unknown operand letter"); break;
    }
    return rule;
}

void note_effects(Form& form, std::string_view operands) {
    const auto note_memory = [&](std::string_view flags) {
        form.reads_memory |= flags.find('r') != std::string_view::npos;
        form.writes_memory |= flags.find('w') != std::string_view::npos;
    };
    if (operands.starts_with('*')) {
        switch (operands[1]) {
        case 'd': form.first = FirstOperand::written; break;
        case 't': form.first = FirstOperand::written_unless_address; break;
        case 'b': form.first = FirstOperand::read_and_written; break;
        default: break;
        }
        return note_memory(operands.substr(2));
    }
    if (!operands.empty() && std::string_view("dotpz").find(operands[0]) != std::string_view::npos)
        form.first = FirstOperand::written;
    split(operands, ' ', [&](std::string_view operand) {
        if (operand[0] == 'a') note_memory(operand.substr(1));
    });
}

Form compile(const Row& row) {
    Form form;
    form.opcode = row.opcode;
    form.types_text = row.types;
    form.modifiers_text = row.modifiers;
    form.operands_text = row.operands;
    note_effects(form, row.operands);
    if (row.types == "*")
        form.any_types = true;
    else
        split(row.types, ' ',
              [&](std::string_view alternatives) { form.types[form.type_count++] = type_set(alternatives); });
    split(row.modifiers, ' ', [&](std::string_view text) {
        if (text == "*") {
            form.any_modifiers = form.any_space = true;
            return;
        }
        if (text == "@") {
            form.any_space = true;
            return;
        }
        Form::Group group;
        group.required = text.back() == '!';
        assert((group.required || text.back() == '?') && "forms.def: a group of modifiers ends in ! or ?");
        text.remove_suffix(1);
        split(text, '|', [&](std::string_view name) {
            const Word* word = find_word(name);
            assert(word && word->kind == Word::Kind::modifier && "forms.def names an unknown modifier");
            if (word) group.modifiers.set(word->value);
        });
        form.allowed |= group.modifiers;
        form.groups.push_back(group);
    });
    if (row.operands.starts_with('*'))
        form.any_operands = true;
    else
        split(row.operands, ' ', [&](std::string_view text) { form.operands.push_back(operand_rule(text)); });
    return form;
}

struct Table {
    std::vector<Form> forms;
    /// Where an opcode's forms begin; its end is the next one's beginning.
    std::array<std::uint32_t, std::size_t{4096}> begin{};
    Table() {
        std::vector<std::vector<const Row*>> rows;
        for (const Row& row : kRows) {
            const auto opcode = static_cast<std::size_t>(row.opcode);
            if (rows.size() <= opcode) rows.resize(opcode + 1);
            rows[opcode].push_back(&row);
        }
        for (std::size_t opcode = 0; opcode < rows.size(); ++opcode) {
            begin[opcode] = static_cast<std::uint32_t>(forms.size());
            for (const Row* row : rows[opcode])
                forms.push_back(compile(*row));
        }
        for (std::size_t opcode = rows.size(); opcode < begin.size(); ++opcode)
            begin[opcode] = static_cast<std::uint32_t>(forms.size());
    }
};

const Table& table() {
    static const auto* const table = new Table; // never destroyed: threads may run until the process ends
    return *table;
}

} // namespace

std::span<const Form> forms_of(Opcode opcode) {
    const Table& table = ptx::table();
    const auto index = static_cast<std::size_t>(opcode);
    return std::span(table.forms).subspan(table.begin[index], table.begin[index + 1] - table.begin[index]);
}

std::span<const Form> all_forms() { return table().forms; }

bool has_modifiers_of(const Form& form, const ModifierSet& modifiers) {
    if (!form.any_modifiers && (modifiers & ~form.allowed).any()) return false;
    return std::all_of(form.groups.begin(), form.groups.end(), [&](const Form::Group& group) {
        const std::size_t given = (modifiers & group.modifiers).count();
        return given == 1 || (given == 0 && !group.required);
    });
}

} // namespace warplight::ptx
