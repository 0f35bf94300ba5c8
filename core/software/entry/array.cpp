// SPDX-License-Identifier: Apache-2.0
#include "../runtime/array.hpp"
#include "../runtime/texture_object.hpp"
#include "../runtime/texture_reference.hpp"

#include "entry.hpp"

#include "../runtime/capture.hpp"

using namespace warplight::software;

namespace {

/// Of any context that is there.
std::shared_ptr<Array> live_array(CUarray handle) {
    require(handle, CUDA_ERROR_INVALID_HANDLE);
    auto array = array_of(handle);
    array->context.check();
    return array;
}
std::shared_ptr<MipmappedArray> live_mipmapped_array(CUmipmappedArray handle) {
    require(handle, CUDA_ERROR_INVALID_HANDLE);
    auto array = mipmapped_array_of(handle);
    array->context.check();
    return array;
}

void create(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    Context& context = current_context();
    *handle = reinterpret_cast<CUarray>(create_array(context, descriptor).get());
}

} // namespace

WL_ENTRY(cuArrayCreate_v2, (CUarray * pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray)) {
    return enter([&] {
        (void)current_context();
        forbid_unsafe_call();
        require(pHandle && pAllocateArray);
        CUDA_ARRAY3D_DESCRIPTOR descriptor{};
        descriptor.Width = pAllocateArray->Width;
        descriptor.Height = pAllocateArray->Height;
        descriptor.Format = pAllocateArray->Format;
        descriptor.NumChannels = pAllocateArray->NumChannels;
        create(pHandle, descriptor);
    });
}

WL_ENTRY(cuArray3DCreate_v2, (CUarray * pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray)) {
    return enter([&] {
        (void)current_context();
        forbid_unsafe_call();
        require(pHandle && pAllocateArray);
        create(pHandle, *pAllocateArray);
    });
}

WL_ENTRY(cuArrayGetDescriptor_v2, (CUDA_ARRAY_DESCRIPTOR * pArrayDescriptor, CUarray hArray)) {
    if (const CUresult wrong = look_at([&] { require(hArray, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(pArrayDescriptor);
        const CUDA_ARRAY3D_DESCRIPTOR& d = live_array(hArray)->shape.descriptor;
        *pArrayDescriptor = {d.Width, d.Height, d.Format, d.NumChannels};
    });
}

WL_ENTRY(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR * pArrayDescriptor, CUarray hArray)) {
    if (const CUresult wrong = look_at([&] { require(hArray, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(pArrayDescriptor);
        *pArrayDescriptor = live_array(hArray)->shape.descriptor;
    });
}

WL_ENTRY(cuArrayDestroy, (CUarray hArray)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto array = live_array(hArray);
        if (array->level) fail(CUDA_ERROR_INVALID_HANDLE, "a level goes with its mipmapped array");
        array->context.drain(); // kernels that still run may use it
        require(handles<Array>().remove(hArray), CUDA_ERROR_INVALID_HANDLE);
        array_is_gone(hArray);
        unbind_references(hArray);
    });
}

WL_ENTRY(cuMipmappedArrayCreate, (CUmipmappedArray * pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                  unsigned int numMipmapLevels)) {
    return enter([&] {
        Context& context = current_context();
        forbid_unsafe_call();
        require(pHandle && pMipmappedArrayDesc);
        *pHandle = reinterpret_cast<CUmipmappedArray>(
            create_mipmapped_array(context, *pMipmappedArrayDesc, numMipmapLevels).get());
    });
}

WL_ENTRY(cuMipmappedArrayGetLevel, (CUarray * pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level)) {
    if (const CUresult wrong = look_at([&] { require(hMipmappedArray, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(pLevelArray);
        const auto array = live_mipmapped_array(hMipmappedArray);
        require(level < array->levels().size());
        *pLevelArray = reinterpret_cast<CUarray>(array->levels()[level].get());
    });
}

WL_ENTRY(cuMipmappedArrayDestroy, (CUmipmappedArray hMipmappedArray)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto array = live_mipmapped_array(hMipmappedArray);
        array->context.drain();
        require(handles<MipmappedArray>().remove(hMipmappedArray), CUDA_ERROR_INVALID_HANDLE);
        array_is_gone(hMipmappedArray);
        unbind_references(hMipmappedArray);
        for (const auto& level : array->levels()) {
            handles<Array>().remove(level.get());
            array_is_gone(level.get());
            unbind_references(level.get());
        }
    });
}
