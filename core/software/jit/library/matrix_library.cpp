// SPDX-License-Identifier: Apache-2.0
#include "matrix_library.hpp"

#include "fused.hpp"
#include "math_library.hpp"
#include "rounding.hpp"
#include "software/ptx/matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
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
    const std::uint32_t fraction = (bits & 0x7FFF) << 13;
    const float magnitude = (bits & 0x7C00) == 0x7C00 ? std::bit_cast<float>(0x7F800000U | fraction)
                                                      : std::bit_cast<float>(fraction) * 0x1p112F;
    return bits & 0x8000 ? -magnitude : magnitude;
}

float e4m3_to_float(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 3 & 15), fraction = static_cast<int>(bits & 7);
    if ((bits & 0x7F) == 0x7F) return std::numeric_limits<float>::quiet_NaN(); // there is no infinity
    const float magnitude =
        std::ldexp(static_cast<float>(exponent ? 8 + fraction : fraction), std::max(exponent, 1) - 10);
    return bits & 0x80 ? -magnitude : magnitude;
}

float decode_float(Type type, std::uint64_t bits) {
    const auto low = static_cast<std::uint32_t>(bits);
    switch (type) {
    case Type::f16: return half_to_float(low);
    case Type::bf16: return std::bit_cast<float>(low << 16);
    case Type::e4m3: return e4m3_to_float(low);
    case Type::e5m2: return half_to_float((low & 0xFF) << 8);        // the upper half of a half float
    case Type::tf32: return std::bit_cast<float>(low & 0xFFFFE000U); // what is below its 10 bits does not count
    default: return std::bit_cast<float>(low);
    }
}

std::int32_t decode_integer(Type type, std::uint64_t bits) {
    const unsigned unused = 64 - ptx::bits(type);
    if (ptx::is_signed(type)) return static_cast<std::int32_t>(static_cast<std::int64_t>(bits << unused) >> unused);
    return static_cast<std::int32_t>(bits << unused >> unused);
}

std::uint64_t encode_float(Type type, float value) {
    if (type == Type::f16) return round_to_format(static_cast<double>(value), kF16, RoundTo::nearest_even);
    return std::isnan(value) ? kF32.nan : std::bit_cast<std::uint32_t>(value);
}

// --- matrices

constexpr MatrixPart kParts[] = {MatrixPart::a, MatrixPart::b, MatrixPart::c, MatrixPart::d};

/// Where the elements of a form's fragments are in its matrices: by part, and register, lane and element, the last one
/// fastest. A matrix is row after row; of m8n8k4 there are four, one after the other.
using Places = std::array<std::vector<std::uint16_t>, 4>;

Places find_places(const MatrixForm& form) {
    Places places;
    for (const MatrixPart part : kParts) {
        const unsigned rows = ptx::matrix_rows(form, part), columns = ptx::matrix_columns(form, part);
        for (unsigned reg = 0; reg < ptx::matrix_registers(form, part); ++reg)
            for (unsigned lane = 0; lane < kWarpSize; ++lane)
                for (unsigned e = 0; e < ptx::matrix_elements(form.type_of(part)); ++e) {
                    const ptx::MatrixPlace p = ptx::matrix_place(form, part, lane, reg, e);
                    places[static_cast<std::size_t>(part)].push_back(
                        static_cast<std::uint16_t>((p.product * rows + p.row) * columns + p.column));
                }
    }
    return places;
}

const Places& places_of(const MatrixForm& form) {
    static std::mutex mutex;
    static auto& known =
        *new std::map<std::uint64_t, Places>; // never destroyed: threads may run until the process ends
    thread_local std::pair<std::uint64_t, const Places*> last{0, nullptr};
    const std::uint64_t key = form.pack();
    if (last.second && last.first == key) return *last.second;
    const std::lock_guard lock(mutex);
    auto found = known.find(key);
    if (found == known.end()) found = known.emplace(key, find_places(form)).first;
    last = {key, &found->second};
    return found->second;
}

unsigned products_of(const MatrixForm& form) { return form.is_of_quads() ? 4 : 1; }

template <class T, class Decode>
std::vector<T> gather(const MatrixForm& form, MatrixPart part, const Words& words, Decode decode) {
    std::vector<T> matrix(std::size_t{products_of(form)} * ptx::matrix_rows(form, part) *
                          ptx::matrix_columns(form, part));
    const std::vector<std::uint16_t>& places = places_of(form)[static_cast<std::size_t>(part)];
    const Type type = form.type_of(part);
    const unsigned elements = ptx::matrix_elements(type), bits = ptx::bits(type);
    // The first registers have all of it; those that have it again do not count.
    for (std::size_t k = 0; k < matrix.size(); ++k) {
        const std::size_t word = k / elements;
        matrix[places[k]] = decode(type, words[word / kWarpSize][word % kWarpSize] >> k % elements * bits);
    }
    return matrix;
}

/// A as if it were not sparse, and where there is an element: the others are not multiplied.
template <class T>
std::vector<T> spread(const MatrixForm& form, const std::array<std::uint64_t, kWarpSize>& metadata,
                      const std::vector<T>& stored, std::vector<bool>& present) {
    const ptx::MatrixSparsity sparsity(form.a);
    const unsigned groups = form.k / sparsity.group;
    std::vector<T> a(std::size_t{form.m} * form.k);
    present.assign(a.size(), false);
    auto from = stored.begin();
    for (unsigned row = 0; row < form.m; ++row)
        for (unsigned number = 0; number < groups; ++number) {
            const auto [lane, shift] = sparsity.place(form, row, number);
            const auto bits = static_cast<unsigned>(metadata[lane] >> shift & 15);
            for (unsigned run = 0; run < sparsity.chosen; ++run) {
                const unsigned column = number * sparsity.group + sparsity.index(bits, run);
                for (unsigned e = 0; e < sparsity.unit; ++e) {
                    const std::size_t at = std::size_t{row} * form.k + column + e;
                    a[at] = *from++;
                    present[at] = true;
                }
            }
        }
    return a;
}

/// d = encode(start(c) + the sum of step(sum, a, b) by k upwards, c) for each element.
template <class T, class C, class Decode, class Start, class Step, class Encode>
void multiply(const MatrixForm& form, Fragments& f, Decode decode, Start start, Step step, Encode encode) {
    std::vector<T> a = gather<T>(form, MatrixPart::a, f.a, decode);
    std::vector<bool> present;
    if (form.sparse) a = spread(form, f.c[ptx::kSparsityRegister], a, present);
    const std::vector<T> b = gather<T>(form, MatrixPart::b, f.b, decode);
    const std::vector<C> c = gather<C>(form, MatrixPart::c, f.c, decode);
    std::vector<T> sums(c.size());
    const std::size_t n = form.n;
    for (std::size_t row = 0; row < std::size_t{products_of(form)} * form.m; ++row) {
        T* sum = sums.data() + row * n;
        for (std::size_t column = 0; column < n; ++column)
            sum[column] = start(c[row * n + column]);
        for (std::size_t k = 0; k < form.k; ++k) {
            if (form.sparse && !present[row * form.k + k]) continue;
            const T factor = a[row * form.k + k];
            const T* others = b.data() + (row / form.m * form.k + k) * n;
            for (std::size_t column = 0; column < n; ++column)
                sum[column] = step(sum[column], factor, others[column]);
        }
    }
    const unsigned elements = ptx::matrix_elements(form.d), bits = ptx::bits(form.d);
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::vector<std::uint16_t>& places = places_of(form)[static_cast<std::size_t>(MatrixPart::d)];
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::size_t word = k / elements;
        f.d[word / kWarpSize][word % kWarpSize] |= (encode(sums[places[k]], c[places[k]]) & mask)
                                                   << k % elements * bits;
    }
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
    const HostRounding rounding(direction_of(form.rounding));
    multiply<double, double>(
        form, f, [](Type, std::uint64_t bits) { return std::bit_cast<double>(bits); }, [](double c) { return c; },
        [](double sum, double a, double b) {
            for (const double nan : {a, b, sum}) // the first one, quiet
                if (std::isnan(nan)) return nan + nan;
            volatile double x = a, y = b, z = sum; // not to be moved to where the rounding is another
            volatile double result = fused(double{x}, double{y}, double{z});
            return std::isnan(result) ? std::bit_cast<double>(0xFFF8000000000000) : result;
        },
        [](double sum, double) { return std::bit_cast<std::uint64_t>(sum); });
}

void multiply(const MatrixForm& form, Fragments& f) {
    if (form.a == Type::f64) return multiply_doubles(form, f);
    const auto floats = [&](auto step) {
        multiply<float, float>(
            form, f, [](Type type, std::uint64_t bits) { return decode_float(type, bits); }, [](float c) { return c; },
            step, [&](float sum, float) { return encode_float(form.d, sum); });
    };
    // Of half floats a product is exact; of the others it may be too large or too small.
    if (form.a == Type::f16) return floats([](float sum, float a, float b) { return sum + a * b; });
    if (ptx::is_float(form.a)) return floats([](float sum, float a, float b) { return fused(a, b, sum); });
    const auto integers = [&](auto step) {
        multiply<std::int32_t, std::int32_t>(
            form, f, [](Type type, std::uint64_t bits) { return decode_integer(type, bits); },
            [](std::int32_t) { return 0; }, step,
            [&](std::int32_t products, std::int32_t c) {
                using Limits = std::numeric_limits<std::int32_t>;
                std::int64_t sum = std::int64_t{c} + products;
                if (form.saturate) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
                return static_cast<std::uint64_t>(sum);
            });
    };
    using Integer = std::int32_t;
    switch (form.operation) {
    case MatrixOperation::xor_and_count:
        return integers([](Integer sum, Integer a, Integer b) { return sum + (a ^ b); });
    case MatrixOperation::and_and_count:
        return integers([](Integer sum, Integer a, Integer b) { return sum + (a & b); });
    default: return integers([](Integer sum, Integer a, Integer b) { return sum + a * b; });
    }
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
    for (unsigned lane = 0; form.sparse && lane < kWarpSize; ++lane)
        std::memcpy(&f.c[ptx::kSparsityRegister][lane],
                    static_cast<const std::byte*>(c) + (std::size_t{ptx::kSparsityRegister} * kWarpSize + lane) * bytes,
                    bytes);
    multiply(form, f);
    for (unsigned reg = 0; reg < ptx::matrix_registers(form, MatrixPart::d); ++reg)
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            std::memcpy(static_cast<std::byte*>(d) + (std::size_t{reg} * kWarpSize + lane) * bytes, &f.d[reg][lane],
                        bytes);
}

} // namespace warplight::jit
