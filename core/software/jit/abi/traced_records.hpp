// SPDX-License-Identifier: Apache-2.0
// What words of global memory have in common of which a warp's instruction accessed several: it is kept once, and the
// words have its number. Standard layout, as all that generated code and the runtime share (abi.hpp).
#pragma once

#include "abi.hpp"

#include <cstdint>

namespace warplight::software {

/// What is kept of the last write to a word of memory, or of the last read: the lane (5 bits) and the number of its
/// record (26). 0: there was none. checks::RaceCells has more than one access elsewhere.
struct TracedNumber {
    static constexpr unsigned kBytes = 4;
    static constexpr unsigned kShift = 5; ///< of the number
    static constexpr std::uint32_t kLane = 31;
    static constexpr std::uint32_t kMany = 1U << 31;
};

/// The records, numbered from 1; the first one is 0. A record is a TracedCell that has instead of the lane
/// checks::Parts, which are 0 where a lane accessed all that is kept of a word.
struct TracedRecords {
    static constexpr std::uint64_t kOwn = TracedCell::kKey; ///< the epoch, and that lanes share no word
    static constexpr std::uint32_t kRecent = 1024;
    /// Where the number of a record is looked for: so far from its epoch.
    [[nodiscard]] static constexpr std::uint32_t place_of_rest(std::uint64_t record) {
        return static_cast<std::uint32_t>(record >> TracedCell::kLaneShift) * 0x9e3779b1U >> 22;
    }
    [[nodiscard]] static constexpr std::uint32_t place_of(std::uint64_t record) {
        return (static_cast<std::uint32_t>(record) + place_of_rest(record)) % kRecent;
    }
    std::uint64_t* all;
    std::uint32_t next, end;       ///< from `end` on the runtime must make room
    std::uint32_t recent[kRecent]; ///< numbers
};

/// TracedShared::read_pages and write_pages are the first member.
struct TracedMemory {
    TracedPage pages[TracedPage::kCount];
    TracedRecords records;
};

} // namespace warplight::software
