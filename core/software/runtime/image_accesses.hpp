// SPDX-License-Identifier: Apache-2.0
// What textures and surfaces read and write, for the checks of races and of values that nothing wrote.
#pragma once

#include "sampling.hpp"
#include "service_call.hpp"
#include "software/jit/abi/abi.hpp"
#include "surface_access.hpp"

namespace warplight::software {

// --- races

/// Tells of the elements that a texture instruction reads, before it does.
void trace_texture(const KernelCaller& caller, const Texture& texture, const SamplerState& sampler,
                   const TextureRequest& request);
/// Tells of an access to a surface, before it is made.
/// @param what but its bytes, and that it is one to a surface
/// @param bytes, scale of target_of()
/// @param value that is written; null: it is not known
void trace_surface(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                   TracedAccess what, std::uint32_t bytes, std::uint32_t scale, const std::byte* value);

// --- values that nothing wrote. The objects are those of wl_rt_shadowed_texture() and wl_rt_shadowed_surface().

/// In place of channels the bits of them that nothing wrote: of one that is made of several elements or has been
/// converted all, or none.
void sample_unwritten(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& request,
                      TextureResult result);
void load_unwritten(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes, void* result);
/// Tells of channels that no byte is written of.
void store_unwritten(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                     std::uint32_t bytes, const void* shadow);
void store_formatted_unwritten(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                               std::uint32_t channels, const std::uint32_t* shadow);
void reduce_unwritten(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                      SurfaceReduction reduction, bool formatted, std::uint64_t shadow);

/// Of several threads what sample_lanes() and fetch_lanes() do, for a caller that is told of.
void sample_lanes_looked_at(const KernelCaller& caller, const Texture& texture, TextureGeometry geometry, bool integers,
                            const TextureLanes& all);

} // namespace warplight::software
