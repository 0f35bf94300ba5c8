// SPDX-License-Identifier: Apache-2.0
// What generated code and the runtime share about textures and surfaces (see abi.hpp).
#pragma once

#include <cstdint>

namespace warplight::software {

enum class TextureGeometry : std::uint32_t { d1, d2, d3, a1d, a2d, cube, acube };

/// What generated code reads of a texture by itself: unfiltered channels of 32 bits, without levels or layers. It is
/// where the services wl_rt_texture and wl_rt_plain_texture point to. Unless the places count elements, they are
/// scaled.
struct PlainTexture {
    // Kinds: by which instruction any place may be read. Places outside are cut to 0 and the last element's.
    static constexpr std::uint32_t row = 1;      ///< tex.1d
    static constexpr std::uint32_t picture = 2;  ///< tex.2d
    static constexpr std::uint32_t elements = 4; ///< tex.1d at integers
    /// The kind for places inside only, whatever lies outside.
    static constexpr std::uint32_t inside(std::uint32_t kind) { return kind << 3; }

    static constexpr std::uint32_t unscaled = 64;   ///< places count elements: `scale` is 1
    static constexpr std::uint32_t gone = 1U << 31; ///< of no kind: the memory is gone

    std::uint32_t kinds;
    std::uint32_t channels;
    const void* base;
    std::uint32_t row_words;     ///< and all words are less than 2^31
    std::uint32_t width, height; ///< elements; at least 1
    float scale[2];
    float last[2]; ///< the largest place inside
};

/// What generated code reads of a surface by itself. It is where the service wl_rt_plain_surface points to. All bytes
/// of the memory are less than 2^31; otherwise, and where there is no memory, there are none.
struct PlainSurface {
    const void* base;
    std::uint32_t bytes;                  ///< of a row's elements
    std::uint32_t height, depth, slices;  ///< at least 1; the slices are layers and faces
    std::uint32_t row_bytes, slice_bytes; ///< from a row to the next one, and from a slice or plane
};

struct BlockContext;

/// Who asks, of code whose accesses are looked at.
struct ImageCaller {
    BlockContext* block;                ///< null: nothing is told of the access
    std::uint32_t linear, active, site; ///< thread of the first lane, lanes, instruction
    std::uint32_t of_shadow;            ///< not the values are asked for, but which of their bits nothing wrote
};

/// A plain texture instruction of several threads, one a lane.
struct TextureLanes {
    std::uint32_t lanes;        ///< 32 at most
    std::uint32_t mask;         ///< which of them take part; the results of others are left as they are
    const float* coordinates;   ///< `lanes` of x, of y, of z; bits of integers for wl_rt_tex_fetch_lanes
    const std::uint32_t* layer; ///< null: 0
    const float* level;         ///< null: the instruction has none
    std::uint32_t* result;      ///< `lanes` of the first channel, of the second, …
    ImageCaller caller;
};

/// What a texture instruction asks where coordinates and a level do not say it all.
struct TextureRequest {
    float x, y, z;
    std::int32_t i[3];   ///< instead of x, y, z where `integer_coordinates`
    std::uint32_t layer; ///< of a1d, a2d; the cube of acube
    TextureGeometry geometry;
    std::uint32_t integer_coordinates;
    std::uint32_t has_gradient; ///< else `level` says it
    float level;
    float dx[3], dy[3];
    std::int32_t offset[3];
    std::int32_t component; ///< of tld4; -1: no gathering
    std::uint64_t sampler;  ///< what a .samplerref variable holds; 0: the texture's own sampler
    ImageCaller caller;
};

enum class TextureQuery : std::uint32_t {
    width,
    height,
    depth,
    channel_data_type,
    channel_order,
    normalized_coords,
    array_size,
    num_mipmap_levels,
    num_samples,
    force_unnormalized_coords,
    filter_mode,
    addr_mode_0,
    addr_mode_1,
    addr_mode_2,
    memory_layout,
};

enum class OpaqueType : std::uint32_t { texture, sampler, surface };

/// Outside of a surface: the launch ends; the nearest element; reads are 0 and writes are dropped.
enum class SurfaceBounds : std::uint32_t { trap, clamp, zero };

enum class SurfaceReduction : std::uint32_t {
    add_32,
    add_64,
    min_u32,
    max_u32,
    min_s32,
    max_s32,
    min_u64,
    max_u64,
    min_s64,
    max_s64,
    and_32,
    or_32,
};

/// Where a surface instruction goes, and who asks.
struct SurfaceRequest {
    std::int32_t x, y, z; ///< x in bytes, or in elements where the access is formatted
    std::uint32_t layer;
    TextureGeometry geometry;
    SurfaceBounds bounds;
    std::uint32_t linear, site;
    BlockContext* block;     ///< of code whose accesses are looked at, else null
    std::uint32_t traced;    ///< races are looked for
    std::uint32_t of_shadow; ///< not the values are accessed, but which of their bits nothing wrote
};

// Services that generated code calls (extern "C", defined in runtime/texture_services.cpp). `linear` and `site` are the
// thread and the instruction, for faults.
extern "C" {
/// The object behind a handle, or null. While a kernel runs a handle means the same, so generated code asks once.
const void* wl_rt_texture(std::uint64_t handle);
const void* wl_rt_surface(std::uint64_t handle);
/// The same object, never null: where wl_rt_texture answers null it is PlainTexture::gone.
const void* wl_rt_plain_texture(std::uint64_t handle);
/// The object that wl_rt_surface answers, never null: where that answers null it is one without memory.
const void* wl_rt_plain_surface(std::uint64_t handle);
/// A handle that is none: ends the launch.
[[noreturn]] void wl_rt_no_texture(std::uint32_t linear, std::uint32_t site);
[[noreturn]] void wl_rt_no_surface(std::uint32_t linear, std::uint32_t site);
/// The same, of code that tests its accesses: never null. What is wrong is told for the lanes `active`; then all reads
/// are 0, and writes go nowhere.
const void* wl_rt_checked_texture(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint64_t handle,
                                  std::uint32_t site);
const void* wl_rt_checked_surface(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint64_t handle,
                                  std::uint32_t site);
/// The same object, or null where something is to be told. Memory may be freed while a kernel runs only by a program
/// that does not wait for it, so that generated code asks once for many accesses.
const void* wl_rt_usable_texture(std::uint64_t handle);
const void* wl_rt_usable_surface(std::uint64_t handle);
/// The same object, of code that asks which bits nothing wrote. Never null: one whose memory has no shadow has no
/// elements.
const void* wl_rt_shadowed_texture(std::uint64_t handle);
const void* wl_rt_shadowed_surface(std::uint64_t handle);
/// Whether a texture shows memory of these. That of arrays no kernel reaches by an address. Of 0 bytes all may be
/// meant.
std::uint32_t wl_rt_texture_shows(std::uint64_t handle, std::uint64_t begin, std::uint64_t bytes);
/// `result`: four channels of 32 bits.
void wl_rt_tex(const void* texture, std::uint32_t geometry, std::uint32_t layer, float x, float y, float z, float level,
               std::uint32_t* result);
void wl_rt_tex_fetch(const void* texture, std::int32_t x, std::uint32_t* result);
void wl_rt_tex_request(const void* texture, const TextureRequest* request, std::uint32_t* result);
void wl_rt_tex_lanes(const void* texture, std::uint32_t geometry, const TextureLanes* all);
void wl_rt_tex_fetch_lanes(const void* texture, const TextureLanes* all);
std::uint16_t wl_rt_half_of(std::uint32_t bits); ///< of a channel, for results of 16 bits
std::uint32_t wl_rt_txq(std::uint64_t handle, std::uint32_t query, std::uint32_t level, std::uint32_t linear,
                        std::uint32_t site);
std::uint32_t wl_rt_suq(std::uint64_t handle, std::uint32_t query, std::uint32_t linear, std::uint32_t site);
std::uint32_t wl_rt_istypep(std::uint64_t handle, std::uint32_t type);
void wl_rt_suld(const void* surface, const SurfaceRequest* request, std::uint32_t bytes, void* result);
void wl_rt_sust(const void* surface, const SurfaceRequest* request, std::uint32_t bytes, const void* value);
/// Formatted: `channels` words, each converted to what the surface holds.
void wl_rt_sust_formatted(const void* surface, const SurfaceRequest* request, std::uint32_t channels,
                          const std::uint32_t* value);
/// `formatted`: x counts elements, and the surface's format says whether min and max are signed.
void wl_rt_sured(const void* surface, const SurfaceRequest* request, std::uint32_t reduction, std::uint32_t formatted,
                 std::uint64_t value);
}

} // namespace warplight::software
