// SPDX-License-Identifier: Apache-2.0
#include "managed.hpp"

#include "platform.hpp"

#include <map>
#include <mutex>

namespace warplight::software {
namespace {

struct Segment {
    std::uint64_t end = 0;
    RangeAdvice advice;
};

/// Pages of which something was said.
struct Segments {
    std::mutex mutex;
    std::map<std::uint64_t, Segment> by_start;

    /// No segment lies on both sides of the address from now on.
    void split(std::uint64_t address) {
        const auto after = by_start.upper_bound(address);
        if (after == by_start.begin()) return;
        auto& [start, segment] = *std::prev(after);
        if (start == address || segment.end <= address) return;
        by_start[address] = segment;
        segment.end = address;
    }
};
Segments& segments() {
    static auto* instance = new Segments;
    return *instance;
}

struct Pages {
    Pages(std::uint64_t start, std::uint64_t bytes) {
        const std::uint64_t page = platform::page_size();
        first = start / page * page;
        last = (start + bytes + page - 1) / page * page;
    }
    std::uint64_t first, last;
};

} // namespace

void change_managed(std::uint64_t start, std::uint64_t bytes, const std::function<void(RangeAdvice&)>& change) {
    const Pages pages(start, bytes);
    Segments& all = segments();
    const std::scoped_lock lock(all.mutex);
    all.split(pages.first);
    all.split(pages.last);
    std::uint64_t place = pages.first;
    auto it = all.by_start.lower_bound(pages.first);
    while (place < pages.last) {
        if (it == all.by_start.end() || it->first > place) {
            const std::uint64_t end = it == all.by_start.end() ? pages.last : std::min(pages.last, it->first);
            it = all.by_start.emplace_hint(it, place, Segment{end, {}});
        }
        change(it->second.advice);
        place = it->second.end;
        ++it;
    }
}

void visit_managed(std::uint64_t start, std::uint64_t bytes, const std::function<void(const RangeAdvice&)>& visit) {
    const Pages pages(start, bytes);
    Segments& all = segments();
    const std::scoped_lock lock(all.mutex);
    std::uint64_t place = pages.first;
    auto it = all.by_start.upper_bound(place);
    if (it != all.by_start.begin() && std::prev(it)->second.end > place) --it;
    while (place < pages.last) {
        if (it == all.by_start.end() || it->first > place) {
            visit({});
            place = it == all.by_start.end() ? pages.last : it->first;
            continue;
        }
        visit(it->second.advice);
        place = it->second.end;
        ++it;
    }
}

void forget_managed(std::uint64_t start, std::uint64_t bytes) {
    const Pages pages(start, bytes);
    Segments& all = segments();
    const std::scoped_lock lock(all.mutex);
    all.split(pages.first);
    all.split(pages.last);
    all.by_start.erase(all.by_start.lower_bound(pages.first), all.by_start.lower_bound(pages.last));
}

} // namespace warplight::software
