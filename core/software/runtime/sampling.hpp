// SPDX-License-Identifier: Apache-2.0
// Results of texture instructions, by the rules of the CUDA programming guide's appendix on texture fetching. Where it
// is silent, the rules are those of GPUs: rounding of weights and results, texels outside of a texture that is read at
// integer coordinates, missing channels.
#pragma once

#include "../ptx/opaque.hpp"
#include "software/jit/abi/texture_abi.hpp"
#include "texel.hpp"
#include "texture.hpp"

#include <cstdint>
#include <functional>

namespace warplight::software {

/// Channels as the instruction delivers them: the bits of floats, or integers. Channels that the memory lacks are 0.
using TextureResult = std::uint32_t[4];

/// Whether an instruction reads such memory at all. Combinations that do not fit read as 0, as on a GPU. Integers count
/// texels of memory without an array, or of layers, where the geometry has one coordinate.
[[nodiscard]] bool reads(const TexelMemory& memory, TextureGeometry geometry, bool integers);

/// At floating-point coordinates and a level; without mipmaps the level is of no matter.
void sample(const TexelMemory& memory, const SamplerState& sampler, TextureGeometry geometry, std::uint32_t layer,
            float x, float y, float z, float level, TextureResult result);
/// tex.1d at an integer: the element of linear memory, unfiltered; 0 where there is none.
void fetch(const TexelMemory& memory, const SamplerState& sampler, std::int32_t x, TextureResult result);
/// Both for several threads.
void sample_lanes(const TexelMemory& memory, const SamplerState& sampler, TextureGeometry geometry,
                  const TextureLanes& all);
void fetch_lanes(const TexelMemory& memory, const SamplerState& sampler, const TextureLanes& all);
/// With everything that an instruction can ask.
void sample(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& request,
            TextureResult result);

/// Called for each sample with its elements, and with where its channels go.
using ElementsOf = std::function<void(const Footprint& footprint, std::uint32_t* result)>;
/// The elements that such an instruction reads. Four times one where it gathers; outside of the texture maybe none.
void find_elements(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& request,
                   const ElementsOf& elements, TextureResult result);

/// The state with the settings of a .samplerref variable (ptx::is_sampler) in place of the texture's own.
[[nodiscard]] SamplerState with_sampler(const SamplerState& state, std::uint64_t packed);

/// Answers of txq and suq.
[[nodiscard]] std::uint32_t query(const TexelMemory& memory, const SamplerState& sampler, TextureQuery what,
                                  std::uint32_t level);

} // namespace warplight::software
