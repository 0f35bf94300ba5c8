// SPDX-License-Identifier: Apache-2.0
#include "warplight/array_copies.hpp"

#include "warplight/error.hpp"
#include "warplight/structured_copy.hpp"

#include <algorithm>

namespace warplight::driver {

namespace {

struct Elements {
    array_format format;
    unsigned channels;
};

/// Types that no array has are kept as the 32-bit integers that they are made of.
Elements elements_of(const DType& dtype, bool wide) {
    if (wide) {
        if (dtype == DType::float64() || dtype == DType::complex64()) return {array_format::SIGNED_INT32, 2};
        if (dtype == DType::complex128()) return {array_format::SIGNED_INT32, 4};
    }
    return {dtype_to_array_format(dtype), 1};
}

/// Extents as textures see them: x, y, z.
struct Geometry {
    std::size_t width = 0, height = 0, depth = 0;
};

Geometry geometry_of(const Shape& shape, Order order) {
    if (shape.size() != 2 && shape.size() != 3)
        throw_logic_error("an array is made of two or three dimensions, not of the shape " +
                          warplight::to_string(shape));
    if (count_elements(shape) == 0) throw_logic_error("the shape " + warplight::to_string(shape) + " has no elements");
    Shape xyz(shape);
    if (order == Order::C) std::reverse(xyz.begin(), xyz.end());
    return {xyz[0], xyz[1], xyz.size() == 3 ? xyz[2] : 0};
}

/// The matrix, packed in memory in that order.
NdArray in_order(const NdArray& matrix, Order order) {
    const bool fits = order == Order::C ? matrix.is_c_contiguous() : matrix.is_f_contiguous();
    return fits ? matrix : matrix.copy(order);
}

Array make(const Geometry& size, const Elements& elements, bool surface) {
    if (size.depth == 0 && !surface)
        return Array(ArrayDescriptor{size.width, size.height, elements.format, elements.channels});
    ArrayDescriptor3D d{size.width, size.height, size.depth, elements.format, elements.channels, 0};
    if (surface) d.flags |= array3d_flags::SURFACE_LDST;
    if (surface && d.depth == 0) {
        d.depth = 1;
        d.flags |= array3d_flags::LAYERED;
    }
    return Array(d);
}

/// set_source tells the copy where the elements are.
template <class SetSource>
Array filled(const Geometry& size, const Elements& elements, bool surface, std::size_t itemsize, std::size_t pitch,
             std::size_t slice_height, SetSource set_source) {
    Array array = make(size, elements, surface);
    if (size.depth == 0 && !surface) {
        Memcpy2D copy;
        set_source(copy);
        copy.src_pitch = pitch;
        copy.set_dst_array(array);
        copy.width_in_bytes = size.width * itemsize;
        copy.height = size.height;
        copy(true);
        return array;
    }
    Memcpy3D copy;
    set_source(copy);
    copy.src_pitch = pitch;
    copy.src_height = slice_height;
    copy.set_dst_array(array);
    copy.width_in_bytes = size.width * itemsize;
    copy.height = size.height;
    copy.depth = std::max<std::size_t>(size.depth, 1);
    copy();
    return array;
}

Array from_host(const NdArray& matrix, Order order, bool wide, bool surface) {
    const Elements elements = elements_of(matrix.dtype(), wide);
    const Geometry size = geometry_of(matrix.shape(), order);
    const NdArray packed = in_order(matrix, order);
    const std::size_t itemsize = packed.itemsize();
    return filled(size, elements, surface, itemsize, size.width * itemsize, size.height,
                  [&](auto& copy) { copy.set_src_host(ConstBuffer(packed.data(), packed.nbytes())); });
}

} // namespace

array_format dtype_to_array_format(const DType& dtype) {
    if (dtype == DType::uint8()) return array_format::UNSIGNED_INT8;
    if (dtype == DType::uint16()) return array_format::UNSIGNED_INT16;
    if (dtype == DType::uint32()) return array_format::UNSIGNED_INT32;
    if (dtype == DType::int8()) return array_format::SIGNED_INT8;
    if (dtype == DType::int16()) return array_format::SIGNED_INT16;
    if (dtype == DType::int32()) return array_format::SIGNED_INT32;
    if (dtype == DType::float16()) return array_format::HALF;
    if (dtype == DType::float32()) return array_format::FLOAT;
    throw_logic_error("arrays have no elements of the type " + dtype.name(), {},
                      "The types are int8, int16, int32, uint8, uint16, uint32, float16 and float32");
}

Array matrix_to_array(const NdArray& matrix, Order order, bool allow_double_hack) {
    if (matrix.ndim() != 2)
        throw_logic_error("matrix_to_array takes two dimensions, not the shape " +
                          warplight::to_string(matrix.shape()));
    return from_host(matrix, order, allow_double_hack && matrix.dtype() == DType::float64(), false);
}

Array np_to_array(const NdArray& array, Order order, bool allow_surface_bind) {
    return from_host(array, order, true, allow_surface_bind);
}

Array gpuarray_to_array(DevicePointer pointer, const Shape& shape, const DType& dtype, Order order,
                        bool allow_surface_bind, const Strides& strides) {
    const Elements elements = elements_of(dtype, true);
    const Geometry size = geometry_of(shape, order);
    Strides steps = strides.empty() ? packed_strides(shape, dtype.itemsize(), order) : strides;
    if (steps.size() != shape.size()) throw_logic_error("there is one stride for each dimension");
    if (order == Order::C) std::reverse(steps.begin(), steps.end());
    const auto itemsize = static_cast<std::ptrdiff_t>(dtype.itemsize());
    const auto row = static_cast<std::ptrdiff_t>(size.width) * itemsize;
    const std::ptrdiff_t pitch = size.height > 1 ? steps[1] : row;
    std::ptrdiff_t slice = pitch * static_cast<std::ptrdiff_t>(size.height);
    if (size.depth > 1) slice = steps[2];
    if ((size.width > 1 && steps[0] != itemsize) || pitch < row || slice % pitch != 0 ||
        slice / pitch < static_cast<std::ptrdiff_t>(size.height))
        throw_logic_error("the device array does not lie in memory in that order", {},
                          "Use the other order, or reorder it on the device");
    return filled(size, elements, allow_surface_bind, dtype.itemsize(), static_cast<std::size_t>(pitch),
                  static_cast<std::size_t>(slice / pitch), [&](auto& copy) { copy.set_src_device(pointer); });
}

Array make_multichannel_2d_array(const NdArray& array, Order order) {
    if (array.ndim() != 3)
        throw_logic_error("make_multichannel_2d_array takes three dimensions, not the shape " +
                          warplight::to_string(array.shape()));
    if (array.size() == 0) throw_logic_error("the shape " + warplight::to_string(array.shape()) + " has no elements");
    Shape xyz(array.shape());
    if (order == Order::C) std::reverse(xyz.begin(), xyz.end());
    const Elements elements{dtype_to_array_format(array.dtype()), static_cast<unsigned>(xyz[0])};
    const NdArray packed = in_order(array, order);
    const std::size_t itemsize = packed.itemsize() * xyz[0];
    return filled({xyz[1], xyz[2], 0}, elements, false, itemsize, xyz[1] * itemsize, xyz[2],
                  [&](auto& copy) { copy.set_src_host(ConstBuffer(packed.data(), packed.nbytes())); });
}

void bind_array_to_texref(const Array& array, const TextureReference& texref) {
    texref.set_array(array);
    texref.set_address_mode(0, address_mode::CLAMP);
    texref.set_address_mode(1, address_mode::CLAMP);
    texref.set_filter_mode(filter_mode::POINT);
}

void matrix_to_texref(const NdArray& matrix, const TextureReference& texref, Order order) {
    const Array array = matrix_to_array(matrix, order);
    bind_array_to_texref(array, texref);
}

} // namespace warplight::driver
