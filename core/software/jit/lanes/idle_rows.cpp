// SPDX-License-Identifier: Apache-2.0
// Threads that lie outside of a matrix or picture end before they have done anything. Mostly the threads behind them in
// their row do too, and those of the rows behind. A condition such as `y >= n` that holds for a row and for the last
// one holds for all rows between. Then the loops over threads are left (emit/lanes/idle_rows).
#include "software/ptx/accesses.hpp"
#include "thread_order.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

bool names_row(const Operand& x) {
    return x.kind == Operand::Kind::special &&
           (x.special == ptx::SpecialRegister::tid_y || x.special == ptx::SpecialRegister::tid_z);
}

/// Nobody can tell whether a thread has done it.
bool does_nothing(const Instruction& i) {
    if (i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit) return true;
    if (i.opcode == Opcode::ld) return i.space == ptx::Space::param;
    return ptx::all_accesses_of(i).empty() && ptx::destination_of(i) && !ptx::may_suspend(i) && !is_warp_operation(i) &&
           i.opcode != Opcode::call;
}

} // namespace

std::vector<bool> find_idle_exits(const ptx::Function& kernel, const LanePlan& plan) {
    const auto& all = kernel.instructions;
    const bool has_rows = std::any_of(all.begin(), all.end(),
                                      [](const Instruction& i) { return std::ranges::any_of(i.operands, names_row); });
    if (!has_rows || has_loop(kernel)) return {};
    std::vector<bool> exits(plan.blocks.size(), false);
    bool any = false;
    // Every thread goes this way, until it ends. Where the way parts, those that went elsewhere would not be asked.
    for (std::uint32_t k = 0; !plan.ends_at(kernel, k);) {
        const LaneBlock& block = plan.blocks[k];
        if (!std::all_of(all.begin() + block.begin, all.begin() + block.end, does_nothing)) break;
        const auto goes_on = [&](std::uint32_t s) { return !plan.ends_at(kernel, s); };
        const auto ways_on = std::ranges::count_if(block.successors, goes_on);
        exits[k] = block.successors.size() == 2 && ways_on < 2;
        any |= exits[k];
        if (ways_on != 1) break;
        k = *std::ranges::find_if(block.successors, goes_on);
    }
    return any ? exits : std::vector<bool>{};
}

} // namespace warplight::jit
