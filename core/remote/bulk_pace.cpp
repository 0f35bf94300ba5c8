// SPDX-License-Identifier: Apache-2.0
#include "remote/bulk_pace.hpp"

#include <algorithm>

namespace warplight::remote {
namespace {

constexpr double kSecondsInBuffers = 0.1;
constexpr std::uint64_t kLeastWindow = std::uint64_t{256} << 10;

} // namespace

BulkPace::Mark BulkPace::written(std::uint64_t bytes, LinkClock::time_point now) {
    on_way_ += bytes;
    return {now, delivered_, on_way_ + window() / 4 >= window()};
}

void BulkPace::arrived(std::uint64_t bytes, const Mark& mark, LinkClock::time_point now) {
    on_way_ -= std::min(bytes, on_way_);
    delivered_ += bytes;
    const double seconds = std::chrono::duration<double>(now - mark.time).count();
    if (seconds <= 0) return;
    const double measured = static_cast<double>(delivered_ - mark.delivered) / seconds;
    // A measurement with little on its way tells only that the line is at least so fast.
    if (measured > rate_)
        rate_ = measured;
    else if (mark.full)
        rate_ += (measured - rate_) / 8;
}

void BulkPace::round_trip(std::chrono::microseconds time) {
    const double seconds = std::chrono::duration<double>(time).count();
    if (least_round_trip_ < 0 || seconds < least_round_trip_) least_round_trip_ = seconds;
}

std::uint64_t BulkPace::window() const {
    const double seconds = kSecondsInBuffers + std::max(least_round_trip_, 0.0);
    const double bytes = std::min(rate_ * seconds, static_cast<double>(most_));
    return std::max(kLeastWindow, static_cast<std::uint64_t>(bytes));
}

} // namespace warplight::remote
