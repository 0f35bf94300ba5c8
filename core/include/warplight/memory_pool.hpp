// SPDX-License-Identifier: Apache-2.0
// Memory pools: blocks that were given back are kept, and handed out again without asking the driver.
//
// Blocks come in sizes of bins that are at most a sixteenth apart, so a block is used again for every request of its
// bin. When the driver has no memory left, held blocks are given back to it, the largest first, until the request is
// met. A pool is not ordered with streams: give memory back when the work that uses it is done.
#pragma once

#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::driver {

namespace detail {
class BlockPool;
struct PooledState;
} // namespace detail

/// The position of the highest bit that is set: floor(log2(n)); 0 for 0.
unsigned bitlog2(std::uint64_t n) noexcept;

/// What the pools of both kinds of memory have. Thread-safe. Copies are the same pool.
class MemoryPool {
public:
    /// Blocks that are kept and not in use.
    std::size_t held_blocks() const;
    /// Blocks that are in use.
    std::size_t active_blocks() const;
    /// Bytes of all blocks, held and active, as they were taken from the driver.
    std::size_t managed_bytes() const;
    /// Bytes that were asked for and are in use.
    std::size_t active_bytes() const;
    /// The bin that a request of `size` bytes is met from.
    static unsigned bin_number(std::size_t size) noexcept;
    /// The bytes of a block of a bin: the largest request that the bin meets. @throws LogicError for a number that is
    /// no bin's.
    static std::size_t alloc_size(unsigned bin);
    /// Gives all held blocks back to the driver.
    void free_held();
    /// The same, and from now on no block is kept. There is no way back.
    void stop_holding();

protected:
    explicit MemoryPool(Shared<detail::BlockPool> pool) noexcept : pool_(std::move(pool)) {}
    Shared<detail::BlockPool> pool_;
};

/// Device memory of a pool. Move-only; goes back to the pool with this object. Usable wherever device memory is.
class PooledDeviceAllocation {
public:
    PooledDeviceAllocation() = default; ///< no memory
    PooledDeviceAllocation(PooledDeviceAllocation&&) noexcept = default;
    PooledDeviceAllocation& operator=(PooledDeviceAllocation&&) noexcept = default;
    PooledDeviceAllocation(const PooledDeviceAllocation&) = delete;
    PooledDeviceAllocation& operator=(const PooledDeviceAllocation&) = delete;
    ~PooledDeviceAllocation() = default;

    /// Gives it back to the pool now. @throws LogicError the second time.
    void free();
    /// 0 when there is no memory.
    device_ptr get() const noexcept;
    /// Bytes asked for.
    std::size_t size() const noexcept;
    explicit operator bool() const noexcept { return get() != 0; }
    /// @throws LogicError when it was given back.
    operator DevicePointer() const;

private:
    friend class DeviceMemoryPool;
    explicit PooledDeviceAllocation(Shared<detail::PooledState> state) noexcept : state_(std::move(state)) {}
    Shared<detail::PooledState> state_;
};

/// A pool of device memory of the context that is current when it is made, which it keeps alive.
class DeviceMemoryPool : public MemoryPool {
public:
    /// @throws LogicError when no context is current.
    DeviceMemoryPool();
    /// @throws MemoryError when there is no memory left, also after all held blocks were given back.
    PooledDeviceAllocation allocate(std::size_t size);
};

/// Where a PageLockedMemoryPool takes its memory from.
class PageLockedAllocator {
public:
    /// @param flags of host_alloc_flags
    explicit PageLockedAllocator(unsigned flags = 0) noexcept : flags_(flags) {}
    unsigned flags() const noexcept { return flags_; }

private:
    unsigned flags_;
};

/// Page-locked memory of a pool, under an array: host_memory<PooledHostAllocation>(array). It goes back to the pool
/// with the last array that uses it.
class PooledHostAllocation : public HostPointer {
public:
    /// Gives it back to the pool now, under every array that still uses it. @throws LogicError the second time.
    virtual void free() = 0;
    /// Bytes asked for.
    virtual std::size_t size() const noexcept = 0;
};

/// A pool of page-locked host memory of the context that is current when it is made, which it keeps alive.
class PageLockedMemoryPool : public MemoryPool {
public:
    /// @throws LogicError when no context is current.
    explicit PageLockedMemoryPool(const PageLockedAllocator& allocator = PageLockedAllocator());
    /// @throws MemoryError when there is no memory left, also after all held blocks were given back.
    NdArray allocate(Shape shape, DType dtype, Order order = Order::C);
};

} // namespace warplight::driver
