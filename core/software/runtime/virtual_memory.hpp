// SPDX-License-Identifier: Apache-2.0
// Physical memory without an address, and where it is mapped. The functions throw the driver's codes.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplight::software {

/// Sizes and addresses of mappings are multiples of this, as on a GPU.
inline constexpr std::uint64_t kMappingGranularity = std::uint64_t{2} << 20;

using PhysicalHandle = std::uint64_t;
[[nodiscard]] PhysicalHandle create_physical(std::uint64_t size, const CUmemAllocationProp& properties);
/// The memory goes when nothing is mapped any more.
void release_physical(PhysicalHandle handle);
[[nodiscard]] CUmemAllocationProp physical_properties(PhysicalHandle handle);
/// Another reference to the handle of the memory that is mapped at an address.
[[nodiscard]] PhysicalHandle retain_physical(std::uint64_t address);

void map_physical(std::uint64_t address, std::uint64_t size, std::uint64_t offset, PhysicalHandle handle);
/// Whatever is mapped in the range, if it cuts no mapping.
void unmap_physical(std::uint64_t address, std::uint64_t size);
/// `access` of CUmemAccess_flags.
void set_mapping_access(std::uint64_t address, std::uint64_t size, int device, unsigned access);
[[nodiscard]] unsigned mapping_access(std::uint64_t address, int device);
/// Whether something is mapped in the range.
[[nodiscard]] bool any_mapping(std::uint64_t address, std::uint64_t size);

/// Physical memory that was never given back: its bytes, and whether its handle is there still, or only mappings.
struct LeftPhysical {
    PhysicalHandle handle;
    std::uint64_t size;
    bool has_handle;
};
[[nodiscard]] std::vector<LeftPhysical> left_physical();

} // namespace warplight::software
