// SPDX-License-Identifier: Apache-2.0
// Arrays: memory in elements of one to four channels, in one to three dimensions, layers and cube faces, and mipmap
// levels of it. Rows are packed; only copies, textures and surfaces reach them.
#pragma once

#include "texture.hpp"

#include <cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace warplight::software {

class Context;
class Device;

/// The format of one channel. Nothing for a number that is no CUarray_format of plain channels.
[[nodiscard]] std::optional<Texel> texel_of(CUarray_format format);
/// The same. Throws CUDA_ERROR_INVALID_VALUE, or CUDA_ERROR_NOT_SUPPORTED for the formats with a meaning that the
/// software device does not know (planar, block-compressed and normalised ones).
[[nodiscard]] Texel checked_texel(CUarray_format format);
/// Throws CUDA_ERROR_INVALID_VALUE unless it is 1, 2 or 4.
void check_channels(unsigned channels);
[[nodiscard]] std::size_t channel_bytes(Texel format);

/// The bytes of an array and all its levels; counted against the device.
class ArrayMemory {
public:
    /// Throws CUDA_ERROR_OUT_OF_MEMORY.
    ArrayMemory(Context& context, std::uint64_t bytes);
    ~ArrayMemory() { release(); }
    ArrayMemory(const ArrayMemory&) = delete;
    ArrayMemory& operator=(const ArrayMemory&) = delete;
    [[nodiscard]] std::byte* base() const { return reinterpret_cast<std::byte*>(base_); }
    /// Gives the memory back, even where something still refers to it.
    void release();

private:
    std::uint64_t base_ = 0;
    std::atomic<bool> live_ = true;
};

/// The shape of an array descriptor, checked against the device's limits.
struct ArrayShape {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    Texel format = Texel::f32;
    std::size_t element_bytes = 0;
    unsigned dimensions = 1; ///< of a layer; 2 of a cubemap
    bool layered = false;
    bool cubemap = false;
    std::uint64_t width = 1, height = 1; ///< elements; 1 where there is none
    std::uint64_t slices = 1;            ///< depth, layers or faces

    /// Throws CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED.
    [[nodiscard]] static ArrayShape check(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const Device& device,
                                          bool mipmapped);
    /// How many levels there are down to one element.
    [[nodiscard]] unsigned most_levels() const;
    /// The shape of a mipmap level.
    [[nodiscard]] ArrayShape level(unsigned number) const;
    [[nodiscard]] std::uint64_t row_bytes() const { return width * element_bytes; }
    [[nodiscard]] std::uint64_t slice_bytes() const { return row_bytes() * height; }
    [[nodiscard]] std::uint64_t bytes() const { return slice_bytes() * slices; }
};

/// A CUarray: an array of its own, or a level of a mipmapped one.
class Array {
public:
    Array(Context& owner, const ArrayShape& what, std::shared_ptr<ArrayMemory> memory, std::uint64_t offset,
          bool is_level)
        : context(owner), shape(what), level(is_level), memory_(std::move(memory)), offset_(offset) {}

    Context& context;
    const ArrayShape shape;
    const bool level; ///< it goes with its mipmapped array, not by itself
    [[nodiscard]] std::byte* base() const { return memory_->base() + offset_; }
    [[nodiscard]] ArrayMemory& memory() const { return *memory_; }
    /// One level; `owner` is left to the caller.
    [[nodiscard]] TexelMemory texels() const;

private:
    std::shared_ptr<ArrayMemory> memory_;
    std::uint64_t offset_;
};

/// A CUmipmappedArray.
class MipmappedArray {
public:
    MipmappedArray(Context& owner, const ArrayShape& what, unsigned levels);

    Context& context;
    const ArrayShape shape;
    [[nodiscard]] const std::vector<std::shared_ptr<Array>>& levels() const { return levels_; }
    [[nodiscard]] ArrayMemory& memory() const { return *memory_; }
    [[nodiscard]] TexelMemory texels() const;

private:
    std::shared_ptr<ArrayMemory> memory_;
    std::vector<std::shared_ptr<Array>> levels_;
};

/// Both make the handles known. Throw as ArrayShape::check, and CUDA_ERROR_OUT_OF_MEMORY.
[[nodiscard]] std::shared_ptr<Array> create_array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor);
[[nodiscard]] std::shared_ptr<MipmappedArray>
create_mipmapped_array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels);
/// The array of a handle. Throws CUDA_ERROR_INVALID_HANDLE, and CUDA_ERROR_INVALID_VALUE for null.
[[nodiscard]] std::shared_ptr<Array> array_of(CUarray handle);
[[nodiscard]] std::shared_ptr<MipmappedArray> mipmapped_array_of(CUmipmappedArray handle);
/// Ends all arrays of a context that has ended.
void forget_arrays(const Context& context);

} // namespace warplight::software
