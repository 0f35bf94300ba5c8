// SPDX-License-Identifier: Apache-2.0
// Global device memory: allocation, fills and copies.
#pragma once

#include "warplight/buffer.hpp"
#include "warplight/handles.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::driver {

class ContextRef;
class Stream;

/// Device memory that is freed with this object. Move-only; keeps its context alive.
class DeviceAllocation {
public:
    DeviceAllocation() = default; ///< no memory
    DeviceAllocation(DeviceAllocation&&) noexcept = default;
    DeviceAllocation& operator=(DeviceAllocation&&) noexcept = default;
    DeviceAllocation(const DeviceAllocation&) = delete;
    DeviceAllocation& operator=(const DeviceAllocation&) = delete;
    ~DeviceAllocation() = default;

    /// Frees it now. @throws LogicError the second time.
    void free();
    /// 0 when there is no memory.
    device_ptr get() const noexcept;
    /// Bytes asked for.
    std::size_t size() const noexcept;
    explicit operator bool() const noexcept { return get() != 0; }
    /// The address of `size` bytes from `offset` on, for libraries that take device memory as a buffer. The host can
    /// touch them only where the memory is managed. @throws LogicError when it was freed, or they do not fit.
    MutableBuffer as_buffer(std::size_t size, std::size_t offset = 0) const;

    /// Internal.
    explicit DeviceAllocation(Shared<detail::AllocationState> state) noexcept : state_(std::move(state)) {}
    const Shared<detail::AllocationState>& state() const noexcept { return state_; }

private:
    Shared<detail::AllocationState> state_;
};

/// A place in device memory, passed by value: an address, or an allocation (whose context the call then uses).
class DevicePointer {
public:
    DevicePointer(device_ptr address) noexcept : address_(address) {}
    /// @throws LogicError when the allocation has been freed.
    DevicePointer(const DeviceAllocation& allocation);

    device_ptr get() const noexcept { return address_; }
    /// Internal: null for a plain address. Valid while the allocation is.
    const detail::AllocationState* allocation() const noexcept { return allocation_; }
    friend DevicePointer operator+(DevicePointer pointer, std::size_t bytes) noexcept {
        pointer.address_ += bytes;
        return pointer;
    }

private:
    device_ptr address_;
    const detail::AllocationState* allocation_ = nullptr;
};
inline DevicePointer operator+(const DeviceAllocation& allocation, std::size_t bytes) {
    return DevicePointer(allocation) + bytes;
}

/// The base of classes that hold device memory of another library: usable wherever device memory is.
class PointerHolderBase {
public:
    PointerHolderBase() = default;
    virtual ~PointerHolderBase() = default;

    /// The address that is held.
    virtual device_ptr get_pointer() const = 0;
    device_ptr get() const { return get_pointer(); }
    operator DevicePointer() const { return as_device_pointer(); }
    /// As DeviceAllocation::as_buffer(); how much memory there is is not known here. @throws LogicError when the
    /// address is null or the end would lie past the last address.
    MutableBuffer as_buffer(std::size_t size, std::size_t offset = 0) const;

protected:
    /// For classes that know the allocation, so that copies past its end are found.
    virtual DevicePointer as_device_pointer() const { return {get_pointer()}; }
    PointerHolderBase(const PointerHolderBase&) = default;
    PointerHolderBase(PointerHolderBase&&) = default;
    PointerHolderBase& operator=(const PointerHolderBase&) = default;
    PointerHolderBase& operator=(PointerHolderBase&&) = default;
};
inline DevicePointer operator+(const PointerHolderBase& holder, std::size_t bytes) {
    return static_cast<DevicePointer>(holder) + bytes;
}

struct MemoryInfo {
    std::size_t free = 0;  ///< bytes
    std::size_t total = 0; ///< bytes
};
struct PitchedAllocation {
    DeviceAllocation allocation;
    std::size_t pitch = 0; ///< bytes from one row to the next
};
struct AddressRange {
    device_ptr base = 0;
    std::size_t size = 0; ///< bytes
};

/// Of the current context's device.
MemoryInfo mem_get_info();
/// @throws MemoryError when there is not enough memory, LogicError for 0 bytes.
DeviceAllocation mem_alloc(std::size_t bytes);
/// Rows of `width` bytes, aligned for elements of `access_size` (4, 8 or 16) bytes.
PitchedAllocation mem_alloc_pitch(std::size_t width, std::size_t height, unsigned access_size);
/// The allocation that an address lies in.
AddressRange mem_get_address_range(DevicePointer pointer);
/// Memory for as many bytes as the array has.
DeviceAllocation mem_alloc_like(const NdArray& array);
/// New memory with a copy of the bytes.
DeviceAllocation to_device(ConstBuffer source);
/// A new array with a copy of device memory.
NdArray from_device(DevicePointer source, Shape shape, DType dtype, Order order = Order::C);
NdArray from_device_like(DevicePointer source, const NdArray& array);

/// Fills `count` elements (not bytes) of 1, 2 or 4 bytes.
void memset_d8(DevicePointer dest, std::uint8_t data, std::size_t count);
void memset_d16(DevicePointer dest, std::uint16_t data, std::size_t count);
void memset_d32(DevicePointer dest, std::uint32_t data, std::size_t count);
/// Fills `height` rows of `width` elements; `pitch` bytes from one row to the next.
void memset_d2d8(DevicePointer dest, std::size_t pitch, std::uint8_t data, std::size_t width, std::size_t height);
void memset_d2d16(DevicePointer dest, std::size_t pitch, std::uint16_t data, std::size_t width, std::size_t height);
void memset_d2d32(DevicePointer dest, std::size_t pitch, std::uint32_t data, std::size_t width, std::size_t height);
void memset_d8_async(DevicePointer dest, std::uint8_t data, std::size_t count, const Stream* stream = nullptr);
void memset_d16_async(DevicePointer dest, std::uint16_t data, std::size_t count, const Stream* stream = nullptr);
void memset_d32_async(DevicePointer dest, std::uint32_t data, std::size_t count, const Stream* stream = nullptr);
void memset_d2d8_async(DevicePointer dest, std::size_t pitch, std::uint8_t data, std::size_t width, std::size_t height,
                       const Stream* stream = nullptr);
void memset_d2d16_async(DevicePointer dest, std::size_t pitch, std::uint16_t data, std::size_t width,
                        std::size_t height, const Stream* stream = nullptr);
void memset_d2d32_async(DevicePointer dest, std::size_t pitch, std::uint32_t data, std::size_t width,
                        std::size_t height, const Stream* stream = nullptr);

/// Copies between host and device; the size is that of the host buffer. Where an allocation is passed, a copy
/// past its end is a LogicError. The asynchronous ones need the host memory until the stream has done them.
void memcpy_htod(DevicePointer dest, ConstBuffer src);
void memcpy_htod_async(DevicePointer dest, ConstBuffer src, const Stream* stream = nullptr);
void memcpy_dtoh(MutableBuffer dest, DevicePointer src);
void memcpy_dtoh_async(MutableBuffer dest, DevicePointer src, const Stream* stream = nullptr);
void memcpy_dtod(DevicePointer dest, DevicePointer src, std::size_t bytes);
void memcpy_dtod_async(DevicePointer dest, DevicePointer src, std::size_t bytes, const Stream* stream = nullptr);

/// Copies between the memory of two contexts, of one device or of two; neither needs access to the other. Contexts that
/// are not given are the allocation's, or else the current one. The first comes after what the default streams of both
/// contexts, and the streams in order with these, were told before. CUDA 4.0.
void memcpy_peer(DevicePointer dest, DevicePointer src, std::size_t bytes, const ContextRef* dest_context = nullptr,
                 const ContextRef* src_context = nullptr);
/// In the stream's order alone.
void memcpy_peer_async(DevicePointer dest, DevicePointer src, std::size_t bytes,
                       const ContextRef* dest_context = nullptr, const ContextRef* src_context = nullptr,
                       const Stream* stream = nullptr);

} // namespace warplight::driver
