// SPDX-License-Identifier: Apache-2.0
// The driver's own memory pools: device memory that streams take and give back in their order. CUDA 11.2.
//
// (DeviceMemoryPool in memory_pool.hpp is a pool of this library on top of mem_alloc(), without order.)
#pragma once

#include "warplight/memory.hpp"
#include "warplight/memory_location.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::driver {

class Device;
class Stream;

/// Device memory that a stream took, and gives back with this object, in its order: behind the work queued there until
/// then. Move-only; keeps its stream, context and pool alive. Usable wherever device memory is; other streams must wait
/// for an event that was recorded behind the allocation.
///
/// Where the stream was being captured, the memory is the graph's: this object only knows its address, and nothing is
/// freed unless free() is called during the capture.
class StreamOrderedAllocation : public PointerHolderBase {
public:
    StreamOrderedAllocation() = default; ///< no memory
    StreamOrderedAllocation(StreamOrderedAllocation&&) noexcept = default;
    StreamOrderedAllocation& operator=(StreamOrderedAllocation&&) noexcept = default;
    StreamOrderedAllocation(const StreamOrderedAllocation&) = delete;
    StreamOrderedAllocation& operator=(const StreamOrderedAllocation&) = delete;
    ~StreamOrderedAllocation() override = default;

    /// Gives it back in the order of its stream, or of another one. @throws LogicError the second time.
    void free();
    void free(const Stream& stream);
    /// @throws LogicError when there is no memory, or it was given back.
    device_ptr get_pointer() const override;
    /// Bytes asked for; 0 when there is no memory.
    std::size_t size() const noexcept;
    explicit operator bool() const noexcept { return size() != 0; }

    /// Internal.
    explicit StreamOrderedAllocation(Shared<detail::StreamOrderedState> state) noexcept : state_(std::move(state)) {}

protected:
    DevicePointer as_device_pointer() const override;

private:
    Shared<detail::StreamOrderedState> state_;
};

/// Memory of the current pool of the stream's device. @throws MemoryError when there is not enough, LogicError for 0
/// bytes.
StreamOrderedAllocation mem_alloc_async(std::size_t bytes, const Stream* stream = nullptr);

/// A pool of a device, shared by all contexts there. Copies are the same pool. One that was made here is destroyed with
/// the last copy and the last allocation of it.
class DriverMemoryPool {
public:
    /// A new pool. @param max_size bytes; 0: no limit but the device's (a limit takes CUDA 12.2)
    explicit DriverMemoryPool(const Device& device, std::size_t max_size = 0);
    /// The one that every device has from the beginning.
    static DriverMemoryPool default_of(const Device& device);
    /// The one that mem_alloc_async() uses.
    static DriverMemoryPool current_of(const Device& device);
    /// mem_alloc_async() uses this one from now on, on the pool's device.
    void set_current() const;

    /// @throws MemoryError when there is not enough memory, LogicError for 0 bytes.
    StreamOrderedAllocation allocate(std::size_t bytes, const Stream* stream = nullptr) const;
    /// Gives memory that is not in use back to the device, until no more than that is reserved.
    void trim_to(std::size_t bytes_to_keep) const;

    // --- attributes
    /// Bytes that the pool keeps over the next synchronization though they are not in use: 0 in a new pool.
    std::uint64_t release_threshold() const;
    void set_release_threshold(std::uint64_t bytes) const;
    std::uint64_t reserved() const;      ///< bytes taken from the device
    std::uint64_t reserved_high() const; ///< most of them so far
    std::uint64_t used() const;          ///< bytes that are allocated
    std::uint64_t used_high() const;
    void reset_reserved_high() const; ///< to what is reserved now
    void reset_used_high() const;
    /// Whether memory that another stream gave back is taken: when an event made this stream wait for that; when that
    /// has been done as it happens; by making this stream wait for it. All three are on in a new pool.
    bool reuse_follow_event_dependencies() const;
    void set_reuse_follow_event_dependencies(bool on) const;
    bool reuse_allow_opportunistic() const;
    void set_reuse_allow_opportunistic(bool on) const;
    bool reuse_allow_internal_dependencies() const;
    void set_reuse_allow_internal_dependencies(bool on) const;

    /// How a device may use the pool's memory. The pool's own may always read and write.
    mem_access_flags get_access(MemLocation location) const;
    void set_access(MemLocation location, mem_access_flags access) const;

    /// Destroys it now: allocations stay until they are given back. @throws LogicError the second time, and for a pool
    /// that was found by default_of() or current_of().
    void destroy();

    friend bool operator==(const DriverMemoryPool& a, const DriverMemoryPool& b) noexcept {
        return a.handle() == b.handle();
    }
    /// Null when it was destroyed.
    CUmemPoolHandle_st* handle() const noexcept;
    /// "memory pool of device 0"
    std::string describe() const;

private:
    explicit DriverMemoryPool(Shared<detail::DriverPoolState> state) noexcept : state_(std::move(state)) {}
    Shared<detail::DriverPoolState> state_;
};

} // namespace warplight::driver
