// SPDX-License-Identifier: Apache-2.0
#include "../runtime/texture_object.hpp"

#include "entry.hpp"

#include "../runtime/capture.hpp"

#include <cstddef>
#include <cstring>

using namespace warplight::software;

namespace {
TextureObject object_of(CUtexObject handle) {
    const Context& context = current_context();
    TextureObject object = texture_object(handle);
    if (object.context != &context) fail(CUDA_ERROR_INVALID_VALUE, "the texture object belongs to another context");
    return object;
}
} // namespace

WL_ENTRY(cuTexObjectCreate, (CUtexObject * pTexObject, const CUDA_RESOURCE_DESC* pResDesc,
                             const CUDA_TEXTURE_DESC* pTexDesc, const CUDA_RESOURCE_VIEW_DESC* pResViewDesc)) {
    return enter([&] {
        Context& context = current_context();
        forbid_unsafe_call();
        require(pTexObject && pResDesc && pTexDesc);
        *pTexObject = create_texture_object(context, *pResDesc, *pTexDesc, pResViewDesc);
    });
}

WL_ENTRY(cuTexObjectDestroy, (CUtexObject texObject)) {
    return enter([&] {
        (void)current_context();
        forbid_unsafe_call();
        destroy_texture_object(texObject);
    });
}

WL_ENTRY(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC * pResDesc, CUtexObject texObject)) {
    return enter([&] {
        require(pResDesc);
        *pResDesc = object_of(texObject).resource;
    });
}

WL_ENTRY(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC * pTexDesc, CUtexObject texObject)) {
    return enter([&] {
        require(pTexDesc);
        const CUDA_TEXTURE_DESC texture = object_of(texObject).texture;
        // Drivers leave the border's colour alone.
        std::memcpy(pTexDesc, &texture, offsetof(CUDA_TEXTURE_DESC, borderColor));
    });
}

WL_ENTRY(cuTexObjectGetResourceViewDesc, (CUDA_RESOURCE_VIEW_DESC * pResViewDesc, CUtexObject texObject)) {
    return enter([&] {
        require(pResViewDesc);
        const TextureObject object = object_of(texObject);
        if (object.view) *pResViewDesc = *object.view; // else drivers tell nothing
    });
}
