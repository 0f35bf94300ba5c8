// SPDX-License-Identifier: Apache-2.0
#include "../runtime/array.hpp"
#include "../runtime/module.hpp"
#include "../runtime/texture_reference.hpp"

#include "entry.hpp"

using namespace warplight::software;

namespace {
std::shared_ptr<SurfaceReference> reference_of(CUsurfref handle) {
    auto reference = handles<SurfaceReference>().get(handle);
    reference->context.check();
    return reference;
}
} // namespace

WL_ENTRY(cuModuleGetSurfRef, (CUsurfref * pSurfRef, CUmodule hmod, const char* name)) {
    return enter([&] {
        const auto module = handles<Module>().get(hmod);
        module->context.check();
        require(pSurfRef && name && *name);
        SurfaceReference* reference = module->surface_reference(name);
        if (!reference) fail(CUDA_ERROR_NOT_FOUND, std::string("the module has no surface reference '") + name + "'");
        *pSurfRef = reinterpret_cast<CUsurfref>(reference);
    });
}

WL_ENTRY(cuSurfRefSetArray, (CUsurfref hSurfRef, CUarray hArray, unsigned int Flags)) {
    return enter([&] {
        require(Flags == 0);
        const auto reference = reference_of(hSurfRef);
        require(hArray, CUDA_ERROR_INVALID_HANDLE);
        auto array = array_of(hArray);
        require(&array->context == &reference->context, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
        reference->bind(std::move(array));
    });
}

WL_ENTRY(cuSurfRefGetArray, (CUarray * phArray, CUsurfref hSurfRef)) {
    return enter([&] {
        const auto reference = reference_of(hSurfRef);
        require(phArray);
        const auto array = reference->array();
        if (!array) fail(CUDA_ERROR_INVALID_VALUE, "no array is bound to the surface reference");
        *phArray = reinterpret_cast<CUarray>(array.get());
    });
}
