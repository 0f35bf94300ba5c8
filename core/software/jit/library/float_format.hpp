// SPDX-License-Identifier: Apache-2.0
// Binary floating-point formats, and numbers rounded to them in any direction.
#pragma once

#include <cstdint>

namespace warplight::jit {

enum class RoundTo : std::uint8_t { nearest_even, nearest_away, zero, down, up };

/// A binary floating-point format.
struct FloatFormat {
    unsigned mantissa_bits; ///< without the hidden one
    int bias;
    unsigned sign_bit;      ///< position
    std::uint64_t infinity; ///< the result of an overflow, and of infinities
    std::uint64_t largest;  ///< of the finite numbers
    std::uint64_t nan;
};
inline constexpr FloatFormat kF16{10, 15, 15, 0x7C00, 0x7BFF, 0x7FFF};
inline constexpr FloatFormat kBf16{7, 127, 15, 0x7F80, 0x7F7F, 0x7FFF};
inline constexpr FloatFormat kF32{23, 127, 31, 0x7F800000, 0x7F7FFFFF, 0x7FFFFFFF};
inline constexpr FloatFormat kF64{52, 1023, 63, 0x7FF0000000000000u, 0x7FEFFFFFFFFFFFFFu, 0x7FF8000000000000u};
inline constexpr FloatFormat kTf32{10, 127, 18, 0x3FC00, 0x3FBFF, 0x3FFFF};
/// PTX has these 8-bit formats with .satfinite only: numbers that are too large become the largest.
inline constexpr FloatFormat kE4m3{3, 7, 7, 0x7E, 0x7E, 0x7F};
inline constexpr FloatFormat kE5m2{2, 15, 7, 0x7B, 0x7B, 0x7F};

/// The bits of ±mantissa · 2^exponent in a format.
[[nodiscard]] std::uint64_t round_to_format(bool negative, std::uint64_t mantissa, int exponent,
                                            const FloatFormat& format, RoundTo direction);
/// The bits of a number in a format.
[[nodiscard]] std::uint64_t round_to_format(double value, const FloatFormat& format, RoundTo direction);

} // namespace warplight::jit
