// SPDX-License-Identifier: Apache-2.0
#include "joint_access.hpp"

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool can_be_combined(const ptx::Function& kernel, const Instruction& i) {
    if (i.opcode != Opcode::atom && i.opcode != Opcode::red) return false;
    if (ptx::is_float(i.type()) || ptx::bits(i.type()) < 32 || ptx::bits(i.type()) > 64 || i.vector_width > 1)
        return false;
    for (const Modifier m : {Modifier::and_, Modifier::or_, Modifier::xor_, Modifier::min, Modifier::max})
        if (i.has(m)) return !answers(kernel, i);
    return i.has(Modifier::add); // sums also give the old value of each lane
}

bool adds_floats(const Instruction& i) {
    const bool one_float = i.type() == ptx::Type::f32 || i.type() == ptx::Type::f64;
    return (i.opcode == Opcode::atom || i.opcode == Opcode::red) && i.has(Modifier::add) && one_float &&
           i.vector_width <= 1;
}

bool is_combined(const ptx::Function& kernel, const Instruction& i, const LanePlan& plan) {
    return (can_be_combined(kernel, i) || adds_floats(i)) &&
           plan.uniform(i.operands.at(i.opcode == Opcode::atom ? 1 : 0));
}

bool samples_all_lanes(const ptx::Instruction& i) {
    if (i.opcode != Opcode::tex || i.has(Modifier::geom_2dms) || i.has(Modifier::geom_a2dms)) return false;
    const bool integers = i.types[1] == ptx::Type::s32, level = i.has(Modifier::level);
    if (integers && (level || !i.has(Modifier::geom_1d))) return false;
    const bool words = i.types[0] != ptx::Type::f16 && i.types[0] != ptx::Type::f16x2;
    return words && i.operands.at(0).kind == Operand::Kind::vector && i.operands.at(1).elements.size() == 1 &&
           !i.has(Modifier::grad) && i.operands.size() == (level ? 3 : 2);
}

} // namespace warplight::jit
