// SPDX-License-Identifier: Apache-2.0
#include "exact.hpp"

#include <algorithm>
#include <bit>

namespace exact {

std::uint64_t Format::mantissa(std::uint64_t x) const {
    const std::uint64_t fraction = x & ((std::uint64_t{1} << mantissa_bits) - 1);
    return (x & infinity()) == 0 ? fraction : fraction | std::uint64_t{1} << mantissa_bits;
}

int Format::exponent(std::uint64_t x) const {
    const int field = static_cast<int>((x & infinity()) >> mantissa_bits);
    return std::max(field, 1) - bias() - mantissa_bits;
}

void Sum::add(bool negative, unsigned __int128 mantissa, int exponent) {
    Words& words = negative ? negative_ : positive_;
    const int at = exponent - kLowest, shift = at % 64;
    auto word = static_cast<std::size_t>(at / 64);
    const std::uint64_t parts[3] = {static_cast<std::uint64_t>(mantissa << shift),
                                    static_cast<std::uint64_t>(mantissa >> (64 - shift) >> 0),
                                    shift == 0 ? 0 : static_cast<std::uint64_t>(mantissa >> 64 >> (64 - shift))};
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < 3 || carry != 0; ++k, ++word) {
        const unsigned __int128 sum = static_cast<unsigned __int128>(words[word]) + (k < 3 ? parts[k] : 0) + carry;
        words[word] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64);
    }
}

void Sum::add_product(const Format& f, std::uint64_t x, std::uint64_t y) {
    add(f.negative(x) != f.negative(y), static_cast<unsigned __int128>(f.mantissa(x)) * f.mantissa(y),
        f.exponent(x) + f.exponent(y));
}

std::uint64_t Sum::round(const Format& f, Round mode, bool zero_sign) const {
    bool negative = false;
    for (std::size_t k = kWords; k-- > 0;)
        if (positive_[k] != negative_[k]) {
            negative = positive_[k] < negative_[k];
            break;
        }
    const Words& large = negative ? negative_ : positive_;
    const Words& small = negative ? positive_ : negative_;
    Words difference{};
    std::uint64_t borrow = 0;
    int top = -1;
    for (std::size_t k = 0; k < kWords; ++k) {
        const unsigned __int128 d = static_cast<unsigned __int128>(large[k]) - small[k] - borrow;
        difference[k] = static_cast<std::uint64_t>(d);
        borrow = static_cast<std::uint64_t>(d >> 64) & 1;
        if (difference[k] != 0) top = static_cast<int>(k) * 64 + 63 - std::countl_zero(difference[k]);
    }
    if (top < 0) return zero_sign ? f.sign() : 0;
    const auto bit = [&](int at) {
        return at >= 0 && (difference[static_cast<std::size_t>(at / 64)] >> (at % 64) & 1) != 0;
    };
    // Position of the result's last bit.
    const int last = std::max(top - f.mantissa_bits, 1 - f.bias() - f.mantissa_bits - kLowest);
    std::uint64_t kept = 0;
    for (int at = std::max(top, last); at >= last; --at)
        kept = kept << 1 | bit(at);
    const bool half = bit(last - 1);
    bool below = false;
    for (int at = 0; at < last - 1 && !below; ++at)
        below = bit(at);
    bool up = false;
    switch (mode) {
    case Round::nearest: up = half && (below || (kept & 1)); break;
    case Round::away: up = half; break;
    case Round::zero: break;
    case Round::down: up = negative && (half || below); break;
    case Round::up: up = !negative && (half || below); break;
    }
    kept += up;
    const std::uint64_t hidden = std::uint64_t{1} << f.mantissa_bits;
    std::uint64_t field = static_cast<std::uint64_t>(last + kLowest + f.bias() + f.mantissa_bits);
    if (kept == hidden * 2) {
        kept = hidden;
        ++field;
    }
    const std::uint64_t sign = negative ? f.sign() : 0;
    if (kept < hidden) return sign | kept;
    if (field >= (std::uint64_t{1} << f.exponent_bits) - 1) {
        const bool largest = mode == Round::zero || mode == (negative ? Round::up : Round::down);
        return sign | (largest ? f.infinity() - 1 : f.infinity());
    }
    return sign | field << f.mantissa_bits | (kept - hidden);
}

std::uint64_t add(const Format& f, std::uint64_t x, std::uint64_t y, Round mode) {
    if (f.nan(x) || f.nan(y)) return f.quiet_nan();
    if (f.infinite(x)) return f.infinite(y) && f.negative(x) != f.negative(y) ? f.quiet_nan() : x;
    if (f.infinite(y)) return y;
    Sum sum;
    sum.add(f, x);
    sum.add(f, y);
    const bool same = f.negative(x) == f.negative(y);
    return sum.round(f, mode, same ? f.negative(x) : mode == Round::down);
}

std::uint64_t multiply(const Format& f, std::uint64_t x, std::uint64_t y, Round mode) {
    if (f.nan(x) || f.nan(y)) return f.quiet_nan();
    const std::uint64_t sign = (x ^ y) & f.sign();
    if (f.infinite(x) || f.infinite(y)) return f.zero(x) || f.zero(y) ? f.quiet_nan() : sign | f.infinity();
    Sum sum;
    sum.add_product(f, x, y);
    return sum.round(f, mode, sign != 0);
}

std::uint64_t multiply_add(const Format& f, std::uint64_t x, std::uint64_t y, std::uint64_t z, Round mode) {
    if (f.nan(x) || f.nan(y) || f.nan(z)) return f.quiet_nan();
    const bool sign = f.negative(x) != f.negative(y);
    if (f.infinite(x) || f.infinite(y)) {
        if (f.zero(x) || f.zero(y) || (f.infinite(z) && f.negative(z) != sign)) return f.quiet_nan();
        return f.infinity() | (sign ? f.sign() : 0);
    }
    if (f.infinite(z)) return z;
    Sum sum;
    sum.add_product(f, x, y);
    sum.add(f, z);
    return sum.round(f, mode, sign == f.negative(z) ? sign : mode == Round::down);
}

std::uint64_t divide(const Format& f, std::uint64_t x, std::uint64_t y, Round mode) {
    if (f.nan(x) || f.nan(y)) return f.quiet_nan();
    const std::uint64_t sign = (x ^ y) & f.sign();
    if (f.infinite(x)) return f.infinite(y) ? f.quiet_nan() : sign | f.infinity();
    if (f.infinite(y)) return sign;
    if (f.zero(y)) return f.zero(x) ? f.quiet_nan() : sign | f.infinity();
    if (f.zero(x)) return sign;
    // Both with their leading one at the same place; the quotient has 64 bits, and one more for what is left over.
    std::uint64_t a = f.mantissa(x), b = f.mantissa(y);
    int exponent = f.exponent(x) - f.exponent(y);
    for (; a < std::uint64_t{1} << 52; --exponent)
        a <<= 1;
    for (; b < std::uint64_t{1} << 52; ++exponent)
        b <<= 1;
    const unsigned __int128 wide = static_cast<unsigned __int128>(a) << 64;
    const unsigned __int128 quotient = wide / b;
    Sum sum;
    sum.add(sign != 0, quotient << 1 | (wide % b != 0), exponent - 65);
    return sum.round(f, mode);
}

std::uint64_t square_root(const Format& f, std::uint64_t x, Round mode) {
    if (f.nan(x)) return f.quiet_nan();
    if (f.zero(x)) return x;
    if (f.negative(x)) return f.quiet_nan();
    if (f.infinite(x)) return x;
    unsigned __int128 m = f.mantissa(x);
    int exponent = f.exponent(x);
    while (m < static_cast<unsigned __int128>(1) << 122 || exponent % 2 != 0) {
        m <<= 1;
        --exponent;
    }
    unsigned __int128 root = 0;
    for (int at = 62; at >= 0; --at) {
        const unsigned __int128 next = root | static_cast<unsigned __int128>(1) << at;
        if (next * next <= m) root = next;
    }
    Sum sum;
    sum.add(false, root << 1 | (root * root != m), exponent / 2 - 1);
    return sum.round(f, mode);
}

std::uint64_t convert(const Format& from, std::uint64_t x, const Format& to, Round mode) {
    if (from.nan(x)) return to.quiet_nan();
    const bool negative = from.negative(x);
    if (from.infinite(x)) return to.infinity() | (negative ? to.sign() : 0);
    Sum sum;
    sum.add(from, x);
    return sum.round(to, mode, negative);
}

std::uint64_t from_integer(bool negative, std::uint64_t magnitude, const Format& to, Round mode) {
    Sum sum;
    sum.add(negative, magnitude, 0);
    return sum.round(to, mode);
}

Whole to_whole(const Format& f, std::uint64_t x, Round mode) {
    const bool negative = f.negative(x);
    const std::uint64_t m = f.mantissa(x);
    const int exponent = f.exponent(x);
    if (f.infinite(x)) return {negative, ~std::uint64_t{0}, true};
    if (exponent >= 0) {
        if (m != 0 && exponent > std::countl_zero(m)) return {negative, ~std::uint64_t{0}, true};
        return {negative, m << exponent, false};
    }
    const int drop = -exponent;
    std::uint64_t whole = drop < 64 ? m >> drop : 0;
    const std::uint64_t rest = drop < 64 ? m - (whole << drop) : m;
    const unsigned __int128 twice = static_cast<unsigned __int128>(rest) << 1;
    const unsigned __int128 unit = static_cast<unsigned __int128>(1) << std::min(drop, 100);
    bool up = false;
    switch (mode) {
    case Round::nearest: up = twice > unit || (twice == unit && (whole & 1)); break;
    case Round::away: up = twice >= unit; break;
    case Round::zero: break;
    case Round::down: up = negative && rest != 0; break;
    case Round::up: up = !negative && rest != 0; break;
    }
    return {negative, whole + up, false};
}

std::uint64_t saturate(const Format& f, std::uint64_t x) {
    if (f.nan(x) || f.negative(x)) return 0;
    return std::min(x, f.one());
}

} // namespace exact
