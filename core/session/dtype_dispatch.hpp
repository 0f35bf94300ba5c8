// SPDX-License-Identifier: Apache-2.0
// Calls code with the C++ type of a dtype.
#pragma once

#include "session/session.hpp"

#include "warplight/ndarray.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace warplight::session {

template <class T>
struct TypeTag {
    using type = T;
};

/// Calls `visit(TypeTag<T>{})` for one of the types that sessions know; false for others.
template <class Visit>
bool visit_dtype(const DType& dtype, Visit&& visit) {
    const auto is = [&](const DType& other) { return dtype == other; };
    if (is(DType::float32()))
        visit(TypeTag<float>{});
    else if (is(DType::float64()))
        visit(TypeTag<double>{});
    else if (is(DType::float16()))
        visit(TypeTag<Half>{});
    else if (is(DType::int8()))
        visit(TypeTag<std::int8_t>{});
    else if (is(DType::int16()))
        visit(TypeTag<std::int16_t>{});
    else if (is(DType::int32()))
        visit(TypeTag<std::int32_t>{});
    else if (is(DType::int64()))
        visit(TypeTag<std::int64_t>{});
    else if (is(DType::uint8()))
        visit(TypeTag<std::uint8_t>{});
    else if (is(DType::uint16()))
        visit(TypeTag<std::uint16_t>{});
    else if (is(DType::uint32()))
        visit(TypeTag<std::uint32_t>{});
    else if (is(DType::uint64()))
        visit(TypeTag<std::uint64_t>{});
    else
        return false;
    return true;
}

/// Rounds to floating types; truncates to integers, clipped to what they hold (NaN: 0).
template <class T>
T from_double(double value) {
    if constexpr (std::is_integral_v<T>) {
        if (std::isnan(value)) return 0;
        if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
        if (value >= std::ldexp(1.0, std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
        return static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, Half>) {
        return Half(static_cast<float>(value));
    } else {
        return static_cast<T>(value);
    }
}

template <class T>
double to_double(T value) {
    if constexpr (std::is_same_v<T, Half>)
        return static_cast<double>(static_cast<float>(value));
    else
        return static_cast<double>(value);
}

} // namespace warplight::session
