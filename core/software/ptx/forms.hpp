// SPDX-License-Identifier: Apache-2.0
// The forms that instructions have: one row of forms.def each, compiled for fast checks.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warplight::ptx {

using TypeSet = std::uint64_t;
static_assert(static_cast<unsigned>(Type::b1024) < 64);
[[nodiscard]] constexpr TypeSet type_bit(Type type) { return TypeSet{1} << static_cast<unsigned>(type); }

struct OperandRule {
    enum class Role : std::uint8_t {
        destination,      ///< register (or the sink)
        source,           ///< register, constant, special register
        paired,           ///< destination, or destination|predicate
        predicates,       ///< predicate, or two: p|q
        predicate_source, ///< may be negated
        address,
        constant,
        label,
        branch_list,
        move_source,          ///< source, or the address of a variable or function
        anything,             ///< that is read
        anything_destination, ///< that is written
    };
    enum class Width : std::uint8_t {
        same,
        doubled, ///< mul.wide's result
        relaxed, ///< a register may be wider than the type (ld, st, cvt)
        vector,  ///< relaxed, and as many elements as .v2/.v4/.v8 say
    };
    Role role = Role::anything;
    Width width = Width::same;
    bool optional = false;
    bool may_be_negated = false;
    std::int8_t type_index = 0; ///< into Instruction::types; -1: `type`
    Type type = Type::none;
};

/// What happens to the registers of the first operand. Registers of the other operands are read.
enum class FirstOperand : std::uint8_t {
    read,
    written,
    written_unless_address, ///< an address there is read, as in mbarrier.arrive without a state
    read_and_written,
};

struct Form {
    Opcode opcode = Opcode::invalid;
    /// As in forms.def.
    std::string_view types_text, modifiers_text, operands_text;
    std::uint8_t type_count = 0;
    bool any_types = false;
    bool any_modifiers = false;
    bool any_operands = false;
    bool any_space = false;
    TypeSet types[4] = {};
    struct Group {
        ModifierSet modifiers; ///< at most one of these …
        bool required = false; ///< … or exactly one
    };
    std::vector<Group> groups;
    ModifierSet allowed;
    std::vector<OperandRule> operands;
    FirstOperand first = FirstOperand::read;
    bool reads_memory = false;
    bool writes_memory = false;
};

[[nodiscard]] std::span<const Form> forms_of(Opcode opcode);
/// The rows of forms.def, sorted by opcode.
[[nodiscard]] std::span<const Form> all_forms();

/// Whether an instruction has the modifiers of a form: one of each group that needs one, and none that the form lacks.
[[nodiscard]] bool has_modifiers_of(const Form& form, const ModifierSet& modifiers);

} // namespace warplight::ptx
