// SPDX-License-Identifier: Apache-2.0
// An array or memory as texture and surface instructions see it, and the state of a sampler. Entry points fill these in
// when a texture or surface object is made, or a reference is bound. Sampling functions read nothing else.
#pragma once

#include "software/jit/abi/texture_abi.hpp"

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplight::software {

/// How elements lie in memory.
enum class Texel : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 };

/// One mipmap level. Layers and cube faces follow one another a slice apart (face = layer * 6 + face of the cube).
struct TextureLevel {
    std::byte* base = nullptr;
    std::uint32_t width = 0;  ///< elements
    std::uint32_t height = 1; ///< 1 where there is none
    std::uint32_t depth = 1;  ///< 1 where there is none, and for layered arrays and cubemaps
    std::uint64_t row_bytes = 0;
    std::uint64_t slice_bytes = 0;
};

/// Memory as a texture or surface sees it.
struct TexelMemory {
    Texel format = Texel::f32;
    std::uint32_t channels = 1; ///< 1, 2 or 4
    bool linear = false;        ///< CU_RESOURCE_TYPE_LINEAR: tex.1d with an integer coordinate only
    bool layered = false;
    bool cubemap = false;
    std::uint32_t dimensions = 1; ///< 1, 2 or 3; a cubemap is 2
    std::uint32_t layers = 1;     ///< of a layered array; cubes of a cubemap array
    std::vector<TextureLevel> levels = {};
    std::shared_ptr<const void> owner = {}; ///< keeps an array alive while work that samples it is queued
    [[nodiscard]] std::uint32_t element_bytes() const {
        const std::uint32_t channel = format == Texel::u8 || format == Texel::s8                             ? 1
                                      : format == Texel::u16 || format == Texel::s16 || format == Texel::f16 ? 2
                                                                                                             : 4;
        return channel * channels;
    }
};

struct SamplerState {
    std::array<CUaddress_mode, 3> address = {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_WRAP};
    CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
    CUfilter_mode mipmap_filter = CU_TR_FILTER_MODE_POINT;
    bool read_as_integer = false; ///< else integers are normalised to [0, 1] or [-1, 1]
    bool normalized_coordinates = false;
    bool srgb = false;
    bool seamless_cubemap = false;
    std::uint32_t max_anisotropy = 0;
    float level_bias = 0, min_level = 0, max_level = 0;
    std::array<float, 4> border = {};
};

/// CUtexObject and CUsurfObject are looked up in the table below. As on a GPU, a handle that is none reads as 0, and
/// one whose memory is gone is a fault of the kernel.
struct Texture {
    PlainTexture plain = {}; ///< first: generated code looks at it
    TexelMemory memory = {};
    SamplerState sampler = {};
};
/// Fills in `plain`, for textures that generated code may read inline.
void find_plain(Texture& texture);
struct Surface {
    explicit Surface(TexelMemory texels = {});
    PlainSurface plain = {}; ///< first: generated code looks at it
    TexelMemory memory;
};

/// A number that is never given twice and that holds an index, so that kernels find the object without a lock.
[[nodiscard]] std::uint64_t add_texture(std::shared_ptr<const Texture> texture);
[[nodiscard]] std::uint64_t add_surface(std::shared_ptr<const Surface> surface);
/// Gives a number another object, as for a reference that is bound anew. False: it is no such handle.
bool replace_texture(std::uint64_t handle, std::shared_ptr<const Texture> texture);
bool replace_surface(std::uint64_t handle, std::shared_ptr<const Surface> surface);
bool remove_texture(std::uint64_t handle);
bool remove_surface(std::uint64_t handle);
/// Null for a number that is no handle, or no longer one. The object stays as long as a TextureReaders lives that was
/// there before, of this or another thread.
[[nodiscard]] const Texture* find_texture(std::uint64_t handle);
[[nodiscard]] const Surface* find_surface(std::uint64_t handle);

/// The object of a handle whose memory is gone.
[[nodiscard]] const std::shared_ptr<const Texture>& gone_texture();
[[nodiscard]] const std::shared_ptr<const Surface>& gone_surface();

/// While one lives, no object that was found is freed: a launch has one.
class TextureReaders {
public:
    TextureReaders();
    ~TextureReaders();
    TextureReaders(const TextureReaders&) = delete;
    TextureReaders& operator=(const TextureReaders&) = delete;
};

} // namespace warplight::software
