// SPDX-License-Identifier: Apache-2.0
#include "matrix_library.hpp"

#include "../ptx/matrix.hpp"
#include "math_library.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace warplight::jit {

namespace {

using ptx::MatrixForm;
using ptx::MatrixOperation;
using ptx::MatrixPart;
using ptx::Type;
using software::kWarpSize;
using software::MatrixRows;
using software::MatrixWords;

/// By register and lane.
using Words = std::array<std::array<std::uint64_t, kWarpSize>, 8>;
struct Fragments {
    Words a{}, b{}, c{}, d{};
};

// --- elements

float half_to_float(std::uint32_t bits) {
    const float magnitude = (bits & 0x7C00) == 0        ? std::ldexp(static_cast<float>(bits & 0x3FF), -24)
                            : (bits & 0x7C00) == 0x7C00 ? std::bit_cast<float>(0x7F800000U | (bits & 0x3FF) << 13)
                                                        : std::bit_cast<float>(((bits & 0x7FFF) << 13) + (112U << 23));
    return bits & 0x8000 ? -magnitude : magnitude;
}

float decode_float(Type type, std::uint64_t bits) {
    const auto low = static_cast<std::uint32_t>(bits);
    switch (type) {
    case Type::f16: return half_to_float(low);
    case Type::bf16: return std::bit_cast<float>(low << 16);
    case Type::tf32: return std::bit_cast<float>(low & 0xFFFFE000U); // what is below its 10 bits does not count
    default: return std::bit_cast<float>(low);
    }
}

std::int64_t decode_integer(Type type, std::uint64_t bits) {
    const unsigned unused = 64 - ptx::bits(type);
    if (ptx::is_signed(type)) return static_cast<std::int64_t>(bits << unused) >> unused;
    return static_cast<std::int64_t>(bits << unused >> unused);
}

std::uint64_t encode_float(Type type, float value) {
    if (type == Type::f16) return round_to_format(static_cast<double>(value), kF16, RoundTo::nearest_even);
    return std::isnan(value) ? kF32.nan : std::bit_cast<std::uint32_t>(value);
}

// --- matrices

/// Row after row; of m8n8k4 four of them.
template <class T>
struct Matrix {
    Matrix(const MatrixForm& form, MatrixPart part)
        : rows(ptx::matrix_rows(form, part)), columns(ptx::matrix_columns(form, part)),
          values(std::size_t{form.is_of_quads() ? 4U : 1U} * rows * columns) {}
    T& at(unsigned product, unsigned row, unsigned column) {
        return values[(std::size_t{product} * rows + row) * columns + column];
    }
    unsigned rows, columns;
    std::vector<T> values;
};

/// visit(word, first bit, place) for each element of a fragment.
template <class Visit>
void each_element(const MatrixForm& form, MatrixPart part, Words& words, Visit visit) {
    const Type type = form.type_of(part);
    const unsigned registers = ptx::matrix_registers(form, part), elements = ptx::matrix_elements(type);
    // Of an element that is in several registers the first one counts.
    for (unsigned reg = registers; reg-- > 0;)
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            for (unsigned e = 0; e < elements; ++e)
                visit(words[reg][lane], e * ptx::bits(type), ptx::matrix_place(form, part, lane, reg, e));
}

template <class T, class Decode>
Matrix<T> gather(const MatrixForm& form, MatrixPart part, Words& words, Decode decode) {
    Matrix<T> matrix(form, part);
    each_element(form, part, words, [&](std::uint64_t word, unsigned shift, const ptx::MatrixPlace& p) {
        matrix.at(p.product, p.row, p.column) = decode(form.type_of(part), word >> shift);
    });
    return matrix;
}

/// d = encode(c + the sum of step(sum, a, b) by k upwards), for each element.
template <class T, class Decode, class Step, class Encode>
void multiply(const MatrixForm& form, Fragments& f, Decode decode, Step step, Encode encode) {
    Matrix<T> a = gather<T>(form, MatrixPart::a, f.a, decode), b = gather<T>(form, MatrixPart::b, f.b, decode);
    Matrix<T> c = gather<T>(form, MatrixPart::c, f.c, decode);
    const unsigned bits = ptx::bits(form.d);
    each_element(form, MatrixPart::d, f.d, [&](std::uint64_t& word, unsigned shift, const ptx::MatrixPlace& p) {
        T sum = c.at(p.product, p.row, p.column);
        for (unsigned k = 0; k < form.k; ++k)
            sum = step(sum, a.at(p.product, p.row, k), b.at(p.product, k, p.column));
        const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        word |= (encode(sum) & mask) << shift;
    });
}

int direction_of(ptx::MatrixRounding rounding) {
    switch (rounding) {
    case ptx::MatrixRounding::zero: return FE_TOWARDZERO;
    case ptx::MatrixRounding::down: return FE_DOWNWARD;
    case ptx::MatrixRounding::up: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

void multiply_doubles(const MatrixForm& form, Fragments& f) {
    const int before = std::fegetround();
    std::fesetround(direction_of(form.rounding));
    multiply<double>(
        form, f, [](Type, std::uint64_t bits) { return std::bit_cast<double>(bits); },
        [](double sum, double a, double b) {
            for (const double nan : {a, b, sum}) // the first one, quiet
                if (std::isnan(nan)) return nan + nan;
            volatile double x = a, y = b, z = sum; // not to be moved to where the rounding is another
            volatile double result = std::fma(x, y, z);
            return std::isnan(result) ? std::bit_cast<double>(0xFFF8000000000000) : result;
        },
        [](double sum) { return std::bit_cast<std::uint64_t>(sum); });
    std::fesetround(before);
}

void multiply(const MatrixForm& form, Fragments& f) {
    if (form.a == Type::f64) return multiply_doubles(form, f);
    if (ptx::is_float(form.a))
        return multiply<float>(
            form, f, decode_float, [](float sum, float a, float b) { return std::fma(a, b, sum); },
            [&](float sum) { return encode_float(form.d, sum); });
    multiply<std::int64_t>(
        form, f, decode_integer,
        [&](std::int64_t sum, std::int64_t a, std::int64_t b) {
            switch (form.operation) {
            case MatrixOperation::xor_and_count: return sum + (a ^ b);
            case MatrixOperation::and_and_count: return sum + (a & b);
            default: return sum + a * b;
            }
        },
        [&](std::int64_t sum) {
            using Limits = std::numeric_limits<std::int32_t>;
            if (form.saturate) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
            return static_cast<std::uint64_t>(sum);
        });
}

// --- requests of single lanes

template <class T>
T* request_of(const software::ThreadContext& lane) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(lane.value));
}

void multiply_of_lanes(software::ThreadContext* lanes, std::uint32_t members) {
    const auto& any = lanes[std::countr_zero(members)];
    const MatrixForm form = MatrixForm::unpack(std::uint64_t{any.c} << 32 | any.b);
    Fragments f;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!(members >> lane & 1)) continue;
        const auto* words = request_of<const MatrixWords>(lanes[lane]);
        for (unsigned reg = 0; reg < 8; ++reg) {
            f.a[reg][lane] = words->a[reg];
            f.b[reg][lane] = words->b[reg];
            f.c[reg][lane] = words->c[reg];
        }
    }
    multiply(form, f);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!(members >> lane & 1)) continue;
        auto* words = request_of<MatrixWords>(lanes[lane]);
        for (unsigned reg = 0; reg < 8; ++reg)
            words->d[reg] = f.d[reg][lane];
    }
}

void rows_of_lanes(software::ThreadContext* lanes, std::uint32_t members) {
    std::array<std::uint64_t, kWarpSize> rows{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (members >> lane & 1) rows[lane] = request_of<const MatrixRows>(lanes[lane])->row;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!(members >> lane & 1)) continue;
        const software::ThreadContext& t = lanes[lane];
        auto* answer = request_of<MatrixRows>(t);
        for (unsigned matrix = 0; matrix < t.b; ++matrix) {
            if (t.c) {
                answer->rows[2 * matrix] = rows[8 * matrix + lane % 4 * 2];
                answer->rows[2 * matrix + 1] = rows[8 * matrix + lane % 4 * 2 + 1];
            } else {
                answer->rows[matrix] = rows[8 * matrix + lane / 4];
            }
        }
    }
}

void transpose_of_lanes(software::ThreadContext* lanes, std::uint32_t members) {
    std::array<std::array<std::uint16_t, 8>, 8> matrix{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!(members >> lane & 1)) continue;
        for (unsigned e = 0; e < 2; ++e)
            matrix[lane / 4][lane % 4 * 2 + e] = static_cast<std::uint16_t>(lanes[lane].value >> 16 * e);
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (members >> lane & 1)
            lanes[lane].result =
                matrix[lane % 4 * 2][lane / 4] | static_cast<std::uint32_t>(matrix[lane % 4 * 2 + 1][lane / 4]) << 16;
}

} // namespace

void perform_matrix(software::WarpOperation operation, software::ThreadContext* lanes, std::uint32_t members) {
    switch (operation) {
    case software::WarpOperation::matrix_multiply: multiply_of_lanes(lanes, members); break;
    case software::WarpOperation::matrix_rows: rows_of_lanes(lanes, members); break;
    default: transpose_of_lanes(lanes, members); break;
    }
}

extern "C" void wl_matrix_multiply(std::uint64_t packed, const void* a, const void* b, const void* c, void* d) {
    const MatrixForm form = MatrixForm::unpack(packed);
    const std::size_t bytes = form.a == Type::f64 ? 8 : 4;
    Fragments f;
    const auto take = [&](MatrixPart part, const void* from, Words& words) {
        for (unsigned reg = 0; reg < ptx::matrix_registers(form, part); ++reg)
            for (unsigned lane = 0; lane < kWarpSize; ++lane) // the low half first, as the hosts here have it
                std::memcpy(&words[reg][lane],
                            static_cast<const std::byte*>(from) + (std::size_t{reg} * kWarpSize + lane) * bytes, bytes);
    };
    take(MatrixPart::a, a, f.a);
    take(MatrixPart::b, b, f.b);
    take(MatrixPart::c, c, f.c);
    multiply(form, f);
    for (unsigned reg = 0; reg < ptx::matrix_registers(form, MatrixPart::d); ++reg)
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            std::memcpy(static_cast<std::byte*>(d) + (std::size_t{reg} * kWarpSize + lane) * bytes, &f.d[reg][lane],
                        bytes);
}

} // namespace warplight::jit
