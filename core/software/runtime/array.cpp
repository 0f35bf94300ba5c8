// SPDX-License-Identifier: Apache-2.0
#include "array.hpp"

#include "address_space.hpp"
#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "shadow_memory.hpp"
#include "work_races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplight::software {
namespace {

constexpr unsigned kLayered = CUDA_ARRAY3D_LAYERED, kSurface = CUDA_ARRAY3D_SURFACE_LDST,
                   kCubemap = CUDA_ARRAY3D_CUBEMAP, kGather = CUDA_ARRAY3D_TEXTURE_GATHER;
constexpr unsigned kKnown = 0x1FF; ///< up to CUDA_ARRAY3D_VIDEO_ENCODE_DECODE

/// Numbers of CUdevice_attribute: the largest width, height and depth.
struct Limit {
    int width = 0, height = 0, depth = 0;
};

struct Limits {
    Limit texture, mipmapped, surface;
};

// Indexed by dimensions and then by plain, layered, cubemap, layered cubemap.
constexpr Limits k1D{{21, 0, 0}, {77, 0, 0}, {55, 0, 0}};
constexpr Limits k2D{{22, 23, 0}, {73, 74, 0}, {56, 57, 0}};
constexpr Limits k3D{{24, 25, 26}, {24, 25, 26}, {58, 59, 60}};
constexpr Limits k1DLayered{{42, 0, 43}, {42, 0, 43}, {61, 0, 62}};
constexpr Limits k2DLayered{{27, 28, 29}, {27, 28, 29}, {63, 64, 65}};
constexpr Limits kCube{{52, 52, 0}, {52, 52, 0}, {66, 66, 0}};
constexpr Limits kCubeLayered{{53, 53, 54}, {53, 53, 54}, {67, 67, 68}};
constexpr Limit k3DAlternate{47, 48, 49};
constexpr Limit kGather2D{45, 46, 0};

const Limits& limits_of(const ArrayShape& s) {
    if (s.cubemap) return s.layered ? kCubeLayered : kCube;
    if (s.layered) return s.dimensions == 1 ? k1DLayered : k2DLayered;
    return s.dimensions == 1 ? k1D : s.dimensions == 2 ? k2D : k3D;
}

bool within(const ArrayShape& s, const Device& device, const Limit& limit) {
    const auto ok = [&](std::uint64_t extent, int attribute) {
        return attribute == 0 || extent <= static_cast<std::uint64_t>(device.attribute(attribute).value_or(0));
    };
    return ok(s.width, limit.width) && ok(s.height, limit.height) && ok(s.slices, limit.depth);
}

void check_limits(const ArrayShape& s, const Device& device, bool mipmapped) {
    const auto need = [](bool condition, const char* what) {
        if (!condition) fail(CUDA_ERROR_INVALID_VALUE, std::string("the array is larger than ") + what + " may be");
    };
    const Limits& limits = limits_of(s);
    const bool volume = s.dimensions == 3;
    need(within(s, device, mipmapped ? limits.mipmapped : limits.texture) ||
             (volume && within(s, device, k3DAlternate)),
         "a texture");
    if (s.descriptor.Flags & kSurface) need(within(s, device, limits.surface), "a surface");
    if (s.descriptor.Flags & kGather) need(within(s, device, kGather2D), "a texture for gathers");
}

} // namespace

std::optional<Texel> texel_of(CUarray_format format) {
    switch (static_cast<int>(format)) {
    case CU_AD_FORMAT_UNSIGNED_INT8: return Texel::u8;
    case CU_AD_FORMAT_UNSIGNED_INT16: return Texel::u16;
    case CU_AD_FORMAT_UNSIGNED_INT32: return Texel::u32;
    case CU_AD_FORMAT_SIGNED_INT8: return Texel::s8;
    case CU_AD_FORMAT_SIGNED_INT16: return Texel::s16;
    case CU_AD_FORMAT_SIGNED_INT32: return Texel::s32;
    case CU_AD_FORMAT_HALF: return Texel::f16;
    case CU_AD_FORMAT_FLOAT: return Texel::f32;
    default: return std::nullopt;
    }
}

Texel checked_texel(CUarray_format format) {
    if (const auto texel = texel_of(format)) return *texel;
    const int number = static_cast<int>(format);
    // Ranges of CUarray_format, as older headers lack the names.
    const bool known = number == 0x50 || (number >= 0x91 && number <= 0x9F) || (number >= 0xA1 && number <= 0xA9) ||
                       (number >= 0xB0 && number <= 0xB5) || (number >= 0xC0 && number <= 0xCB);
    if (known) {
        fail(CUDA_ERROR_NOT_SUPPORTED,
             fmt::format("the software device has no arrays of the format 0x{:x}: planar, block-compressed or "
                         "normalised",
                         number));
    }
    fail(CUDA_ERROR_INVALID_VALUE, fmt::format("0x{:x} is no array format", number));
}

void check_channels(unsigned channels) {
    if (channels != 1 && channels != 2 && channels != 4)
        fail(CUDA_ERROR_INVALID_VALUE, fmt::format("an element has 1, 2 or 4 channels, not {}", channels));
}

std::size_t channel_bytes(Texel format) {
    switch (format) {
    case Texel::u8:
    case Texel::s8: return 1;
    case Texel::u16:
    case Texel::s16:
    case Texel::f16: return 2;
    default: return 4;
    }
}

ArrayMemory::ArrayMemory(Context& context, std::uint64_t bytes) {
    const auto base =
        AddressSpace::instance().allocate(bytes, Allocation::Kind::array, context.device.ordinal, &context);
    if (!base) {
        fail(CUDA_ERROR_OUT_OF_MEMORY, fmt::format("an array of {} bytes asked for, {} of {} free", bytes,
                                                   context.device.free_memory(), context.device.total_memory()));
    }
    base_ = *base;
    ShadowMemory::instance().set_unwritten(base_, bytes);
    if (WorkRaces::is_on()) WorkRaces::instance().forget(base_, bytes);
}

void ArrayMemory::release() {
    if (live_.exchange(false)) (void)AddressSpace::instance().release(base_, Allocation::Kind::array);
}

ArrayShape ArrayShape::check(const CUDA_ARRAY3D_DESCRIPTOR& d, const Device& device, bool mipmapped) {
    const auto need = [](bool condition, const char* otherwise) {
        if (!condition) fail(CUDA_ERROR_INVALID_VALUE, otherwise);
    };
    ArrayShape s;
    s.descriptor = d;
    s.format = checked_texel(d.Format);
    check_channels(d.NumChannels);
    s.element_bytes = channel_bytes(s.format) * d.NumChannels;
    need((d.Flags & ~kKnown) == 0, "unknown array flags");
    if (d.Flags & ~(kLayered | kSurface | kCubemap | kGather)) {
        fail(CUDA_ERROR_NOT_SUPPORTED, fmt::format("arrays with the flags 0x{:x}: the software device has only "
                                                   "layered, surface, cubemap and gather arrays",
                                                   d.Flags));
    }
    s.layered = (d.Flags & kLayered) != 0;
    s.cubemap = (d.Flags & kCubemap) != 0;
    need(d.Width > 0, "an array's width is 0");
    s.width = d.Width;
    s.height = std::max<std::uint64_t>(d.Height, 1);
    s.slices = std::max<std::uint64_t>(d.Depth, 1);
    if (s.cubemap) {
        need(d.Width == d.Height, "the faces of a cubemap are squares");
        need(s.layered ? d.Depth > 0 && d.Depth % 6 == 0 : d.Depth == 6,
             s.layered ? "the depth of layered cubemaps is a multiple of 6" : "a cubemap's depth is 6");
        s.dimensions = 2;
    } else if (s.layered) {
        need(d.Depth > 0, "a layered array's depth is the number of its layers");
        s.dimensions = d.Height > 0 ? 2 : 1;
    } else {
        need(d.Depth == 0 || d.Height > 0, "an array with a depth has a height");
        s.dimensions = d.Depth > 0 ? 3 : d.Height > 0 ? 2 : 1;
    }
    if (d.Flags & kGather) need(s.dimensions == 2, "gathers are of two-dimensional arrays");
    check_limits(s, device, mipmapped);
    return s;
}

unsigned ArrayShape::most_levels() const {
    const std::uint64_t depth = dimensions == 3 ? slices : 1;
    return static_cast<unsigned>(std::bit_width(std::max({width, height, depth})));
}

ArrayShape ArrayShape::level(unsigned number) const {
    ArrayShape s = *this;
    const auto shrink = [&](std::uint64_t& extent, std::size_t& described) {
        extent = std::max<std::uint64_t>(extent >> number, 1);
        if (described > 0) described = extent;
    };
    shrink(s.width, s.descriptor.Width);
    shrink(s.height, s.descriptor.Height);
    if (dimensions == 3) shrink(s.slices, s.descriptor.Depth);
    return s;
}

namespace {

TexelMemory texels_of(const ArrayShape& s) {
    TexelMemory m;
    m.format = s.format;
    m.channels = s.descriptor.NumChannels;
    m.layered = s.layered;
    m.cubemap = s.cubemap;
    m.dimensions = s.dimensions;
    m.layers = static_cast<std::uint32_t>(!s.layered ? 1 : s.cubemap ? s.slices / 6 : s.slices);
    return m;
}

TextureLevel level_of(const ArrayShape& s, std::byte* base) {
    TextureLevel level;
    level.base = base;
    level.width = static_cast<std::uint32_t>(s.width);
    level.height = static_cast<std::uint32_t>(s.height);
    level.depth = static_cast<std::uint32_t>(s.dimensions == 3 ? s.slices : 1);
    level.row_bytes = s.row_bytes();
    level.slice_bytes = s.slice_bytes();
    return level;
}

} // namespace

TexelMemory Array::texels() const {
    TexelMemory m = texels_of(shape);
    m.levels.push_back(level_of(shape, base()));
    return m;
}

MipmappedArray::MipmappedArray(Context& owner, const ArrayShape& what, unsigned levels) : context(owner), shape(what) {
    std::vector<std::uint64_t> offsets;
    std::uint64_t total = 0;
    for (unsigned i = 0; i < levels; ++i) {
        offsets.push_back(total);
        total += (shape.level(i).bytes() + 511) / 512 * 512;
    }
    memory_ = std::make_shared<ArrayMemory>(context, total);
    for (unsigned i = 0; i < levels; ++i)
        levels_.push_back(std::make_shared<Array>(context, shape.level(i), memory_, offsets[i], true));
}

TexelMemory MipmappedArray::texels() const {
    TexelMemory m = texels_of(shape);
    for (const auto& level : levels_)
        m.levels.push_back(level_of(level->shape, level->base()));
    return m;
}

std::shared_ptr<Array> create_array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const ArrayShape shape = ArrayShape::check(descriptor, context.device, false);
    auto array =
        std::make_shared<Array>(context, shape, std::make_shared<ArrayMemory>(context, shape.bytes()), 0, false);
    handles<Array>().add(array);
    return array;
}

std::shared_ptr<MipmappedArray> create_mipmapped_array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                                                       unsigned levels) {
    const ArrayShape shape = ArrayShape::check(descriptor, context.device, true);
    levels = std::clamp(levels, 1U, shape.most_levels());
    auto array = std::make_shared<MipmappedArray>(context, shape, levels);
    for (const auto& level : array->levels())
        handles<Array>().add(level);
    handles<MipmappedArray>().add(array);
    return array;
}

std::shared_ptr<Array> array_of(CUarray handle) {
    if (!handle) fail(CUDA_ERROR_INVALID_VALUE, "the array is null");
    return handles<Array>().get(handle);
}

std::shared_ptr<MipmappedArray> mipmapped_array_of(CUmipmappedArray handle) {
    if (!handle) fail(CUDA_ERROR_INVALID_VALUE, "the mipmapped array is null");
    return handles<MipmappedArray>().get(handle);
}

void forget_arrays(const Context& context) {
    for (const auto& array : handles<MipmappedArray>().remove_if([&](const auto& a) { return &a.context == &context; }))
        array->memory().release();
    for (const auto& array : handles<Array>().remove_if([&](const auto& a) { return &a.context == &context; }))
        array->memory().release();
}

} // namespace warplight::software
