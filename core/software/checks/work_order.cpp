// SPDX-License-Identifier: Apache-2.0
#include "work_order.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warplight::software::checks {

std::uint64_t WorkOrder::number_of(const Clock& clock, std::uint64_t stream) {
    const auto found = clock.find(stream);
    return found == clock.end() ? 0 : found->second;
}

void WorkOrder::join(Clock& clock, const Clock& other) {
    for (const auto& [stream, number] : other) {
        std::uint64_t& known = clock[stream];
        known = std::max(known, number);
    }
}

/// But for its own stream.
const WorkOrder::Clock& WorkOrder::clock_of(WorkId work) const {
    static const Clock& nothing = *new Clock;
    const auto stream = clocks_.find(work.stream);
    if (stream == clocks_.end()) return nothing;
    const auto behind = stream->second.upper_bound(work.number);
    return behind == stream->second.begin() ? nothing : std::prev(behind)->second;
}

void WorkOrder::add(WorkId work, std::span<const WorkId> after) {
    const Clock& before = clock_of(work);
    Clock now = before;
    join(now, host_);
    for (const WorkId& each : after) {
        join(now, clock_of(each));
        join(now, {{each.stream, each.number}});
    }
    now.erase(work.stream);
    if (now != before) clocks_[work.stream][work.number] = std::move(now);
}

void WorkOrder::host_waits_for(WorkId work) {
    if (host_knows(work)) return;
    join(host_, clock_of(work));
    join(host_, {{work.stream, work.number}});
    // What the program knows all later work knows too.
    for (auto& [stream, clocks] : clocks_) {
        const auto behind = clocks.upper_bound(number_of(host_, stream));
        if (behind != clocks.begin()) clocks.erase(clocks.begin(), std::prev(behind));
    }
}

std::uint64_t WorkOrder::last_before(std::uint64_t stream, WorkId work) const {
    return stream == work.stream ? work.number - 1 : number_of(clock_of(work), stream);
}

bool WorkOrder::is_before(WorkId first, WorkId second) const {
    return first.number <= last_before(first.stream, second);
}

} // namespace warplight::software::checks
