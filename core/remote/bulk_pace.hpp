// SPDX-License-Identifier: Apache-2.0
// How much of files may be on its way at once. What lies in the buffers of a slow line delays everything behind it, so
// files take no more of them than the line empties in a tenth of a second.
#pragma once

#include <chrono>
#include <cstdint>

namespace warplight::remote {

using LinkClock = std::chrono::steady_clock;

class BulkPace {
public:
    /// What is noted of a frame when it is written.
    struct Mark {
        LinkClock::time_point time = {};
        std::uint64_t delivered = 0; ///< until then
        bool full = false;           ///< the pace held it back
    };

    explicit BulkPace(std::uint64_t most) : most_(most) {}

    [[nodiscard]] bool has_room(std::uint64_t bytes) const { return on_way_ == 0 || on_way_ + bytes <= window(); }
    Mark written(std::uint64_t bytes, LinkClock::time_point now);
    void arrived(std::uint64_t bytes, const Mark& mark, LinkClock::time_point now);
    void round_trip(std::chrono::microseconds time);
    [[nodiscard]] std::uint64_t window() const;

private:
    const std::uint64_t most_;
    std::uint64_t on_way_ = 0, delivered_ = 0;
    double rate_ = 0;              ///< bytes a second
    double least_round_trip_ = -1; ///< seconds; below 0: not known
};

} // namespace warplight::remote
