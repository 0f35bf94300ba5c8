// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary16 on the host: storage and conversion, round to nearest even.
#pragma once

#include <bit>
#include <cstdint>

namespace warplight {

struct Half {
    std::uint16_t bits = 0;

    constexpr Half() = default;
    constexpr explicit Half(float value) noexcept : bits(from_float(value)) {}
    constexpr explicit operator float() const noexcept { return to_float(bits); }
    static constexpr Half from_bits(std::uint16_t bits) noexcept {
        Half half;
        half.bits = bits;
        return half;
    }
    friend constexpr bool operator==(Half a, Half b) noexcept { return static_cast<float>(a) == static_cast<float>(b); }

    static constexpr std::uint16_t from_float(float value) noexcept {
        const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
        const std::uint16_t sign = static_cast<std::uint16_t>((word >> 16) & 0x8000u);
        const std::uint32_t magnitude = word & 0x7fffffffu;
        if (magnitude > 0x7f800000u) // NaN: quiet, the payload's upper bits kept
            return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
        if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u); // rounds past 65504
        if (magnitude >= 0x38800000u) {                                                  // normal
            const std::uint32_t rebased = magnitude - 0x38000000u;
            return static_cast<std::uint16_t>(sign | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13));
        }
        if (magnitude < 0x33000000u) return sign; // below half the least subnormal
        const std::uint32_t shift = 126u - (magnitude >> 23);
        const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        const std::uint32_t kept = mantissa >> shift;
        const std::uint32_t rest = mantissa & ((1u << shift) - 1u), middle = 1u << (shift - 1u);
        return static_cast<std::uint16_t>(sign | (kept + (rest > middle || (rest == middle && (kept & 1u)))));
    }

    static constexpr float to_float(std::uint16_t bits) noexcept {
        const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 0x1fu, mantissa = bits & 0x3ffu;
        if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
        if (exponent) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
};
static_assert(sizeof(Half) == 2);

} // namespace warplight
