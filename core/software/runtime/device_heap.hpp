// SPDX-License-Identifier: Apache-2.0
// The heap behind malloc() and free() of kernels, one a context. Its book-keeping lies outside of it, so that a kernel
// that writes past a block spoils data but not the heap.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

namespace warplight::software {

class DeviceHeap {
public:
    /// Takes over a range of memory, which begins at a multiple of 16.
    void add(std::uint64_t base, std::uint64_t size);
    [[nodiscard]] bool started() const { return size_ != 0; }
    /// 16-byte aligned, or 0 when the heap is full.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t size);
    /// False for an address that is no live block.
    [[nodiscard]] bool release(std::uint64_t address);

    using Blocks = std::unordered_map<std::uint64_t, std::uint64_t>;
    /// Which blocks are there, without what they hold.
    struct State {
        std::uint64_t size;
        std::map<std::uint64_t, std::uint64_t> free;
        Blocks live;
    };
    [[nodiscard]] State state();
    void set_state(const State& state);

private:
    void keep_live(std::uint64_t address, std::uint64_t bytes);

    std::mutex mutex_;
    std::atomic<std::uint64_t> size_ = 0;
    std::map<std::uint64_t, std::uint64_t> free_; ///< start → size
    Blocks live_;
    Blocks::node_type spare_; ///< of the last block that was given back: most are followed by another
};

} // namespace warplight::software
