// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects in both descriptions. What differs between versions of the library calls these.
#pragma once

#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

CUresult create_texture(const Functions& f, CUtexObject* object, const ResourceDescription* resource,
                        const TextureDescription& texture, const ResourceView* view);
CUDA_RESOURCE_DESC driver_resource(const ResourceDescription& resource);
ResourceDescription runtime_resource(const CUDA_RESOURCE_DESC& resource);
TextureDescription texture_description(const Functions& f, CUtexObject object);
ResourceView resource_view(const Functions& f, CUtexObject object);

enum TextureFlags : unsigned {
    texture_reads_integers = 1,
    texture_is_normalized = 2,
    texture_is_srgb = 0x10,
    texture_without_trilinear_optimization = 0x20,
    texture_is_seamless = 0x40,
};

} // namespace warplight::runtime_api
