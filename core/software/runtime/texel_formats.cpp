// SPDX-License-Identifier: Apache-2.0
#include "texel_formats.hpp"

namespace warplight::software {

namespace texel_formats {

double round_significant(double value, int bits) {
    if (value == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

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

} // namespace texel_formats

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
