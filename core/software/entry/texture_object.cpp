// SPDX-License-Identifier: Apache-2.0
#include "../runtime/texture_object.hpp"

#include "entry.hpp"

using namespace warplight::software;

WL_ENTRY(cuTexObjectCreate, 5000,
         (CUtexObject * pTexObject, const CUDA_RESOURCE_DESC* pResDesc, const CUDA_TEXTURE_DESC* pTexDesc,
          const CUDA_RESOURCE_VIEW_DESC* pResViewDesc)) {
    return enter([&] {
        Context& context = current_context();
        require(pTexObject && pResDesc && pTexDesc);
        *pTexObject = create_texture_object(context, *pResDesc, *pTexDesc, pResViewDesc);
    });
}

WL_ENTRY(cuTexObjectDestroy, 5000, (CUtexObject texObject)) {
    return enter([&] {
        (void)current_context();
        destroy_texture_object(texObject);
    });
}

WL_ENTRY(cuTexObjectGetResourceDesc, 5000, (CUDA_RESOURCE_DESC * pResDesc, CUtexObject texObject)) {
    return enter([&] {
        (void)current_context();
        require(pResDesc);
        *pResDesc = texture_object(texObject).resource;
    });
}

WL_ENTRY(cuTexObjectGetTextureDesc, 5000, (CUDA_TEXTURE_DESC * pTexDesc, CUtexObject texObject)) {
    return enter([&] {
        (void)current_context();
        require(pTexDesc);
        *pTexDesc = texture_object(texObject).texture;
    });
}

WL_ENTRY(cuTexObjectGetResourceViewDesc, 5000, (CUDA_RESOURCE_VIEW_DESC * pResViewDesc, CUtexObject texObject)) {
    return enter([&] {
        (void)current_context();
        require(pResViewDesc);
        const TextureObject object = texture_object(texObject);
        if (!object.view) fail(CUDA_ERROR_INVALID_VALUE, "the texture object was made without a resource view");
        *pResViewDesc = *object.view;
    });
}
