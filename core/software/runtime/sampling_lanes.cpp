// SPDX-License-Identifier: Apache-2.0
// A plain texture instruction of several threads at once, and the part of it that generated code does inline.
#include "sampling.hpp"
#include "sampling_wide.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warplight::software {
namespace {

template <class Body>
void for_lanes(std::uint32_t lanes, Body body) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
        body(static_cast<std::uint32_t>(std::countr_zero(left)));
}

/// Whether coordinates outside read the last element.
bool is_plain_edge(const SamplerState& sampler, std::size_t axis) {
    const CUaddress_mode mode = sampler.address[axis];
    if (mode == CU_TR_ADDRESS_MODE_CLAMP) return true;
    return mode != CU_TR_ADDRESS_MODE_BORDER && !sampler.normalized_coordinates; // those clamp then
}

} // namespace

void find_plain(Texture& texture) {
    const TexelMemory& memory = texture.memory;
    const SamplerState& sampler = texture.sampler;
    PlainTexture& plain = texture.plain = {};
    const bool words = memory.format == Texel::f32 || memory.format == Texel::u32 || memory.format == Texel::s32;
    if (!words || memory.levels.size() != 1 || memory.layered || memory.cubemap || memory.dimensions > 2) return;
    const TextureLevel& level = memory.levels[0];
    if (level.row_bytes / 4 * std::max(level.height, 1u) >> 31 != 0) return;
    plain.channels = memory.channels;
    plain.base = level.base;
    plain.row_words = static_cast<std::uint32_t>(level.row_bytes / 4);
    plain.width = level.width;
    plain.height = std::max(level.height, 1u);
    if (memory.linear) {
        plain.kinds = PlainTexture::elements | PlainTexture::inside(PlainTexture::elements);
        return;
    }
    if (sampler.filter == CU_TR_FILTER_MODE_LINEAR) return;
    const std::uint32_t size[2] = {std::max(level.width, 1u), std::max(level.height, 1u)};
    // Sizes are exact in 32-bit floats.
    for (const std::size_t axis : {0, 1}) {
        plain.scale[axis] = sampler.normalized_coordinates ? static_cast<float>(size[axis]) : 1.0f;
        plain.last[axis] = std::nextafter(static_cast<float>(size[axis]), 0.0f);
    }
    plain.kinds = PlainTexture::inside(PlainTexture::row) | PlainTexture::inside(PlainTexture::picture);
    if (!sampler.normalized_coordinates) plain.kinds |= PlainTexture::unscaled;
    if (!is_plain_edge(sampler, 0)) return;
    plain.kinds |= PlainTexture::row;
    if (is_plain_edge(sampler, 1)) plain.kinds |= PlainTexture::picture;
}

void sample_lanes(const TexelMemory& memory, const SamplerState& sampler, TextureGeometry geometry,
                  const TextureLanes& all) {
    const float *x = all.coordinates, *y = x + all.lanes, *z = y + all.lanes;
    for_lanes(sample_wide(memory, sampler, geometry, all), [&](std::uint32_t k) {
        TextureResult result;
        const float none = std::numeric_limits<float>::quiet_NaN();
        sample(memory, sampler, geometry, all.layer ? all.layer[k] : 0, x[k], y[k], z[k],
               all.level ? all.level[k] : none, result);
        for (std::uint32_t channel = 0; channel < 4; ++channel)
            all.result[std::size_t{channel} * all.lanes + k] = result[channel];
    });
}

void fetch_lanes(const TexelMemory& memory, const SamplerState& sampler, const TextureLanes& all) {
    for_lanes(fetch_wide(memory, sampler, all), [&](std::uint32_t k) {
        TextureResult result;
        fetch(memory, sampler, std::bit_cast<std::int32_t>(all.coordinates[k]), result);
        for (std::uint32_t channel = 0; channel < 4; ++channel)
            all.result[std::size_t{channel} * all.lanes + k] = result[channel];
    });
}

} // namespace warplight::software
