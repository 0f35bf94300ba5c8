// SPDX-License-Identifier: Apache-2.0
// Texture objects and function attributes, whose descriptions grew.
#include "runtime_api/texture.hpp"
#include "runtime_api/forms/major.hpp"

#include <cstring>

namespace warplight::runtime_api {

void function_attributes(const Functions& f, FunctionAttributes& attributes, const void* function);

namespace {

/// Bytes of what a version has of a structure.
constexpr std::size_t kTextureDescription = kMajor == 11 ? 68 : sizeof(TextureDescription);
constexpr std::size_t kFunctionAttributes = kMajor == 11 ? 56 : sizeof(FunctionAttributes);
/// 13 has reserved members behind these two.
constexpr std::size_t kResourceDescription = kMajor >= 13 ? 144 : sizeof(ResourceDescription);
constexpr std::size_t kResourceView = kMajor >= 13 ? 112 : sizeof(ResourceView);

template <class Value>
void give(void* target, std::size_t size, const Value& value) {
    std::memset(target, 0, size);
    std::memcpy(target, &value, size < sizeof value ? size : sizeof value);
}

Error create(CUtexObject* object, const ResourceDescription* resource, const void* texture, std::size_t size,
             const ResourceView* view) {
    return call([&](const Functions& f) {
        require(object && resource);
        require(texture, cudaErrorInvalidResourceHandle); // as NVIDIA's library answers
        TextureDescription t{};
        std::memcpy(&t, texture, size);
        return create_texture(f, object, resource, t, view);
    });
}

} // namespace

WL_RUNTIME(cudaFuncGetAttributes, (void* attributes, const void* function)) {
    return call([&](const Functions& f) {
        require(attributes);
        FunctionAttributes its{};
        function_attributes(f, its, function);
        give(attributes, kFunctionAttributes, its);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaCreateTextureObject,
           (CUtexObject * object, const ResourceDescription* resource, const void* texture, const ResourceView* view)) {
    return create(object, resource, texture, kTextureDescription, view);
}
WL_RUNTIME(cudaCreateTextureObject_v2,
           (CUtexObject * object, const ResourceDescription* resource, const void* texture, const ResourceView* view)) {
    return create(object, resource, texture, sizeof(TextureDescription), view);
}
WL_RUNTIME(cudaGetTextureObjectTextureDesc, (void* texture, CUtexObject object)) {
    return call([&](const Functions& f) {
        require(texture);
        give(texture, kTextureDescription, texture_description(f, object));
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGetTextureObjectTextureDesc_v2, (void* texture, CUtexObject object)) {
    return call([&](const Functions& f) {
        require(texture);
        give(texture, sizeof(TextureDescription), texture_description(f, object));
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGetTextureObjectResourceDesc, (void* resource, CUtexObject object)) {
    return call([&](const Functions& f) {
        require(resource);
        CUDA_RESOURCE_DESC d{};
        check(f.fn_cuTexObjectGetResourceDesc(&d, object));
        give(resource, kResourceDescription, runtime_resource(d));
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGetTextureObjectResourceViewDesc, (void* view, CUtexObject object)) {
    return call([&](const Functions& f) {
        require(view);
        give(view, kResourceView, resource_view(f, object));
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGetSurfaceObjectResourceDesc, (void* resource, CUsurfObject object)) {
    return call([&](const Functions& f) {
        require(resource);
        CUDA_RESOURCE_DESC d{};
        check(f.fn_cuSurfObjectGetResourceDesc(&d, object));
        give(resource, kResourceDescription, runtime_resource(d));
        return cudaSuccess;
    });
}

} // namespace warplight::runtime_api
