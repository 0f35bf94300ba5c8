// SPDX-License-Identifier: Apache-2.0
#include "block_order.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace warplight::software::checks {
namespace {

template <class Visit>
void each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1)
        visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

} // namespace

BlockOrder::BlockOrder(Epochs& epochs, std::uint32_t block, std::uint32_t cluster_blocks, unsigned threads)
    : epochs_(&epochs), block_(block), cluster_blocks_(cluster_blocks), threads_(threads), warps_((threads + 31) / 32),
      ids_(warps_.size()) {}

Scope BlockOrder::distance(std::uint32_t other_block) const {
    if (other_block == block_) return Scope::block;
    return other_block / cluster_blocks_ == block_ / cluster_blocks_ ? Scope::cluster : Scope::device;
}

std::uint32_t BlockOrder::group(Scope scope) const {
    if (scope == Scope::device) return 0;
    return scope == Scope::cluster ? block_ / cluster_blocks_ : block_;
}

BlockOrder::Lane& BlockOrder::lane(unsigned thread) {
    if (lanes_.empty()) lanes_.resize(threads_);
    return lanes_[thread];
}

std::uint32_t BlockOrder::lanes_of(unsigned warp) const {
    const unsigned lanes = std::min(threads_ - 32 * warp, 32U);
    return lanes == 32 ? ~0U : (1U << lanes) - 1;
}

// --- what is ordered

EpochId BlockOrder::begin_epoch(unsigned number) {
    return ids_[number] = epochs_->add({block_, number, warps_[number].number, phase_});
}

bool BlockOrder::is_before(const Epoch& epoch, unsigned lane, unsigned thread) const {
    const Warp& warp = warps_[thread / 32];
    if (epoch.block == block_) {
        if (epoch.phase < phase_) return true;
        if (epoch.warp == thread / 32) {
            if (lane == thread % 32 || epoch.number <= warp.together) return true;
            if (warp.pairs && epoch.number <= (*warp.pairs)[thread % 32][lane]) return true;
        }
    }
    return known_.is_after(epoch, lane) || warp.known.is_after(epoch, lane) ||
           (!lanes_.empty() && lanes_[thread].known.is_after(epoch, lane));
}

std::uint32_t BlockOrder::lanes_before(const Epoch& epoch, std::uint32_t lanes, unsigned thread) const {
    if (is_plainly_before(epoch, thread)) return lanes;
    std::uint32_t before = 0;
    each_lane(lanes, [&](unsigned lane) { before |= std::uint32_t{is_before(epoch, lane, thread)} << lane; });
    return before;
}

// --- synchronisation

void BlockOrder::next_epoch(unsigned warp) {
    ++warps_[warp].number;
    ids_[warp] = 0;
}

Clock BlockOrder::known_to(unsigned number, std::uint32_t lanes) const {
    const Warp& warp = warps_[number];
    const auto of_warp = static_cast<std::uint16_t>(number);
    BlockMoment moment;
    moment.phase = phase_;
    if (lanes == lanes_of(number)) {
        moment.lanes.push_back({of_warp, BlockMoment::all_lanes, warp.number});
    } else {
        std::array<std::uint32_t, 32> ended{};
        each_lane(lanes, [&](unsigned lane) {
            ended[lane] = warp.number;
            for (std::size_t of = 0; warp.pairs && of < 32; ++of)
                ended[of] = std::max(ended[of], (*warp.pairs)[lane][of]);
        });
        for (std::uint16_t of = 0; of < 32; ++of)
            if (ended[of] > warp.together) moment.lanes.push_back({of_warp, of, ended[of]});
        if (warp.together > 0) moment.lanes.push_back({of_warp, BlockMoment::all_lanes, warp.together});
    }
    Clock known = known_;
    known.join(warp.known);
    if (!lanes_.empty()) each_lane(lanes, [&](unsigned lane) { known.join(lanes_[32 * number + lane].known); });
    known.join(block_, moment);
    return known;
}

void BlockOrder::add_known(unsigned number, std::uint32_t lanes, const Clock& clock) {
    if (clock.empty()) return;
    if (lanes == lanes_of(number))
        warps_[number].known.join(clock);
    else
        each_lane(lanes, [&](unsigned lane) { this->lane(32 * number + lane).known.join(clock); });
}

void BlockOrder::share(std::span<Lane* const> from, std::span<Lane* const> to) {
    for (std::size_t k = 0; k < 3; ++k) {
        Clock fenced, observed;
        for (const Lane* each : from) {
            fenced.join(each->fenced[k]);
            observed.join(each->observed[k]);
        }
        for (Lane* each : to) {
            each->fenced[k].join(fenced);
            each->observed[k].join(observed);
        }
    }
}

void BlockOrder::sync_warp(unsigned number, std::uint32_t lanes) {
    Warp& warp = warps_[number];
    lanes &= lanes_of(number);
    if (!lanes_.empty()) {
        std::vector<Lane*> all_lanes;
        each_lane(lanes, [&](unsigned lane) { all_lanes.push_back(&lanes_[32 * number + lane]); });
        share(all_lanes, all_lanes);
        const bool all = lanes == lanes_of(number);
        Clock known;
        each_lane(lanes, [&](unsigned lane) {
            Clock& own = lanes_[32 * number + lane].known;
            known.join(all ? std::exchange(own, {}) : own);
        });
        add_known(number, lanes, known);
    }
    if (lanes == lanes_of(number)) {
        warp.together = warp.number;
        warp.pairs.reset();
    } else {
        if (!warp.pairs) warp.pairs = std::make_unique<Pairs>();
        std::array<std::uint32_t, 32> ended{};
        each_lane(lanes, [&](unsigned lane) {
            for (std::size_t of = 0; of < 32; ++of)
                ended[of] = std::max(ended[of], (*warp.pairs)[lane][of]);
        });
        each_lane(lanes, [&](unsigned lane) { ended[lane] = warp.number; });
        each_lane(lanes, [&](unsigned lane) { (*warp.pairs)[lane] = ended; });
    }
    next_epoch(number);
}

void BlockOrder::sync_block() {
    for (unsigned number = 0; number < warps_.size(); ++number) {
        Warp& warp = warps_[number];
        known_.join(warp.known);
        warp.known = {};
        warp.together = warp.number;
        warp.pairs.reset();
        next_epoch(number);
    }
    std::vector<Lane*> all;
    for (Lane& lane : lanes_) {
        known_.join(lane.known);
        lane.known = {};
        all.push_back(&lane);
    }
    share(all, all);
    ++phase_;
}

void BlockOrder::sync_some(std::span<const std::uint32_t> arrived, std::span<const std::uint32_t> waiting) {
    Clock all;
    for (unsigned number = 0; number < arrived.size(); ++number)
        if (arrived[number]) all.join(known_to(number, arrived[number]));
    if (!lanes_.empty()) {
        std::vector<Lane*> from, to;
        for (unsigned number = 0; number < arrived.size(); ++number) {
            each_lane(arrived[number], [&](unsigned lane) { from.push_back(&lanes_[32 * number + lane]); });
            each_lane(waiting[number], [&](unsigned lane) { to.push_back(&lanes_[32 * number + lane]); });
        }
        share(from, to);
    }
    for (unsigned number = 0; number < arrived.size(); ++number) {
        if (waiting[number]) add_known(number, waiting[number], all);
        if (arrived[number]) next_epoch(number);
    }
}

// --- copies that go on while their thread does

BlockOrder::Copies& BlockOrder::copies_of(unsigned thread) {
    if (copies_.empty()) copies_.resize(threads_);
    return copies_[thread];
}

/// Of no phase: no barrier of the block ends it.
EpochId BlockOrder::copy_epoch(std::uint32_t warp, std::uint32_t number) {
    EpochId& id = copy_epochs_[std::uint64_t{warp} << 32 | number];
    if (!id) id = epochs_->add({block_, warp, number, ~std::uint32_t{0}});
    return id;
}

EpochId BlockOrder::begin_copy(unsigned thread) {
    Copies& copies = copies_of(thread);
    unknown_copies_ += copies.begun <= copies.waited;
    copies.begun = copies.number;
    return copy_epoch(thread / 32 + kCopies, copies.number);
}

void BlockOrder::commit_copies(unsigned thread) {
    Copies& copies = copies_of(thread);
    copies.committed.push_back(copies.number++);
}

void BlockOrder::learn_of_copies(unsigned thread, std::uint32_t number) {
    Copies& copies = copies_of(thread);
    if (number <= copies.waited) return;
    unknown_copies_ -= copies.begun > copies.waited && copies.begun <= number;
    copies.waited = number;
    BlockMoment moment;
    moment.lanes.push_back(
        {static_cast<std::uint16_t>(thread / 32 + kCopies), static_cast<std::uint16_t>(thread % 32), number});
    lane(thread).known.join(block_, moment);
}

void BlockOrder::wait_for_copies(unsigned thread, std::uint32_t pending) {
    auto& committed = copies_of(thread).committed;
    if (committed.size() <= pending) return;
    const auto ended = committed.end() - static_cast<std::ptrdiff_t>(pending);
    learn_of_copies(thread, *(ended - 1));
    committed.erase(committed.begin(), ended);
}

void BlockOrder::wait_for_all_copies(unsigned thread) {
    commit_copies(thread);
    wait_for_copies(thread, 0);
}

EpochId BlockOrder::begin_told_copy(unsigned thread) {
    has_told_copies_ = true;
    return copy_epoch(thread / 32 + kToldCopies, ++copies_of(thread).told);
}

void BlockOrder::tell(Released& location, std::uint32_t warp, unsigned lane, std::uint32_t number) {
    BlockMoment moment;
    moment.lanes.push_back({static_cast<std::uint16_t>(warp), static_cast<std::uint16_t>(lane), number});
    for (std::size_t k = 0; k < location.scopes.size(); ++k)
        location.scopes[k][group(static_cast<Scope>(k))].join(block_, moment);
}

void BlockOrder::tell_copy(unsigned thread, Released& location) {
    tell(location, thread / 32 + kToldCopies, thread % 32, copies_of(thread).told);
}

void BlockOrder::tell_copies(unsigned thread, Released& location) {
    tell(location, thread / 32 + kCopies, thread % 32, copies_of(thread).number++);
}

// --- with other blocks

void BlockOrder::pass_on(unsigned warp, std::uint32_t lanes, Passed& passed) {
    passed.known.join(known_to(warp, lanes));
    next_epoch(warp);
    if (lanes_.empty()) return;
    each_lane(lanes, [&](unsigned lane) {
        const Lane& from = lanes_[32 * warp + lane];
        for (std::size_t k = 0; k < 3; ++k) {
            passed.fenced[k].join(from.fenced[k]);
            passed.observed[k].join(from.observed[k]);
        }
    });
}

void BlockOrder::take(unsigned warp, std::uint32_t lanes, const Passed& passed) {
    add_known(warp, lanes, passed.known);
    for (std::size_t k = 0; k < 3; ++k) {
        if (passed.fenced[k].empty() && passed.observed[k].empty()) continue;
        each_lane(lanes, [&](unsigned lane) {
            Lane& to = this->lane(32 * warp + lane);
            to.fenced[k].join(passed.fenced[k]);
            to.observed[k].join(passed.observed[k]);
        });
    }
}

Clock BlockOrder::known_at_end() const {
    Clock known = known_;
    for (unsigned warp = 0; warp < warps_.size(); ++warp)
        known.join(known_to(warp, lanes_of(warp)));
    return known;
}

// --- fences and strong accesses

Clock BlockOrder::release(unsigned thread) {
    Clock known = known_to(thread / 32, 1U << thread % 32);
    next_epoch(thread / 32);
    return known;
}

void BlockOrder::fence(unsigned thread, Scope scope) {
    Lane& own = lane(thread);
    for (std::size_t k = 0; k < own.observed.size(); ++k)
        if (static_cast<Scope>(k) <= scope) own.known.join(std::exchange(own.observed[k], {}));
    own.fenced[static_cast<std::size_t>(scope)] = release(thread);
}

bool BlockOrder::has_fenced(unsigned thread, Scope scope) const {
    if (lanes_.empty()) return false;
    const auto& fenced = lanes_[thread].fenced;
    return std::any_of(fenced.begin() + static_cast<std::ptrdiff_t>(scope), fenced.end(),
                       [](const Clock& clock) { return !clock.empty(); });
}

void BlockOrder::read(unsigned thread, const Released& location, Scope scope, bool acquire) {
    for (std::size_t k = 0; k <= static_cast<std::size_t>(scope); ++k) {
        const auto released = location.scopes[k].find(group(static_cast<Scope>(k)));
        if (released == location.scopes[k].end()) continue;
        Lane& own = lane(thread);
        (acquire ? own.known : own.observed[k]).join(released->second);
    }
}

void BlockOrder::write(unsigned thread, Released& location, Scope scope, bool release, bool atomic) {
    if (!atomic) location = {};
    if (!release && lanes_.empty()) return;
    Clock clock;
    if (release) clock = this->release(thread);
    // What was fenced for a wider scope counts in a narrower one too.
    for (std::size_t k = 3; k-- > 0;) {
        if (!release) clock.join(lanes_[thread].fenced[k]);
        if (k <= static_cast<std::size_t>(scope) && !clock.empty())
            location.scopes[k][group(static_cast<Scope>(k))].join(clock);
    }
}

} // namespace warplight::software::checks
