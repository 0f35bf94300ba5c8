// SPDX-License-Identifier: Apache-2.0
// Elements of textures: the value of a channel in memory, and how several are blended into a result. Weights add up to
// 256. GPUs filter normalised integers as 16-bit integers and 16-bit floats as those; results are rounded so.
#pragma once

#include "texture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplight::software {

/// The elements that make up a sample.
struct Footprint {
    std::array<const std::byte*, 16> element; ///< null: the border
    std::array<std::int32_t, 16> weight;
    std::size_t count = 0;

    void add(const std::byte* what, std::int32_t how_much) {
        element[count] = what;
        weight[count++] = how_much;
    }
};

/// Blends the elements of a footprint into four channels.
using Blend = void (*)(const Footprint& footprint, const float* border, std::uint32_t* result);
/// The function for elements of this memory, read as the sampler says.
[[nodiscard]] Blend blend_of(const TexelMemory& memory, const SamplerState& sampler);

} // namespace warplight::software
