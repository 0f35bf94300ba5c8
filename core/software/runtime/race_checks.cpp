// SPDX-License-Identifier: Apache-2.0
#include "race_checks.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace warplight::software {
namespace {

using checks::AccessKind;
using checks::PastAccess;
using checks::Scope;

// Scopes of code are used as those of checks.
static_assert(static_cast<int>(FenceScope::block) == static_cast<int>(Scope::block) &&
              static_cast<int>(FenceScope::cluster) == static_cast<int>(Scope::cluster) &&
              static_cast<int>(FenceScope::device) == static_cast<int>(Scope::device));

using checks::kind_of;

constexpr std::size_t kMostSmallFences = 1 << 16;

} // namespace

// --- what happens

void RaceChecks::Block::begin(checks::Epochs& epochs, std::uint32_t block, std::uint32_t cluster_blocks,
                              unsigned threads) {
    number = block;
    has_ended = is_accessed = false;
    order = checks::BlockOrder(epochs, block, cluster_blocks, threads);
    in_cluster.clear();
    cells.clear();
    locations.clear();
    for (auto& each : arrived)
        each.clear();
    begin_phase();
}

void RaceChecks::Block::begin_phase() {
    if (locations.empty() && !order.has_copies()) recent.begin_phase(order.is_quiet());
}

void RaceChecks::Block::sync_warp(unsigned warp, std::uint32_t lanes) {
    if (order.is_whole(warp, lanes))
        recent.begin_epoch(warp);
    else
        recent.leave();
    order.sync_warp(warp, lanes);
}

RaceChecks::Block& RaceChecks::state_of(const BlockContext& block) {
    if (last_ && std::equal(block.ctaid, block.ctaid + 3, last_at_.begin())) return *last_;
    const std::uint32_t number = launch_.number_of(block);
    const auto end = [&](auto at) {
        spare_.push_back(std::move(at->second));
        return blocks_.erase(at);
    };
    // Where no thread waits, a block has ended when the next begins.
    if (launch_.kernel.mode() == jit::Mode::loop)
        for (auto each = blocks_.begin(); each != blocks_.end();)
            each = end(each);
    auto& state = blocks_[number];
    const auto threads = launch_.launch.block_threads;
    const std::uint32_t of_cluster = launch_.launch.cluster_blocks;
    if (!state && spare_.empty()) {
        // Where others access shared memory too, all of it is told to the cells.
        const std::uint64_t noted_bytes = launch_.knows_clusters ? 0 : shared_bytes_;
        state = std::make_unique<Block>(epochs_, number, of_cluster, threads, noted_bytes, launch_.kernel.width());
        state->begin_phase();
    } else if (!state) {
        state = std::move(spare_.back());
        spare_.pop_back();
        state->begin(epochs_, number, of_cluster, threads);
    }
    std::copy(block.ctaid, block.ctaid + 3, last_at_.begin());
    last_ = state.get();
    return *last_;
}

void RaceChecks::begins(BlockContext& block) {
    Block& state = state_of(block);
    // The kernel's code needs the epochs of its threads' accesses to global memory.
    for (unsigned thread = 0; thread < launch_.launch.block_threads; thread += kWarpSize)
        (void)state.order.now(thread);
    TracedShared& traced = state.recent.traced();
    traced.epochs = state.order.ids();
    traced.read_pages = cells_.recent_pages();
    traced.write_pages = locations_.empty() ? cells_.recent_pages() : kNoPages;
    block.traced = &traced;
}

checks::Released& RaceChecks::location_at(Locations& locations, std::uint64_t address) {
    if (&locations == &locations_ && locations.empty())
        for (auto& [number, state] : blocks_)
            state->recent.traced().write_pages = kNoPages;
    return locations[address];
}

void RaceChecks::ends(const BlockScheduler& block) {
    const auto state = blocks_.find(launch_.number_of(block.block()));
    if (state == blocks_.end()) return;
    const std::uint32_t blocks = launch_.launch.cluster_blocks, first = state->first / blocks * blocks;
    state->second->has_ended = true;
    tell_accesses_behind(*state->second);
    for (std::uint32_t rank = 0; rank < blocks; ++rank)
        if (const auto other = blocks_.find(first + rank); other != blocks_.end() && !other->second->has_ended) return;
    for (std::uint32_t rank = 0; rank < blocks; ++rank)
        free_block(first + rank);
    barriers_.erase(first / blocks);
}

void RaceChecks::free_block(std::uint32_t number) {
    const auto state = blocks_.find(number);
    if (state == blocks_.end()) return;
    spare_.push_back(std::move(state->second));
    blocks_.erase(state);
    last_ = nullptr;
}

/// The launch's own memory that threads do not share.
bool RaceChecks::is_of_launch(std::uint64_t address) const {
    const LaunchContext& launch = launch_.launch;
    const CheckedRange workspace = launch_.grid_workspace();
    if (address - workspace.begin < workspace.size) return false;
    return address - launch.local_begin < launch.local_bytes ||
           address - reinterpret_cast<std::uint64_t>(launch.parameters) < parameter_bytes_;
}

bool RaceChecks::adds_beside(Block& state, const BlockContext& block, const Accesses& accesses) {
    const TracedAccess& what = accesses.what;
    if (launch_.knows_clusters) return false;
    const bool is_atomic = what.reads && what.writes;
    if (what.shared || what.strong || is_atomic || what.bytes % 4 != 0 || !accesses.active || !locations_.empty())
        return false;
    const auto first = static_cast<unsigned>(std::countr_zero(accesses.active));
    const std::uint64_t begin = accesses.addresses[first];
    const std::uint64_t of_lane_0 = begin - std::uint64_t{first} * what.bytes;
    for (std::uint32_t left = accesses.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        if (accesses.addresses[lane] != of_lane_0 + std::uint64_t{lane} * what.bytes) return false;
    }
    const std::uint64_t last = of_lane_0 + std::uint64_t{std::bit_width(accesses.active)} * what.bytes - 1;
    const auto window = reinterpret_cast<std::uint64_t>(block.shared);
    if (begin - window < shared_bytes_ || last - window < shared_bytes_ || is_of_launch(begin) || is_of_launch(last))
        return false;
    const unsigned lane = accesses.linear % kWarpSize;
    return cells_.add_beside(state.order.now(accesses.linear), accesses.active << lane,
                             {of_lane_0 - std::uint64_t{lane} * what.bytes, what.bytes, kind_of(what), false,
                              static_cast<Scope>(what.scope), accesses.site});
}

void RaceChecks::access(const BlockContext& block, const Accesses& accesses) {
    Block& state = state_of(block);
    leave_behind(state, accesses.linear, accesses.active);
    if (accesses.what.copies) return access_of_copies(state, block, accesses);
    if (accesses.what.image && !accesses.what.writes) return read_of_image(state, block, accesses);
    if (adds_beside(state, block, accesses)) return;
    const TracedAccess& what = accesses.what;
    One one{block, accesses, 0, 0, false, what.bytes};
    const checks::RaceCells::Report report = [&](const PastAccess& before, std::uint64_t word) {
        this->report(one, before, word);
    };
    const checks::NewAccess access{
        0, what.bytes, kind_of(what), what.strong, static_cast<Scope>(what.scope), accesses.site};
    std::optional<checks::RaceCells::OfWarp> in_shared, elsewhere;
    const auto add = [&](std::optional<checks::RaceCells::OfWarp>& of, checks::RaceCells& cells) {
        if (!of) of.emplace(cells, state.order, accesses.linear, access, report);
        of->add(one.lane, one.address);
    };
    if (!what.shared)
        for (std::uint32_t left = accesses.active; left != 0; left &= left - 1)
            cells_.prefetch(accesses.addresses[std::countr_zero(left)]);
    const std::uint32_t noted = state.recent.is_noting() ? note_shared(state, block, accesses) : 0;
    for (std::uint32_t left = accesses.active & ~noted; left != 0; left &= left - 1) {
        one.lane = static_cast<std::uint32_t>(std::countr_zero(left));
        one.address = accesses.addresses[one.lane];
        Block* const before = one.owner;
        const Where where = find_shared(state, one);
        if (where == Where::nowhere) continue;
        one.shared = where == Where::shared;
        if (one.shared) {
            if (one.owner != before) in_shared.reset();
            add(in_shared, one.owner->cells);
        } else {
            if (is_of_launch(one.address)) continue;
            add(elsewhere, cells_);
        }
        Locations& locations = one.shared ? one.owner->locations : locations_;
        if (what.strong || !locations.empty()) synchronise(state, locations, one);
    }
}

std::uint32_t RaceChecks::note_shared(Block& state, const BlockContext& block, const Accesses& accesses) const {
    checks::RecentShared::Accesses in_shared{accesses.linear, accesses.active, accesses.addresses, accesses.site,
                                             accesses.what};
    std::array<std::uint64_t, kWarpSize> offsets{};
    if (!accesses.what.shared) {
        const auto window = reinterpret_cast<std::uint64_t>(block.shared);
        for (std::uint32_t left = accesses.active; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            offsets[lane] = accesses.addresses[lane] - window;
            if (offsets[lane] >= shared_bytes_) in_shared.active &= ~(1U << lane);
        }
        in_shared.addresses = offsets.data();
    }
    if (!in_shared.active || state.recent.note(in_shared)) return in_shared.active;
    state.recent.leave();
    return 0;
}

/// What a strong access gets to know, and what it tells others.
void RaceChecks::synchronise(Block& state, Locations& locations, const One& one) {
    const TracedAccess& what = one.all.what;
    const unsigned thread = one.all.linear + one.lane;
    const auto scope = static_cast<Scope>(what.scope);
    auto location = locations.find(one.address);
    if (!what.strong) {
        if (what.writes && location != locations.end()) locations.erase(location);
        return;
    }
    const bool atomic = kind_of(what) == AccessKind::atomic;
    const bool has_fenced = state.order.has_fenced(thread, scope);
    if ((atomic || !what.writes) && location != locations.end()) {
        state.recent.leave();
        // With a fence in front an atomic operation counts as acquire too: the fence has emptied the cache of the
        // multiprocessor, and the patterns in which the last block goes on rely on it.
        state.order.read(thread, location->second, scope, what.acquire || (atomic && has_fenced));
    }
    if (!what.writes) return;
    if (!what.release && !state.order.has_fenced(thread, Scope::block)) { // of no scope
        if (!atomic && location != locations.end()) locations.erase(location);
        return;
    }
    state.recent.leave();
    state.order.write(thread, location_at(locations, one.address), scope, what.release, atomic);
}

/// By copies that go on while their threads do. One that releases is the end of the thread's last copy, told to a
/// barrier object; if it is strong, of all that are of groups.
void RaceChecks::access_of_copies(Block& state, const BlockContext& block, const Accesses& accesses) {
    const TracedAccess& what = accesses.what;
    One one{block, accesses, 0, 0, false, what.bytes};
    const checks::RaceCells::Report report = [&](const PastAccess& before, std::uint64_t word) {
        this->report(one, before, word);
    };
    state.recent.leave();
    for (std::uint32_t left = accesses.active; left != 0; left &= left - 1) {
        one.lane = static_cast<std::uint32_t>(std::countr_zero(left));
        one.address = accesses.addresses[one.lane];
        if (accesses.counts) one.bytes = accesses.counts[one.lane];
        const Where where = find_shared(state, one);
        if (where == Where::nowhere) continue;
        one.shared = where == Where::shared;
        const unsigned thread = accesses.linear + one.lane;
        if (what.release) {
            Locations& locations = one.shared ? one.owner->locations : locations_;
            checks::Released& location = location_at(locations, one.address);
            what.strong ? state.order.tell_copies(thread, location) : state.order.tell_copy(thread, location);
            continue;
        }
        if (!one.shared && is_of_launch(one.address)) continue;
        const checks::EpochId copy =
            what.acquire ? state.order.begin_told_copy(thread) : state.order.begin_copy(thread);
        const checks::NewAccess access{one.address, one.bytes, kind_of(what), false, Scope::device, accesses.site};
        (one.shared ? one.owner->cells : cells_).add_of_copy(state.order, copy, thread, access, report);
    }
}

void RaceChecks::copies(const BlockContext& block, std::uint32_t linear, std::uint32_t active, CopyEvent event,
                        std::uint32_t pending) {
    Block& state = state_of(block);
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
        const unsigned thread = linear + static_cast<unsigned>(std::countr_zero(left));
        switch (event) {
        case CopyEvent::commit: state.order.commit_copies(thread); break;
        case CopyEvent::wait: state.order.wait_for_copies(thread, pending); break;
        case CopyEvent::wait_all: state.order.wait_for_all_copies(thread); break;
        }
    }
}

void RaceChecks::fence(const BlockContext& block, std::uint32_t linear, std::uint32_t active, FenceScope scope) {
    Block& state = state_of(block);
    leave_behind(state, linear, active);
    state.recent.leave();
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
        const std::uint32_t thread = linear + static_cast<std::uint32_t>(std::countr_zero(left));
        state.order.fence(thread, static_cast<Scope>(scope));
        const std::uint64_t key = thread_key(state.number, thread);
        if (scope == FenceScope::device)
            small_fences_.erase(key);
        else if (small_fences_.size() < kMostSmallFences && !state.order.has_fenced(thread, Scope::device))
            small_fences_.insert(key);
    }
}

// --- where threads meet

void RaceChecks::sync_warp(const BlockContext& block, std::uint32_t linear, std::uint32_t active,
                           const std::uint32_t* masks) {
    Block& state = state_of(block);
    for (std::uint32_t left = active; left != 0;) {
        const std::uint32_t mask = masks[std::countr_zero(left)];
        std::uint32_t members = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
            if (masks[std::countr_zero(rest)] == mask) members |= rest & (~rest + 1);
        left &= ~members;
        state.sync_warp(linear / kWarpSize, members);
    }
}

/// Of a coroutine.
std::uint32_t RaceChecks::lanes_of(const ThreadContext& thread) const {
    const std::uint32_t width = launch_.kernel.width();
    return (width == kWarpSize ? ~0U : (1U << width) - 1) << thread.linear % kWarpSize;
}

void RaceChecks::comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread, std::uint32_t) {
    Block& state = state_of(block.block());
    leave_behind(state, thread.linear, 1);
    auto& arrived = state.arrived[thread.mask & 15];
    arrived.resize((launch_.launch.block_threads + kWarpSize - 1) / kWarpSize);
    arrived[thread.linear / kWarpSize] |= lanes_of(thread);
}

void RaceChecks::opens_barrier(const BlockScheduler& block, std::uint32_t number,
                               std::span<const std::uint32_t> waiting) {
    Block& state = state_of(block.block());
    std::vector<std::uint32_t> arrived = std::exchange(state.arrived[number], {}), waits(arrived.size());
    bool all_wait = true;
    for (std::size_t k = 0; k < block.threads().size(); ++k) {
        const ThreadContext& thread = block.threads()[k];
        const bool here = waiting[k / kWarpSize] >> k % kWarpSize & 1;
        if (here) waits[thread.linear / kWarpSize] |= lanes_of(thread);
        all_wait &= here || thread.wait == Wait::done;
    }
    if (all_wait) {
        state.order.sync_block();
        state.begin_phase();
    } else {
        state.recent.leave();
        state.order.sync_some(arrived, waits);
    }
}

void RaceChecks::performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t) {
    Block& state = state_of(block.block());
    leave_behind(state, warp * kWarpSize, members);
    state.sync_warp(warp, members);
}

} // namespace warplight::software
