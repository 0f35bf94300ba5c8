// SPDX-License-Identifier: Apache-2.0
// The template of pieces.hpp.
#pragma once

#include "session/pieces.hpp"

#include "warplight/half.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

namespace warplight::session {

/// A number as double; of a complex one the magnitude.
template <class T>
double magnitude(const T& value) {
    if constexpr (std::is_same_v<T, Half>)
        return static_cast<double>(static_cast<float>(value));
    else if constexpr (std::is_arithmetic_v<T>)
        return static_cast<double>(value);
    else
        return std::hypot(static_cast<double>(value.real()), static_cast<double>(value.imag()));
}

template <class T, class Visit>
void visit_as(PieceReader& reader, std::size_t offset, std::size_t count, Visit&& visit) {
    for (std::size_t end = offset + count; offset < end;) {
        std::size_t piece = std::min(kPiece, end - offset);
        std::span<const std::byte> bytes = reader.read(offset, piece);
        if (!visit(std::span(reinterpret_cast<const T*>(bytes.data()), piece), offset)) return;
        offset += piece;
    }
}

template <class Visit>
bool visit_pieces(const NdArray& array, std::size_t offset, std::size_t count, Visit&& visit) {
    PieceReader reader(array);
    const DType& type = array.dtype();
    auto as = [&]<class T>(const T*) {
        visit_as<T>(reader, offset, count, visit);
        return true;
    };
    if (type == DType::float32()) return as(static_cast<const float*>(nullptr));
    if (type == DType::float64()) return as(static_cast<const double*>(nullptr));
    if (type == DType::float16()) return as(static_cast<const Half*>(nullptr));
    if (type == DType::int8()) return as(static_cast<const std::int8_t*>(nullptr));
    if (type == DType::int16()) return as(static_cast<const std::int16_t*>(nullptr));
    if (type == DType::int32()) return as(static_cast<const std::int32_t*>(nullptr));
    if (type == DType::int64()) return as(static_cast<const std::int64_t*>(nullptr));
    if (type == DType::uint8() || type == DType::boolean()) return as(static_cast<const std::uint8_t*>(nullptr));
    if (type == DType::uint16()) return as(static_cast<const std::uint16_t*>(nullptr));
    if (type == DType::uint32()) return as(static_cast<const std::uint32_t*>(nullptr));
    if (type == DType::uint64()) return as(static_cast<const std::uint64_t*>(nullptr));
    if (type == DType::complex64()) return as(static_cast<const std::complex<float>*>(nullptr));
    if (type == DType::complex128()) return as(static_cast<const std::complex<double>*>(nullptr));
    return false;
}

} // namespace warplight::session
