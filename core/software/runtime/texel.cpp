// SPDX-License-Identifier: Apache-2.0
#include "texel.hpp"

#include "texel_formats.hpp"

#include <cstring>

namespace warplight::software {
namespace {

using namespace texel_formats;

template <class Format, unsigned channels>
void blend(const Footprint& footprint, const float* border, std::uint32_t* result) {
    using Value = typename Format::Value;
    const auto value = [&](std::size_t k, unsigned channel) {
        const std::byte* element = footprint.element[k];
        return element ? Format::element(element, channel) : Format::border(border[channel], channel);
    };
    for (unsigned channel = 0; channel < 4; ++channel)
        result[channel] = 0;
    if constexpr (requires { Format::raw; }) {
        if (footprint.count == 1 && footprint.element[0]) {
            std::memcpy(result, footprint.element[0], sizeof(std::uint32_t) * channels);
            return;
        }
    }
    if (footprint.count == 1) {
        for (unsigned channel = 0; channel < channels; ++channel)
            result[channel] = Format::single(value(0, channel), channel);
        return;
    }
    std::array<Value, channels> sum{};
    for (std::size_t k = 0; k < footprint.count; ++k) {
        if (footprint.weight[k] == 0) continue; // an infinity of no weight does not count
        for (unsigned channel = 0; channel < channels; ++channel)
            sum[channel] += static_cast<Value>(footprint.weight[k]) * value(k, channel);
    }
    for (unsigned channel = 0; channel < channels; ++channel)
        result[channel] = Format::result(sum[channel], channel);
}

template <class Format>
Blend for_channels(std::uint32_t channels) {
    if (channels == 1) return &blend<Format, 1>;
    return channels == 2 ? &blend<Format, 2> : &blend<Format, 4>;
}

} // namespace

Blend blend_of(const TexelMemory& memory, const SamplerState& sampler) {
    const std::uint32_t channels = memory.channels;
    const bool integers = sampler.read_as_integer;
    switch (memory.format) {
    case Texel::u8:
        if (integers) return for_channels<Integer<std::uint8_t>>(channels);
        return sampler.srgb ? for_channels<Srgb>(channels) : for_channels<Unsigned<std::uint8_t>>(channels);
    case Texel::u16:
        return integers ? for_channels<Integer<std::uint16_t>>(channels)
                        : for_channels<Unsigned<std::uint16_t>>(channels);
    case Texel::u32: return for_channels<Integer<std::uint32_t>>(channels);
    case Texel::s8:
        return integers ? for_channels<Integer<std::int8_t>>(channels) : for_channels<Signed<std::int8_t>>(channels);
    case Texel::s16:
        return integers ? for_channels<Integer<std::int16_t>>(channels) : for_channels<Signed<std::int16_t>>(channels);
    case Texel::s32: return for_channels<Integer<std::int32_t>>(channels);
    case Texel::f16: return for_channels<Half>(channels);
    case Texel::f32: break;
    }
    return for_channels<Single>(channels);
}

} // namespace warplight::software
