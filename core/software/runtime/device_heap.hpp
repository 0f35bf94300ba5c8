// SPDX-License-Identifier: Apache-2.0
// The heap behind malloc() and free() of kernels, one a context. Its book-keeping lies outside of it, so that a kernel
// that writes past a block spoils data but not the heap.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

namespace warplight::software {

class DeviceHeap {
public:
    /// Takes over a range of memory.
    void start(std::uint64_t base, std::uint64_t size);
    [[nodiscard]] bool started() const { return size_ != 0; }
    /// 16-byte aligned, or 0 when the heap is full.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t size);
    /// False for an address that is no live block.
    [[nodiscard]] bool release(std::uint64_t address);

private:
    std::mutex mutex_;
    std::uint64_t size_ = 0;
    std::map<std::uint64_t, std::uint64_t> free_; ///< start → size
    std::unordered_map<std::uint64_t, std::uint64_t> live_;
};

} // namespace warplight::software
