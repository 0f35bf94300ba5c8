// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/texture.hpp"

#include "runtime_api/channel_format.hpp"

#include <algorithm>
#include <iterator>

namespace warplight::runtime_api {

namespace {
enum ResourceType : int { resource_array = 0, resource_mipmap = 1, resource_linear = 2, resource_pitched = 3 };
constexpr int kReadElements = 0, kReadNormalized = 1;
} // namespace

CUDA_RESOURCE_DESC driver_resource(const ResourceDescription& r) {
    CUDA_RESOURCE_DESC d{};
    switch (r.type) {
    case resource_array:
        require(r.resource.array.handle, cudaErrorInvalidResourceHandle);
        d.resType = CU_RESOURCE_TYPE_ARRAY;
        d.res.array.hArray = r.resource.array.handle;
        break;
    case resource_mipmap:
        require(r.resource.mipmap.handle, cudaErrorInvalidResourceHandle);
        d.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        d.res.mipmap.hMipmappedArray = r.resource.mipmap.handle;
        break;
    case resource_linear: {
        const DriverFormat format = driver_format(r.resource.linear.format);
        d.resType = CU_RESOURCE_TYPE_LINEAR;
        d.res.linear.devPtr = reinterpret_cast<CUdeviceptr>(r.resource.linear.address);
        d.res.linear.format = format.format;
        d.res.linear.numChannels = format.channels;
        d.res.linear.sizeInBytes = r.resource.linear.size;
        break;
    }
    case resource_pitched: {
        const DriverFormat format = driver_format(r.resource.pitched.format);
        d.resType = CU_RESOURCE_TYPE_PITCH2D;
        d.res.pitch2D.devPtr = reinterpret_cast<CUdeviceptr>(r.resource.pitched.address);
        d.res.pitch2D.format = format.format;
        d.res.pitch2D.numChannels = format.channels;
        d.res.pitch2D.width = r.resource.pitched.width;
        d.res.pitch2D.height = r.resource.pitched.height;
        d.res.pitch2D.pitchInBytes = r.resource.pitched.pitch;
        break;
    }
    default: throw Failure{cudaErrorInvalidValue};
    }
    return d;
}

ResourceDescription runtime_resource(const CUDA_RESOURCE_DESC& d) {
    ResourceDescription r{};
    r.type = static_cast<int>(d.resType);
    switch (d.resType) {
    case CU_RESOURCE_TYPE_ARRAY: r.resource.array.handle = d.res.array.hArray; break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: r.resource.mipmap.handle = d.res.mipmap.hMipmappedArray; break;
    case CU_RESOURCE_TYPE_LINEAR:
        r.resource.linear = {reinterpret_cast<void*>(d.res.linear.devPtr),
                             runtime_format(d.res.linear.format, d.res.linear.numChannels), d.res.linear.sizeInBytes};
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        r.resource.pitched = {reinterpret_cast<void*>(d.res.pitch2D.devPtr),
                              runtime_format(d.res.pitch2D.format, d.res.pitch2D.numChannels), d.res.pitch2D.width,
                              d.res.pitch2D.height, d.res.pitch2D.pitchInBytes};
        break;
    default: break;
    }
    return r;
}

CUresult create_texture(const Functions& f, CUtexObject* object, const ResourceDescription* resource,
                        const TextureDescription& t, const ResourceView* view) {
    require(object && resource);
    const CUDA_RESOURCE_DESC r = driver_resource(*resource);
    CUDA_TEXTURE_DESC d{};
    for (int i = 0; i < 3; ++i)
        d.addressMode[i] = static_cast<CUaddress_mode>(t.address_mode[i]);
    require(t.read_mode == kReadElements || t.read_mode == kReadNormalized);
    d.filterMode = static_cast<CUfilter_mode>(t.filter_mode);
    d.flags = (t.read_mode == kReadElements ? texture_reads_integers : 0U) |
              (t.normalized_coordinates ? texture_is_normalized : 0U) | (t.srgb ? texture_is_srgb : 0U) |
              (t.disable_trilinear_optimization ? texture_without_trilinear_optimization : 0U) |
              (t.seamless_cubemap ? texture_is_seamless : 0U);
    d.maxAnisotropy = t.max_anisotropy;
    d.mipmapFilterMode = static_cast<CUfilter_mode>(t.mipmap_filter_mode);
    d.mipmapLevelBias = t.mipmap_level_bias;
    d.minMipmapLevelClamp = t.min_mipmap_level_clamp;
    d.maxMipmapLevelClamp = t.max_mipmap_level_clamp;
    std::copy(std::begin(t.border_color), std::end(t.border_color), d.borderColor);
    if (!view) return f.fn_cuTexObjectCreate(object, &r, &d, nullptr);
    CUDA_RESOURCE_VIEW_DESC v{};
    v.format = static_cast<CUresourceViewFormat>(view->format);
    v.width = view->width;
    v.height = view->height;
    v.depth = view->depth;
    v.firstMipmapLevel = view->first_level;
    v.lastMipmapLevel = view->last_level;
    v.firstLayer = view->first_layer;
    v.lastLayer = view->last_layer;
    return f.fn_cuTexObjectCreate(object, &r, &d, &v);
}

TextureDescription texture_description(const Functions& f, CUtexObject object) {
    CUDA_TEXTURE_DESC d{};
    check(f.fn_cuTexObjectGetTextureDesc(&d, object));
    TextureDescription t{};
    for (int i = 0; i < 3; ++i)
        t.address_mode[i] = static_cast<int>(d.addressMode[i]);
    t.filter_mode = static_cast<int>(d.filterMode);
    t.read_mode = d.flags & texture_reads_integers ? kReadElements : kReadNormalized;
    t.srgb = d.flags & texture_is_srgb ? 1 : 0;
    std::copy(std::begin(d.borderColor), std::end(d.borderColor), t.border_color);
    t.normalized_coordinates = d.flags & texture_is_normalized ? 1 : 0;
    t.max_anisotropy = d.maxAnisotropy;
    t.mipmap_filter_mode = static_cast<int>(d.mipmapFilterMode);
    t.mipmap_level_bias = d.mipmapLevelBias;
    t.min_mipmap_level_clamp = d.minMipmapLevelClamp;
    t.max_mipmap_level_clamp = d.maxMipmapLevelClamp;
    t.disable_trilinear_optimization = d.flags & texture_without_trilinear_optimization ? 1 : 0;
    t.seamless_cubemap = d.flags & texture_is_seamless ? 1 : 0;
    return t;
}

ResourceView resource_view(const Functions& f, CUtexObject object) {
    CUDA_RESOURCE_VIEW_DESC v{};
    check(f.fn_cuTexObjectGetResourceViewDesc(&v, object));
    return {static_cast<int>(v.format), v.width,           v.height,     v.depth,
            v.firstMipmapLevel,         v.lastMipmapLevel, v.firstLayer, v.lastLayer};
}

WL_RUNTIME(cudaDestroyTextureObject, (CUtexObject object)) {
    return call([&](const Functions& f) { return object ? f.fn_cuTexObjectDestroy(object) : CUDA_SUCCESS; });
}
WL_RUNTIME(cudaCreateSurfaceObject, (CUsurfObject * object, const ResourceDescription* resource)) {
    return call([&](const Functions& f) {
        require(object && resource);
        const CUDA_RESOURCE_DESC r = driver_resource(*resource);
        return f.fn_cuSurfObjectCreate(object, &r);
    });
}
WL_RUNTIME(cudaDestroySurfaceObject, (CUsurfObject object)) {
    return call([&](const Functions& f) { return object ? f.fn_cuSurfObjectDestroy(object) : CUDA_SUCCESS; });
}

} // namespace warplight::runtime_api
