// SPDX-License-Identifier: Apache-2.0
// Reads and writes of surface instructions. Each returns its fault, or nothing; the caller raises it.
#pragma once

#include "software/jit/abi/texture_abi.hpp"
#include "texture.hpp"

#include <cstdint>

namespace warplight::software {

enum class SurfaceFault : std::uint8_t { none, boundary, misaligned };

/// `bytes`: of the whole access, a power of two up to 32.
[[nodiscard]] SurfaceFault load_surface(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes,
                                        void* result);
[[nodiscard]] SurfaceFault store_surface(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes,
                                         const void* value);
/// Converts each word to the surface's format; channels that the value lacks become 0.
[[nodiscard]] SurfaceFault store_formatted(const TexelMemory& memory, const SurfaceRequest& request,
                                           std::uint32_t channels, const std::uint32_t* value);
[[nodiscard]] SurfaceFault reduce_surface(const TexelMemory& memory, const SurfaceRequest& request,
                                          SurfaceReduction reduction, bool formatted, std::uint64_t value);

} // namespace warplight::software
