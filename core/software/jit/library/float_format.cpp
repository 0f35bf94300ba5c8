// SPDX-License-Identifier: Apache-2.0
#include "float_format.hpp"

#include <algorithm>
#include <bit>

namespace warplight::jit {

std::uint64_t round_to_format(bool negative, std::uint64_t mantissa, int exponent, const FloatFormat& format,
                              RoundTo direction) {
    const std::uint64_t sign = std::uint64_t{negative} << format.sign_bit;
    if (mantissa == 0) return sign;
    const int fraction = static_cast<int>(format.mantissa_bits);
    const int top = 63 - std::countl_zero(mantissa) + exponent;    // of the leading one
    const int quantum = std::max(top, 1 - format.bias) - fraction; // of the result's last bit
    const int drop = quantum - exponent;
    std::uint64_t kept = 0, rest = 0, half = 0;
    if (drop <= 0) {
        kept = mantissa << -drop;
    } else if (drop < 64) {
        kept = mantissa >> drop;
        rest = mantissa & ((std::uint64_t{1} << drop) - 1);
        half = std::uint64_t{1} << (drop - 1);
    } else {
        // The whole number lies below the last bit, and below half of it except where 64 bits are dropped.
        rest = drop == 64 && mantissa > std::uint64_t{1} << 63    ? 3
               : drop == 64 && mantissa == std::uint64_t{1} << 63 ? 2
                                                                  : 1;
        half = 2;
    }
    bool up = false;
    switch (direction) {
    case RoundTo::nearest_even: up = rest > half || (rest == half && rest != 0 && (kept & 1)); break;
    case RoundTo::nearest_away: up = rest != 0 && rest >= half; break;
    case RoundTo::zero: break;
    case RoundTo::down: up = rest != 0 && negative; break;
    case RoundTo::up: up = rest != 0 && !negative; break;
    }
    kept += up;
    const int biased = std::max(top + format.bias, 1);
    // A carry out of the fraction goes into the exponent by itself.
    const bool too_large = biased > static_cast<int>((format.largest >> fraction) + 1);
    const std::uint64_t magnitude =
        too_large ? format.largest + 1 : (static_cast<std::uint64_t>(biased - 1) << fraction) + kept;
    if (magnitude <= format.largest) return sign | magnitude;
    const bool to_infinity = direction == RoundTo::nearest_even || direction == RoundTo::nearest_away ||
                             direction == (negative ? RoundTo::down : RoundTo::up);
    return sign | (to_infinity ? format.infinity : format.largest);
}

std::uint64_t round_to_format(double value, const FloatFormat& format, RoundTo direction) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const bool negative = bits >> 63 != 0;
    const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
    std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFFu;
    if (exponent == 0x7FF) {
        if (mantissa != 0) return format.nan;
        return std::uint64_t{negative} << format.sign_bit | format.infinity;
    }
    if (exponent != 0) mantissa |= std::uint64_t{1} << 52;
    return round_to_format(negative, mantissa, std::max(exponent, 1) - 1075, format, direction);
}

} // namespace warplight::jit
