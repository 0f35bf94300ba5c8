// SPDX-License-Identifier: Apache-2.0
#include "texel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warplight::software {
namespace {

template <class T>
T load(const std::byte* from, unsigned channel) {
    T value;
    std::memcpy(&value, from + channel * sizeof(T), sizeof(T));
    return value;
}

/// Rounded to `bits` significant bits.
double round_significant(double value, int bits) {
    if (value == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

/// The values of sRGB bytes; texture units keep eight bits.
const std::array<float, 256>& srgb_table() {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> values{};
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double c = static_cast<double>(k) / 255;
            const double linear = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            values[k] = static_cast<float>(round_significant(linear, 8));
        }
        return values;
    }();
    return table;
}

float bounded(float value, float low, float high) { return std::isnan(value) ? 0 : std::clamp(value, low, high); }

/// Unsigned integers as fractions of 65535.
template <class T>
struct Unsigned {
    using Value = std::int32_t;
    static constexpr Value kOne = sizeof(T) == 1 ? 257 : 1;
    static constexpr float kLargest = sizeof(T) == 1 ? 255 : 65535;
    static Value element(const std::byte* from, unsigned channel) { return load<T>(from, channel) * kOne; }
    static Value border(float value, unsigned) {
        // A border's colour is rounded as an element would be, halves down.
        return static_cast<Value>(std::ceil(bounded(value, 0, 1) * kLargest - 0.5f)) * kOne;
    }
    static std::uint32_t result(Value sum, unsigned) {
        return std::bit_cast<std::uint32_t>(static_cast<float>((sum + 128) >> 8) / 65535.0f);
    }
    static std::uint32_t single(Value value, unsigned) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(value) / 65535.0f);
    }
};

/// Signed integers as fractions of 32767; the least one means -1 as well.
template <class T>
struct Signed {
    using Value = std::int32_t;
    static constexpr Value kLargest = sizeof(T) == 1 ? 127 : 32767;
    static Value widen(Value value) {
        if constexpr (sizeof(T) == 1) {
            const Value magnitude = std::abs(value);
            const Value wide = magnitude << 8 | magnitude << 1 | magnitude >> 6;
            return value < 0 ? -wide : wide;
        }
        return value;
    }
    static Value element(const std::byte* from, unsigned channel) {
        return widen(std::max<Value>(load<T>(from, channel), -kLargest));
    }
    static Value border(float value, unsigned) {
        // Halves go towards zero.
        const float magnitude = std::min(std::fabs(value), 1.0f) * static_cast<float>(kLargest);
        const auto rounded = std::isnan(value) ? 0 : static_cast<Value>(std::ceil(magnitude - 0.5f));
        return widen(value < 0 ? -rounded : rounded);
    }
    static std::uint32_t result(Value sum, unsigned) {
        return std::bit_cast<std::uint32_t>(static_cast<float>((sum + 128) >> 8) / 32767.0f);
    }
    /// Unfiltered, a byte is a fraction of 127.
    static std::uint32_t single(Value value, unsigned) {
        if constexpr (sizeof(T) == 1) {
            const Value magnitude = std::abs(value) >> 8;
            return std::bit_cast<std::uint32_t>(static_cast<float>(value < 0 ? -magnitude : magnitude) / 127.0f);
        }
        return std::bit_cast<std::uint32_t>(static_cast<float>(value) / 32767.0f);
    }
};

struct Single {
    using Value = double;
    static constexpr bool raw = true; ///< unfiltered, every bit is kept
    static Value element(const std::byte* from, unsigned channel) { return load<float>(from, channel); }
    static Value border(float value, unsigned) { return value; }
    static std::uint32_t result(Value sum, unsigned) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(sum * (1.0 / 256)));
    }
    static std::uint32_t single(Value value, unsigned) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
};

struct Half {
    using Value = double;
    static Value element(const std::byte* from, unsigned channel) {
        return static_cast<Value>(half_to_float(load<std::uint16_t>(from, channel)));
    }
    static Value border(float value, unsigned) {
        // Cut, not rounded.
        const float magnitude = std::min(std::fabs(value), 65504.0f);
        std::uint16_t bits = float_to_half(static_cast<double>(magnitude));
        if (half_to_float(bits) > magnitude) --bits;
        return std::copysign(static_cast<double>(half_to_float(bits)), static_cast<double>(value));
    }
    static std::uint32_t result(Value sum, unsigned) {
        return std::bit_cast<std::uint32_t>(half_to_float(float_to_half(sum * (1.0 / 256))));
    }
    static std::uint32_t single(Value value, unsigned) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
};

/// Bytes of sRGB; the fourth channel is linear.
struct Srgb {
    using Value = double;
    static Value element(const std::byte* from, unsigned channel) {
        const auto byte = std::to_integer<std::uint8_t>(from[channel]);
        return channel == 3 ? byte * 257 : static_cast<double>(srgb_table()[byte]);
    }
    static Value border(float value, unsigned channel) {
        if (channel == 3) return Unsigned<std::uint8_t>::border(value, 0);
        return round_significant(static_cast<double>(bounded(value, 0, 1)), 8);
    }
    static std::uint32_t result(Value sum, unsigned channel) {
        if (channel == 3) return Unsigned<std::uint8_t>::result(static_cast<std::int32_t>(sum), 0);
        return Half::result(sum, 0);
    }
    static std::uint32_t single(Value value, unsigned channel) { return result(value * 256, channel); }
};

/// Integers as they are.
template <class T>
struct Integer {
    using Value = std::int64_t;
    static Value element(const std::byte* from, unsigned channel) { return load<T>(from, channel); }
    static Value border(float value, unsigned) {
        // The bits of the colour, as many as an element has.
        return static_cast<T>(std::bit_cast<std::uint32_t>(value));
    }
    /// When filtered, small integers are rounded, and integers of 32 bits are truncated.
    static std::uint32_t result(Value sum, unsigned) {
        return static_cast<std::uint32_t>((sum + (sizeof(T) < 4 ? 128 : 0)) >> 8);
    }
    static std::uint32_t single(Value value, unsigned) { return static_cast<std::uint32_t>(value); }
};

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

float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = half >> 10 & 31u;
    const std::uint32_t mantissa = half & 0x3FFu;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | mantissa << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
    const float tiny = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -tiny : tiny;
}

std::uint16_t float_to_half(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return 0x7FFF;
    if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00);
    // The bits of a double with its exponent moved are those of a half, but for the length of the fraction.
    if (magnitude >= 0x1p-14) {
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude) + (std::uint64_t{1} << 41);
        return static_cast<std::uint16_t>(sign |
                                          static_cast<std::uint16_t>((bits >> 42) - (std::uint64_t{1008} << 10)));
    }
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lround(magnitude * 0x1p24)));
}

} // namespace warplight::software
