// SPDX-License-Identifier: Apache-2.0
#include "block_scheduler.hpp"

#include "trap.hpp"
#include "warp_operations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace warplight::software {
namespace {

constexpr int kPassesATurn = 256;

std::uint32_t take_lowest(std::uint32_t& bits) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
    return lane;
}

/// Whether all lanes wait at one instruction for the same operation. Then their requests lie side by side.
bool all_wait_alike(const std::vector<ThreadContext>& threads) {
    constexpr std::size_t from = offsetof(ThreadContext, wait), to = offsetof(ThreadContext, c);
    static_assert(to - from == 5 * sizeof(std::uint32_t));
    const auto asked = [](const ThreadContext& t) {
        std::array<std::uint64_t, 2> words{};
        std::memcpy(words.data(), reinterpret_cast<const std::byte*>(&t) + from, sizeof words);
        return words;
    };
    const auto first = asked(threads[0]);
    std::uint64_t differences = 0;
    for (const ThreadContext& t : threads) {
        const auto words = asked(t);
        differences |= (words[0] ^ first[0]) | (words[1] ^ first[1]) | (t.b ^ threads[0].b);
    }
    return differences == 0;
}

} // namespace

void place_block(BlockContext& block, const LaunchContext& launch, std::uint64_t number) {
    block.launch = &launch;
    block.ctaid[0] = static_cast<std::uint32_t>(number % launch.nctaid[0]);
    block.ctaid[1] = static_cast<std::uint32_t>(number / launch.nctaid[0] % launch.nctaid[1]);
    block.ctaid[2] = static_cast<std::uint32_t>(number / launch.nctaid[0] / launch.nctaid[1]);
    block.cluster_rank = 0;
    if (launch.cluster_blocks <= 1) {
        std::copy(block.ctaid, block.ctaid + 3, block.clusterid);
        std::fill(block.cluster_ctaid, block.cluster_ctaid + 3, 0U);
        return;
    }
    for (int axis = 2; axis >= 0; --axis) {
        const std::uint32_t extent = launch.cluster[axis];
        block.clusterid[axis] = block.ctaid[axis] / extent;
        block.cluster_ctaid[axis] = block.ctaid[axis] % extent;
        block.cluster_rank = block.cluster_rank * extent + block.cluster_ctaid[axis];
    }
}

std::uint64_t block_of_cluster(const LaunchContext& launch, std::uint64_t number, std::uint32_t rank) {
    const auto* n = launch.nclusters;
    const auto* c = launch.cluster;
    const std::uint64_t x = number % n[0] * c[0] + rank % c[0];
    const std::uint64_t y = number / n[0] % n[1] * c[1] + rank / c[0] % c[1];
    const std::uint64_t z = number / n[0] / n[1] * c[2] + rank / c[0] / c[1];
    return x + launch.nctaid[0] * (y + launch.nctaid[1] * z);
}

void ClusterOfBlocks::open_if_complete() {
    if (arrived < live) return;
    if (meetings) meetings->opens_cluster(*this);
    arrived = 0;
    ++phase;
}

void ClusterOfBlocks::leave(const BlockScheduler& block) {
    --blocks;
    std::replace(members.begin(), members.end(), &block, static_cast<const BlockScheduler*>(nullptr));
}

void BlockScheduler::begin(const LaunchContext& launch, StartThread start, RunRound round, std::byte* shared,
                           std::uint64_t block, std::uint32_t smid, std::uint32_t width) {
    place_block(block_, launch, block);
    block_.shared = block_.cluster_shared = shared;
    block_.smid = smid;
    block_.scheduler = this;
    block_.found_ranges = found_ranges;
    block_.traced = &kNothingTraced;
    block_.held_stores = held_stores;
    if (sums) std::copy(sums->begin(), sums->end(), block_.sums);
    if (prepare) prepare(block_);
    if (meetings) meetings->begins(block_);
    number_ = block;
    const std::array<std::uint32_t, 3> extent{launch.ntid[0], launch.ntid[1], launch.ntid[2]};
    const bool same = as_new_ && threads_of_ == &launch && extent_ == extent && start_ == start && width_ == width &&
                      threads_.size() == launch.block_threads / width && !rounds;
    extent_ = extent;
    as_new_ = false;
    start_ = start;
    if (!same) round_ = round;
    width_ = width;
    created_ = same;
    together_ = !rounds;
    some_stride_ = false;
    control_ = {};
    control_.begins = 1;
    control_.block = &block_;
    turns_ = 0;
    blocks_given_ = 0;
    alike_ = false;
    live_ = launch.block_threads / width_;
    shared_cluster_.reset();
    alone_ = ClusterOfBlocks{};
    alone_.live = live_;
    alone_.meetings = meetings;
    if (meetings) alone_.members = {this};
    cluster_ = &alone_;
    if (!same) {
        arena.reset();
        locals.reset();
        threads_.resize(live_);
        handles_.resize(live_);
    }
    block_.steps = nullptr;
    if (rounds) {
        watch = {};
        step_frames_.assign(live_, nullptr);
        steps_ = {step_frames_.data(), &watch};
        block_.steps = &steps_;
    }
    warps_.assign((live_ + kWarpSize - 1) / kWarpSize, Warp{});
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
        const std::uint32_t lanes = std::min(live_ - w * kWarpSize, kWarpSize);
        warps_[w].live = warps_[w].ready = lanes == kWarpSize ? ~0U : (1U << lanes) - 1;
    }
    barriers_in_use_ = 0;
}

void BlockScheduler::begin_another(std::uint64_t block) {
    place_block(block_, *block_.launch, block);
    number_ = block;
    as_new_ = false;
    control_.current = control_.blocks = blocks_given_ = 0;
    control_.begins = 1;
    alike_ = false;
    turns_ = 0;
    live_ = alone_.live = static_cast<std::uint32_t>(threads_.size());
}

void BlockScheduler::forget_launch() {
    stop = &kNeverStop;
    prepare = nullptr;
    meetings = nullptr;
    takes_short_turns = false;
    rounds = nullptr;
    found_ranges = nullptr;
    block_ = {};
    as_new_ = false;
    shared_cluster_.reset();
    alone_ = {};
    cluster_ = &alone_;
}

void BlockScheduler::join(std::shared_ptr<ClusterOfBlocks> cluster, std::byte* first) {
    shared_cluster_ = std::move(cluster);
    cluster_ = shared_cluster_.get();
    cluster_->live += live_;
    ++cluster_->blocks;
    cluster_->meetings = meetings;
    cluster_->members.push_back(this);
    block_.cluster_shared = first;
}

void BlockScheduler::create_threads() {
    const LaunchContext& launch = *block_.launch;
    std::uint32_t x = 0, y = 0, z = 0;
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
        ThreadContext& t = threads_[i];
        t = ThreadContext{};
        t.block = &block_;
        t.tid[0] = x;
        t.tid[1] = y;
        t.tid[2] = z;
        t.linear = i * width_;
        x += width_;
        if (x == launch.ntid[0]) {
            x = 0;
            if (++y == launch.ntid[1]) {
                y = 0;
                ++z;
            }
        }
        control_.current = i;
        handles_[i] = start_(&t);
    }
    created_ = true;
    threads_of_ = &launch;
    find_stride();
}

void BlockScheduler::find_stride() {
    const auto address = [&](std::size_t i) { return reinterpret_cast<std::uint64_t>(handles_[i]); };
    frame_stride_ = handles_.size() > 1 ? address(1) - address(0) : 0;
    for (std::size_t i = 1; i < handles_.size(); ++i)
        if (address(i) - address(i - 1) != frame_stride_) round_ = nullptr;
}

BlockScheduler::Turn BlockScheduler::turn() {
    if (!created_) create_threads();
    ++turns_;
    if (rounds) return turn_in_rounds();
    bool ran = false;
    const int passes = takes_short_turns ? 1 : kPassesATurn;
    for (int pass = 0; pass < passes; ++pass) {
        if (stop->load(std::memory_order_relaxed)) break;
        if (together_) {
            ran = true;
            const bool in_turn = run_together(pass, passes);
            if (live_ == 0) return Turn::finished;
            if (in_turn) return Turn::working;
            continue;
        }
        bool only_yields = true;
        std::uint32_t in_cluster = 0;
        for (std::uint32_t w = 0; w < warps_.size(); ++w) {
            Warp& warp = warps_[w];
            warp.ready |= warp.yielded;
            warp.yielded = 0;
            if (warp.cluster) wake_from_cluster(w);
            if (!warp.ready) continue;
            ran = true;
            only_yields &= run_warp(w);
        }
        if (live_ == 0) return Turn::finished;
        std::uint32_t ready = 0;
        std::uint32_t yielded = 0;
        for (std::uint32_t w = 0; w < warps_.size(); ++w) {
            const Warp& warp = warps_[w];
            if (warp.cluster) wake_from_cluster(w);
            ready |= warp.ready;
            yielded |= warp.yielded;
            in_cluster |= warp.cluster;
        }
        if (ready) continue;
        if (!yielded && in_cluster) return ran ? Turn::working : Turn::waiting;
        if (!yielded) return Turn::stuck;
        if (only_yields) return Turn::idle;
    }
    return Turn::working;
}

BlockScheduler::Turn BlockScheduler::turn_in_rounds() {
    bool ran = false;
    progress_ = Progress{};
    for (int pass = 0; pass < kPassesATurn && !stop->load(std::memory_order_relaxed); ++pass) {
        std::uint32_t ready = 0, in_cluster = 0;
        for (std::uint32_t w = 0; w < warps_.size(); ++w) {
            Warp& warp = warps_[w];
            if (warp.cluster) wake_from_cluster(w);
            // Lanes that have yielded wait until others of their warp had a round: these may hold what they wait for.
            std::uint32_t rested = std::exchange(warp.yielded, 0U);
            if (!warp.ready) warp.ready = std::exchange(rested, 0U);
            if (warp.ready) {
                ran = true;
                run_round(w);
            }
            warp.ready |= rested;
            ready |= warp.ready | warp.yielded;
            in_cluster |= warp.cluster;
        }
        if (live_ == 0) return Turn::finished;
        if (ready) continue;
        // The last round may have opened a barrier for a warp before it.
        for (std::uint32_t w = 0; w < warps_.size(); ++w) {
            if (warps_[w].cluster) wake_from_cluster(w);
            ready |= warps_[w].ready;
        }
        if (ready) continue;
        if (in_cluster) return ran ? Turn::working : Turn::waiting;
        return Turn::stuck;
    }
    // Threads that spin go from line to line. Others that compute for so long meanwhile lose nothing by it.
    return progress_.yields && !progress_.waits ? Turn::idle : Turn::working;
}

void BlockScheduler::resume(std::uint32_t i) {
    control_.current = i;
    alike_ = false;
    threads_[i].wait = Wait::running;
    void* handle = handles_[i];
    (*static_cast<void (**)(void*)>(handle))(handle);
}

bool BlockScheduler::run_together(int& pass, int passes) {
    const auto count = static_cast<std::uint32_t>(threads_.size());
    const ThreadContext& first = threads_[0];
    const auto sync = static_cast<std::uint32_t>(BarrierOperation::sync);
    if (some_stride_) {
        for (std::uint32_t i = 0; i < count; ++i)
            if (threads_[i].wait == Wait::grid_stride) resume(i);
    } else if (round_) {
        const bool meets_alone = barriers_in_use_ == 0 && !meetings;
        rounds_given_ = static_cast<std::uint32_t>(meets_alone ? passes - pass - 1 : 0);
        control_.current = 0;
        if (std::exchange(alike_, false) && !control_.begins) control_.begins = 2;
        control_.rounds = rounds_given_;
        control_.stop = stop;
        const std::uint32_t of_row = block_.launch->nctaid[0] - block_.ctaid[0] - 1;
        const bool goes_on = meets_alone && cluster_ == &alone_;
        blocks_given_ = control_.blocks =
            goes_on ? static_cast<std::uint32_t>(std::min<std::uint64_t>(following, of_row)) : 0;
        const RoundEnd end = round_(handles_.front(), handles_.back(), frame_stride_, &control_);
        const std::uint32_t gone = blocks_given_ - std::exchange(control_.blocks, 0U);
        blocks_given_ = 0;
        number_ += gone;
        following -= gone;
        if (end == RoundEnd::done) {
            as_new_ = cluster_ == &alone_;
            if (as_new_) {
                live_ = alone_.live = 0;
                return false;
            }
            for (ThreadContext& t : threads_)
                t.wait = Wait::done;
        }
        pass += static_cast<int>(rounds_given_ - control_.rounds);
        if (end == RoundEnd::alike) {
            alike_ = true;
            if (first.wait == Wait::grid_stride) return true;
            if (first.wait == Wait::barrier && first.operation == sync && first.b == 0 && barriers_in_use_ == 0 &&
                !meetings)
                return false;
            if (first.wait == Wait::done && cluster_ == &alone_ && barriers_in_use_ == 0 && !meetings) {
                live_ = alone_.live = 0;
                return false;
            }
        }
    } else {
        for (std::uint32_t i = 0; i < count; ++i)
            resume(i);
    }
    const bool alike = all_wait_alike(threads_);
    if (alike && first.wait == Wait::grid_stride) return true;
    some_stride_ = !alike && std::any_of(threads_.begin(), threads_.end(),
                                         [](const ThreadContext& t) { return t.wait == Wait::grid_stride; });
    if (some_stride_) return true; // those that have left the loop wait for the others
    bool same = first.wait == Wait::barrier && first.operation == sync && first.b == 0;
    if (same && !alike) {
        for (const ThreadContext& t : threads_)
            same &= t.wait == Wait::barrier && t.operation == sync && t.b == 0 && t.mask == first.mask;
    }
    if (same && barriers_in_use_ == 0 && !meetings) return false; // all have come, and go on
    together_ = false;
    for (Warp& warp : warps_)
        warp.ready = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        note_wait(i);
    for (std::uint32_t w = 0; w < warps_.size(); ++w)
        answer(w);
    return false;
}

bool BlockScheduler::note_wait(std::uint32_t i) {
    const std::uint32_t w = i / kWarpSize, lane = i % kWarpSize;
    switch (threads_[i].wait) {
    case Wait::yield: warps_[w].yielded |= 1U << lane; return false;
    case Wait::grid_stride:
    case Wait::step: warps_[w].ready |= 1U << lane; break;
    case Wait::warp: warps_[w].asking |= 1U << lane; break;
    case Wait::barrier: enter_barrier(threads_[i], true); break;
    case Wait::cluster:
        warps_[w].cluster |= 1U << lane;
        if (meetings) meetings->waits_in_cluster(*this, threads_[i]);
        wake_from_cluster(w);
        break;
    case Wait::done:
    case Wait::running: exit_thread(w, lane); break;
    }
    return true;
}

void BlockScheduler::answer(std::uint32_t w) {
    Warp& warp = warps_[w];
    if (warp.asking) resolve(warp, w * kWarpSize);
    if (!warp.ready && warp.asking) resolve_active_mask(warp, w * kWarpSize);
}

bool BlockScheduler::run_warp(std::uint32_t w) {
    Warp& warp = warps_[w];
    const std::uint32_t first = w * kWarpSize;
    bool only_yields = true;
    for (bool again = true; again && warp.ready && !stop->load(std::memory_order_relaxed); again = !takes_short_turns) {
        std::uint32_t lanes = warp.ready;
        warp.ready = 0;
        while (lanes) {
            const std::uint32_t i = first + take_lowest(lanes);
            resume(i);
            only_yields &= !note_wait(i);
        }
        answer(w);
    }
    return only_yields;
}

/// Those in the innermost call, then those at the first instruction. So lanes that part meet again where their ways do,
/// as on a GPU: lanes that are ahead wait.
std::uint32_t BlockScheduler::furthest_behind(std::uint32_t w) const {
    const ThreadContext* lanes = threads_.data() + std::size_t{w} * kWarpSize;
    const auto key = [](const ThreadContext& t) {
        return std::uint64_t{~t.depth} << 33 | std::uint64_t{t.site} << 1 | std::uint64_t{t.wait == Wait::step};
    };
    std::uint64_t least = UINT64_MAX;
    std::uint32_t found = 0;
    for (std::uint32_t rest = warps_[w].ready; rest;) {
        const std::uint32_t lane = take_lowest(rest);
        const std::uint64_t k = key(lanes[lane]);
        if (k < least) found = 0;
        if (k <= least) found |= 1U << lane;
        least = std::min(least, k);
    }
    return found;
}

void BlockScheduler::run_round(std::uint32_t w) {
    Warp& warp = warps_[w];
    const std::uint32_t first = w * kWarpSize;
    std::uint32_t lanes = furthest_behind(w);
    const ThreadContext& t = threads_[first + static_cast<std::uint32_t>(std::countr_zero(lanes))];
    if (t.wait == Wait::step && !rounds->comes(*this, w, lanes, t.site)) return;
    warp.ready &= ~lanes;
    while (lanes) {
        const std::uint32_t i = first + take_lowest(lanes);
        resume(i);
        progress_.yields |= threads_[i].wait == Wait::yield;
        progress_.waits |= threads_[i].wait != Wait::yield && threads_[i].wait != Wait::step;
        (void)note_wait(i);
    }
    answer(w);
}

void BlockScheduler::resolve(Warp& warp, std::uint32_t first) {
    ThreadContext* lanes = threads_.data() + first;
    std::uint32_t open = warp.asking;
    while (open) {
        const auto lowest = static_cast<std::uint32_t>(std::countr_zero(open));
        const ThreadContext& t = lanes[lowest];
        std::uint32_t members = 0;
        for (std::uint32_t rest = open; rest;) {
            const std::uint32_t lane = take_lowest(rest);
            if (lanes[lane].operation == t.operation && lanes[lane].mask == t.mask) members |= 1U << lane;
        }
        open &= ~members;
        const auto operation = static_cast<WarpOperation>(t.operation);
        if (operation == WarpOperation::activemask) continue;
        // Lanes that have exited count as arrived.
        if ((t.mask & warp.live & ~members) != 0) continue;
        if (meetings) meetings->performs(*this, first / kWarpSize, members, warp.live);
        perform(operation, lanes, members);
        warp.asking &= ~members;
        warp.ready |= members;
    }
}

void BlockScheduler::resolve_active_mask(Warp& warp, std::uint32_t first) {
    ThreadContext* lanes = threads_.data() + first;
    std::uint32_t members = 0;
    std::uint32_t site = 0;
    for (std::uint32_t rest = warp.asking; rest;) {
        const std::uint32_t lane = take_lowest(rest);
        const ThreadContext& t = lanes[lane];
        if (static_cast<WarpOperation>(t.operation) != WarpOperation::activemask) continue;
        if (members && t.site > site) continue;
        if (t.site != site) members = 0;
        site = t.site;
        members |= 1U << lane;
    }
    if (!members) return;
    perform(WarpOperation::activemask, lanes, members);
    warp.asking &= ~members;
    warp.ready |= members;
}

void BlockScheduler::arrive_in_cluster(ThreadContext& thread) {
    if (meetings) meetings->arrives_in_cluster(*this, thread);
    thread.cluster_phase = cluster_->phase;
    cluster_->arrive();
}

void BlockScheduler::wake_from_cluster(std::uint32_t w) {
    Warp& warp = warps_[w];
    std::uint32_t woken = 0;
    for (std::uint32_t lanes = warp.cluster; lanes;) {
        const std::uint32_t lane = take_lowest(lanes);
        ThreadContext& thread = threads_[w * kWarpSize + lane];
        if (thread.cluster_phase == cluster_->phase) continue;
        thread.cluster_phase = 0; // it may arrive again
        woken |= 1U << lane;
    }
    warp.cluster &= ~woken;
    warp.ready |= woken;
    if (meetings && woken) meetings->leaves_cluster(*this, w, woken);
}

void BlockScheduler::arrive(ThreadContext& thread) { enter_barrier(thread, false); }

void BlockScheduler::enter_barrier(ThreadContext& t, bool waits) {
    rounds_given_ -= std::exchange(control_.rounds, 0U); // who comes to this barrier has to be counted
    const std::uint32_t number = t.mask & 15;
    Barrier& barrier = barriers_[number];
    if (!(barriers_in_use_ >> number & 1)) {
        barrier.arrived = barrier.true_predicates = barrier.predicates = 0;
        barrier.waiting.assign(warps_.size(), 0);
        barriers_in_use_ |= 1U << number;
    }
    if (meetings) meetings->comes_to_barrier(*this, t, barrier.arrived ? barrier.asked : t.b);
    barrier.asked = t.b;
    ++barrier.arrived;
    // A count that only the block's last, partial warp falls short of is the whole block.
    const std::uint32_t block_threads = static_cast<std::uint32_t>(threads_.size());
    const std::uint32_t whole_warps = static_cast<std::uint32_t>(warps_.size()) * kWarpSize;
    barrier.needed = t.b >= block_threads && t.b <= whole_warps ? 0 : t.b;
    if (waits) {
        const std::uint32_t i = t.linear / width_;
        barrier.waiting[i / kWarpSize] |= 1U << i % kWarpSize;
        if (static_cast<BarrierOperation>(t.operation) != BarrierOperation::sync) {
            ++barrier.predicates;
            barrier.true_predicates += t.value != 0;
        }
    }
    open_if_complete(barrier);
}

void BlockScheduler::open_if_complete(Barrier& barrier) {
    if (barrier.needed == 0) {
        if (barrier.arrived < live_) return;
    } else if (barrier.arrived < barrier.needed) {
        // A warp counts whole: its lanes that have exited, or never were, count with those that came.
        std::uint32_t absent = 0;
        for (std::size_t w = 0; w < warps_.size(); ++w) {
            if (barrier.waiting[w]) absent += static_cast<std::uint32_t>(std::popcount(~warps_[w].live));
        }
        if (barrier.arrived + absent < barrier.needed) return;
    }
    const auto number = static_cast<std::uint32_t>(&barrier - barriers_.data());
    if (meetings) meetings->opens_barrier(*this, number, barrier.waiting);
    const bool all = barrier.true_predicates == barrier.predicates;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        std::uint32_t lanes = barrier.waiting[w];
        if (!lanes) continue;
        warps_[w].ready |= lanes;
        barrier.waiting[w] = 0;
        if (barrier.predicates == 0) continue;
        while (lanes) {
            ThreadContext& t = threads_[w * kWarpSize + take_lowest(lanes)];
            switch (static_cast<BarrierOperation>(t.operation)) {
            case BarrierOperation::reduce_popc: t.result = barrier.true_predicates; break;
            case BarrierOperation::reduce_and: t.result = all; break;
            case BarrierOperation::reduce_or: t.result = barrier.true_predicates != 0; break;
            default: break;
            }
        }
    }
    barrier.arrived = barrier.true_predicates = barrier.predicates = 0;
    barriers_in_use_ &= ~(1U << number);
}

void BlockScheduler::exit_thread(std::uint32_t w, std::uint32_t lane) {
    Warp& warp = warps_[w];
    warp.live &= ~(1U << lane);
    --live_;
    // Of the cluster's barrier too those that have exited count as arrived, once.
    if (threads_[w * kWarpSize + lane].cluster_phase == cluster_->phase) --cluster_->arrived;
    --cluster_->live;
    if (cluster_->arrived) cluster_->open_if_complete();
    threads_[w * kWarpSize + lane].wait = Wait::done;
    for (std::uint32_t rest = barriers_in_use_; rest;) {
        Barrier& barrier = barriers_[take_lowest(rest)];
        if (barrier.arrived) open_if_complete(barrier);
    }
    // Other lanes of the warp may wait for this lane. run_warp() checks them after each round, so nothing is done here.
}

} // namespace warplight::software
