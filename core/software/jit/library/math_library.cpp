// SPDX-License-Identifier: Apache-2.0
#include "math_library.hpp"

#include "fused.hpp"
#include "rounding.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>

namespace warplight::jit {

namespace {

/// An 8-bit float as an f64, exactly.
double from_small(std::uint32_t bits, unsigned mantissa_bits, int bias, bool has_infinity) {
    const unsigned exponent_bits = 7 - mantissa_bits;
    const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    const int mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
    const bool top = exponent == (1 << exponent_bits) - 1;
    double value;
    if (top && has_infinity)
        value = mantissa ? std::nan("") : INFINITY;
    else if (top && mantissa == (1 << mantissa_bits) - 1)
        value = std::nan("");
    else if (exponent == 0)
        value = std::ldexp(mantissa, 1 - bias - static_cast<int>(mantissa_bits));
    else
        value = std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - static_cast<int>(mantissa_bits));
    return bits & 0x80 ? -value : value;
}

// Volatile keeps the compiler from moving or folding the operation out of its rounding direction.
template <class T>
T directed_add(T x, T y, int direction) {
    volatile T a = x, b = y;
    const HostRounding scope(direction);
    volatile T result = a + b;
    return result;
}
template <class T>
T directed_mul(T x, T y, int direction) {
    volatile T a = x, b = y;
    const HostRounding scope(direction);
    volatile T result = a * b;
    return result;
}
template <class T>
T directed_div(T x, T y, int direction) {
    volatile T a = x, b = y;
    const HostRounding scope(direction);
    volatile T result = a / b;
    return result;
}
template <class T>
T directed_sqrt(T x, int direction) {
    volatile T a = x;
    const HostRounding scope(direction);
    volatile T result = std::sqrt(a);
    return result;
}
template <class T>
T directed_fma(T x, T y, T z, int direction) {
    volatile T a = x, b = y, c = z;
    const HostRounding scope(direction);
    volatile T result = fused(T{a}, T{b}, T{c});
    return result;
}

std::uint64_t from_signed(std::int64_t value, const FloatFormat& format, RoundTo direction) {
    const std::uint64_t magnitude =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return round_to_format(value < 0, magnitude, 0, format, direction);
}

} // namespace

extern "C" {

// Sums and products of f32 are emitted (emit/arithmetic/directed.cpp).
#define WL_DIRECTED(type, name, suffix, direction)                                                                     \
    static type wl_math_div_##name##suffix(type x, type y) { return directed_div(x, y, direction); }                   \
    static type wl_math_sqrt_##name##suffix(type x) { return directed_sqrt(x, direction); }
#define WL_DIRECTED_SUMS(type, name, suffix, direction)                                                                \
    static type wl_math_add_##name##suffix(type x, type y) { return directed_add(x, y, direction); }                   \
    static type wl_math_mul_##name##suffix(type x, type y) { return directed_mul(x, y, direction); }                   \
    static type wl_math_fma_##name##suffix(type x, type y, type z) { return directed_fma(x, y, z, direction); }
WL_DIRECTED(float, f32, _rz, FE_TOWARDZERO)
WL_DIRECTED(float, f32, _rm, FE_DOWNWARD)
WL_DIRECTED(float, f32, _rp, FE_UPWARD)
WL_DIRECTED(double, f64, _rz, FE_TOWARDZERO)
WL_DIRECTED(double, f64, _rm, FE_DOWNWARD)
WL_DIRECTED(double, f64, _rp, FE_UPWARD)
WL_DIRECTED_SUMS(double, f64, _rz, FE_TOWARDZERO)
WL_DIRECTED_SUMS(double, f64, _rm, FE_DOWNWARD)
WL_DIRECTED_SUMS(double, f64, _rp, FE_UPWARD)
#undef WL_DIRECTED_SUMS
#undef WL_DIRECTED

// Conversions yield the bits of their result.
#define WL_CONVERSIONS(suffix, direction)                                                                              \
    static std::uint16_t wl_math_f16_f64##suffix(double x) {                                                           \
        return static_cast<std::uint16_t>(round_to_format(x, kF16, RoundTo::direction));                               \
    }                                                                                                                  \
    static std::uint16_t wl_math_f16_s64##suffix(std::int64_t x) {                                                     \
        return static_cast<std::uint16_t>(from_signed(x, kF16, RoundTo::direction));                                   \
    }                                                                                                                  \
    static std::uint16_t wl_math_f16_u64##suffix(std::uint64_t x) {                                                    \
        return static_cast<std::uint16_t>(round_to_format(false, x, 0, kF16, RoundTo::direction));                     \
    }                                                                                                                  \
    static std::uint16_t wl_math_bf16_f64##suffix(double x) {                                                          \
        return static_cast<std::uint16_t>(round_to_format(x, kBf16, RoundTo::direction));                              \
    }                                                                                                                  \
    static std::uint16_t wl_math_bf16_s64##suffix(std::int64_t x) {                                                    \
        return static_cast<std::uint16_t>(from_signed(x, kBf16, RoundTo::direction));                                  \
    }                                                                                                                  \
    static std::uint16_t wl_math_bf16_u64##suffix(std::uint64_t x) {                                                   \
        return static_cast<std::uint16_t>(round_to_format(false, x, 0, kBf16, RoundTo::direction));                    \
    }                                                                                                                  \
    static std::uint32_t wl_math_f32_f64##suffix(double x) {                                                           \
        return static_cast<std::uint32_t>(round_to_format(x, kF32, RoundTo::direction));                               \
    }                                                                                                                  \
    static std::uint32_t wl_math_f32_s64##suffix(std::int64_t x) {                                                     \
        return static_cast<std::uint32_t>(from_signed(x, kF32, RoundTo::direction));                                   \
    }                                                                                                                  \
    static std::uint32_t wl_math_f32_u64##suffix(std::uint64_t x) {                                                    \
        return static_cast<std::uint32_t>(round_to_format(false, x, 0, kF32, RoundTo::direction));                     \
    }                                                                                                                  \
    static std::uint64_t wl_math_f64_s64##suffix(std::int64_t x) { return from_signed(x, kF64, RoundTo::direction); }  \
    static std::uint64_t wl_math_f64_u64##suffix(std::uint64_t x) {                                                    \
        return round_to_format(false, x, 0, kF64, RoundTo::direction);                                                 \
    }                                                                                                                  \
    static std::uint32_t wl_math_tf32_f64##suffix(double x) {                                                          \
        return static_cast<std::uint32_t>(round_to_format(x, kTf32, RoundTo::direction) << 13);                        \
    }
WL_CONVERSIONS(_rn, nearest_even)
WL_CONVERSIONS(_rz, zero)
WL_CONVERSIONS(_rm, down)
WL_CONVERSIONS(_rp, up)
#undef WL_CONVERSIONS

static std::uint32_t wl_math_tf32_f64_rna(double x) {
    return static_cast<std::uint32_t>(round_to_format(x, kTf32, RoundTo::nearest_away) << 13);
}
static std::uint8_t wl_math_e4m3_f64(double x) {
    return static_cast<std::uint8_t>(round_to_format(x, kE4m3, RoundTo::nearest_even));
}
static std::uint8_t wl_math_e5m2_f64(double x) {
    return static_cast<std::uint8_t>(round_to_format(x, kE5m2, RoundTo::nearest_even));
}
static std::uint16_t wl_math_f16_e4m3(std::uint32_t x) {
    return static_cast<std::uint16_t>(round_to_format(from_small(x, 3, 7, false), kF16, RoundTo::nearest_even));
}
static std::uint16_t wl_math_f16_e5m2(std::uint32_t x) {
    return static_cast<std::uint16_t>(round_to_format(from_small(x, 2, 15, true), kF16, RoundTo::nearest_even));
}

/// Position of the offset-th set bit from base on, upwards or downwards; all ones when there is none.
static std::uint32_t wl_math_fns(std::uint32_t mask, std::uint32_t base, std::uint32_t offset) {
    if (base > 31) return 0xFFFFFFFF;
    const auto distance = static_cast<std::int32_t>(offset);
    if (distance == 0) return mask >> base & 1 ? base : 0xFFFFFFFF;
    const std::int32_t step = distance > 0 ? 1 : -1;
    std::uint32_t left = distance > 0 ? offset : 0 - offset;
    for (auto at = static_cast<std::int32_t>(base); at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0) return static_cast<std::uint32_t>(at);
    return 0xFFFFFFFF;
}

} // extern "C"

std::span<const LibraryFunction> math_library() {
#define WL_ENTRY(name) {#name, reinterpret_cast<void*>(&(name))},
#define WL_ARITHMETIC(suffix)                                                                                          \
    WL_ENTRY(wl_math_div_f32##suffix)                                                                                  \
    WL_ENTRY(wl_math_sqrt_f32##suffix)                                                                                 \
    WL_ENTRY(wl_math_add_f64##suffix)                                                                                  \
    WL_ENTRY(wl_math_mul_f64##suffix)                                                                                  \
    WL_ENTRY(wl_math_div_f64##suffix)                                                                                  \
    WL_ENTRY(wl_math_sqrt_f64##suffix)                                                                                 \
    WL_ENTRY(wl_math_fma_f64##suffix)
#define WL_CONVERSIONS(suffix)                                                                                         \
    WL_ENTRY(wl_math_f16_f64##suffix)                                                                                  \
    WL_ENTRY(wl_math_f16_s64##suffix)                                                                                  \
    WL_ENTRY(wl_math_f16_u64##suffix)                                                                                  \
    WL_ENTRY(wl_math_bf16_f64##suffix)                                                                                 \
    WL_ENTRY(wl_math_bf16_s64##suffix)                                                                                 \
    WL_ENTRY(wl_math_bf16_u64##suffix)                                                                                 \
    WL_ENTRY(wl_math_f32_f64##suffix)                                                                                  \
    WL_ENTRY(wl_math_f32_s64##suffix)                                                                                  \
    WL_ENTRY(wl_math_f32_u64##suffix)                                                                                  \
    WL_ENTRY(wl_math_f64_s64##suffix)                                                                                  \
    WL_ENTRY(wl_math_f64_u64##suffix)                                                                                  \
    WL_ENTRY(wl_math_tf32_f64##suffix)
    static const LibraryFunction kFunctions[] = {
        WL_ARITHMETIC(_rz) WL_ARITHMETIC(_rm) WL_ARITHMETIC(_rp) WL_CONVERSIONS(_rn) WL_CONVERSIONS(_rz)
            WL_CONVERSIONS(_rm) WL_CONVERSIONS(_rp) WL_ENTRY(wl_math_tf32_f64_rna) WL_ENTRY(wl_math_e4m3_f64)
                WL_ENTRY(wl_math_e5m2_f64) WL_ENTRY(wl_math_f16_e4m3) WL_ENTRY(wl_math_f16_e5m2) WL_ENTRY(wl_math_fns)};
#undef WL_CONVERSIONS
#undef WL_ARITHMETIC
#undef WL_ENTRY
    return kFunctions;
}

} // namespace warplight::jit
