// SPDX-License-Identifier: Apache-2.0
// Numbers of any binary format, added without any rounding, and rounded once at the end: what results are compared
// with. Slow, simple, and made in another way than what it judges.
#pragma once

#include <array>
#include <cstdint>

namespace exact {

enum class Round : std::uint8_t { nearest, away, zero, down, up };

/// A format by its widths: f16 is {5, 10}.
struct Format {
    int exponent_bits, mantissa_bits;
    [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] int bits() const { return 1 + exponent_bits + mantissa_bits; }
    [[nodiscard]] std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }
    [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (bits() - 1); }
    [[nodiscard]] std::uint64_t magnitude(std::uint64_t x) const { return x & (sign() - 1); }
    [[nodiscard]] bool negative(std::uint64_t x) const { return (x & sign()) != 0; }
    [[nodiscard]] bool nan(std::uint64_t x) const { return magnitude(x) > infinity(); }
    [[nodiscard]] bool infinite(std::uint64_t x) const { return magnitude(x) == infinity(); }
    [[nodiscard]] bool zero(std::uint64_t x) const { return magnitude(x) == 0; }
    [[nodiscard]] bool subnormal(std::uint64_t x) const { return !zero(x) && (x & infinity()) == 0; }
    [[nodiscard]] std::uint64_t quiet_nan() const { return infinity() | infinity() >> 1; }
    [[nodiscard]] std::uint64_t one() const { return static_cast<std::uint64_t>(bias()) << mantissa_bits; }
    /// A finite number is ±mantissa(x) · 2^exponent(x).
    [[nodiscard]] std::uint64_t mantissa(std::uint64_t x) const;
    [[nodiscard]] int exponent(std::uint64_t x) const;
    [[nodiscard]] std::uint64_t flush(std::uint64_t x) const { return subnormal(x) ? x & sign() : x; }
};
inline constexpr Format f16{5, 10}, bf16{8, 7}, f32{8, 23}, f64{11, 52};

/// A sum, exact.
class Sum {
public:
    void add(bool negative, unsigned __int128 mantissa, int exponent);
    void add(const Format& f, std::uint64_t x) { add(f.negative(x), f.mantissa(x), f.exponent(x)); }
    void add_product(const Format& f, std::uint64_t x, std::uint64_t y);
    /// The bits of the sum in a format. `zero_sign` is the sign of a sum that is zero.
    [[nodiscard]] std::uint64_t round(const Format& f, Round mode, bool zero_sign = false) const;

private:
    static constexpr int kWords = 80, kLowest = -2400;
    using Words = std::array<std::uint64_t, kWords>;
    Words positive_{}, negative_{};
};

// IEEE operations of any format, with infinities and NaN; a NaN is quiet_nan().
std::uint64_t add(const Format& f, std::uint64_t x, std::uint64_t y, Round mode);
std::uint64_t multiply(const Format& f, std::uint64_t x, std::uint64_t y, Round mode);
std::uint64_t multiply_add(const Format& f, std::uint64_t x, std::uint64_t y, std::uint64_t z, Round mode);
std::uint64_t divide(const Format& f, std::uint64_t x, std::uint64_t y, Round mode);
std::uint64_t square_root(const Format& f, std::uint64_t x, Round mode);
std::uint64_t convert(const Format& from, std::uint64_t x, const Format& to, Round mode);
std::uint64_t from_integer(bool negative, std::uint64_t magnitude, const Format& to, Round mode);
/// Rounded to an integer: sign and magnitude, which is 2^64 - 1 at most.
struct Whole {
    bool negative;
    std::uint64_t magnitude;
    bool too_large;
};
Whole to_whole(const Format& f, std::uint64_t x, Round mode);
std::uint64_t saturate(const Format& f, std::uint64_t x);

/// What .ftz flushes: whether `operation(format, x, mode)` is below the normal numbers of `f` when it is rounded to the
/// precision of `f` as if exponents had no end.
template <class Operation, class Values>
bool tiny(const Format& f, const Operation& operation, Values x, Round mode) {
    const Format wide{f.exponent_bits + 2, f.mantissa_bits};
    for (auto& v : x)
        v = convert(f, v, wide, Round::nearest);
    const auto least_normal = static_cast<std::uint64_t>(wide.bias() - f.bias() + 1) << f.mantissa_bits;
    return wide.magnitude(operation(wide, x, mode)) < least_normal;
}

} // namespace exact
