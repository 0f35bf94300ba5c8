// SPDX-License-Identifier: Apache-2.0
#include "../runtime/texture_reference.hpp"

#include "../runtime/array.hpp"
#include "../runtime/library.hpp"
#include "../runtime/module.hpp"

#include "entry.hpp"

#include <algorithm>

using namespace warplight::software;

namespace {

constexpr unsigned kFlags = 0x3F; // that drivers take of a reference: CU_TRSF_SEAMLESS_CUBEMAP is not

std::shared_ptr<TextureReference> reference_of(CUtexref handle) {
    auto reference = handles<TextureReference>().get(handle);
    reference->context.check();
    return reference;
}

template <class Change>
CUresult adjust(CUtexref handle, Change change) {
    return enter([&] { reference_of(handle)->adjust(change); });
}

/// tell(state) answers a question.
template <class Tell>
CUresult ask(CUtexref handle, Tell tell) {
    return enter([&] { tell(reference_of(handle)->state()); });
}

bool known(CUfilter_mode mode) { return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR; }

} // namespace

WL_ENTRY(cuModuleGetTexRef, (CUtexref * pTexRef, CUmodule hmod, const char* name)) {
    return enter([&] {
        const auto module = handles<Module>().get(hmod);
        module->context.check();
        require(pTexRef && name && *name);
        TextureReference* reference = module->texture_reference(name);
        if (!reference) fail(CUDA_ERROR_NOT_FOUND, std::string("the module has no texture reference '") + name + "'");
        *pTexRef = reinterpret_cast<CUtexref>(reference);
    });
}

WL_ENTRY(cuParamSetTexRef, (CUfunction hfunc, int, CUtexref hTexRef)) {
    return enter([&] {
        const Context& context = current_context();
        require(&function_of(hfunc).module->context == &context && &reference_of(hTexRef)->context == &context,
                CUDA_ERROR_INVALID_HANDLE);
        // Every reference of a module is there for all its kernels; drivers of today refuse any other way.
        fail(CUDA_ERROR_INVALID_VALUE, "kernels have the references of their module");
    });
}

WL_ENTRY(cuTexRefCreate, (CUtexref * pTexRef)) {
    return enter([&] {
        Context& context = current_context();
        require(pTexRef);
        auto reference = std::make_shared<TextureReference>(context, false);
        handles<TextureReference>().add(reference);
        *pTexRef = reinterpret_cast<CUtexref>(reference.get());
    });
}

WL_ENTRY(cuTexRefDestroy, (CUtexref hTexRef)) {
    return enter([&] {
        if (reference_of(hTexRef)->of_module) fail(CUDA_ERROR_INVALID_VALUE, "the reference goes with its module");
        require(handles<TextureReference>().remove(hTexRef));
    });
}

WL_ENTRY(cuTexRefSetArray, (CUtexref hTexRef, CUarray hArray, unsigned int Flags)) {
    return enter([&] {
        const auto reference = reference_of(hTexRef);
        require(Flags <= CU_TRSA_OVERRIDE_FORMAT);
        require(hArray, CUDA_ERROR_INVALID_HANDLE);
        const auto array = array_of(hArray);
        require(&array->context == &reference->context, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
        reference->bind([&](TextureReference::State& s) {
            s.array = array;
            if (Flags == 0) return; // the reference keeps its own format
            s.format = array->shape.descriptor.Format;
            s.channels = array->shape.descriptor.NumChannels;
        });
    });
}

WL_ENTRY_SINCE(cuTexRefSetMipmappedArray, 5000,
               (CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags)) {
    return enter([&] {
        const auto reference = reference_of(hTexRef);
        require(Flags == CU_TRSA_OVERRIDE_FORMAT);
        const auto array = mipmapped_array_of(hMipmappedArray);
        require(&array->context == &reference->context, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
        reference->bind([&](TextureReference::State& s) {
            s.mipmapped = array;
            s.format = array->shape.descriptor.Format;
            s.channels = array->shape.descriptor.NumChannels;
            s.sampler.flags |= CU_TRSF_NORMALIZED_COORDINATES;
        });
    });
}

WL_ENTRY(cuTexRefSetAddress_v2, (size_t* ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)) {
    return enter([&] {
        const auto reference = reference_of(hTexRef);
        const std::size_t offset = dptr % texture_alignment(reference->context);
        if (offset != 0 && !ByteOffset)
            fail(CUDA_ERROR_INVALID_VALUE, "the address is not aligned as textures are, and no offset was asked for");
        require(bytes <= SIZE_MAX - offset);
        reference->bind([&](TextureReference::State& s) {
            s.of_memory = true;
            s.address = dptr - offset;
            s.bytes = bytes + offset;
        });
        if (ByteOffset) *ByteOffset = offset;
    });
}

#undef cuTexRefSetAddress2D
namespace {
CUresult set_address_2d(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr, size_t Pitch) {
    return enter([&] {
        const auto reference = reference_of(hTexRef);
        require(desc && Pitch > 0);
        const auto texel = texel_of(desc->Format);
        require(texel && desc->Width <= Pitch / (channel_bytes(*texel) * std::max(desc->NumChannels, 1U)));
        reference->bind([&](TextureReference::State& s) {
            s.of_memory = true;
            s.address = dptr;
            s.pitched = *desc;
            s.pitch = Pitch;
            s.format = desc->Format;
            s.channels = desc->NumChannels;
        });
    });
}
} // namespace
WL_ENTRY_SINCE(cuTexRefSetAddress2D_v2, 3020,
               (CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr, size_t Pitch)) {
    return set_address_2d(hTexRef, desc, dptr, Pitch);
}
WL_ENTRY(cuTexRefSetAddress2D_v3,
         (CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr, size_t Pitch)) {
    return set_address_2d(hTexRef, desc, dptr, Pitch);
}

WL_ENTRY(cuTexRefSetFormat, (CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        require(texel_of(fmt).has_value());
        check_channels(static_cast<unsigned>(NumPackedComponents));
        s.format = fmt;
        s.channels = static_cast<unsigned>(NumPackedComponents);
    });
}

WL_ENTRY(cuTexRefSetAddressMode, (CUtexref hTexRef, int dim, CUaddress_mode am)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        require(dim >= 0 && dim < 3 && am >= CU_TR_ADDRESS_MODE_WRAP && am <= CU_TR_ADDRESS_MODE_BORDER);
        s.sampler.addressMode[dim] = am;
    });
}

WL_ENTRY(cuTexRefSetFilterMode, (CUtexref hTexRef, CUfilter_mode fm)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        require(known(fm));
        s.sampler.filterMode = fm;
    });
}

WL_ENTRY_SINCE(cuTexRefSetMipmapFilterMode, 5000, (CUtexref hTexRef, CUfilter_mode fm)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        require(known(fm));
        s.sampler.mipmapFilterMode = fm;
    });
}

WL_ENTRY_SINCE(cuTexRefSetMipmapLevelBias, 5000, (CUtexref hTexRef, float bias)) {
    return adjust(hTexRef, [&](TextureReference::State& s) { s.sampler.mipmapLevelBias = bias; });
}

WL_ENTRY_SINCE(cuTexRefSetMipmapLevelClamp, 5000,
               (CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        s.sampler.minMipmapLevelClamp = minMipmapLevelClamp;
        s.sampler.maxMipmapLevelClamp = maxMipmapLevelClamp;
    });
}

WL_ENTRY_SINCE(cuTexRefSetMaxAnisotropy, 5000, (CUtexref hTexRef, unsigned int maxAniso)) {
    return adjust(hTexRef,
                  [&](TextureReference::State& s) { s.sampler.maxAnisotropy = std::clamp(maxAniso, 1U, 16U); });
}

WL_ENTRY_SINCE(cuTexRefSetBorderColor, 8000, (CUtexref hTexRef, float* pBorderColor)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        require(pBorderColor);
        std::copy_n(pBorderColor, 4, s.sampler.borderColor);
    });
}

WL_ENTRY(cuTexRefSetFlags, (CUtexref hTexRef, unsigned int Flags)) {
    return adjust(hTexRef, [&](TextureReference::State& s) {
        require((Flags & ~kFlags) == 0);
        s.sampler.flags = Flags;
    });
}

WL_ENTRY(cuTexRefGetAddress_v2, (CUdeviceptr * pdptr, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        if (pdptr) *pdptr = s.address;
        require(s.of_memory);
    });
}

WL_ENTRY(cuTexRefGetArray, (CUarray * phArray, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(phArray && s.array);
        *phArray = reinterpret_cast<CUarray>(s.array.get());
    });
}

WL_ENTRY_SINCE(cuTexRefGetMipmappedArray, 5000, (CUmipmappedArray * phMipmappedArray, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(phMipmappedArray && s.mipmapped);
        *phMipmappedArray = reinterpret_cast<CUmipmappedArray>(s.mipmapped.get());
    });
}

WL_ENTRY(cuTexRefGetAddressMode, (CUaddress_mode * pam, CUtexref hTexRef, int dim)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pam && dim >= 0 && dim < 3);
        *pam = s.sampler.addressMode[dim];
    });
}

WL_ENTRY(cuTexRefGetFilterMode, (CUfilter_mode * pfm, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pfm);
        *pfm = s.sampler.filterMode;
    });
}

WL_ENTRY(cuTexRefGetFormat, (CUarray_format * pFormat, int* pNumChannels, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pFormat || pNumChannels);
        if (pFormat) *pFormat = s.format;
        if (pNumChannels) *pNumChannels = static_cast<int>(s.channels);
    });
}

WL_ENTRY_SINCE(cuTexRefGetMipmapFilterMode, 5000, (CUfilter_mode * pfm, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pfm);
        *pfm = s.sampler.mipmapFilterMode;
    });
}

WL_ENTRY_SINCE(cuTexRefGetMipmapLevelBias, 5000, (float* pbias, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pbias);
        *pbias = s.sampler.mipmapLevelBias;
    });
}

WL_ENTRY_SINCE(cuTexRefGetMipmapLevelClamp, 5000,
               (float* pminMipmapLevelClamp, float* pmaxMipmapLevelClamp, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pminMipmapLevelClamp && pmaxMipmapLevelClamp);
        *pminMipmapLevelClamp = s.sampler.minMipmapLevelClamp;
        *pmaxMipmapLevelClamp = s.sampler.maxMipmapLevelClamp;
    });
}

WL_ENTRY_SINCE(cuTexRefGetMaxAnisotropy, 5000, (int* pmaxAniso, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pmaxAniso);
        *pmaxAniso = static_cast<int>(s.sampler.maxAnisotropy);
    });
}

WL_ENTRY_SINCE(cuTexRefGetBorderColor, 8000, (float* pBorderColor, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pBorderColor);
        std::copy_n(s.sampler.borderColor, 4, pBorderColor);
    });
}

WL_ENTRY(cuTexRefGetFlags, (unsigned int* pFlags, CUtexref hTexRef)) {
    return ask(hTexRef, [&](const TextureReference::State& s) {
        require(pFlags);
        *pFlags = s.sampler.flags;
    });
}
