// SPDX-License-Identifier: Apache-2.0
// Host memory that a device can reach: page-locked, registered and managed; and aligned host memory.
#pragma once

#include "warplight/handles.hpp"
#include "warplight/memory.hpp"
#include "warplight/ndarray.hpp"

#include <cstddef>

namespace warplight::driver {

class Stream;

/// Host memory of an array that a device may address. Find it with host_pointer(array).
class HostPointer : public ArrayOwner {
public:
    /// The address that kernels use. Page-locked and registered memory needs the DEVICEMAP flag, aligned memory must
    /// have been registered. @throws LogicError when there is no such address, and when the memory was given back.
    virtual device_ptr get_device_pointer() const = 0;
    virtual void* data() const noexcept = 0;
};

/// Page-locked memory, freed with the last array that uses it.
class PagelockedHostAllocation : public HostPointer {
public:
    /// Frees it now, under every array that still uses it. @throws LogicError the second time.
    virtual void free() = 0;
    /// Of host_alloc_flags.
    virtual unsigned get_flags() const = 0;
};
using HostAllocation = PagelockedHostAllocation; ///< the manual's older name

/// Host memory at a multiple of an alignment, freed with the last array that uses it. Nothing about it is a device's
/// until it is registered.
class AlignedHostAllocation : public HostPointer {
public:
    /// Frees it now, under every array that still uses it. @throws LogicError the second time.
    virtual void free() = 0;
    /// Bytes.
    virtual std::size_t alignment() const noexcept = 0;
};

/// Host memory of someone else, page-locked while this lives.
class RegisteredHostMemory : public HostPointer {
public:
    /// @throws LogicError the second time.
    virtual void unregister() = 0;
    /// The array that was registered.
    virtual const NdArray& base() const noexcept = 0;
};

/// Memory with one address for host and device.
class ManagedAllocation : public HostPointer {
public:
    /// Frees it now, under every array that still uses it. @throws LogicError the second time.
    virtual void free() = 0;
    /// Says who may touch it from here on in the stream's order: all (GLOBAL), the host (HOST), or host and the work
    /// of this stream (SINGLE: not the default stream). @param flags one of mem_attach_flags
    virtual void attach(unsigned flags, const Stream* stream = nullptr) = 0;
    /// The memory for copies, advice and prefetching. @throws LogicError when it was freed.
    operator DevicePointer() const { return {get_device_pointer()}; }
    /// Bytes asked for.
    virtual std::size_t size() const noexcept = 0;
};
using ManagedAllocationOrStub = ManagedAllocation; ///< the manual's name for drivers before CUDA 6

/// @param mem_flags of host_alloc_flags
NdArray pagelocked_empty(Shape shape, DType dtype, Order order = Order::C, unsigned mem_flags = 0);
NdArray pagelocked_zeros(Shape shape, DType dtype, Order order = Order::C, unsigned mem_flags = 0);
/// As many elements, in the same order. @throws LogicError when the array is neither C- nor Fortran-contiguous.
NdArray pagelocked_empty_like(const NdArray& array, unsigned mem_flags = 0);
NdArray pagelocked_zeros_like(const NdArray& array, unsigned mem_flags = 0);

/// @param alignment bytes, a power of two
NdArray aligned_empty(Shape shape, DType dtype, Order order = Order::C, std::size_t alignment = 4096);
NdArray aligned_zeros(Shape shape, DType dtype, Order order = Order::C, std::size_t alignment = 4096);
NdArray aligned_empty_like(const NdArray& array, std::size_t alignment = 4096);
NdArray aligned_zeros_like(const NdArray& array, std::size_t alignment = 4096);

/// @param mem_flags of mem_attach_flags: GLOBAL or HOST
NdArray managed_empty(Shape shape, DType dtype, Order order = Order::C, unsigned mem_flags = 1);
NdArray managed_zeros(Shape shape, DType dtype, Order order = Order::C, unsigned mem_flags = 1);
NdArray managed_empty_like(const NdArray& array, unsigned mem_flags = 1);
NdArray managed_zeros_like(const NdArray& array, unsigned mem_flags = 1);

/// Page-locks the memory of a contiguous array. The result is the same memory; it is unregistered with the last
/// array that uses the result. @param flags of mem_host_register_flags
NdArray register_host_memory(const NdArray& array, unsigned flags = 0);

/// The page-locked, aligned, registered or managed memory that an array uses. @throws LogicError when it is none.
HostPointer& host_pointer(const NdArray& array);
/// The same as one of the classes above. @throws std::bad_cast when it is of another.
template <class T>
T& host_memory(const NdArray& array) {
    return dynamic_cast<T&>(host_pointer(array));
}

} // namespace warplight::driver
