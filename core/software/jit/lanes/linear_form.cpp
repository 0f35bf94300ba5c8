// SPDX-License-Identifier: Apache-2.0
#include "linear_form.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool is_index(ptx::Type type) {
    return !ptx::is_float(type) && type != ptx::Type::pred && ptx::bits(type) >= kIndexBits;
}

std::optional<LinearForm> linear_form_of(const Instruction& i) {
    if (i.type_count == 0 || !std::all_of(i.types.begin(), i.types.begin() + i.type_count, is_index))
        return std::nullopt;
    if (i.has(Modifier::sat) || i.has(Modifier::hi) || i.has(Modifier::cc)) return std::nullopt;
    switch (i.opcode) {
    case Opcode::mov: return LinearForm{};
    case Opcode::cvta: return LinearForm{.changes_space = true};
    case Opcode::cvt: return LinearForm{.converts = true};
    case Opcode::add: return LinearForm{.addend = 2};
    case Opcode::sub: return LinearForm{.addend = 2, .subtracts = true};
    case Opcode::mul: return LinearForm{.factor = 2};
    case Opcode::mad: return LinearForm{.factor = 2, .addend = 3};
    case Opcode::shl: return LinearForm{.factor = 2, .shifts = true};
    default: return std::nullopt;
    }
}

std::optional<std::int64_t> constant_factor(const Instruction& i, const LinearForm& form) {
    const Operand& factor = i.operands.at(form.factor);
    if (factor.kind != Operand::Kind::integer) return std::nullopt;
    if (!form.shifts) return factor.integer;
    if (factor.integer < 0 || factor.integer >= kIndexBits) return std::nullopt;
    return std::int64_t{1} << factor.integer;
}

} // namespace warplight::jit
