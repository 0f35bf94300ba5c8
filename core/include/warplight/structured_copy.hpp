// SPDX-License-Identifier: Apache-2.0
// Copies of rows and slices between host memory, device memory and arrays, and copies of bytes of arrays.
#pragma once

#include "warplight/array.hpp"
#include "warplight/buffer.hpp"
#include "warplight/context.hpp"
#include "warplight/enums.hpp"
#include "warplight/handles.hpp"
#include "warplight/memory.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace warplight::driver {

class Stream;

namespace detail {

/// One end of a structured copy, beside its public fields.
struct CopyEnd {
    const void* host = nullptr;
    std::optional<NdArray> kept; ///< the array whose memory `host` is
    Shared<ArrayState> array;
    Shared<ContextState> context; ///< where the memory is
};

/// What the three structures share. All fields start as 0.
/// The setters choose the memory type. Given an array of host memory, they also take the row pitch from its strides
/// (and the height of a slice, where the copy has slices), unless these are set already.
class StructuredCopy {
public:
    std::size_t src_x_in_bytes = 0;
    std::size_t src_y = 0; ///< rows
    memory_type src_memory_type = memory_type(0);
    device_ptr src_device = 0; ///< of device and unified memory
    std::size_t src_pitch = 0; ///< bytes from row to row; 0: rows follow one another. Not of arrays
    std::size_t dst_x_in_bytes = 0;
    std::size_t dst_y = 0; ///< rows
    memory_type dst_memory_type = memory_type(0);
    device_ptr dst_device = 0;
    std::size_t dst_pitch = 0;
    std::size_t width_in_bytes = 0;
    std::size_t height = 0; ///< rows

    /// The caller keeps the memory until the copy is done; an NdArray is kept with this object.
    /// @throws LogicError for strides that are no pitch: negative ones, and rows that are not packed.
    void set_src_host(ConstBuffer buffer);
    void set_src_host(const NdArray& array);
    void set_src_array(const Array& array);
    void set_src_device(DevicePointer pointer);
    /// Memory of either kind, found by its address (CUDA 4.0).
    void set_src_unified(ConstBuffer buffer);
    void set_src_unified(const NdArray& array);
    void set_src_unified(DevicePointer pointer);
    void set_dst_host(MutableBuffer buffer);
    void set_dst_host(const NdArray& array);
    void set_dst_array(const Array& array);
    void set_dst_device(DevicePointer pointer);
    void set_dst_unified(MutableBuffer buffer);
    void set_dst_unified(const NdArray& array);
    void set_dst_unified(DevicePointer pointer);

protected:
    StructuredCopy() = default;
    /// Where the height of a slice is taken to; null: the copy has no slices.
    virtual std::size_t* slice_height(bool source) noexcept;
    virtual ~StructuredCopy() = default;
    StructuredCopy(const StructuredCopy&) = default;
    StructuredCopy& operator=(const StructuredCopy&) = default;
    StructuredCopy(StructuredCopy&&) = default;
    StructuredCopy& operator=(StructuredCopy&&) = default;

    /// Of the stream, else of the memory, else the current one.
    Shared<ContextState> context(const Stream* stream) const;
    template <class Copy>
    void fill(Copy& copy) const;
    template <class Copy>
    void fill_3d(Copy& copy) const;
    std::string describe(const ContextState& context) const;

    CopyEnd src_, dst_;

private:
    void take_strides(const NdArray& array, bool source);
};

/// What the two structures of three dimensions add.
class StructuredCopy3D : public StructuredCopy {
public:
    std::size_t src_z = 0;
    std::size_t src_lod = 0;    ///< 0: pass the array of a level instead
    std::size_t src_height = 0; ///< rows of a slice; 0: slices follow one another. Not of arrays
    std::size_t dst_z = 0;
    std::size_t dst_lod = 0;
    std::size_t dst_height = 0;
    std::size_t depth = 0; ///< slices, layers or faces

protected:
    std::size_t* slice_height(bool source) noexcept override { return source ? &src_height : &dst_height; }
    template <class Copy>
    void fill_slices(Copy& copy) const;
};

} // namespace detail

/// A copy of `height` rows of `width_in_bytes` bytes.
class Memcpy2D : public detail::StructuredCopy {
public:
    Memcpy2D() = default;
    /// Copies and waits. @param aligned false: tolerates pitches between device memory that mem_alloc_pitch would not
    /// give, and may be slower
    void operator()(bool aligned = true) const;
    /// Copies in order with the stream. Host memory must stay until it is done, and should be page-locked.
    void operator()(const Stream& stream) const;
    /// The same; null: in the default stream.
    void operator()(const Stream* stream) const;
};

/// A copy of `depth` slices (layers, faces) of `height` rows.
class Memcpy3D : public detail::StructuredCopy3D {
public:
    Memcpy3D() = default;
    void operator()() const;
    void operator()(const Stream& stream) const;
    void operator()(const Stream* stream) const;
};

/// The same between two contexts (CUDA 4.0); those that are not set are those of the memory, else the current one.
class Memcpy3DPeer : public detail::StructuredCopy3D {
public:
    Memcpy3DPeer() = default;
    void set_src_context(const ContextRef& context);
    void set_dst_context(const ContextRef& context);
    void operator()() const;
    void operator()(const Stream& stream) const;
    void operator()(const Stream* stream) const;

private:
    void run(const Stream* stream, bool wait) const;
    Shared<detail::ContextState> src_context_, dst_context_;
};

/// Copies bytes from and to one-dimensional arrays; indices are bytes. The size of host copies is that of the buffer.
void memcpy_dtoa(const Array& dest, std::size_t dest_index, DevicePointer src, std::size_t bytes);
void memcpy_atod(DevicePointer dest, const Array& src, std::size_t src_index, std::size_t bytes);
void memcpy_htoa(const Array& dest, std::size_t dest_index, ConstBuffer src);
void memcpy_atoh(MutableBuffer dest, const Array& src, std::size_t src_index);
void memcpy_atoa(const Array& dest, std::size_t dest_index, const Array& src, std::size_t src_index, std::size_t bytes);

} // namespace warplight::driver
