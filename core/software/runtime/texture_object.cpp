// SPDX-License-Identifier: Apache-2.0
#include "texture_object.hpp"

#include "context.hpp"
#include "failure.hpp"
#include "resource.hpp"
#include "texture.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>

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
    Object get(std::uint64_t handle, const char* what) {
        const std::scoped_lock lock(mutex);
        const auto found = known.find(handle);
        if (found == known.end()) fail(CUDA_ERROR_INVALID_VALUE, what);
        return found->second;
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
    Resource shown = resource_of(resource, context);
    if (view) apply_view(shown, *view);
    auto made = std::make_shared<Texture>();
    made->sampler = sampler_of(texture, shown);
    made->memory = std::move(shown.memory);
    const CUtexObject handle = add_texture(std::move(made));
    TextureObject object{&context, resource, texture, std::nullopt};
    if (view) object.view = *view;
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
    texture_object(handle).context->drain();
    if (!textures().remove(handle)) fail(CUDA_ERROR_INVALID_VALUE, kNoTexture);
    (void)remove_texture(handle);
}

void destroy_surface_object(CUsurfObject handle) {
    surface_object(handle).context->drain();
    if (!surfaces().remove(handle)) fail(CUDA_ERROR_INVALID_VALUE, kNoSurface);
    (void)remove_surface(handle);
}

void forget_texture_objects(const Context& context) {
    textures().forget(context, remove_texture);
    surfaces().forget(context, remove_surface);
}

} // namespace warplight::software
