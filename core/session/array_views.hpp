// SPDX-License-Identifier: Apache-2.0
// Parts of arrays as arrays, without a copy: slices along any axes, complex numbers and their parts, columns beside
// each other. What lies in memory in the wanted order is seen there; everything else is made as it is read.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace warplight::session {

/// The indices [start, start + count) of an axis.
struct AxisRange {
    std::size_t axis = 0, start = 0, count = 0;
};

/// The axes of the result, in this order. All other axes have the one index that `index` gives them; it has an entry
/// for each axis of `array`.
/// @throws SessionError for an axis or an index that the array does not have
NdArray slice_view(const NdArray& array, std::span<const AxisRange> axes, std::span<const std::size_t> index);

/// Of complex numbers or of floats whose last axis has two: real and imaginary part.
enum class ComplexPart { both, real, imaginary, magnitude, phase };

/// `both` is an array of complex numbers, each other part one of floats, in the shape of the numbers. The phase is in
/// radians, from -π to π.
/// @throws SessionError for an array that has no such numbers
NdArray complex_view(const NdArray& array, ComplexPart part);

/// Arrays of n elements as the columns of one of (n, columns): of their type where all have the same, else float64.
/// @throws SessionError for different sizes, and for elements that are no numbers
NdArray columns_view(const std::vector<NdArray>& columns);

/// Elements [offset, offset + to.size()) as numbers; complex ones by magnitude.
/// @throws SessionError for elements that are no numbers
void read_numbers(const NdArray& array, std::size_t offset, std::span<double> to);

} // namespace warplight::session
