// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::software {

/// Which blocks a worker runs next. Each worker has a range of its own, at the same place in every launch, so that it
/// finds its data in its caches and goes through memory in order. A worker with an empty range takes blocks of others.
/// Towards the end of a range it takes fewer at once, so that all workers end together.
class BlockRanges {
public:
    struct Range {
        std::uint64_t begin, end;
    };

    /// With one range all blocks begin in order. A worker takes `at_once` of them, and towards the end down to `least`.
    BlockRanges(std::uint64_t blocks, std::uint64_t ranges, std::uint64_t at_once, std::uint64_t least)
        : at_once_(at_once), least_(least), ranges_(static_cast<std::size_t>(ranges)) {
        for (std::uint64_t k = 0; k < ranges; ++k) {
            ranges_[k].next = part(blocks, ranges, k);
            ranges_[k].end = part(blocks, ranges, k + 1);
        }
    }

    [[nodiscard]] std::optional<Range> take(unsigned worker) {
        for (std::size_t k = 0; k < ranges_.size(); ++k) {
            Own& own = ranges_[(worker + k) % ranges_.size()];
            std::uint64_t begin = own.next.load(std::memory_order_relaxed);
            while (begin < own.end) {
                const std::uint64_t end = begin + at_once(own.end - begin);
                if (own.next.compare_exchange_weak(begin, end)) return Range{begin, end};
            }
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] std::uint64_t at_once(std::uint64_t left) const {
        return std::min(left, std::clamp(left / 4, least_, at_once_));
    }
    static std::uint64_t part(std::uint64_t blocks, std::uint64_t ranges, std::uint64_t k) {
        return blocks / ranges * k + std::min(blocks % ranges, k);
    }

    struct alignas(64) Own { // a cache line each
        std::atomic<std::uint64_t> next = 0;
        std::uint64_t end = 0;
    };
    std::uint64_t at_once_, least_;
    std::vector<Own> ranges_;
};

} // namespace warplight::software
