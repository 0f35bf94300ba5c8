// SPDX-License-Identifier: Apache-2.0
// The part of the race check that is about other launches.
#include "../checks/collector.hpp"
#include "address_space.hpp"
#include "context.hpp"
#include "grid.hpp"
#include "race_checks.hpp"
#include "work_races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace warplight::software {

using checks::AccessKind;
using checks::PastAccess;

namespace {

constexpr std::size_t kMostRangesOfLaunch = std::size_t{1}
                                            << 18; ///< of a launch; scattered accesses beyond are left out

/// Memory of allocations that other launches may access too, with the one that was asked for last.
class CommonMemory {
public:
    [[nodiscard]] bool has(std::uint64_t address) {
        if (address - begin_ < size_) return true;
        const auto memory = AddressSpace::instance().find(address);
        // Blocks of the kernels' heap are others as soon as they are freed.
        if (!memory || memory->kind == Allocation::Kind::internal) return false;
        begin_ = memory->base;
        size_ = memory->size;
        return true;
    }

private:
    std::uint64_t begin_ = 0, size_ = 0;
};

/// @param is_child one of the two has launched the other
void tell_family_race(const WorkEvent& who, const WorkEvent& with, std::uint64_t address, bool is_child) {
    const std::string place = findings::to_text(with.event.place, with.event.inlined_at, with.event.ptx_line);
    const checks::Spot spot{who.kernel, findings::to_text(who.event.place, who.event.inlined_at, who.event.ptx_line),
                            fmt::format("family {} {} {}", with.kernel, place, with.event.access)};
    checks::Collector::instance().add(spot, {who.launch, 0, 0}, [&] {
        findings::Finding f;
        static_cast<findings::Event&>(f) = who.event;
        f.kind = findings::name_of(findings::Check::race);
        f.address = address;
        f.other = with.event;
        f.mend = findings::Mend::launch;
        std::string where = fmt::format("the address 0x{:x}", address);
        if (const auto memory = AddressSpace::instance().find(address)) {
            f.allocation = AddressSpace::name_of(*memory);
            where = fmt::format("byte {} of {}", address - memory->base, f.allocation);
        }
        f.message = fmt::format("a race: the {} at {}, and the {} by kernel '{}', {}, at {}, which nothing orders. {}",
                                f.access, where, with.event.access, with.event.kernel,
                                is_child ? "which has launched this one" : "which the same kernel has launched", place,
                                findings::advice_of(*f.mend));
        return f;
    });
}

} // namespace

DoneAccesses RaceChecks::done_accesses() const {
    DoneAccesses done;
    CommonMemory memory;
    std::pair<std::uint32_t, std::uint32_t> last{~0U, 0};
    cells_.each_access([&](const PastAccess& access, std::uint32_t lanes, std::uint64_t word) {
        if (!memory.has(word)) return;
        done.all.push_back({word, access, lanes});
        const std::pair<std::uint32_t, std::uint32_t> key{access.site, access.kind};
        if (std::exchange(last, key) == key) return;
        const auto [event, is_new] = done.events.try_emplace(key);
        if (is_new) {
            const checks::Epoch& epoch = epochs_[access.epoch];
            const BlockContext block = launch_.block_at(epoch.block);
            const std::uint32_t thread = epoch.warp * kWarpSize + access.lane;
            event->second = {
                launch_.event_at(block, {thread, access.site}, name_of(static_cast<AccessKind>(access.kind))),
                launch_.function.ptx().name, launch_.moment(block, 0).launch};
        }
    });
    return done;
}

namespace {

bool is_strong(const PastAccess& access) {
    return access.strong && access.scope >= static_cast<std::uint32_t>(checks::Scope::device);
}

/// Neighbouring words that one instruction accesses become one range.
WorkAccesses ranges_of(const DoneAccesses& done) {
    WorkAccesses all;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (const auto& [key, event] : done.events) {
        numbers[key] = static_cast<std::uint32_t>(all.events.size());
        all.events.push_back(event);
    }
    std::map<std::pair<std::uint32_t, bool>, std::size_t> last; // range by event and strength
    for (const DoneAccesses::One& each : done.all) {
        if (all.ranges.size() >= kMostRangesOfLaunch) break;
        const PastAccess& access = each.access;
        const std::uint32_t event = numbers.at({access.site, access.kind});
        const std::uint64_t begin = each.word + static_cast<std::uint64_t>(std::countr_zero(unsigned{access.bytes}));
        const std::uint64_t end = each.word + static_cast<std::uint64_t>(std::bit_width(unsigned{access.bytes}));
        const auto [known, is_first] = last.try_emplace({event, is_strong(access)}, all.ranges.size());
        if (!is_first && all.ranges[known->second].end >= begin) {
            all.ranges[known->second].end = std::max(all.ranges[known->second].end, end);
            continue;
        }
        known->second = all.ranges.size();
        const auto kind = static_cast<AccessKind>(access.kind);
        all.ranges.push_back(
            {begin, end, kind != AccessKind::write, kind != AccessKind::read, is_strong(access), event});
    }
    return all;
}

} // namespace

void RaceChecks::keep_accesses() {
    const bool is_of_family = asked_ || parent_;
    if (!is_of_family && !WorkRaces::instance().has_several_streams()) return;
    auto done = std::make_shared<DoneAccesses>(done_accesses());
    WorkRaces::instance().keep(ranges_of(*done));
    if (asked_) compare_with_family(*done);
    const std::scoped_lock lock(parent_mutex_);
    if (!parent_) return;
    const std::scoped_lock own(parent_->mutex);
    parent_->done = std::move(done);
}

// --- launches of kernels

ParentLaunch& RaceChecks::parent_launch() {
    const std::scoped_lock lock(parent_mutex_);
    if (!parent_) {
        parent_ = std::make_shared<ParentLaunch>();
        parent_->epochs = shared_epochs_;
        parent_->asked = asked_;
    }
    return *parent_;
}

std::shared_ptr<const AskedLaunch> RaceChecks::ask(const BlockContext& block, std::uint32_t linear,
                                                   std::uint64_t stream) {
    Block& state = state_of(block);
    state.recent.leave();
    (void)parent_launch();
    auto asked = std::make_shared<AskedLaunch>();
    asked->parent = parent_;
    asked->before = state.order.release(linear);
    asked->is_tail = stream == kTailStream;
    // The default stream is each block's own.
    asked->stream = {stream, stream <= 2 ? state.number : 0};
    return asked;
}

void RaceChecks::compare_with_family(const DoneAccesses& own) {
    for (std::shared_ptr<const AskedLaunch> asked = asked_; asked; asked = asked->parent->asked) {
        ParentLaunch& parent = *asked->parent;
        const std::scoped_lock lock(parent.mutex);
        if (parent.has_events) return;
        if (parent.done && !asked->is_tail) compare(own, *parent.done, asked.get());
        if (asked != asked_) continue;
        if (!asked->is_tail)
            for (const auto& [stream, sibling] : parent.children)
                if (stream != asked->stream || stream.first == kFireAndForgetStream) compare(own, *sibling, nullptr);
        if (!asked->is_tail) parent.children.emplace_back(asked->stream, std::make_shared<DoneAccesses>(own));
    }
}

/// @param asked of the launch, where the other one is its parent
void RaceChecks::compare(const DoneAccesses& own, const DoneAccesses& other, const AskedLaunch* asked) {
    auto next = other.all.begin();
    std::set<std::pair<const WorkEvent*, const WorkEvent*>> told;
    for (const DoneAccesses::One& now : own.all) {
        while (next != other.all.end() && next->word < now.word)
            ++next;
        for (auto each = next; each != other.all.end() && each->word == now.word; ++each) {
            const PastAccess &here = now.access, &there = each->access;
            if ((here.bytes & there.bytes) == 0 || (!here.writes() && !there.writes()) ||
                (is_strong(here) && is_strong(there)))
                continue;
            bool is_before = asked != nullptr;
            for (std::uint32_t left = each->lanes; is_before && left != 0; left &= left - 1)
                is_before = asked->before.is_after((*asked->parent->epochs)[there.epoch],
                                                   static_cast<unsigned>(std::countr_zero(left)));
            if (is_before) continue;
            const WorkEvent& who = own.events.at({here.site, here.kind});
            const WorkEvent& with = other.events.at({there.site, there.kind});
            if (told.insert({&who, &with}).second) tell_family_race(who, with, now.word, asked != nullptr);
        }
    }
}

} // namespace warplight::software
