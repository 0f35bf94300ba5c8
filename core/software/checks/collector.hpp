// SPDX-License-Identifier: Apache-2.0
// Keeps what checks find while kernels run: one finding for each place, of the first thread that came there in the
// order of launches, blocks and threads, whichever worker was faster.
#pragma once

#include "findings/finding.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace warplight::software::checks {

/// A place in a kernel, and what is wrong there.
struct Spot {
    std::string kernel; ///< its name in the module
    std::string place;  ///< in the source, with the calls that it was inlined at; without lines the instruction
    std::string what;   ///< in the check's own words
    [[nodiscard]] auto operator<=>(const Spot&) const = default;
};

/// When a thread came there.
struct Moment {
    std::uint64_t launch = 0, block = 0;
    std::uint32_t thread = 0;
    [[nodiscard]] auto operator<=>(const Moment&) const = default;
};

class Collector {
public:
    static constexpr std::size_t kMost = 1000; ///< places

    /// Of the process.
    [[nodiscard]] static Collector& instance();

    /// `tell` is called where this is the first so far, and fills in all but the count.
    void add(const Spot& spot, const Moment& moment, const std::function<findings::Finding()>& tell);
    /// All since the last time, in the order of their moments.
    [[nodiscard]] findings::Findings take();

private:
    struct Kept {
        Moment moment;
        findings::Finding finding;
        std::uint64_t count = 0;
    };

    std::mutex mutex_;
    std::map<Spot, Kept> kept_;
    std::uint64_t more_ = 0; ///< times that there was no room
};

} // namespace warplight::software::checks
