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

    /// What is kept of a place, until the findings are taken.
    class Place;
    /// `tell` is called where this is the first so far, and fills in all but the count.
    Place add(const Spot& spot, const Moment& moment, const std::function<findings::Finding()>& tell);
    /// Counts a thread that came to a place. False: it has to be added, because it is the first so far.
    [[nodiscard]] bool count(const Place& place, const Moment& moment);
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
    std::uint64_t more_ = 0;  ///< times that there was no room
    std::uint64_t round_ = 1; ///< of taking
};

class Collector::Place {
public:
    Place() = default;

private:
    friend Collector;
    Place(std::uint64_t round, Kept* kept) : round_(round), kept_(kept) {}
    std::uint64_t round_ = 0; ///< in which it was added; 0: it was not
    Kept* kept_ = nullptr;    ///< null: there was no room
};

} // namespace warplight::software::checks
