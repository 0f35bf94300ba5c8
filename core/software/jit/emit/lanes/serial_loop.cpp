// SPDX-License-Identifier: Apache-2.0
#include "serial_loop.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;

namespace {

constexpr std::uint32_t kLong = 64; ///< instructions

/// An access at addresses that differ from lane to lane.
bool is_access(const Emitter& e, const Instruction& i) {
    if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) || i.space == ptx::Space::param) return false;
    return !e.plan->uniform(i.operands.at(i.opcode == Opcode::ld ? 1 : 0));
}

} // namespace

std::optional<SerialLoop> SerialLoop::find(const Emitter& e, std::uint32_t head) {
    // Where lanes of a warp work on one row, they leave its loops in the last turn or the one before.
    if (!SerialBlocks::is_possible(e) || e.plan->has_warp_operations) return std::nullopt;
    SerialLoop loop;
    loop.blocks_.head = head;
    if (!loop.find_blocks(*e.plan) || !loop.pays(e) || !loop.blocks_.finish(e)) return std::nullopt;
    return loop;
}

bool SerialLoop::find_blocks(const LanePlan& plan) {
    const std::uint32_t head = blocks_.head;
    blocks_.last = static_cast<std::uint32_t>(plan.blocks.size());
    for (std::uint32_t k = head; k < plan.blocks.size(); ++k)
        if (std::ranges::count(plan.blocks[k].successors, head) > 0) blocks_.last = k;
    if (blocks_.last == plan.blocks.size()) return false;
    for (std::uint32_t k = head; k <= blocks_.last; ++k) {
        const LaneBlock& block = plan.blocks[k];
        if (!block.masked || !block.divergent || plan.grid_stride_loops.contains(block.end - 1)) return false;
        // In `j += 32` up to a number, lanes leave in the last turn only: two lanes decide for all.
        if (plan.comparisons[k] &&
            std::ranges::any_of(block.successors, [&](std::uint32_t to) { return !blocks_.has(to); }))
            return false;
        // An inner loop, or one that goes on with an outer one.
        if (std::ranges::any_of(block.successors, [&](std::uint32_t to) { return to <= k && to != head; }))
            return false;
    }
    return true;
}

/// In cycles, about.
bool SerialLoop::pays(const Emitter& e) {
    constexpr double kTurn = 6, kVector = .5, kGather = 9, kThreadTurn = 3, kThread = .4;
    constexpr double kVectorLanes = 16;
    const auto& all = e.function.instructions;
    unsigned length = 0, accesses = 0, vectors = 0;
    for (std::uint32_t at = e.plan->blocks[blocks_.head].begin; at < e.plan->blocks[blocks_.last].end; ++at) {
        if (!SerialBlocks::is_plain(all[at])) return false;
        ++length;
        const ptx::RegisterId* to = ptx::destination_register(all[at]);
        if (is_access(e, all[at]))
            ++accesses;
        else if (to && e.registers.is_vector(*to))
            ++vectors;
    }
    if (length > kLong || accesses == 0) return false;
    const unsigned width = e.lanes.full_width();
    const double by_lanes = kTurn + (kVector * vectors + kGather * accesses) * width / kVectorLanes;
    const double by_thread = kThreadTurn + kThread * (vectors + accesses);
    most_lanes_ = std::min(width / 4, static_cast<unsigned>(by_lanes / by_thread));
    return most_lanes_ > 0;
}

} // namespace warplight::jit
