// SPDX-License-Identifier: Apache-2.0
// Arrays made from matrices and images.
//
// `order` says what coordinates mean: with Order::C tex2D(x, y) reads matrix[y, x], with Order::F it reads matrix[x,
// y]. A matrix that lies in memory in another order is reordered first.
#pragma once

#include "warplight/array.hpp"
#include "warplight/memory.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/texture.hpp"

namespace warplight::driver {

/// Integers of 8, 16 and 32 bits, float16 and float32. @throws LogicError for other types.
array_format dtype_to_array_format(const DType& dtype);
/// A two-dimensional array of one channel. @param allow_double_hack float64 as two 32-bit integers an element
Array matrix_to_array(const NdArray& matrix, Order order, bool allow_double_hack = false);
/// An array of two or three dimensions: (height, width), (depth, height, width); reversed with Order::F.
/// complex64 and float64 become two, complex128 four channels of 32-bit integers.
/// @param allow_surface_bind made for surfaces too; of two dimensions it has one layer then
Array np_to_array(const NdArray& array, Order order, bool allow_surface_bind = false);
/// The same from device memory. @param strides bytes, as in NdArray; empty: packed in `order`. It must lie in memory in
/// that order.
Array gpuarray_to_array(DevicePointer pointer, const Shape& shape, const DType& dtype, Order order,
                        bool allow_surface_bind = false, const Strides& strides = {});
/// A two-dimensional array with a channel for each element of the last dimension: (height, width, channels), with
/// Order::F (channels, width, height).
Array make_multichannel_2d_array(const NdArray& array, Order order);
/// Binds it, clamped and unfiltered.
void bind_array_to_texref(const Array& array, const TextureReference& texref);
/// matrix_to_array, bound.
void matrix_to_texref(const NdArray& matrix, const TextureReference& texref, Order order);

} // namespace warplight::driver
