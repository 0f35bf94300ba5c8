// SPDX-License-Identifier: Apache-2.0
#include "operation_counts.hpp"

#include "../ptx/matrix.hpp"

#include <cstddef>
#include <optional>

namespace warplight::software {
namespace {

using ptx::Opcode;
using ptx::Type;
using warplight::profile::Operation;

/// A sum of a product is two.
unsigned operations_of(Opcode opcode) {
    switch (opcode) {
    case Opcode::mad:
    case Opcode::mad24:
    case Opcode::madc:
    case Opcode::fma: return 2;
    case Opcode::dp2a: return 4;
    case Opcode::dp4a: return 8;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mul24:
    case Opcode::sad:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::brev:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::addc:
    case Opcode::subc:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::lop3:
    case Opcode::shf:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::prmt: return 1;
    default: return 0;
    }
}

/// Choosing the larger number, or another sign, is no floating-point operation.
bool only_chooses(Opcode opcode) {
    return opcode == Opcode::abs || opcode == Opcode::neg || opcode == Opcode::min || opcode == Opcode::max;
}

std::optional<Operation> kind_of(const ptx::Instruction& i) {
    const Type type = i.types[i.type_count ? i.type_count - 1U : 0U];
    if (ptx::is_float(type) && only_chooses(i.opcode)) return std::nullopt;
    switch (type) {
    case Type::pred: return std::nullopt;
    case Type::f16:
    case Type::f16x2: return Operation::f16;
    case Type::bf16:
    case Type::bf16x2: return Operation::bf16;
    case Type::f32: return Operation::f32;
    case Type::f64: return Operation::f64;
    default: return Operation::integer;
    }
}

bool is_pair(const ptx::Instruction& i) {
    const Type type = i.type();
    return type == Type::f16x2 || type == Type::bf16x2 || type == Type::s16x2 || type == Type::u16x2;
}

} // namespace

void add_operations(const ptx::Instruction& i, std::uint64_t threads, std::uint64_t warps,
                    warplight::profile::Figures& figures) {
    const auto add = [&](Operation kind, std::uint64_t count) {
        figures.operations[static_cast<std::size_t>(kind)] += count;
    };
    const bool multiplies = i.opcode == Opcode::mma || (i.opcode == Opcode::wmma && i.has(ptx::Modifier::mma));
    if (multiplies) {
        if (const auto form = ptx::matrix_form(i))
            add(Operation::tensor, warps * 2 * form->m * form->n * form->k * (form->is_of_quads() ? 4U : 1U));
        return;
    }
    const unsigned each = operations_of(i.opcode);
    const auto kind = each == 0 ? std::nullopt : kind_of(i);
    if (kind) add(*kind, threads * each * (is_pair(i) ? 2U : 1U));
}

} // namespace warplight::software
