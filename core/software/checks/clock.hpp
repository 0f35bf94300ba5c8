// SPDX-License-Identifier: Apache-2.0
// What a thread knows of others: everything that they did before a moment. Clocks are vector clocks of a whole grid. A
// clock is a tree whose nodes are never changed, and clocks share the nodes that are equal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warplight::software::checks {

/// A warp's time from one synchronisation to the next. Its lanes' accesses in it are not ordered with each other.
struct Epoch {
    std::uint32_t block = 0;
    std::uint32_t warp = 0;
    std::uint32_t number = 0; ///< of this warp, from 1
    std::uint32_t phase = 0;  ///< barriers that the whole block had passed
};

/// A moment in a block: what had happened in it before.
struct BlockMoment {
    static constexpr std::uint16_t all_lanes = 32;
    struct Lane {
        std::uint16_t warp = 0;
        std::uint16_t lane = 0;  ///< or all_lanes
        std::uint32_t epoch = 0; ///< it had ended this one
        [[nodiscard]] bool operator==(const Lane&) const = default;
    };
    std::uint32_t phase = 0; ///< all epochs of earlier phases had ended
    std::vector<Lane> lanes; ///< sorted by warp and lane

    [[nodiscard]] bool is_after(const Epoch& epoch, unsigned lane) const;
    [[nodiscard]] bool operator==(const BlockMoment&) const = default;
    /// The earliest moment that is not before either.
    [[nodiscard]] static BlockMoment join(const BlockMoment& a, const BlockMoment& b);
};

/// A moment in each block of a grid. The default knows of nothing.
class Clock {
public:
    [[nodiscard]] bool is_after(const Epoch& epoch, unsigned lane) const;
    [[nodiscard]] bool empty() const { return !root_; }
    void join(const Clock& other);
    void join(std::uint32_t block, const BlockMoment& moment);

private:
    struct Node;
    struct Branch;
    struct Leaf;
    using Pointer = std::shared_ptr<const Node>;
    [[nodiscard]] static Pointer joined(unsigned level, const Pointer& a, const Pointer& b);
    void grow_to(unsigned levels);

    Pointer root_;
    unsigned levels_ = 0; ///< of branches above the leaves
};

} // namespace warplight::software::checks
