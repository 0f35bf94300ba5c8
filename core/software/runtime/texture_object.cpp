// SPDX-License-Identifier: Apache-2.0
#include "texture_object.hpp"

#include "context.hpp"
#include "failure.hpp"
#include "resource.hpp"
#include "texture.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warplight::software {
namespace {

template <class Object>
struct Objects {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, Object> known;

    void add(std::uint64_t handle, const Object& object) {
        const std::scoped_lock lock(mutex);
        known.emplace(handle, object);
    }
    std::optional<Object> find(std::uint64_t handle) {
        const std::scoped_lock lock(mutex);
        const auto found = known.find(handle);
        return found == known.end() ? std::nullopt : std::optional(found->second);
    }
    Object get(std::uint64_t handle, const char* what) {
        auto found = find(handle);
        if (!found) fail(CUDA_ERROR_INVALID_VALUE, what);
        return *std::move(found);
    }
    template <class Condition>
    std::vector<std::uint64_t> all_that(Condition condition) {
        const std::scoped_lock lock(mutex);
        std::vector<std::uint64_t> handles;
        for (const auto& [handle, object] : known)
            if (condition(object)) handles.push_back(handle);
        return handles;
    }
    bool remove(std::uint64_t handle) {
        const std::scoped_lock lock(mutex);
        return known.erase(handle) != 0;
    }
    template <class Remove>
    void forget(const Context& context, Remove remove_number) {
        const std::scoped_lock lock(mutex);
        std::erase_if(known, [&](const auto& entry) {
            if (entry.second.context != &context) return false;
            (void)remove_number(entry.first);
            return true;
        });
    }
};

Objects<TextureObject>& textures() {
    static auto* all = new Objects<TextureObject>;
    return *all;
}
Objects<SurfaceObject>& surfaces() {
    static auto* all = new Objects<SurfaceObject>;
    return *all;
}

constexpr const char* kNoTexture = "not a texture object, or no longer one";
constexpr const char* kNoSurface = "not a surface object, or no longer one";

} // namespace

CUtexObject create_texture_object(Context& context, const CUDA_RESOURCE_DESC& resource,
                                  const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view) {
    const auto zero = [](int word) { return word == 0; };
    if (!std::all_of(std::begin(texture.reserved), std::end(texture.reserved), zero) ||
        (view && !std::all_of(std::begin(view->reserved), std::end(view->reserved), zero)))
        fail(CUDA_ERROR_INVALID_VALUE, "the reserved fields of a texture and of its view are zero");
    if (texture.addressMode[0] < CU_TR_ADDRESS_MODE_WRAP || texture.addressMode[0] > CU_TR_ADDRESS_MODE_BORDER ||
        texture.filterMode < CU_TR_FILTER_MODE_POINT || texture.filterMode > CU_TR_FILTER_MODE_LINEAR ||
        texture.mipmapFilterMode < CU_TR_FILTER_MODE_POINT || texture.mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR)
        fail(CUDA_ERROR_INVALID_VALUE, "there is no such address or filter mode");
    Resource shown = resource_of(resource, context);
    if (view) apply_view(shown, *view);
    const bool of_array = shown.array || shown.mipmapped;
    auto made = std::make_shared<Texture>();
    made->sampler = sampler_of(texture, shown);
    made->memory = std::move(shown.memory);
    find_plain(*made);
    const bool there = !made->memory.levels.empty();
    const CUtexObject handle = add_texture(there ? std::move(made) : gone_texture());
    TextureObject object{&context, resource, texture, std::nullopt};
    if (view && of_array) object.view = *view;
    textures().add(handle, object);
    return handle;
}

CUsurfObject create_surface_object(Context& context, const CUDA_RESOURCE_DESC& resource) {
    const CUsurfObject handle = add_surface(std::make_shared<Surface>(surface_of(resource_of(resource, context))));
    surfaces().add(handle, {&context, resource});
    return handle;
}

TextureObject texture_object(CUtexObject handle) { return textures().get(handle, kNoTexture); }
SurfaceObject surface_object(CUsurfObject handle) { return surfaces().get(handle, kNoSurface); }

void destroy_texture_object(CUtexObject handle) {
    const auto object = textures().find(handle);
    if (!object) return;
    object->context->drain();
    if (textures().remove(handle)) (void)remove_texture(handle);
}

void destroy_surface_object(CUsurfObject handle) {
    const auto object = surfaces().find(handle);
    if (!object) return;
    object->context->drain();
    if (surfaces().remove(handle)) (void)remove_surface(handle);
}

void array_is_gone(const void* array) {
    const auto shows = [array](const CUDA_RESOURCE_DESC& d) {
        return (d.resType == CU_RESOURCE_TYPE_ARRAY && d.res.array.hArray == array) ||
               (d.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY && d.res.mipmap.hMipmappedArray == array);
    };
    for (const std::uint64_t handle : textures().all_that([&](const auto& o) { return shows(o.resource); }))
        (void)replace_texture(handle, gone_texture());
    for (const std::uint64_t handle : surfaces().all_that([&](const auto& o) { return shows(o.resource); }))
        (void)replace_surface(handle, gone_surface());
}

void forget_texture_objects(const Context& context) {
    textures().forget(context, remove_texture);
    surfaces().forget(context, remove_surface);
}

} // namespace warplight::software
