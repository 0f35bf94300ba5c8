// SPDX-License-Identifier: Apache-2.0
#include "collector.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace warplight::software::checks {

Collector& Collector::instance() {
    static auto* const all = new Collector; // never destroyed: threads may run until the process ends
    return *all;
}

Collector::Place Collector::add(const Spot& spot, const Moment& moment,
                                const std::function<findings::Finding()>& tell) {
    const std::scoped_lock lock(mutex_);
    auto found = kept_.find(spot);
    if (found == kept_.end()) {
        if (kept_.size() >= kMost) {
            ++more_;
            return {round_, nullptr};
        }
        found = kept_.emplace(spot, Kept{moment, tell(), 0}).first;
    } else if (moment < found->second.moment) {
        found->second.moment = moment;
        found->second.finding = tell();
    }
    ++found->second.count;
    return {round_, &found->second};
}

bool Collector::count(const Place& place, const Moment& moment) {
    const std::scoped_lock lock(mutex_);
    if (place.round_ != round_ || (place.kept_ && moment < place.kept_->moment)) return false;
    ++(place.kept_ ? place.kept_->count : more_);
    return true;
}

findings::Findings Collector::take() {
    std::map<Spot, Kept> kept;
    findings::Findings all;
    {
        const std::scoped_lock lock(mutex_);
        kept.swap(kept_);
        all.more = std::exchange(more_, 0);
        ++round_;
    }
    std::vector<std::pair<const Spot*, Kept*>> sorted;
    sorted.reserve(kept.size());
    for (auto& [spot, each] : kept)
        sorted.emplace_back(&spot, &each);
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return std::tie(a.second->moment, *a.first) < std::tie(b.second->moment, *b.first);
    });
    for (auto& [spot, each] : sorted) {
        each->finding.count = each->count;
        all.all.push_back(std::move(each->finding));
    }
    return all;
}

} // namespace warplight::software::checks
