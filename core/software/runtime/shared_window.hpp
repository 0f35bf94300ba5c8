// SPDX-License-Identifier: Apache-2.0
// A block's shared memory. A shared address is a 32-bit offset from the window's start; nothing else is mapped within
// its reach, before the window and behind it, so that an access past the end faults.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace warplight::software {

class SharedWindow {
public:
    SharedWindow();
    ~SharedWindow();
    SharedWindow(const SharedWindow&) = delete;
    SharedWindow& operator=(const SharedWindow&) = delete;

    /// The start of a window of that size, at a multiple of `alignment`; null without memory. It holds the data
    /// that the block before left.
    /// `rank`: of the block in its cluster, whose windows lie 1 << kClusterStrideBits bytes from each other.
    [[nodiscard]] std::byte* fit(std::uint64_t size, std::uint64_t alignment, unsigned rank = 0);

    /// Whether an address is of those that only the window that starts there has, with or without memory there.
    [[nodiscard]] static bool reaches(std::uint64_t start, std::uint64_t address);

    /// Windows handed out so far; addresses behind them fault.
    [[nodiscard]] unsigned ranks() const { return ranks_; }
    /// One of few, where address space is short.
    [[nodiscard]] bool is_scarce() const { return is_slot_; }

private:
    unsigned ranks_ = 1;
    bool is_slot_ = false; ///< in the reach of other windows
    std::byte* range_ = nullptr;
    std::uint64_t before_ = 0; ///< bytes before the windows
    std::uint64_t reserved_ = 0;
    std::array<std::uint64_t, kMostClusterBlocks> committed_{}; ///< bytes before the end of each window, whole pages
};

/// Windows are kept for the next launch.
class WindowPool {
public:
    /// One with no more windows than a cluster has blocks.
    [[nodiscard]] static std::unique_ptr<SharedWindow> take(unsigned ranks = 1);
    static void put(std::unique_ptr<SharedWindow> window);
};

} // namespace warplight::software
