// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace warplight::software {

/// Which blocks a worker runs next. Each worker has a range of its own, at the same place in every launch, so that it
/// finds its data in its caches and goes through memory in order. No other worker writes to its range's cache line
/// until one runs out of blocks. That one takes the back half of a neighbour's range for its own: both go on in order,
/// and it seldom has to ask again. Towards the end of a range a worker takes fewer blocks at once, so that all end
/// together.
class BlockRanges {
public:
    struct Range {
        std::uint64_t begin, end;
    };
    static constexpr std::uint32_t kNoGroup = 0;

    /// With one range all blocks begin in order. A worker takes `at_once` of them, and towards the end down to `least`.
    BlockRanges(std::uint64_t blocks, std::uint64_t ranges, std::uint64_t at_once, std::uint64_t least)
        : blocks_(blocks), count_(static_cast<std::size_t>(ranges)) {
        // Two numbers of blocks lie in one word. Of larger grids it counts several blocks as one.
        constexpr std::uint64_t most = UINT32_MAX;
        unit_ = std::max<std::uint64_t>((blocks + most - 1) / most, 1);
        at_once_ = std::max<std::uint64_t>(at_once / unit_, 1);
        least_ = std::max<std::uint64_t>(least / unit_, 1);
        if (count_ > 1) {
            more_ = std::make_unique<Own[]>(count_); // NOLINT(modernize-avoid-c-arrays)
            own_ = more_.get();
        }
        const std::uint64_t units = (blocks + unit_ - 1) / unit_;
        for (std::size_t k = 0; k < count_; ++k)
            own_[k].left = pack(part(units, ranges, k), part(units, ranges, k + 1));
    }
    BlockRanges(const BlockRanges&) = delete;
    BlockRanges& operator=(const BlockRanges&) = delete;

    /// Says which caches or memory a worker is near to: it takes blocks of workers of its group before those of others.
    void set_group(unsigned worker, std::uint32_t group) {
        if (count_ > 1) own_[worker % count_].group.store(group, std::memory_order_relaxed);
    }

    [[nodiscard]] std::optional<Range> take(unsigned worker) {
        Own& own = own_[worker % count_];
        if (const auto range = take_front(own)) return range;
        if (count_ > 1) {
            const std::uint32_t group = own.group.load(std::memory_order_relaxed);
            if (group != kNoGroup)
                if (const auto range = take_from_others(own, worker, group)) return range;
            if (const auto range = take_from_others(own, worker, kNoGroup)) return range;
        }
        is_empty_.store(true, std::memory_order_relaxed);
        return std::nullopt;
    }
    /// A worker has found no blocks: those that have not begun need not.
    [[nodiscard]] bool is_empty() const { return is_empty_.load(std::memory_order_relaxed); }

private:
    struct alignas(64) Own {                 // a cache line each
        std::atomic<std::uint64_t> left = 0; ///< the first unit that nobody has taken, and above it the end
        std::atomic<std::uint32_t> group = kNoGroup;
    };

    static std::uint64_t pack(std::uint64_t begin, std::uint64_t end) { return begin | end << 32; }
    static std::uint64_t begin_of(std::uint64_t left) { return left & UINT32_MAX; }
    static std::uint64_t end_of(std::uint64_t left) { return left >> 32; }
    static std::uint64_t part(std::uint64_t units, std::uint64_t ranges, std::uint64_t k) {
        return units / ranges * k + std::min(units % ranges, k);
    }
    [[nodiscard]] Range blocks(std::uint64_t begin, std::uint64_t end) const {
        return {begin * unit_, std::min(end * unit_, blocks_)};
    }
    [[nodiscard]] std::uint64_t at_once(std::uint64_t units) const {
        return std::min(units, std::clamp(units / 4, least_, std::max(at_once_, least_)));
    }

    [[nodiscard]] std::optional<Range> take_front(Own& own) {
        std::uint64_t left = own.left.load(std::memory_order_relaxed);
        for (;;) {
            const std::uint64_t begin = begin_of(left), end = end_of(left);
            if (begin >= end) return std::nullopt;
            const std::uint64_t next = begin + at_once(end - begin);
            if (own.left.compare_exchange_weak(left, pack(next, end), std::memory_order_relaxed))
                return blocks(begin, next);
        }
    }

    /// From the nearest numbers on. A word never comes again that had units in it, as these are taken once: so an
    /// exchange takes what it has seen.
    [[nodiscard]] std::optional<Range> take_from_others(Own& own, std::size_t worker, std::uint32_t group) {
        for (std::size_t k = 1; k < count_; ++k) {
            const std::size_t distance = (k + 1) / 2;
            Own& other = own_[(worker + (k % 2 == 1 ? distance : count_ - distance)) % count_];
            if (group != kNoGroup && other.group.load(std::memory_order_relaxed) != group) continue;
            std::uint64_t left = other.left.load(std::memory_order_relaxed);
            for (;;) {
                const std::uint64_t begin = begin_of(left), end = end_of(left);
                if (begin >= end) break;
                const std::uint64_t half = std::max((end - begin) / 2, std::min(end - begin, least_));
                const std::uint64_t first = end - half;
                if (!other.left.compare_exchange_weak(left, pack(begin, first), std::memory_order_relaxed)) continue;
                const std::uint64_t next = first + at_once(half);
                own.left.store(pack(next, end), std::memory_order_relaxed);
                return blocks(first, next);
            }
        }
        return std::nullopt;
    }

    const std::uint64_t blocks_;
    std::uint64_t unit_ = 1;                ///< blocks
    std::uint64_t at_once_ = 1, least_ = 1; ///< units
    const std::size_t count_;
    std::atomic<bool> is_empty_ = false;
    Own alone_;                   ///< where there is one
    std::unique_ptr<Own[]> more_; // NOLINT(modernize-avoid-c-arrays)
    Own* own_ = &alone_;
};

} // namespace warplight::software
