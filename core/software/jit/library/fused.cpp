// SPDX-License-Identifier: Apache-2.0
#include "fused.hpp"

#include "float_format.hpp"
#include "rounding.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <utility>

#ifdef __MINGW32__
#include <immintrin.h>
#endif

namespace warplight::jit {
namespace {

/// 128 bits. Not __int128, which one of the compilers lacks.
struct Wide {
    std::uint64_t high = 0, low = 0;

    /// To the right; bits that drop out leave a one in the last place.
    [[nodiscard]] Wide shifted(int count) const {
        if (count == 0) return *this;
        if (count >= 128) return {0, std::uint64_t{(high | low) != 0}};
        Wide result;
        std::uint64_t lost;
        if (count >= 64) {
            const int rest = count - 64;
            result.low = high >> rest;
            lost = low | (rest == 0 ? 0 : high << (64 - rest));
        } else {
            result = {high >> count, low >> count | high << (64 - count)};
            lost = low << (64 - count);
        }
        result.low |= std::uint64_t{lost != 0};
        return result;
    }
    [[nodiscard]] Wide shifted_left(int count) const {
        if (count == 0) return *this;
        if (count >= 64) return {low << (count - 64), 0};
        return {high << count | low >> (64 - count), low << count};
    }
    [[nodiscard]] int top() const { // of the leading one, which there is
        return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
    }
    [[nodiscard]] friend bool operator<(const Wide& a, const Wide& b) {
        return std::pair(a.high, a.low) < std::pair(b.high, b.low);
    }
    [[nodiscard]] friend Wide operator+(const Wide& a, const Wide& b) {
        const std::uint64_t low = a.low + b.low;
        return {a.high + b.high + std::uint64_t{low < a.low}, low};
    }
    [[nodiscard]] friend Wide operator-(const Wide& a, const Wide& b) {
        return {a.high - b.high - std::uint64_t{a.low < b.low}, a.low - b.low};
    }
};

Wide product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t half = 0xFFFFFFFF;
    const std::uint64_t low = (a & half) * (b & half), middle = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t other = (a & half) * (b >> 32) + (middle & half);
    return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), other << 32 | (low & half)};
}

/// ±mantissa · 2^exponent
struct Number {
    bool negative;
    std::uint64_t mantissa;
    int exponent;

    explicit Number(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const int biased = static_cast<int>(bits >> 52 & 0x7FF);
        negative = bits >> 63 != 0;
        mantissa = (bits & 0xFFFFFFFFFFFFFu) | std::uint64_t{biased != 0} << 52;
        exponent = std::max(biased, 1) - 1075;
    }
};

RoundTo host_direction() {
    switch (host_rounding()) {
    case FE_TOWARDZERO: return RoundTo::zero;
    case FE_DOWNWARD: return RoundTo::down;
    case FE_UPWARD: return RoundTo::up;
    default: return RoundTo::nearest_even;
    }
}

/// Of finite numbers, neither a nor b a zero.
std::uint64_t rounded_sum(double a, double b, double c, const FloatFormat& format) {
    const Number x(a), y(b), z(c);
    const RoundTo direction = host_direction();
    // Both terms have their leading one in bit 125, so that their sum has room. The product has at most 106 bits and c
    // 53: where bits are lost by moving one to the other's exponent, both are far apart and nothing large cancels.
    struct Term {
        Wide value;
        int exponent;
        bool negative;
    };
    const auto term = [](Wide value, int exponent, bool negative) {
        const int up = 125 - value.top();
        return Term{value.shifted_left(up), exponent - up, negative};
    };
    Term large = term(product(x.mantissa, y.mantissa), x.exponent + y.exponent, x.negative != y.negative);
    if (z.mantissa != 0) {
        Term small = term({0, z.mantissa}, z.exponent, z.negative);
        if (large.exponent < small.exponent) std::swap(large, small);
        small.value = small.value.shifted(large.exponent - small.exponent);
        if (large.negative == small.negative) {
            large.value = large.value + small.value;
        } else {
            if (large.value < small.value) { // of the same exponent
                std::swap(large.value, small.value);
                large.negative = small.negative;
            }
            large.value = large.value - small.value;
            if ((large.value.high | large.value.low) == 0)
                return std::uint64_t{direction == RoundTo::down} << format.sign_bit;
        }
    }
    const int down = std::max(large.value.top() - 62, 0);
    return round_to_format(large.negative, large.value.shifted(down).low, large.exponent + down, format, direction);
}

template <class T>
T in_integers(T a, T b, T c, const FloatFormat& format) {
    // A product that is too large for the format adds nothing to an infinity.
    if (std::isfinite(a) && std::isfinite(b) && !std::isfinite(c)) return c + c;
    if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return a * b + c;
    const std::uint64_t bits = rounded_sum(double{a}, double{b}, double{c}, format);
    if constexpr (sizeof(T) == sizeof bits)
        return std::bit_cast<T>(bits);
    else
        return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
}

#ifdef __MINGW32__
__attribute__((target("fma"))) double by_instruction(double a, double b, double c) {
    return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
}
__attribute__((target("fma"))) float by_instruction(float a, float b, float c) {
    return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
}
bool has_instruction() {
    static const bool has = __builtin_cpu_supports("fma") != 0;
    return has;
}
#endif

} // namespace

double fused_in_integers(double a, double b, double c) { return in_integers(a, b, c, kF64); }
float fused_in_integers(float a, float b, float c) { return in_integers(a, b, c, kF32); }

#ifdef __MINGW32__
double fused(double a, double b, double c) {
    return has_instruction() ? by_instruction(a, b, c) : fused_in_integers(a, b, c);
}
float fused(float a, float b, float c) {
    return has_instruction() ? by_instruction(a, b, c) : fused_in_integers(a, b, c);
}
#endif

} // namespace warplight::jit
