// SPDX-License-Identifier: Apache-2.0
#include "session/compare.hpp"

#include "session/dtype_dispatch.hpp"
#include "warplight/ndarray.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>

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

// Converts a piece of an array once, instead of choosing by type for each element.
void load(const NdArray& array, std::size_t begin, std::size_t count, bool exact, Chunk& out) {
    visit_dtype(array.dtype(), [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        const auto values = array.as<T>().subspan(begin, count);
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

} // namespace

Comparison compare(const NdArray& actual_array, const NdArray& expected_array, Tolerance tolerance) {
    Comparison result;
    result.tolerance = tolerance;
    const auto plain = [](const NdArray& array) {
        auto same = array.dtype() == DType::boolean() ? array.view(DType::uint8()) : array;
        return same.is_c_contiguous() ? same : same.copy(Order::C);
    };
    if (without_ones(actual_array.shape()) != without_ones(expected_array.shape())) {
        result.problem =
            fmt::format("the result has shape {}, but the expectation has {}",
                        warplight::to_string(actual_array.shape()), warplight::to_string(expected_array.shape()));
        return result;
    }
    const NdArray actual = plain(actual_array), expected = plain(expected_array);
    if (!is_comparable(actual.dtype()) || !is_comparable(expected.dtype())) {
        result.problem = fmt::format("{} and {} cannot be compared: both must be real numbers", actual.dtype().name(),
                                     expected.dtype().name());
        return result;
    }
    const bool exact =
        tolerance.rtol == 0 && tolerance.atol == 0 && is_integer(actual.dtype()) && is_integer(expected.dtype());
    result.elements = actual.size();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    auto left = std::make_unique<Chunk>(), right = std::make_unique<Chunk>();
    for (std::size_t begin = 0; begin < actual.size(); begin += chunk) {
        const auto count = std::min(chunk, actual.size() - begin);
        load(actual, begin, count, exact, *left);
        load(expected, begin, count, exact, *right);
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
