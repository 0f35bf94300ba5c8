// SPDX-License-Identifier: Apache-2.0
// Advice for ranges of managed memory, and the place of their last prefetch. Programs can ask for both. They make no
// difference to the software device, whose memory is the host's.
#pragma once

#include <cstdint>
#include <functional>
#include <set>

namespace warplight::software {

/// Of CUmemLocation; type 0: none.
struct Place {
    int type = 0;
    int id = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

struct RangeAdvice {
    bool read_mostly = false;
    Place preferred;
    std::set<int> accessed_by; ///< devices; -1: the host
    Place prefetched;
    friend bool operator==(const RangeAdvice&, const RangeAdvice&) = default;
};

/// For all pages that the range touches.
void change_managed(std::uint64_t start, std::uint64_t bytes, const std::function<void(RangeAdvice&)>& change);
/// One after the other, pages of which nothing was said included.
void visit_managed(std::uint64_t start, std::uint64_t bytes, const std::function<void(const RangeAdvice&)>& visit);
/// The memory is gone.
void forget_managed(std::uint64_t start, std::uint64_t bytes);

} // namespace warplight::software
