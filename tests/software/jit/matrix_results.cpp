// SPDX-License-Identifier: Apache-2.0
// What a matrix instruction computes, in plain C++.
#include "matrix_forms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace matrices {
namespace {

struct Place {
    unsigned row, column, product;
};

/// After the figures of the PTX ISA, and of wmma after what an H100 has in its registers.
Place place_of(const Form& f, char part, unsigned lane, unsigned i, unsigned elements) {
    const unsigned group = lane / 4, thread = lane % 4;
    if (of_quads(f)) {
        const unsigned high = lane < 16 ? 0 : 4, quad = lane / 4 % 4;
        if (part == 'a') return f.a_by_columns ? Place{i + high, thread, quad} : Place{thread + high, i, quad};
        if (part == 'b') return f.b_by_columns ? Place{i, thread + high, quad} : Place{thread, i + high, quad};
        if ((part == 'c' ? f.c : f.d) == "f16") return {thread + high, i, quad};
        return {(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1), quad};
    }
    if (f.n == 32) { // as the transposed product
        Form t = f;
        std::swap(t.m, t.n);
        const Place p = place_of(t, part == 'a' ? 'b' : part == 'b' ? 'a' : part, lane, i, elements);
        return {p.column, p.row, 0};
    }
    const unsigned reg = i / elements, e = i % elements, run = 4 * elements; // elements that four lanes have together
    switch (part) {
    case 'a': {
        if (f.m == 8) return {group, reg * run + thread * elements + e, 0};
        const unsigned registers = 2 * f.stored_k() / run, tile = reg / registers, rest = reg % registers;
        return {tile * 16 + (rest % 2 ? group + 8 : group), rest / 2 * run + thread * elements + e, 0};
    }
    case 'b': {
        const unsigned registers = f.k / run;
        return {reg % registers * run + thread * elements + e, reg / registers * 8 + group, 0};
    }
    default: {
        if (f.m == 8) return {group, thread * 2 + i, 0};
        const unsigned tile = i / 4, rest = i % 4, row = rest < 2 ? group : group + 8;
        return f.m == 32 ? Place{tile * 16 + row, thread * 2 + rest % 2, 0}
                         : Place{row, tile * 8 + thread * 2 + rest % 2, 0};
    }
    }
}

std::uint64_t word_at(const Form& form, const std::vector<std::uint32_t>& words, unsigned reg, unsigned lane) {
    const std::size_t at = std::size_t{32} * reg + lane;
    return form.is_wide() ? words[2 * at] | std::uint64_t{words[2 * at + 1]} << 32 : words[at];
}

} // namespace

double number_of(const std::string& type, std::uint64_t bits) {
    const auto low = static_cast<std::uint32_t>(bits);
    if (type == "f64") return std::bit_cast<double>(bits);
    if (type == "f32") return std::bit_cast<float>(low);
    if (type == "tf32") return std::bit_cast<float>(low >> 13 << 13);
    if (type == "bf16") return std::bit_cast<float>(low << 16);
    if (type == "f16") {
        const int exponent = static_cast<int>(low >> 10 & 31), mantissa = static_cast<int>(low & 1023);
        double value = exponent == 31 ? (mantissa ? std::nan("") : HUGE_VAL)
                       : exponent     ? std::ldexp(mantissa + 1024, exponent - 25)
                                      : std::ldexp(mantissa, -24);
        return low & 0x8000 ? -value : value;
    }
    if (type == "e4m3" || type == "e5m2") {
        const bool four = type == "e4m3";
        const int bits_of_fraction = four ? 3 : 2, bias = four ? 7 : 15;
        const int exponent = static_cast<int>(low >> bits_of_fraction & (four ? 15 : 31));
        const int fraction = static_cast<int>(low & (four ? 7 : 3));
        double value = std::ldexp(exponent ? fraction + (1 << bits_of_fraction) : fraction,
                                  std::max(exponent, 1) - bias - bits_of_fraction);
        if (four ? exponent == 15 && fraction == 7 : exponent == 31) // e4m3 has no infinity
            value = four || fraction ? std::nan("") : HUGE_VAL;
        return low & 0x80 ? -value : value;
    }
    const unsigned width = bits_of(type);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1, value = bits & mask;
    const bool negative = type[0] == 's' && (value >> (width - 1) & 1) != 0;
    return static_cast<double>(static_cast<std::int64_t>(value) - (negative ? std::int64_t{1} << width : 0));
}

std::vector<std::uint32_t> result_of(const Form& form, const std::vector<std::uint32_t>& out) {
    std::vector<std::uint32_t> words;
    if (form.kind == Kind::store) {
        const unsigned bits = form.stride() * (form.by_columns ? form.columns : form.rows) * form.bits;
        words.assign(out.begin(), out.begin() + bits / 32);
        return words;
    }
    const unsigned registers = form.registers[form.kind == Kind::product ? 3 : form.kind == Kind::exchange ? 1 : 0];
    words.assign(out.begin(), out.begin() + registers * (form.is_wide() ? 64 : 32));
    return words;
}

namespace {

/// A as if it were not sparse, and where there is an element: the others are not multiplied.
std::vector<double> spread(const Form& form, const std::vector<std::uint32_t>& in, const std::vector<double>& stored,
                           std::vector<bool>& present) {
    const unsigned registers = form.registers[0] + form.registers[1] + form.registers[2];
    // A choice of two bits is of one element, of one of 4 bits of two.
    const unsigned unit = bits_of(form.a) == 4 ? 2 : 1, group = form.a == "tf32" ? 2 : 4;
    const unsigned choices = group / 2, nibbles = form.k / (group * unit); // of a row
    std::vector<double> a(std::size_t{form.m} * form.k);
    present.assign(a.size(), false);
    for (unsigned row = 0; row < form.m; ++row)
        for (unsigned n = 0; n < nibbles; ++n) {
            // One, two or four lanes of each four have the metadata: 16 bits of each of two rows, or of elements of no
            // more than a byte 32 bits of one.
            const unsigned lanes = nibbles / 4;
            const bool small = bits_of(form.a) <= 8;
            const unsigned lane = row % 8 * 4 + form.selector * lanes + (small ? n / 8 * 2 + row / 8 : n / 4);
            const unsigned shift = small ? n % 8 * 4 : row / 8 * 16 + n % 4 * 4;
            const std::uint32_t nibble = in[std::size_t{32} * registers + lane] >> shift & 15;
            for (unsigned choice = 0; choice < choices; ++choice) {
                const unsigned index = group == 2 ? (nibble & 3) / 2 : nibble >> 2 * choice & 3;
                for (unsigned u = 0; u < unit; ++u) {
                    const std::size_t at = std::size_t{row} * form.k + (n * group + index) * unit + u;
                    a[at] = stored[std::size_t{row} * form.stored_k() + (n * choices + choice) * unit + u];
                    present[at] = true;
                }
            }
        }
    return a;
}

} // namespace

std::vector<Expected> expected_of(const Form& form, const std::vector<std::uint32_t>& in) {
    using Matrix = std::vector<double>;
    const auto gather = [&](char part, const std::string& type, unsigned first, unsigned rows, unsigned columns) {
        Matrix matrix(std::size_t{4} * rows * columns);
        const unsigned elements = elements_of(type), bits = bits_of(type);
        const unsigned count = of_quads(form) ? registers_of_part(form, part)
                                              : std::max(1U, rows * columns / 32 / elements); // each element once
        for (unsigned i = 0; i < count * elements; ++i)
            for (unsigned lane = 0; lane < 32; ++lane) {
                const Place p = place_of(form, part, lane, i, elements);
                matrix[(std::size_t{p.product} * rows + p.row) * columns + p.column] =
                    number_of(type, word_at(form, in, first + i / elements, lane) >> (i % elements * bits));
            }
        return matrix;
    };
    Matrix a = gather('a', form.a, 0, form.m, form.stored_k());
    std::vector<bool> present(a.size(), true);
    if (form.sparse) a = spread(form, in, a, present);
    const Matrix b = gather('b', form.b, form.registers[0], form.k, form.n);
    const Matrix c = gather('c', form.c, form.registers[0] + form.registers[1], form.m, form.n);
    const bool bits = form.a == "b1", either = form.name.find("xor") != std::string::npos;
    std::vector<Expected> all;
    const unsigned elements = elements_of(form.d);
    for (unsigned reg = 0; reg < form.registers[3]; ++reg)
        for (unsigned lane = 0; lane < 32; ++lane)
            for (unsigned e = 0; e < elements; ++e) {
                const Place p = place_of(form, 'd', lane, reg * elements + e, elements);
                Expected x{reg, lane, e, c[(std::size_t{p.product} * form.m + p.row) * form.n + p.column], 0};
                x.magnitude = std::abs(x.value);
                for (unsigned k = 0; k < form.k; ++k) {
                    if (!present[(std::size_t{p.product} * form.m + p.row) * form.k + k]) continue;
                    const double f = a[(std::size_t{p.product} * form.m + p.row) * form.k + k];
                    const double g = b[(std::size_t{p.product} * form.k + k) * form.n + p.column];
                    const double term = !bits ? f * g : either ? (f != g ? 1 : 0) : f * g;
                    x.value += term;
                    x.magnitude += std::abs(term);
                }
                all.push_back(x);
            }
    return all;
}

} // namespace matrices
