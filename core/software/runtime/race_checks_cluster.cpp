// SPDX-License-Identifier: Apache-2.0
// The part of the race check that is about blocks which access each other's shared memory.
#include "race_checks.hpp"

#include "report.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string>
#include <utility>

namespace warplight::software {

using checks::PastAccess;

RaceChecks::Where RaceChecks::find_shared(Block& own, One& one) {
    const BlockContext& block = one.block;
    const bool is_offset = one.all.what.shared;
    if (!launch_.knows_clusters) {
        one.owner = &own;
        one.window = reinterpret_cast<std::uint64_t>(block.shared);
        if (is_offset) return Where::shared;
        if (one.address - one.window >= shared_bytes_) return Where::elsewhere;
        one.address -= one.window;
        return Where::shared;
    }
    const auto first = reinterpret_cast<std::uint64_t>(block.cluster_shared);
    const std::uint64_t word = is_offset ? one.address : one.address - first;
    const std::uint64_t rank = word >> kClusterStrideBits;
    const std::uint64_t offset = word & ((std::uint64_t{1} << kClusterStrideBits) - 1);
    if (rank >= launch_.launch.cluster_blocks) return is_offset ? Where::nowhere : Where::elsewhere;
    if (offset >= shared_bytes_) return Where::nowhere;
    const std::uint32_t number = own.number - block.cluster_rank + static_cast<std::uint32_t>(rank);
    const auto owner = blocks_.find(number);
    if (owner == blocks_.end()) return Where::nowhere;
    one.owner = owner->second.get();
    one.window = first + (rank << kClusterStrideBits);
    one.address = offset;
    if (one.owner == &own) return Where::shared;
    one.owner->is_accessed = true;
    if (one.owner->has_ended && tells_of_ended_) {
        const std::uint32_t thread = one.all.linear + one.lane;
        PastAccess access;
        access.epoch = own.order.now(thread);
        access.lane = thread % kWarpSize & 31U;
        access.kind = static_cast<std::uint32_t>(checks::kind_of(one.all.what)) & 3U;
        access.site = one.all.site & PastAccess::last_site;
        report_ended(access, *one.owner, offset);
    }
    return one.owner->has_ended ? Where::nowhere : Where::shared;
}

// --- the barrier

RaceChecks::ClusterBarrier& RaceChecks::barrier_of(const Block& state) {
    return barriers_[state.number / launch_.launch.cluster_blocks];
}

void RaceChecks::pass_on(Block& state, unsigned warp, std::uint32_t lanes) {
    state.order.pass_on(warp, lanes, barrier_of(state).coming);
    state.in_cluster[warp] &= ~lanes;
}

void RaceChecks::arrives_in_cluster(const BlockScheduler& block, const ThreadContext& thread) {
    Block& state = state_of(block.block());
    const bool is_relaxed = static_cast<BarrierOperation>(thread.operation) == BarrierOperation::arrive_relaxed;
    // A fence in front makes a release of it.
    if (is_relaxed && !state.order.has_fenced(thread.linear, checks::Scope::cluster)) return;
    state.in_cluster.resize((launch_.launch.block_threads + kWarpSize - 1) / kWarpSize);
    state.in_cluster[thread.linear / kWarpSize] |= lanes_of(thread);
}

void RaceChecks::leave_behind(Block& state, std::uint32_t linear, std::uint32_t active) {
    if (state.in_cluster.empty()) return;
    const unsigned warp = linear / kWarpSize;
    if (const std::uint32_t lanes = state.in_cluster[warp] & active << linear % kWarpSize) pass_on(state, warp, lanes);
}

void RaceChecks::opens_cluster(const ClusterOfBlocks& cluster) {
    ClusterBarrier* barrier = nullptr;
    for (const BlockScheduler* each : cluster.members) {
        if (!each) continue;
        Block& state = state_of(each->block());
        barrier = &barrier_of(state);
        for (unsigned warp = 0; warp < state.in_cluster.size(); ++warp)
            if (state.in_cluster[warp]) pass_on(state, warp, state.in_cluster[warp]);
    }
    if (barrier) barrier->opened = std::exchange(barrier->coming, {});
}

void RaceChecks::leaves_cluster(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes) {
    Block& state = state_of(block.block());
    state.order.take(warp, lanes, barrier_of(state).opened); // such kernels have one lane
}

// --- blocks that have ended

void RaceChecks::tell_accesses_behind(Block& state) {
    if (!state.is_accessed) return;
    const checks::Clock end = state.order.known_at_end();
    state.cells.each_not_before(end, [&](const PastAccess& access, std::uint64_t word) {
        if (epochs_[access.epoch].block != state.number) report_ended(access, state, word);
    });
}

void RaceChecks::report_ended(const PastAccess& access, const Block& owner, std::uint64_t word) {
    const checks::Epoch& epoch = epochs_[access.epoch];
    constexpr std::array texts{"a read", "a write", "an atomic operation", "a write"};
    const BlockContext block = launch_.block_at(epoch.block);
    launch_.keep(block, {epoch.warp * kWarpSize + access.lane, access.site},
                 name_of(static_cast<checks::AccessKind>(access.kind)), "ended", [&](findings::Finding& f) {
                     const BlockContext other = launch_.block_at(owner.number);
                     f.kind = findings::name_of(findings::Check::race);
                     f.size = size_at(access.site);
                     f.address = word;
                     f.message = fmt::format(
                         "{} of {} bytes at {} of block ({},{},{}), which may have ended before: nothing lets it wait, "
                         "and its shared memory goes with it. Let all blocks of the cluster meet before they end "
                         "(cluster.sync()).",
                         texts[access.kind], f.size, place_of(true, word, f), other.ctaid[0], other.ctaid[1],
                         other.ctaid[2]);
                 });
}

} // namespace warplight::software
