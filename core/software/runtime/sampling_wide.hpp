// SPDX-License-Identifier: Apache-2.0
// Samples of many threads by the host's vectors. Results are those of sample() and fetch() (sampling.hpp), bit for bit.
#pragma once

#include "texture.hpp"

namespace warplight::software {

/// Samples the lanes that it can, and answers which lanes of `all.mask` are left. Those are all of them where the
/// memory is of a kind that is rare (several levels, cubes, sRGB), or the host's vectors are short.
[[nodiscard]] std::uint32_t sample_wide(const TexelMemory& memory, const SamplerState& sampler,
                                        TextureGeometry geometry, const TextureLanes& all);
/// The same for linear memory, at integers.
[[nodiscard]] std::uint32_t fetch_wide(const TexelMemory& memory, const SamplerState& sampler, const TextureLanes& all);

} // namespace warplight::software
