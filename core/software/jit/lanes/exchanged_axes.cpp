// SPDX-License-Identifier: Apache-2.0
// Lanes along y. In m[n * threadIdx.x + threadIdx.y] the neighbours in y are neighbours in memory, and those in x have
// a row each. Where the order of threads is free, such a kernel runs as if its launch and its code had x and y
// exchanged.
#include "joint_access.hpp"
#include "thread_order.hpp"

#include <algorithm>
#include <cstdlib>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using SR = ptx::SpecialRegister;

namespace {

/// Which of x, y and z a register is of, if it tells where a thread or block is.
std::optional<unsigned> axis_of(SR r) {
    for (const SR first : {SR::tid_x, SR::ntid_x, SR::ctaid_x, SR::nctaid_x}) {
        const unsigned axis = static_cast<unsigned>(r) - static_cast<unsigned>(first);
        if (axis < 3) return axis;
    }
    return std::nullopt;
}

SR exchanged(SR r) {
    const auto axis = axis_of(r);
    if (!axis || *axis > 1) return r;
    return static_cast<SR>(static_cast<unsigned>(r) + 1 - 2 * *axis);
}

template <class Visit>
void each_special(const ptx::Function& kernel, Visit visit) {
    for (const Instruction& i : kernel.instructions)
        for (const Operand& x : i.operands)
            if (x.kind == Operand::Kind::special) visit(x.special);
}

/// What an access takes, in vector accesses.
unsigned cost_of(const Instruction& i, const LanePlan& plan) {
    constexpr unsigned kScattered = 8, kNear = 2;
    const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
    const std::int64_t bytes = std::max(1U, unsigned{i.vector_width}) * ptx::bits(i.type()) / 8;
    const auto stride = plan.stride_of(address);
    if (!stride) return kScattered;
    if (*stride == 0 || std::abs(*stride) == bytes) return 1;
    return lies_near(std::abs(*stride), bytes) ? kNear : kScattered;
}

unsigned cost_of_accesses(const ptx::Function& kernel, const LanePlan& plan) {
    unsigned cost = 0;
    for (const LaneBlock& block : plan.blocks)
        for (std::uint32_t at = block.begin; !block.cold && at < block.end; ++at) {
            const Instruction& i = kernel.instructions[at];
            const bool accesses = i.opcode == Opcode::ld || i.opcode == Opcode::st;
            if (accesses && (i.space == ptx::Space::global || i.space == ptx::Space::generic)) cost += cost_of(i, plan);
        }
    return cost;
}

} // namespace

ptx::Function with_exchanged_axes(ptx::Function kernel) {
    for (Instruction& i : kernel.instructions)
        for (Operand& x : i.operands)
            if (x.kind == Operand::Kind::special) x.special = exchanged(x.special);
    return kernel;
}

bool may_exchange_axes(const ptx::Function& kernel) {
    bool names_x = false, names_y = false, names_places = true;
    each_special(kernel, [&](SR r) {
        names_x |= r == SR::tid_x;
        names_y |= r == SR::tid_y;
        names_places &= axis_of(r).has_value();
    });
    return names_x && names_y && names_places && std::ranges::all_of(kernel.instructions, [](const Instruction& i) {
               return has_no_order(i) && !is_warp_operation(i);
           });
}

bool exchange_pays(const ptx::Function& kernel, const LanePlan& plan, const LanePlan& exchanged) {
    return cost_of_accesses(kernel, exchanged) < cost_of_accesses(kernel, plan);
}

} // namespace warplight::jit
