// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every platform. They use exactly rounded operations only, and random.cpp is
// compiled without contraction to fused multiply-add.
#pragma once

#include <cstdint>

namespace warplight::session {

/// The upper 64 bits of a 128-bit product.
constexpr std::uint64_t upper_product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a_low = a & 0xffffffffu, a_high = a >> 32, b_low = b & 0xffffffffu, b_high = b >> 32;
    const std::uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
    return a_high * b_high + (middle >> 32) + ((a_low * b_high + (middle & 0xffffffffu)) >> 32);
}

/// The numbers of SplitMix64 with this seed, in any order.
struct SplitMix64 {
    std::uint64_t seed = 0;

    /// Number i + 1 of the sequence.
    constexpr std::uint64_t at(std::uint64_t i) const {
        std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// In [0, 1), a multiple of 2⁻⁵³.
    constexpr double unit(std::uint64_t i) const { return static_cast<double>(at(i) >> 11) * 0x1p-53; }
    /// Standard normal, by Box and Muller from numbers 2i + 1 and 2i + 2.
    double normal(std::uint64_t i) const;
};

} // namespace warplight::session
