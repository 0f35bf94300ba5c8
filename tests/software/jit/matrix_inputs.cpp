// SPDX-License-Identifier: Apache-2.0
// What is in memory before a matrix instruction, from a generator of random numbers.
#include "matrix_forms.hpp"

#include <bit>

namespace matrices {
namespace {

struct Random {
    std::uint64_t state;
    std::uint64_t next() {
        state += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
        z = (z ^ z >> 27) * 0x94D049BB133111EBU;
        return z ^ z >> 31;
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
};

std::uint64_t seed_of(const std::string& name, int number) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash + static_cast<std::uint64_t>(number) * 1000003;
}

struct Format {
    int mantissa, bias, bits;
    int low, high; ///< exponents of a wide range
};

std::uint64_t make_float(Random& r, const Format& f, int number) {
    const std::uint64_t sign = static_cast<std::uint64_t>(r.below(2)) << (f.bits - 1);
    const std::uint64_t all_mantissa = (std::uint64_t{1} << f.mantissa) - 1, mantissa = r.next() & all_mantissa;
    const auto with = [&](int exponent, std::uint64_t m) {
        return sign | static_cast<std::uint64_t>(exponent + f.bias) << f.mantissa | m;
    };
    if (number == 0) { // halves up to 8, as far as the mantissa has room for them
        const int n = static_cast<int>(r.below(f.mantissa < 4 ? 2U << f.mantissa : 17));
        if (n == 0) return sign;
        const int e = std::bit_width(static_cast<unsigned>(n)) - 1;
        return with(e - 1, static_cast<std::uint64_t>(n) << (f.mantissa - e) & all_mantissa);
    }
    if (number == 2) {
        (void)r.next(); // the recorded results were made with it
        return with(f.low + static_cast<int>(r.below(static_cast<std::uint32_t>(f.high - f.low + 1))), mantissa);
    }
    if (number == 3 && r.below(24) == 0) {
        const std::uint64_t infinity = (2 * static_cast<std::uint64_t>(f.bias) + 1) << f.mantissa;
        switch (r.below(6)) {
        case 0: return sign;
        case 1: return sign | infinity;
        case 2: return sign | infinity | std::uint64_t{1} << (f.mantissa - 1);
        case 3: return sign | mantissa; // subnormal
        case 4: return sign | (infinity - 1);
        default: return sign | mantissa >> 3;
        }
    }
    return with(static_cast<int>(r.below(8)) - 4, mantissa);
}

std::uint64_t make_word(Random& r, const std::string& type, int number) {
    if (type == "f16" || type == "bf16") {
        const Format f = type == "f16" ? Format{10, 15, 16, -14, 15} : Format{7, 127, 16, -30, 30};
        const std::uint64_t low = make_float(r, f, number);
        return low | make_float(r, f, number) << 16;
    }
    if (type == "e4m3" || type == "e5m2") {
        std::uint64_t word = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            std::uint64_t byte =
                type == "e4m3" ? make_float(r, {3, 7, 8, -6, 7}, number) : make_float(r, {2, 15, 8, -14, 15}, number);
            word |= (byte & 0xff) << shift;
        }
        return word;
    }
    if (type == "tf32" || type == "f32") return make_float(r, {23, 127, 32, -30, 30}, number);
    if (type == "f64") return make_float(r, {52, 1023, 64, -30, 30}, number);
    auto x = static_cast<std::uint32_t>(r.next());
    if (type == "s32") {
        if (number == 0) return x & 0xffff;
        if (number == 1) return x;
        return x & 0x80000000U ? 0x80000000U + (x & 0xfff) : 0x7fffffffU - (x & 0xfff);
    }
    if (number == 2) x &= (x >> 8 & 0x0f0f0f0fU) != 0 ? 0xffffffffU : 0x7f7f7f7fU;
    return x;
}

/// Which elements of A are there: of each four two, as two numbers of two bits; of tf32 one of two.
std::uint32_t make_metadata(Random& r, const std::string& type) {
    constexpr std::uint32_t kPairs[] = {4, 8, 12, 9, 13, 14}, kSingles[] = {4, 14};
    std::uint32_t word = 0;
    for (unsigned shift = 0; shift < 32; shift += 4)
        word |= (type == "tf32" ? kSingles[r.below(2)] : kPairs[r.below(6)]) << shift;
    return word;
}

} // namespace

std::vector<std::uint32_t> input_of(const Form& form, int number) {
    std::vector<std::uint32_t> words(kWords);
    Random random{seed_of(form.name, number)};
    const auto put = [&](unsigned reg, unsigned lane, std::uint64_t value) {
        const std::size_t at = std::size_t{32} * reg + lane;
        words[form.is_wide() ? 2 * at : at] = static_cast<std::uint32_t>(value);
        if (form.is_wide()) words[2 * at + 1] = static_cast<std::uint32_t>(value >> 32);
    };
    if (form.kind == Kind::load || form.kind == Kind::store) {
        for (std::uint32_t& w : words)
            w = static_cast<std::uint32_t>(random.next());
        if (form.kind == Kind::load) return words;
        const std::vector<std::uint32_t> all = words; // the recorded kernels had 8 bytes a lane
        for (unsigned reg = 0; reg < form.registers[0]; ++reg)
            for (unsigned lane = 0; lane < 32; ++lane)
                put(reg, lane,
                    all[std::size_t{64} * reg + 2 * lane] | std::uint64_t{all[std::size_t{64} * reg + 2 * lane + 1]}
                                                                << 32);
    } else if (form.kind == Kind::exchange) {
        for (unsigned reg = 0; reg < form.registers[0]; ++reg)
            for (unsigned lane = 0; lane < 32; ++lane)
                put(reg, lane, random.next());
    } else {
        const std::string* types[3] = {&form.a, &form.b, &form.c};
        unsigned at = 0;
        for (unsigned part = 0; part < 3; ++part)
            for (unsigned reg = 0; reg < form.registers[part]; ++reg, ++at)
                for (unsigned lane = 0; lane < 32; ++lane)
                    put(at, lane, make_word(random, *types[part], number));
        for (unsigned lane = 0; form.sparse && lane < 32; ++lane)
            put(at, lane, make_metadata(random, form.a));
    }
    return words;
}

} // namespace matrices
