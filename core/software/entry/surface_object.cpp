// SPDX-License-Identifier: Apache-2.0
#include "../runtime/texture_object.hpp"

#include "entry.hpp"

#include "../runtime/capture.hpp"

using namespace warplight::software;

WL_ENTRY(cuSurfObjectCreate, (CUsurfObject * pSurfObject, const CUDA_RESOURCE_DESC* pResDesc)) {
    return enter([&] {
        Context& context = current_context();
        forbid_unsafe_call();
        require(pSurfObject && pResDesc);
        *pSurfObject = create_surface_object(context, *pResDesc);
    });
}

WL_ENTRY(cuSurfObjectDestroy, (CUsurfObject surfObject)) {
    return enter([&] {
        (void)current_context();
        forbid_unsafe_call();
        destroy_surface_object(surfObject);
    });
}

WL_ENTRY(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC * pResDesc, CUsurfObject surfObject)) {
    return enter([&] {
        (void)current_context();
        require(pResDesc);
        *pResDesc = surface_object(surfObject).resource;
    });
}
