// SPDX-License-Identifier: Apache-2.0
// Addresses and physical memory apart from each other: a range of addresses is reserved, physical memory is made, and
// mapped there, in several places if need be. CUDA 10.2; the device says virtual_memory_management_supported().
//
// Offsets and sizes are bytes, and multiples of the granularity. The addresses may be used by kernels, copies and fills
// of a device once it has access; without, and where nothing is mapped, a kernel fails with an illegal address.
#pragma once

#include "warplight/memory.hpp"
#include "warplight/memory_location.hpp"
#include "warplight/shared.hpp"

#include <cstddef>

namespace warplight::driver {

/// What sizes, offsets and addresses of physical memory there must be multiples of. @throws LogicError for places
/// where there is none.
std::size_t mem_get_allocation_granularity(MemLocation location,
                                           mem_allocation_granularity option = mem_allocation_granularity::MINIMUM);

/// Physical memory of the driver of the current context, without an address. Given back with this object; what is
/// mapped of it stays until it is unmapped. Move-only.
class PhysicalMemory {
public:
    /// @throws MemoryError when there is not enough memory, LogicError for a size that is no multiple of the
    /// granularity.
    explicit PhysicalMemory(std::size_t bytes, MemLocation location);
    /// That which is mapped at an address. CUDA 11.0.
    static PhysicalMemory of(DevicePointer address);

    PhysicalMemory(PhysicalMemory&&) noexcept = default;
    PhysicalMemory& operator=(PhysicalMemory&&) noexcept = default;
    PhysicalMemory(const PhysicalMemory&) = delete;
    PhysicalMemory& operator=(const PhysicalMemory&) = delete;
    ~PhysicalMemory() = default;

    /// Gives it back now. @throws LogicError the second time.
    void release();
    /// Bytes; 0 where it was found by an address, for drivers do not tell.
    std::size_t size() const noexcept;
    /// As the driver tells.
    MemLocation location() const;
    mem_allocation_type type() const;
    /// The driver's handle; equal for the same memory. 0 when it was given back.
    unsigned long long handle() const noexcept;

private:
    explicit PhysicalMemory(Shared<detail::PhysicalMemoryState> state) noexcept : state_(std::move(state)) {}
    Shared<detail::PhysicalMemoryState> state_;
};

/// A range of addresses that nothing else is put at. What is still mapped at the end is unmapped, so the work that uses
/// it must be done then. Move-only. Usable wherever device memory is.
class VirtualAddressRange : public PointerHolderBase {
public:
    /// @param alignment of the first address, a power of two; 0: any
    /// @param wish where the range should begin; drivers may choose otherwise
    explicit VirtualAddressRange(std::size_t bytes, std::size_t alignment = 0, device_ptr wish = 0);
    VirtualAddressRange(VirtualAddressRange&&) noexcept = default;
    VirtualAddressRange& operator=(VirtualAddressRange&&) noexcept = default;
    VirtualAddressRange(const VirtualAddressRange&) = delete;
    VirtualAddressRange& operator=(const VirtualAddressRange&) = delete;
    ~VirtualAddressRange() override = default;

    /// Maps all of the memory at an offset. Nobody has access yet.
    void map(std::size_t offset, const PhysicalMemory& memory);
    /// Maps `bytes` of it, from `memory_offset` on (drivers so far take 0 only).
    void map(std::size_t offset, std::size_t bytes, const PhysicalMemory& memory, std::size_t memory_offset = 0);
    /// Unmaps whole mappings. Work that uses them must be done.
    void unmap(std::size_t offset, std::size_t bytes);
    /// Says how a device may use mapped memory.
    void set_access(std::size_t offset, std::size_t bytes, MemLocation location,
                    mem_access_flags access = mem_access_flags::PROT_READWRITE);
    mem_access_flags get_access(std::size_t offset, MemLocation location) const;
    /// Unmaps what is mapped and gives the addresses back now. @throws LogicError the second time.
    void free();

    /// The first address. @throws LogicError when it was given back.
    device_ptr get_pointer() const override;
    /// Bytes; 0 when it was given back.
    std::size_t size() const noexcept;

private:
    Shared<detail::VirtualRangeState> state_;
};

} // namespace warplight::driver
