// SPDX-License-Identifier: Apache-2.0
#include "resource.hpp"

#include "address_space.hpp"
#include "array.hpp"
#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplight::software {
namespace {

// Numbers of CUdevice_attribute.
constexpr int kTextureAlignment = 14, kTexturePitchAlignment = 51, kPitchedWidth = 70, kPitchedHeight = 71,
              kPitchedPitch = 72;
// Flags of CUDA_TEXTURE_DESC; 11.8 lacks the last.
constexpr unsigned kReadAsInteger = 0x1, kNormalized = 0x2, kSrgb = 0x10, kSeamless = 0x40,
                   kFlags = 0x7F; ///< that drivers take: 4 and 8 have no meaning
// Of linear memory; more than MAXIMUM_TEXTURE1D_LINEAR_WIDTH.
constexpr std::size_t kMostElements = std::size_t{1} << 30, kMostBytes = std::size_t{1} << 32;

std::size_t limit(const Context& context, int attribute) {
    return static_cast<std::size_t>(context.device.attribute(attribute).value_or(0));
}

void need(bool condition, std::string otherwise) {
    if (!condition) fail(CUDA_ERROR_INVALID_VALUE, std::move(otherwise));
}

bool is_integer(Texel format) { return format != Texel::f16 && format != Texel::f32; }

void check_owner(const Context& owner, const Context& context) {
    if (&owner != &context) fail(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "the array belongs to another context");
}

bool is_memory(CUdeviceptr address) { return AddressSpace::instance().find(address).has_value(); }

void check_alignment(CUdeviceptr address, const Context& context) {
    const std::size_t alignment = texture_alignment(context);
    need(address != 0, "a texture's address is null");
    need(address % alignment == 0,
         fmt::format("a texture's address must be a multiple of {} (TEXTURE_ALIGNMENT)", alignment));
}

struct ViewFormat {
    CUarray_format format;
    unsigned channels;
};

/// CU_RES_VIEW_FORMAT_UINT_1X8 to FLOAT_4X32: three of each.
ViewFormat view_format(int number) {
    constexpr CUarray_format formats[] = {
        CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
        CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32, CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
    constexpr unsigned channels[] = {1, 2, 4};
    if (number >= 0x19 && number <= 0x22)
        fail(CUDA_ERROR_NOT_SUPPORTED, "the software device has no block-compressed textures");
    need(number >= 1 && number <= 0x18, fmt::format("{} is no format of a resource view", number));
    return {formats[(number - 1) / 3], channels[(number - 1) % 3]};
}

} // namespace

std::size_t texture_alignment(const Context& context) { return limit(context, kTextureAlignment); }

Resource array_resource(std::shared_ptr<Array> array) {
    Resource r;
    r.type = CU_RESOURCE_TYPE_ARRAY;
    r.memory = array->texels();
    r.memory.owner = array;
    r.array = std::move(array);
    return r;
}

Resource mipmapped_resource(std::shared_ptr<MipmappedArray> array) {
    Resource r;
    r.type = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    r.memory = array->texels();
    r.memory.owner = array;
    r.mipmapped = std::move(array);
    return r;
}

Resource linear_resource(CUdeviceptr address, std::size_t bytes, CUarray_format format, unsigned channels,
                         const Context& context) {
    Resource r;
    r.type = CU_RESOURCE_TYPE_LINEAR;
    r.memory.format = checked_texel(format);
    check_channels(channels);
    r.memory.channels = channels;
    r.memory.linear = true;
    check_alignment(address, context);
    const std::size_t elements = std::max<std::size_t>(bytes / r.memory.element_bytes(), 1);
    need(elements <= kMostElements,
         fmt::format("a linear texture has {} elements at most, not {}", kMostElements, elements));
    need(bytes <= kMostBytes, "a linear texture has 4 GiB at most");
    if (!is_memory(address)) return r;
    TextureLevel level;
    level.base = reinterpret_cast<std::byte*>(address);
    level.width = static_cast<std::uint32_t>(elements);
    level.row_bytes = level.slice_bytes = elements * r.memory.element_bytes();
    r.memory.levels.push_back(level);
    return r;
}

Resource pitched_resource(CUdeviceptr address, std::size_t width, std::size_t height, std::size_t pitch,
                          CUarray_format format, unsigned channels, const Context& context) {
    Resource r;
    r.type = CU_RESOURCE_TYPE_PITCH2D;
    r.memory.format = checked_texel(format);
    check_channels(channels);
    r.memory.channels = channels;
    r.memory.dimensions = 2;
    check_alignment(address, context);
    need(width <= limit(context, kPitchedWidth) && height <= limit(context, kPitchedHeight),
         "a pitched texture is larger than MAXIMUM_TEXTURE2D_LINEAR_WIDTH, _HEIGHT");
    need(pitch <= limit(context, kPitchedPitch), "the pitch is over MAXIMUM_TEXTURE2D_LINEAR_PITCH");
    need(pitch % limit(context, kTexturePitchAlignment) == 0, "the pitch is no multiple of TEXTURE_PITCH_ALIGNMENT");
    if (!is_memory(address)) return r;
    TextureLevel level;
    level.base = reinterpret_cast<std::byte*>(address);
    level.width = static_cast<std::uint32_t>(width);
    level.height = static_cast<std::uint32_t>(height);
    level.row_bytes = pitch;
    level.slice_bytes = pitch * height;
    r.memory.levels.push_back(level);
    return r;
}

Resource resource_of(const CUDA_RESOURCE_DESC& d, const Context& context) {
    need(d.flags == 0, "the flags of a resource are 0");
    switch (static_cast<int>(d.resType)) {
    case CU_RESOURCE_TYPE_ARRAY: {
        auto array = array_of(d.res.array.hArray);
        check_owner(array->context, context);
        return array_resource(std::move(array));
    }
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
        auto array = mipmapped_array_of(d.res.mipmap.hMipmappedArray);
        check_owner(array->context, context);
        return mipmapped_resource(std::move(array));
    }
    case CU_RESOURCE_TYPE_LINEAR: {
        const auto& l = d.res.linear;
        return linear_resource(l.devPtr, l.sizeInBytes, l.format, l.numChannels, context);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
        const auto& p = d.res.pitch2D;
        return pitched_resource(p.devPtr, p.width, p.height, p.pitchInBytes, p.format, p.numChannels, context);
    }
    default: fail(CUDA_ERROR_INVALID_VALUE, "unknown type of resource");
    }
}

void apply_view(Resource& resource, const CUDA_RESOURCE_VIEW_DESC& view) {
    if (!resource.array && !resource.mipmapped) return; // drivers ignore it
    const ArrayShape& shape = resource.array ? resource.array->shape : resource.mipmapped->shape;
    TexelMemory& memory = resource.memory;
    const ViewFormat format = view_format(static_cast<int>(view.format));
    const Texel texel = checked_texel(format.format);
    need(channel_bytes(texel) * format.channels == shape.element_bytes,
         "the elements of a resource view have the size of the array's");
    memory.format = texel;
    memory.channels = format.channels;
    need(view.width == shape.descriptor.Width && view.height == shape.descriptor.Height &&
             view.depth == shape.descriptor.Depth,
         "a resource view has the extents of its array");
    // A last level or layer that the array has not is the last one that it has.
    const auto last_level = std::min<std::size_t>(view.lastMipmapLevel, memory.levels.size() - 1);
    need(view.firstMipmapLevel <= view.lastMipmapLevel && view.firstMipmapLevel <= last_level &&
             (resource.mipmapped || view.lastMipmapLevel == 0),
         "the levels of a resource view are not the array's");
    const auto first = memory.levels.begin();
    memory.levels =
        std::vector<TextureLevel>(first + view.firstMipmapLevel, first + static_cast<std::ptrdiff_t>(last_level) + 1);
    if (!memory.layered) {
        need(view.firstLayer == 0 && view.lastLayer == 0, "the array has no layers");
        return;
    }
    const auto last_layer = static_cast<unsigned>(std::min<std::uint64_t>(view.lastLayer, shape.slices - 1));
    need(view.firstLayer <= view.lastLayer && view.firstLayer <= last_layer,
         "the layers of a resource view are not the array's");
    const unsigned faces = memory.cubemap ? 6 : 1;
    memory.layers = std::max((last_layer - view.firstLayer + 1) / faces, 1U);
    for (TextureLevel& level : memory.levels)
        level.base += view.firstLayer * level.slice_bytes;
}

SamplerState sampler_of(const CUDA_TEXTURE_DESC& d, const Resource& resource) {
    const TexelMemory& memory = resource.memory;
    need((d.flags & ~kFlags) == 0, "unknown texture flags");
    SamplerState s;
    s.read_as_integer = (d.flags & kReadAsInteger) != 0;
    if (memory.linear) return s; // the rest does not concern it
    s.normalized_coordinates = (d.flags & kNormalized) != 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto mode = d.addressMode[i];
        const bool known = mode >= CU_TR_ADDRESS_MODE_WRAP && mode <= CU_TR_ADDRESS_MODE_BORDER;
        need(known || i >= memory.dimensions, "unknown address mode");
        if (!known) continue;
        // Wrapping and mirroring need normalised coordinates: without them the hardware clamps.
        s.address[i] = s.normalized_coordinates || mode == CU_TR_ADDRESS_MODE_BORDER ? mode : CU_TR_ADDRESS_MODE_CLAMP;
    }
    const auto known = [](CUfilter_mode mode) {
        return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
    };
    need(known(d.filterMode) && known(d.mipmapFilterMode), "unknown filter mode");
    s.filter = d.filterMode;
    s.mipmap_filter = d.mipmapFilterMode;
    const bool promoted = is_integer(memory.format) && !s.read_as_integer && channel_bytes(memory.format) < 4;
    s.srgb = (d.flags & kSrgb) != 0 && memory.format == Texel::u8 && promoted;
    s.seamless_cubemap = (d.flags & kSeamless) != 0;
    need(!s.seamless_cubemap || memory.cubemap, "only cubemaps can be filtered seamlessly");
    s.max_anisotropy = std::clamp(d.maxAnisotropy, 1U, 16U);
    s.level_bias = d.mipmapLevelBias;
    s.min_level = d.minMipmapLevelClamp;
    s.max_level = d.maxMipmapLevelClamp;
    std::copy_n(d.borderColor, 4, s.border.begin());
    return s;
}

Surface surface_of(const Resource& resource) {
    need(resource.array != nullptr, "a surface is of an array, or of one level of a mipmapped one");
    return Surface{resource.memory};
}

} // namespace warplight::software
