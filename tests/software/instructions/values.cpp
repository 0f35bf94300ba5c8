// SPDX-License-Identifier: Apache-2.0
// Values worth trying: where numbers wrap, round, vanish, overflow or are none.
#include "cases.hpp"
#include "exact.hpp"

#include <algorithm>

namespace instructions {
namespace {

/// splitmix64: the same numbers on every machine.
class Random {
public:
    std::uint64_t operator()() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }

private:
    std::uint64_t state_ = 1;
};

std::vector<std::uint64_t> integers(unsigned bits) {
    std::vector<std::uint64_t> v = {0, 1, 2, 3, 7, 10, 0x55, 0x7F, 0x80, 0xFF, 0x100, 0x1234};
    for (const unsigned at : {15u, 16u, 31u, 32u, 63u})
        if (at < bits)
            v.insert(v.end(), {(std::uint64_t{1} << at) - 1, std::uint64_t{1} << at, (std::uint64_t{1} << at) + 1});
    v.insert(v.end(), {mask(bits), mask(bits) - 1, mask(bits) - 9, mask(bits) >> 1, (mask(bits) >> 1) + 1,
                       (mask(bits) >> 1) + 2, 0xDEADBEEFCAFEBABEu & mask(bits), 0xAAAAAAAAAAAAAAAAu & mask(bits)});
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
    return v;
}

std::vector<std::uint64_t> floats(const exact::Format& f) {
    const std::uint64_t one = f.one(), ulp = 1, hidden = std::uint64_t{1} << f.mantissa_bits;
    std::vector<std::uint64_t> v = {0,
                                    ulp, // least subnormal
                                    2,
                                    hidden - 1, // largest subnormal
                                    hidden,     // least normal
                                    hidden + 1,
                                    one - hidden, // 0.5
                                    one - 1,
                                    one,
                                    one + 1,
                                    one + hidden / 2,                       // 1.5
                                    one + hidden,                           // 2
                                    one + hidden + hidden / 4,              // 2.5
                                    one + hidden + hidden / 2,              // 3
                                    one + hidden + hidden / 2 + hidden / 4, // 3.5
                                    one + 4 * hidden / 3,
                                    f.infinity() - 1, // largest
                                    f.infinity() - hidden,
                                    f.infinity(),
                                    f.quiet_nan(),
                                    f.infinity() | 1}; // signalling
    const std::size_t count = v.size();
    for (std::size_t k = 0; k < count; ++k)
        v.push_back(v[k] | f.sign());
    return v;
}

} // namespace

unsigned bits_of(const std::string& type) {
    if (type == "pred") return 1;
    if (type.ends_with("x2")) return 32;
    if (type.ends_with("64")) return 64;
    if (type.ends_with("32")) return 32;
    return type.ends_with("16") ? 16 : 8;
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last) {
    std::vector<std::uint64_t> v;
    for (std::uint64_t x = first; x <= last; ++x)
        v.push_back(x);
    return v;
}

std::vector<std::uint64_t> every_16_bit_value() { return range(0, 0xFFFF); }

std::vector<std::uint64_t> edge_values(const std::string& type) {
    if (type == "pred") return {0, 1};
    if (type == "f32") return floats(exact::f32);
    if (type == "f64") return floats(exact::f64);
    if (type == "f16") return floats(exact::f16);
    if (type == "bf16") return floats(exact::bf16);
    if (type == "f16x2" || type == "bf16x2") {
        std::vector<std::uint64_t> v;
        const auto halves = floats(type == "f16x2" ? exact::f16 : exact::bf16);
        for (std::size_t k = 0; k < halves.size(); ++k)
            v.push_back(halves[k] | halves[(k * 5 + 3) % halves.size()] << 16);
        return v;
    }
    return integers(bits_of(type));
}

std::vector<std::uint64_t> values_around_least_normal(const exact::Format& f) {
    const std::uint64_t hidden = std::uint64_t{1} << f.mantissa_bits, half = f.one() - hidden;
    // 2^(1 - bias), which is the least normal number, twice it, and the number that it is one divided by.
    const std::uint64_t least = hidden, inverse = 2 * f.one() - hidden;
    std::vector<std::uint64_t> v;
    for (const std::uint64_t x : {least, 2 * least, half, f.one(), inverse})
        v.insert(v.end(), {x, x + 1, x + 2, x - 1 > least ? x - 1 : least + 3});
    // Mantissas m and n of which m n is just below a power of two, with exponents that make up that of the least.
    const std::uint64_t power = std::uint64_t{1} << (2 * f.mantissa_bits + 1);
    const auto field = static_cast<std::uint64_t>(f.bias() - f.bias() / 2);
    for (const std::uint64_t part : {5u, 11u, 13u, 23u, 29u}) {
        const std::uint64_t m = hidden + hidden * part / 32 + part, n = power / m;
        v.push_back((m - hidden) | field << f.mantissa_bits);
        v.push_back((n - hidden) | (static_cast<std::uint64_t>(f.bias()) - field) << f.mantissa_bits);
    }
    const std::size_t count = v.size();
    for (std::size_t k = 0; k < count; k += 3)
        v.push_back(v[k] | f.sign());
    return v;
}

std::vector<std::uint64_t> many_values(const std::string& type, std::size_t random) {
    std::vector<std::uint64_t> v = edge_values(type);
    Random next;
    const bool is_float = type[0] == 'f' || type[0] == 'b';
    for (std::size_t k = 0; k < random; ++k) {
        std::uint64_t x = next() & mask(bits_of(type));
        // Half of the floats near 1, where sums round and cancel.
        if (is_float && k % 2 == 0 && (type == "f32" || type == "f64")) {
            const exact::Format& f = type == "f32" ? exact::f32 : exact::f64;
            const std::uint64_t fraction = x & ((std::uint64_t{1} << f.mantissa_bits) - 1);
            const auto field = static_cast<std::uint64_t>(f.bias()) - 8 + (x >> f.mantissa_bits) % 17;
            x = fraction | field << f.mantissa_bits | (x & f.sign());
        }
        v.push_back(x);
    }
    return v;
}

} // namespace instructions
