// SPDX-License-Identifier: Apache-2.0
// A block's shared memory. A shared address is a 32-bit offset from the window's start; nothing else is mapped within
// its reach, so that an access past the end faults.
#pragma once

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

    /// The start of a window of that size, at a multiple of `alignment`; null without memory. What it holds is
    /// whatever the block before left.
    [[nodiscard]] std::byte* fit(std::uint64_t size, std::uint64_t alignment);

private:
    std::byte* range_ = nullptr;
    std::uint64_t reserved_ = 0;
    std::uint64_t committed_ = 0; ///< bytes before the end of the window, whole pages
};

/// Windows are kept for the next launch.
class WindowPool {
public:
    [[nodiscard]] static std::unique_ptr<SharedWindow> take();
    static void put(std::unique_ptr<SharedWindow> window);
};

} // namespace warplight::software
