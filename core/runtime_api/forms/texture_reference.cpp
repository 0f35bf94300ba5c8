// SPDX-License-Identifier: Apache-2.0
// Texture and surface references, which 11 was the last to have.
#include "runtime_api/forms/major.hpp"

#if WARPLIGHT_RUNTIME_MAJOR == 11

#include "runtime_api/channel_format.hpp"
#include "runtime_api/registry.hpp"
#include "runtime_api/texture.hpp"

namespace warplight::runtime_api {

namespace {

Variable& reference_of(const void* reference, Variable::Kind kind, Error error) {
    Variable* const variable = find_variable(reference);
    require(variable && variable->kind == kind, error);
    return *variable;
}

CUmodule module_of(const Functions& f, Variable& variable) {
    CUmodule module = nullptr;
    check(f.fn_cuLibraryGetModule(&module, library_of(f, *variable.owner)));
    return module;
}

/// The driver's reference, with what the program set in its own.
CUtexref prepare(const Functions& f, const TextureReference* reference, const ChannelFormat& channels) {
    Variable& variable = reference_of(reference, Variable::Kind::texture, cudaErrorInvalidTexture);
    CUtexref texture = nullptr;
    const CUresult code = f.fn_cuModuleGetTexRef(&texture, module_of(f, variable), variable.name.c_str());
    require(code != CUDA_ERROR_NOT_FOUND, cudaErrorInvalidTexture);
    check(code);
    const DriverFormat format = driver_format(channels);
    check(f.fn_cuTexRefSetFormat(texture, format.format, static_cast<int>(format.channels)));
    for (int i = 0; i < 3; ++i)
        check(f.fn_cuTexRefSetAddressMode(texture, i, static_cast<CUaddress_mode>(reference->address_mode[i])));
    check(f.fn_cuTexRefSetFilterMode(texture, static_cast<CUfilter_mode>(reference->filter_mode)));
    const unsigned flags = (variable.normalized_reads ? 0U : texture_reads_integers) |
                           (reference->normalized ? texture_is_normalized : 0U) |
                           (reference->srgb ? texture_is_srgb : 0U);
    check(f.fn_cuTexRefSetFlags(texture, flags));
    return texture;
}

void set_levels(const Functions& f, CUtexref texture, const TextureReference& reference) {
    check(f.fn_cuTexRefSetMipmapFilterMode(texture, static_cast<CUfilter_mode>(reference.mipmap_filter_mode)));
    check(f.fn_cuTexRefSetMipmapLevelBias(texture, reference.mipmap_level_bias));
    check(
        f.fn_cuTexRefSetMipmapLevelClamp(texture, reference.min_mipmap_level_clamp, reference.max_mipmap_level_clamp));
    check(f.fn_cuTexRefSetMaxAnisotropy(texture, reference.max_anisotropy));
}

void set_offset(const TextureReference* reference, std::size_t offset) {
    reference_of(reference, Variable::Kind::texture, cudaErrorInvalidTexture).offset = offset;
}

/// Bytes between an address and the one before it where a texture can begin.
std::size_t offset_of(const Functions& f, const void* pointer) {
    CUdevice device = 0;
    int alignment = 0;
    check(f.fn_cuCtxGetDevice(&device));
    check(f.fn_cuDeviceGetAttribute(&alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, device));
    return reinterpret_cast<CUdeviceptr>(pointer) % static_cast<std::size_t>(alignment);
}

constexpr unsigned kOverrideFormat = 1; ///< CU_TRSA_OVERRIDE_FORMAT

} // namespace

WL_RUNTIME(cudaBindTexture, (std::size_t* offset, const TextureReference* reference, const void* pointer,
                             const ChannelFormat* format, std::size_t size)) {
    return call([&](const Functions& f) {
        require(reference, cudaErrorInvalidTexture);
        require(format);
        const CUtexref texture = prepare(f, reference, *format);
        std::size_t its = 0;
        // As much as there is where the program does not say.
        if (constexpr std::size_t unlimited = 0xffffffff; size == unlimited) {
            CUdeviceptr begin = 0;
            std::size_t all = 0;
            check(f.fn_cuMemGetAddressRange(&begin, &all, reinterpret_cast<CUdeviceptr>(pointer)));
            size = all - (reinterpret_cast<CUdeviceptr>(pointer) - begin);
        }
        check(f.fn_cuTexRefSetAddress(&its, texture, reinterpret_cast<CUdeviceptr>(pointer), size));
        require(offset || its == 0);
        if (offset) *offset = its;
        set_offset(reference, its);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaBindTexture2D, (std::size_t* offset, const TextureReference* reference, const void* pointer,
                               const ChannelFormat* format, std::size_t width, std::size_t height, std::size_t pitch)) {
    return call([&](const Functions& f) {
        require(reference, cudaErrorInvalidTexture);
        require(format);
        const CUtexref texture = prepare(f, reference, *format);
        const DriverFormat its = driver_format(*format);
        const std::size_t before = offset_of(f, pointer);
        const ChannelFormat bits = runtime_format(its.format, its.channels); // some kinds are formats whatever x is
        const auto texel = static_cast<std::size_t>(bits.x + bits.y + bits.z + bits.w) / 8;
        require(before == 0 || (offset && before % texel == 0));
        CUDA_ARRAY_DESCRIPTOR d{};
        d.Width = width + before / texel;
        d.Height = height;
        d.Format = its.format;
        d.NumChannels = its.channels;
        check(f.fn_cuTexRefSetAddress2D(texture, &d, reinterpret_cast<CUdeviceptr>(pointer) - before, pitch));
        if (offset) *offset = before;
        set_offset(reference, before);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaBindTextureToArray, (const TextureReference* reference, Array array, const ChannelFormat* format)) {
    return call([&](const Functions& f) {
        require(reference, cudaErrorInvalidTexture);
        require(array, cudaErrorInvalidResourceHandle);
        require(format);
        check(f.fn_cuTexRefSetArray(prepare(f, reference, *format), array, kOverrideFormat));
        set_offset(reference, 0);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaBindTextureToMipmappedArray,
           (const TextureReference* reference, MipmappedArray array, const ChannelFormat* format)) {
    return call([&](const Functions& f) {
        require(reference, cudaErrorInvalidTexture);
        require(array, cudaErrorInvalidResourceHandle);
        require(format);
        const CUtexref texture = prepare(f, reference, *format);
        set_levels(f, texture, *reference);
        check(f.fn_cuTexRefSetMipmappedArray(texture, array, kOverrideFormat));
        set_offset(reference, 0);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaUnbindTexture, (const TextureReference* reference)) {
    return call([&](const Functions& f) {
        Variable& variable = reference_of(reference, Variable::Kind::texture, cudaErrorInvalidTexture);
        CUtexref texture = nullptr;
        check(f.fn_cuModuleGetTexRef(&texture, module_of(f, variable), variable.name.c_str()));
        std::size_t offset = 0;
        variable.offset = Variable::not_bound;
        return f.fn_cuTexRefSetAddress(&offset, texture, 0, 0);
    });
}

WL_RUNTIME(cudaGetTextureAlignmentOffset, (std::size_t* offset, const TextureReference* reference)) {
    return call([&](const Functions&) {
        require(offset);
        const std::size_t its = reference_of(reference, Variable::Kind::texture, cudaErrorInvalidTexture).offset;
        require(its != Variable::not_bound, cudaErrorInvalidTextureBinding);
        *offset = its;
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaGetTextureReference, (const TextureReference** reference, const void* symbol)) {
    return call([&](const Functions&) {
        require(reference);
        *reference = static_cast<const TextureReference*>(
            reference_of(symbol, Variable::Kind::texture, cudaErrorInvalidTexture).address);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaBindSurfaceToArray, (const void* reference, Array array, const ChannelFormat* format)) {
    return call([&](const Functions& f) {
        Variable& variable = reference_of(reference, Variable::Kind::surface, cudaErrorInvalidSurface);
        require(array, cudaErrorInvalidResourceHandle);
        require(format);
        CUsurfref surface = nullptr;
        check(f.fn_cuModuleGetSurfRef(&surface, module_of(f, variable), variable.name.c_str()));
        return f.fn_cuSurfRefSetArray(surface, array, 0);
    });
}

WL_RUNTIME(cudaGetSurfaceReference, (const void** reference, const void* symbol)) {
    return call([&](const Functions&) {
        require(reference);
        *reference = reference_of(symbol, Variable::Kind::surface, cudaErrorInvalidSurface).address;
        return cudaSuccess;
    });
}

} // namespace warplight::runtime_api

#endif
