// SPDX-License-Identifier: Apache-2.0
#include "collector.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace warplight::software::checks {

Collector& Collector::instance() {
    static auto* const all = new Collector; // never destroyed: threads may run until the process ends
    return *all;
}

void Collector::add(const Spot& spot, const Moment& moment, const std::function<findings::Finding()>& tell) {
    const std::scoped_lock lock(mutex_);
    auto found = kept_.find(spot);
    if (found == kept_.end()) {
        if (kept_.size() >= kMost) {
            ++more_;
            return;
        }
        found = kept_.emplace(spot, Kept{moment, tell(), 0}).first;
    } else if (moment < found->second.moment) {
        found->second.moment = moment;
        found->second.finding = tell();
    }
    ++found->second.count;
}

findings::Findings Collector::take() {
    std::vector<Kept> sorted;
    findings::Findings all;
    {
        const std::scoped_lock lock(mutex_);
        for (auto& [spot, kept] : kept_)
            sorted.push_back(std::move(kept));
        kept_.clear();
        all.more = std::exchange(more_, 0);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Kept& a, const Kept& b) { return a.moment < b.moment; });
    for (Kept& each : sorted) {
        each.finding.count = each.count;
        all.all.push_back(std::move(each.finding));
    }
    return all;
}

} // namespace warplight::software::checks
