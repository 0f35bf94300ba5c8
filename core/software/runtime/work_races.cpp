// SPDX-License-Identifier: Apache-2.0
#include "work_races.hpp"

#include "../checks/collector.hpp"
#include "address_space.hpp"
#include "check_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace warplight::software {
namespace {

constexpr std::size_t kMostRanges = std::size_t{1} << 20;

thread_local checks::WorkId running; // NOLINT: of the thread

std::string place_of(const WorkEvent& who) {
    return findings::to_text(who.event.place, who.event.inlined_at, who.event.ptx_line);
}

bool is_of_kernel(const WorkEvent& who) { return !who.event.kernel.empty(); }

const char* name_of(const AccessedRange& range) {
    if (!range.writes) return "read";
    return range.reads ? "atomic" : "write";
}

const char* text_of(const AccessedRange& range) {
    if (!range.writes) return "a read";
    return range.reads ? "an atomic operation" : "a write";
}

bool overlap(const AccessedRange& a, const AccessedRange& b) { return a.begin < b.end && b.begin < a.end; }

/// Calls visit(range, range) for those that overlap, until it answers false.
template <class Visit>
void each_overlap(const WorkAccesses& a, const WorkAccesses& b, Visit visit) {
    std::vector<const AccessedRange*> open; // of b, that may reach into what is to come
    auto next = b.ranges.begin();
    for (const AccessedRange& range : a.ranges) {
        for (; next != b.ranges.end() && next->begin < range.end; ++next)
            open.push_back(&*next);
        std::erase_if(open, [&](const AccessedRange* each) { return each->end <= range.begin; });
        for (const AccessedRange* each : open)
            if (overlap(range, *each) && !visit(range, *each)) return;
    }
}

} // namespace

WorkRaces& WorkRaces::instance() {
    static WorkRaces& races = *new WorkRaces; // for work that the end of the process meets
    return races;
}

bool WorkRaces::is_on() { return requested_checks().has(findings::Check::race); }

WorkRaces::Running::Running(checks::WorkId work) : before_(std::exchange(running, work)), work_(work) {}

WorkRaces::Running::~Running() {
    running = before_;
    WorkRaces& races = instance();
    if (races.pending_count_ == 0) return; // mostly nobody looks for races
    const std::scoped_lock lock(races.mutex_);
    const auto pending = races.pending_.find(work_);
    if (pending == races.pending_.end()) return;
    races.pending_since_.erase(pending->second);
    races.pending_.erase(pending);
    --races.pending_count_;
}

void WorkRaces::add(checks::WorkId work, std::span<const checks::WorkId> after) {
    const std::scoped_lock lock(mutex_);
    order_.add(work, after);
    pending_[work] = ++last_;
    ++pending_count_;
    pending_since_.insert(last_);
}

void WorkRaces::host_waits_for(checks::WorkId work) {
    const std::scoped_lock lock(mutex_);
    if (order_.host_knows(work)) return;
    order_.host_waits_for(work);
    for (auto& [stream, all] : kept_)
        for (Kept& each : all)
            if (!each.known_since && order_.host_knows(each.work)) each.known_since = last_ + 1;
    drop_known();
}

/// What comes before all work that is still to run.
void WorkRaces::drop_known() {
    const std::uint64_t first = pending_since_.empty() ? last_ + 1 : *pending_since_.begin();
    for (auto& [stream, all] : kept_)
        std::erase_if(all, [&](const Kept& each) {
            const bool is_known = each.known_since && each.known_since <= first;
            if (is_known) ranges_ -= each.accesses->ranges.size();
            return is_known;
        });
}

void WorkRaces::tell_host() {
    if (running.stream) host_waits_for(running);
}

void WorkRaces::give_up() {
    const std::scoped_lock lock(mutex_);
    has_given_up_ = true;
    kept_.clear();
    ranges_ = 0;
}

void WorkRaces::forget(std::uint64_t begin, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto is_gone = [&](const AccessedRange& range) { return range.begin - begin < bytes; };
    for (auto& [stream, all] : kept_)
        for (Kept& each : all) {
            const auto& ranges = each.accesses->ranges;
            if (std::none_of(ranges.begin(), ranges.end(), is_gone)) continue;
            auto left = std::make_shared<WorkAccesses>(*each.accesses);
            ranges_ -= std::erase_if(left->ranges, is_gone);
            each.accesses = std::move(left);
        }
}

void WorkRaces::keep_copy(const BoxCopy& box) {
    if (!running.stream || !is_on()) return;
    WorkAccesses accesses;
    WorkEvent who;
    who.event.access = box.from ? "copy" : "fill";
    accesses.events.push_back(who);
    const auto add = [&](const std::byte* memory, std::size_t pitch, std::size_t slice, bool writes) {
        const auto first = reinterpret_cast<std::uint64_t>(memory);
        // Memory that only the program knows may be something else by now.
        if (!AddressSpace::instance().find(first)) return;
        for (std::size_t z = 0; z < box.depth; ++z)
            for (std::size_t y = 0; y < box.height && accesses.ranges.size() < kMostRanges; ++y) {
                const std::uint64_t at = first + z * slice + y * pitch;
                accesses.ranges.push_back({at, at + box.width, !writes, writes, false, 0});
            }
    };
    if (box.width == 0) return;
    add(box.to, box.to_pitch, box.to_slice, true);
    if (box.from) add(box.from, box.from_pitch, box.from_slice, false);
    std::sort(accesses.ranges.begin(), accesses.ranges.end(),
              [](const AccessedRange& a, const AccessedRange& b) { return a.begin < b.begin; });
    keep(std::move(accesses));
}

void WorkRaces::keep(WorkAccesses accesses) {
    if (!running.stream || accesses.ranges.empty()) return;
    const std::scoped_lock lock(mutex_);
    if (has_given_up_) return;
    const auto pending = pending_.find(running);
    if (pending == pending_.end()) return; // it was added before races were looked for
    Kept now{running, std::make_shared<const WorkAccesses>(std::move(accesses)), pending->second};
    for (const auto& [stream, all] : kept_) {
        if (stream == now.work.stream) continue;
        const std::uint64_t last = order_.last_before(stream, now.work);
        for (auto each = all.rbegin(); each != all.rend() && each->work.number > last; ++each)
            if (!order_.is_before(now.work, each->work)) compare(now, *each);
    }
    if (order_.host_knows(now.work)) now.known_since = last_ + 1;
    std::deque<Kept>& own = kept_[now.work.stream];
    ranges_ += now.accesses->ranges.size();
    own.push_back(std::move(now));
    while (ranges_ > kMostRanges && own.size() > 1) {
        ranges_ -= own.front().accesses->ranges.size();
        own.pop_front();
    }
}

void WorkRaces::compare(const Kept& now, const Kept& before) {
    // Kernels that tell each other by strong accesses are in an order that is not known here.
    bool tell_each_other = false;
    each_overlap(*now.accesses, *before.accesses, [&](const AccessedRange& a, const AccessedRange& b) {
        tell_each_other = a.strong && b.strong && ((a.writes && b.reads) || (b.writes && a.reads));
        return !tell_each_other;
    });
    if (tell_each_other) return;
    // The finding is at the work that the program asked for last.
    const bool now_is_last = now.added >= before.added;
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    each_overlap(*now.accesses, *before.accesses, [&](const AccessedRange& a, const AccessedRange& b) {
        if ((!a.writes && !b.writes) || (a.strong && b.strong) || !told.insert({a.event, b.event}).second) return true;
        const WorkEvent &of_a = now.accesses->events[a.event], &of_b = before.accesses->events[b.event];
        const bool a_is_main = is_of_kernel(of_a) && (now_is_last || !is_of_kernel(of_b));
        const AccessedRange &main = a_is_main ? a : b, &second = a_is_main ? b : a;
        const WorkEvent &who = a_is_main ? of_a : of_b, &other = a_is_main ? of_b : of_a;
        const checks::Spot spot{who.kernel, place_of(who),
                                fmt::format("streams {} {} {}", other.kernel, place_of(other), other.event.access)};
        checks::Collector::instance().add(spot, {who.launch, 0, 0}, [&] {
            findings::Finding f;
            static_cast<findings::Event&>(f) = who.event;
            f.access = name_of(main);
            f.kind = findings::name_of(findings::Check::race);
            f.mend = findings::Mend::stream;
            f.address = std::max(main.begin, second.begin);
            f.size = std::min(main.end, second.end) - f.address;
            std::string where = fmt::format("the address 0x{:x}", f.address);
            if (const auto memory = AddressSpace::instance().find(f.address)) {
                f.allocation = AddressSpace::name_of(*memory);
                where = fmt::format("byte {} of {}", f.address - memory->base, f.allocation);
            }
            std::string with;
            if (is_of_kernel(other)) {
                f.other = other.event;
                f.other->access = name_of(second);
                with = fmt::format("{} by kernel '{}' at {}", text_of(second), other.event.kernel, place_of(other));
            } else {
                with = fmt::format("{} by a {} of the program (cudaMem{}Async())", text_of(second), other.event.access,
                                   other.event.access == "copy" ? "cpy" : "set");
            }
            const std::string by =
                is_of_kernel(who) ? std::string() : fmt::format(" by a {} of the program", who.event.access);
            f.message = fmt::format("a race: {} of {} at {}{}, and {} in another stream, which nothing orders. {}",
                                    text_of(main), f.size == 1 ? "1 byte" : fmt::format("{} bytes", f.size), where, by,
                                    with, findings::advice_of(*f.mend));
            return f;
        });
        return true;
    });
}

} // namespace warplight::software
