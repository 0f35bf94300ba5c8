// SPDX-License-Identifier: Apache-2.0
#include "session/compare.hpp"

#include "session/array_views.hpp"
#include "session/dtype_dispatch.hpp"
#include "session/file_elements.hpp"
#include "session/pieces.hpp"
#include "session/struct_array.hpp"
#include "warplight/ndarray.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warplight::session {
namespace {

constexpr std::size_t chunk = 4096;

/// An integer of any width and sign, without loss.
struct Wide {
    bool negative = false;
    std::uint64_t bits = 0;
    friend bool operator==(const Wide&, const Wide&) = default;
};

struct Chunk {
    std::array<double, chunk> values;
    std::array<Wide, chunk> exact;
};

// Converts a whole piece to double, so that the type is chosen once a piece and not once an element.
void load(PieceReader& reader, const DType& dtype, std::size_t begin, std::size_t count, bool exact, Chunk& out) {
    visit_dtype(dtype, [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        const auto bytes = reader.read(begin, count);
        const std::span values(reinterpret_cast<const T*>(bytes.data()), count);
        for (std::size_t i = 0; i < count; ++i)
            out.values[i] = to_double(values[i]);
        if constexpr (std::is_integral_v<T>) {
            if (!exact) return;
            for (std::size_t i = 0; i < count; ++i)
                out.exact[i] = {std::is_signed_v<T> && values[i] < T{}, static_cast<std::uint64_t>(values[i])};
        }
    });
}

bool is_integer(const DType& dtype) {
    return dtype.kind() == Kind::signed_integer || dtype.kind() == Kind::unsigned_integer;
}

warplight::Shape without_ones(const warplight::Shape& shape) {
    warplight::Shape result;
    for (const auto length : shape)
        if (length != 1) result.push_back(length);
    return result;
}

bool is_comparable(const DType& dtype) {
    return visit_dtype(dtype, [](auto) {});
}

/// "v[1, 2]" of element 5 of a field of shape (2, 3).
std::string path_of(const LeafView& leaf, std::size_t axes, std::uint64_t place) {
    const auto& shape = leaf.values.shape();
    std::vector<std::size_t> index(shape.size() - axes);
    for (std::size_t k = index.size(); k-- > 0;) {
        index[k] = place % shape[axes + k];
        place /= shape[axes + k];
    }
    return index.empty() ? leaf.path : fmt::format("{}[{}]", leaf.path, fmt::join(index, ", "));
}

/// Padding does not count; bytes without a type are compared exactly. The places that differ are counted by structs.
Comparison compare_structs(const NdArray& actual_structs, const NdArray& expected_structs, Tolerance tolerance,
                           const std::function<bool()>& cancelled) {
    Comparison result;
    result.tolerance = tolerance;
    const NdArray actual = in_memory(actual_structs), expected = in_memory(expected_structs);
    result.elements = actual.size();
    const auto refuse = [&](std::string why) {
        result.problem = std::move(why);
        return result;
    };
    if (actual.shape() != expected.shape())
        return refuse(fmt::format("the result has shape {}, but the expectation has {}",
                                  warplight::to_string(actual.shape()), warplight::to_string(expected.shape())));
    std::vector<LeafView> left, right;
    try {
        left = leaves_of(actual);
        right = leaves_of(expected);
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
    for (const LeafView& each : right)
        if (std::ranges::find(left, each.path, &LeafView::path) == left.end())
            return refuse(fmt::format("the expectation has a field \"{}\", which the result has not", each.path));
    std::vector<bool> differs(actual.size()); // each struct counts once
    for (const LeafView& leaf : left) {
        const auto other = std::ranges::find(right, leaf.path, &LeafView::path);
        if (other == right.end()) return refuse(fmt::format("the expectation has no field \"{}\"", leaf.path));
        if (leaf.big_endian || other->big_endian)
            return refuse(
                fmt::format("the field \"{}\" has the other byte order. Save it in this machine's", leaf.path));
        const std::size_t each = std::max<std::size_t>(1, actual.size() ? leaf.values.size() / actual.size() : 1);
        const auto note = [&](std::uint64_t place) { differs[static_cast<std::size_t>(place / each)] = true; };
        const Comparison field = compare(leaf.values, other->values, tolerance, cancelled, note);
        if (field.stopped || !field.problem.empty()) {
            result.stopped = field.stopped;
            return refuse(field.problem.empty() ? "" : fmt::format("the field \"{}\": {}", leaf.path, field.problem));
        }
        if (field.mismatches && (result.first_field.empty() || field.first / each < result.first)) {
            result.first = field.first / each;
            result.first_field = path_of(leaf, actual.ndim(), field.first);
            result.first_actual = field.first_actual;
            result.first_expected = field.first_expected;
        }
        if (field.largest_absolute_error > result.largest_absolute_error) {
            result.largest_absolute_error = field.largest_absolute_error;
            result.largest_absolute_at = field.largest_absolute_at / each;
        }
        if (field.largest_relative_error > result.largest_relative_error) {
            result.largest_relative_error = field.largest_relative_error;
            result.largest_relative_at = field.largest_relative_at / each;
        }
    }
    result.mismatches = static_cast<std::uint64_t>(std::ranges::count(differs, true));
    result.passed = result.mismatches == 0;
    return result;
}

/// Each part is compared by itself, so a difference of NaN or infinity in one of them is none of the other.
Comparison compare_complex(const NdArray& actual, const NdArray& expected, Tolerance tolerance,
                           const std::function<bool()>& cancelled, const std::function<void(std::uint64_t)>& differs) {
    Comparison result;
    result.tolerance = tolerance;
    result.elements = actual.size();
    std::vector<bool> wrong(actual.size());
    for (const auto& [part, name] :
         {std::pair{ComplexPart::real, "real"}, std::pair{ComplexPart::imaginary, "imaginary"}}) {
        const auto one = compare(complex_view(actual, part), complex_view(expected, part), tolerance, cancelled,
                                 [&](std::uint64_t at) { wrong[static_cast<std::size_t>(at)] = true; });
        if (one.stopped || !one.problem.empty()) return one;
        if (one.mismatches != 0 && (result.first_field.empty() || one.first < result.first)) {
            result.first = one.first;
            result.first_field = name;
            result.first_actual = one.first_actual;
            result.first_expected = one.first_expected;
        }
        if (one.largest_absolute_error > result.largest_absolute_error) {
            result.largest_absolute_error = one.largest_absolute_error;
            result.largest_absolute_at = one.largest_absolute_at;
        }
        if (one.largest_relative_error > result.largest_relative_error) {
            result.largest_relative_error = one.largest_relative_error;
            result.largest_relative_at = one.largest_relative_at;
        }
    }
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        if (!wrong[i]) continue;
        ++result.mismatches;
        if (differs) differs(i);
    }
    result.passed = result.mismatches == 0;
    return result;
}

} // namespace

Comparison compare(const NdArray& actual, const NdArray& expected, Tolerance tolerance,
                   const std::function<bool()>& cancelled, const std::function<void(std::uint64_t)>& differs) {
    if (actual.dtype().descr().starts_with('[') && expected.dtype().descr().starts_with('['))
        return compare_structs(actual, expected, tolerance, cancelled);
    Comparison result;
    result.tolerance = tolerance;
    if (without_ones(actual.shape()) != without_ones(expected.shape())) {
        result.problem = fmt::format("the result has shape {}, but the expectation has {}",
                                     warplight::to_string(actual.shape()), warplight::to_string(expected.shape()));
        return result;
    }
    if (actual.dtype().kind() == Kind::complex && expected.dtype().kind() == Kind::complex)
        return compare_complex(actual, expected, tolerance, cancelled, differs);
    const auto number = [](const NdArray& array) {
        return array.dtype() == DType::boolean() ? DType::uint8() : array.dtype();
    };
    const DType actual_type = number(actual), expected_type = number(expected);
    if (!is_comparable(actual_type) || !is_comparable(expected_type)) {
        result.problem = fmt::format("{} and {} cannot be compared: both must be real numbers, or both complex",
                                     actual.dtype().name(), expected.dtype().name());
        return result;
    }
    const bool exact =
        tolerance.rtol == 0 && tolerance.atol == 0 && is_integer(actual_type) && is_integer(expected_type);
    PieceReader actual_reader(actual), expected_reader(expected);
    result.elements = actual.size();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    auto left = std::make_unique<Chunk>(), right = std::make_unique<Chunk>();
    for (std::size_t begin = 0; begin < actual.size(); begin += chunk) {
        if (cancelled && cancelled()) {
            result.stopped = true;
            return result;
        }
        const auto count = std::min(chunk, actual.size() - begin);
        load(actual_reader, actual_type, begin, count, exact, *left);
        load(expected_reader, expected_type, begin, count, exact, *right);
        for (std::size_t i = 0; i < count; ++i) {
            const double a = left->values[i], e = right->values[i];
            double error = std::abs(a - e);
            bool matches = false;
            if (std::isnan(a) || std::isnan(e)) {
                matches = std::isnan(a) && std::isnan(e);
                error = matches ? 0 : infinite;
            } else if (std::isinf(a) || std::isinf(e)) {
                matches = a == e;
                error = matches ? 0 : infinite;
            } else {
                matches =
                    exact ? left->exact[i] == right->exact[i] : error <= tolerance.atol + tolerance.rtol * std::abs(e);
            }
            if (!matches && differs) differs(begin + i);
            if (!matches && result.mismatches++ == 0) {
                result.first = begin + i;
                result.first_actual = a;
                result.first_expected = e;
            }
            if (error > result.largest_absolute_error) {
                result.largest_absolute_error = error;
                result.largest_absolute_at = begin + i;
            }
            const double relative = error == 0 ? 0 : e != 0 ? error / std::abs(e) : 0;
            if (relative > result.largest_relative_error || (std::isnan(relative) && error == infinite)) {
                result.largest_relative_error = std::isnan(relative) ? infinite : relative;
                result.largest_relative_at = begin + i;
            }
        }
    }
    result.passed = result.mismatches == 0;
    return result;
}

} // namespace warplight::session
