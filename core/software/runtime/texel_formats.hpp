// SPDX-License-Identifier: Apache-2.0
// What a channel of each format means: its value, how values are blended, and the bits of the result. `Value` holds
// sums of values times weights, which add up to 256.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warplight::software {

/// binary16 to binary32 and back; the way back rounds half away from zero, as the filters do.
[[nodiscard]] float half_to_float(std::uint16_t half);
[[nodiscard]] std::uint16_t float_to_half(double value);

namespace texel_formats {

/// Rounded to `bits` significant bits.
[[nodiscard]] double round_significant(double value, int bits);
/// The values of sRGB bytes; texture units keep eight bits.
[[nodiscard]] const std::array<float, 256>& srgb_table();

template <class T>
[[nodiscard]] inline T load(const std::byte* from, unsigned channel) {
    T value;
    std::memcpy(&value, from + channel * sizeof(T), sizeof(T));
    return value;
}

[[nodiscard]] inline float bounded(float value, float low, float high) {
    return std::isnan(value) ? 0 : std::clamp(value, low, high);
}

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

} // namespace texel_formats

} // namespace warplight::software
