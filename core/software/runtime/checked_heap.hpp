// SPDX-License-Identifier: Apache-2.0
// The heap behind malloc() and free() of kernels that are checked, one a context. It knows each block by the byte, and
// those that were given back as well: they come back late, and bytes that belong to no block lie between blocks.
#pragma once

#include "../checks/collector.hpp"
#include "device_heap.hpp"
#include "findings/finding.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplight::software {

/// A call of malloc() or free().
struct HeapCall {
    std::shared_ptr<const findings::Event> place; ///< null: in a kernel that was not checked
    std::array<std::uint32_t, 3> block{}, thread{};
    checks::Moment moment;
    /// With the block and thread.
    [[nodiscard]] findings::Event event() const;
    /// "at FILE:LINE:COLUMN in kernel K, block (x,y,z), thread (x,y,z)"
    [[nodiscard]] std::string text() const;
};

struct HeapBlock {
    std::uint64_t begin = 0;
    std::uint64_t size = 0; ///< as asked for
    HeapCall allocated;
    std::optional<HeapCall> freed;
    bool tells_leak = false; ///< where nothing frees it

    [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t bytes) const {
        const std::uint64_t offset = address - begin;
        return offset < size && bytes <= size - offset;
    }
};

class CheckedHeap {
public:
    /// @param limit bytes that may be live
    /// @param more gives memory of the heap: where it begins, nothing if there is none
    CheckedHeap(std::function<std::uint64_t()> limit, std::function<std::optional<std::uint64_t>(std::uint64_t)> more)
        : limit_(std::move(limit)), more_(std::move(more)) {}

    /// Whether a block was ever asked for.
    [[nodiscard]] bool started() const { return started_.load(std::memory_order_relaxed); }
    /// 16-byte aligned, or 0 when as much as the heap holds is live.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t size, HeapCall call, bool tells_leak);
    /// False for an address that is no live block.
    [[nodiscard]] bool release(std::uint64_t address, HeapCall call);

    [[nodiscard]] bool covers(std::uint64_t address) const;
    /// The block, live or freed, that holds an address; else the one before it, or right behind it.
    [[nodiscard]] std::optional<HeapBlock> find(std::uint64_t address) const;
    /// The live blocks of which nothing was told yet are leaks: checks::Collector has them.
    void tell_leaks();

private:
    static constexpr std::uint64_t kGap = 16; ///< bytes before a block, and as many behind it
    [[nodiscard]] static std::uint64_t whole(std::uint64_t size) { return size == 0 ? 16 : (size + 15) / 16 * 16; }
    void forget_oldest();

    const std::function<std::uint64_t()> limit_;
    const std::function<std::optional<std::uint64_t>(std::uint64_t)> more_;
    mutable std::mutex mutex_;
    std::atomic<bool> started_ = false;
    DeviceHeap memory_;
    std::map<std::uint64_t, std::uint64_t> ranges_; ///< of it: begin → bytes
    std::map<std::uint64_t, HeapBlock> blocks_;     ///< by begin
    std::deque<std::uint64_t> freed_;               ///< that are kept, the oldest first
    std::uint64_t live_bytes_ = 0, freed_bytes_ = 0;
};

} // namespace warplight::software
