// SPDX-License-Identifier: Apache-2.0
// How a kernel is given an array as a texture or surface.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::session {

/// What the axes of the data are, slowest first. One more axis, the last, has the 1, 2 or 4 components of an element.
enum class TextureKind {
    d1,              ///< [width]
    d2,              ///< [height, width]
    d3,              ///< [depth, height, width]
    layered_d1,      ///< [layers, width]
    layered_d2,      ///< [layers, height, width]
    cubemap,         ///< [6, width, width]
    layered_cubemap, ///< [cubemaps, 6, width, width]
};
inline constexpr std::array<std::string_view, 7> texture_kinds = {
    "1d", "2d", "3d", "1d_layered", "2d_layered", "cubemap", "cubemap_layered"};

/// Where the elements of a texture lie.
enum class TextureMemory {
    array,   ///< in the device's own layout
    linear,  ///< one after the other: for tex1Dfetch
    pitch2d, ///< rows of plain memory
};
inline constexpr std::array<std::string_view, 3> texture_memories = {"array", "linear", "pitch2d"};

/// What is read outside of the texture.
enum class AddressMode { wrap, clamp, mirror, border };
inline constexpr std::array<std::string_view, 4> address_modes = {"wrap", "clamp", "mirror", "border"};

enum class FilterMode { point, linear };
inline constexpr std::array<std::string_view, 2> filter_modes = {"point", "linear"};

/// Integers of 8 and 16 bits are read as they are, or as floats in [0, 1] and [-1, 1].
enum class ReadMode { element, normalized_float };
inline constexpr std::array<std::string_view, 2> read_modes = {"element", "normalized_float"};

struct TextureSetup {
    TextureKind kind = TextureKind::d2;
    TextureMemory memory = TextureMemory::array;
    std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp}; ///< of x, y, z
    FilterMode filter = FilterMode::point;
    ReadMode read = ReadMode::element;
    bool normalized_coordinates = false; ///< from 0 to 1
    std::array<double, 4> border{};      ///< components of the border's colour
    bool srgb = false;                   ///< bytes are sRGB and read as linear values
    bool seamless = false;               ///< a cubemap is filtered across its edges
    bool gather = false;                 ///< tex2Dgather reads it
    std::optional<double> fourth;        ///< component that data of three get
    std::string unknown;                 ///< JSON object of keys that this version does not know; written back

    bool operator==(const TextureSetup&) const = default;
};

struct SurfaceSetup {
    TextureKind kind = TextureKind::d2;
    std::string unknown;

    bool operator==(const SurfaceSetup&) const = default;
};

} // namespace warplight::session
