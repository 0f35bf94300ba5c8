// SPDX-License-Identifier: Apache-2.0
// Reads and writes of surface instructions. Each returns its fault, or nothing; the caller raises it.
#pragma once

#include "software/jit/abi/texture_abi.hpp"
#include "texture.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::software {

enum class SurfaceFault : std::uint8_t { none, boundary, misaligned };

/// Where an access goes: memory, nowhere (.zero outside), or a fault.
struct SurfaceTarget {
    std::byte* at = nullptr;
    SurfaceFault fault = SurfaceFault::none;
};
/// @param bytes of the access
/// @param scale bytes that x counts: 1, or those of an element
[[nodiscard]] SurfaceTarget target_of(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes,
                                      std::uint32_t scale);
[[nodiscard]] std::uint32_t bytes_of(SurfaceReduction reduction);
/// An element as the surface has it, of words that an instruction gives; channels that these lack become 0.
void format_element(const TexelMemory& memory, std::uint32_t channels, const std::uint32_t* value, std::byte* to);

/// `bytes`: of the whole access, a power of two up to 32.
[[nodiscard]] SurfaceFault load_surface(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes,
                                        void* result);
[[nodiscard]] SurfaceFault store_surface(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes,
                                         const void* value);
/// The same of an element in words.
[[nodiscard]] SurfaceFault store_formatted(const TexelMemory& memory, const SurfaceRequest& request,
                                           std::uint32_t channels, const std::uint32_t* value);
[[nodiscard]] SurfaceFault reduce_surface(const TexelMemory& memory, const SurfaceRequest& request,
                                          SurfaceReduction reduction, bool formatted, std::uint64_t value);

} // namespace warplight::software
