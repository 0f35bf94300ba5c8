// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects: the numbers that kernels get as arguments, and the descriptors of each.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>

namespace warplight::software {

class Context;

struct TextureObject {
    Context* context = nullptr;
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC texture{};
    std::optional<CUDA_RESOURCE_VIEW_DESC> view;
};
struct SurfaceObject {
    Context* context = nullptr;
    CUDA_RESOURCE_DESC resource{};
};

/// Throw as the descriptors' checks do (resource.hpp).
[[nodiscard]] CUtexObject create_texture_object(Context& context, const CUDA_RESOURCE_DESC& resource,
                                                const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view);
[[nodiscard]] CUsurfObject create_surface_object(Context& context, const CUDA_RESOURCE_DESC& resource);
/// Throw CUDA_ERROR_INVALID_VALUE for a number that is no such object.
[[nodiscard]] TextureObject texture_object(CUtexObject handle);
[[nodiscard]] SurfaceObject surface_object(CUsurfObject handle);
/// Wait for the kernels of the object's context. A number that is no object is ignored, as by drivers.
void destroy_texture_object(CUtexObject handle);
void destroy_surface_object(CUsurfObject handle);
/// An array or mipmapped array was destroyed: kernels that read objects of it fail from now on.
void array_is_gone(const void* array);
/// Ends the objects of a context that has ended.
void forget_texture_objects(const Context& context);

} // namespace warplight::software
