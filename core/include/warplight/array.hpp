// SPDX-License-Identifier: Apache-2.0
// Arrays: memory that textures and surfaces read, in the device's own layout.
#pragma once

#include "warplight/enums.hpp"
#include "warplight/handles.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <string>

namespace warplight::driver {

/// A one- or two-dimensional array. Extents in elements.
struct ArrayDescriptor {
    std::size_t width = 0;
    std::size_t height = 0; ///< 0: one-dimensional
    array_format format = array_format(0);
    unsigned num_channels = 0; ///< 1, 2 or 4
};

/// An array of up to three dimensions, with layers or cube faces. Extents in elements.
struct ArrayDescriptor3D {
    std::size_t width = 0;
    std::size_t height = 0; ///< 0: one-dimensional
    std::size_t depth = 0;  ///< 0: none. Layers with LAYERED; 6 with CUBEMAP, a multiple of it with both
    array_format format = array_format(0);
    unsigned num_channels = 0; ///< 1, 2 or 4
    unsigned flags = 0;        ///< of array3d_flags
};

/// An array of the context that is current when it is made. Move-only; freed when it and whatever is bound to it are
/// gone. Keeps its context alive.
class Array {
public:
    /// @throws LogicError for a descriptor that the device has no array for, MemoryError.
    explicit Array(const ArrayDescriptor& descriptor);
    explicit Array(const ArrayDescriptor3D& descriptor);
    /// An array that someone else owns, in the current context.
    static Array from_native(CUarray_st* handle);

    Array(Array&&) noexcept = default;
    Array& operator=(Array&&) noexcept = default;
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() = default;

    /// Frees it now, under everything that still refers to it. The second time it does nothing.
    void free();
    /// As it was made; of more than two dimensions the depth is left out.
    ArrayDescriptor get_descriptor() const;
    ArrayDescriptor3D get_descriptor_3d() const;

    /// Null when it was freed.
    CUarray_st* handle() const noexcept;
    std::string describe() const;
    friend bool operator==(const Array& a, const Array& b) noexcept { return a.handle() == b.handle(); }

    /// Internal. state() @throws LogicError for an array that was freed or moved from.
    explicit Array(Shared<detail::ArrayState> state) noexcept : state_(std::move(state)) {}
    const Shared<detail::ArrayState>& state() const;

private:
    Shared<detail::ArrayState> state_;
};

/// An array with smaller ones of half the extents, down to one element (CUDA 5.0). Move-only.
class MipmappedArray {
public:
    /// @param levels clamped to 1 … 1 + log2 of the largest extent
    MipmappedArray(const ArrayDescriptor3D& descriptor, unsigned levels);

    MipmappedArray(MipmappedArray&&) noexcept = default;
    MipmappedArray& operator=(MipmappedArray&&) noexcept = default;
    MipmappedArray(const MipmappedArray&) = delete;
    MipmappedArray& operator=(const MipmappedArray&) = delete;
    ~MipmappedArray() = default;

    /// Frees all levels now. The second time it does nothing.
    void free();
    /// One level, 0 the largest. Keeps the whole alive. @throws LogicError past the last one.
    Array get_level(unsigned level) const;
    unsigned levels() const noexcept;

    CUmipmappedArray_st* handle() const noexcept;
    std::string describe() const;

    /// Internal, as in Array.
    const Shared<detail::MipmappedArrayState>& state() const;

private:
    Shared<detail::MipmappedArrayState> state_;
};

} // namespace warplight::driver
