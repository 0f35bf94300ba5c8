// SPDX-License-Identifier: Apache-2.0
// Services of compiled kernels for textures and surfaces. Like other services they leave a fault by a jump.
#include "image_checks.hpp"
#include "sampling.hpp"
#include "software/jit/abi/texture_abi.hpp"
#include "surface_access.hpp"
#include "texel.hpp"
#include "texture.hpp"
#include "trap.hpp"

#include <bit>
#include <cstring>

namespace warplight::software {
namespace {

// A GPU calls all of these illegal addresses, but for the misaligned one.
constexpr const char* kNoTexture = "a texture instruction with a texture whose memory is gone";
constexpr const char* kNoSurface = "a surface instruction with a surface whose memory is gone";
constexpr const char* kOutside = "an access outside of a surface";
constexpr const char* kMisaligned = "an access to a surface at a misaligned offset";

[[noreturn]] void raise(Fault fault, const char* what, std::uint32_t linear, std::uint32_t site) {
    Trap trap;
    trap.fault = fault;
    trap.what = what;
    trap.linear = linear;
    trap.site = site;
    raise_trap(trap);
}

const Texture& texture_at(const void* texture) { return *static_cast<const Texture*>(texture); }
const TexelMemory& surface_at(const void* surface) { return static_cast<const Surface*>(surface)->memory; }

/// A fault that is checked for is told, and the access is left out. True: it is.
bool is_left_out(SurfaceFault fault, const SurfaceRequest& request, const void* surface, const char* access) {
    if (fault == SurfaceFault::none) return false;
    if (tell_of_surface(fault, request, surface_at(surface), access)) return true;
    if (fault == SurfaceFault::boundary) raise(Fault::illegal_address, kOutside, request.linear, request.site);
    if (fault == SurfaceFault::misaligned) raise(Fault::misaligned, kMisaligned, request.linear, request.site);
    return false;
}

} // namespace

/// Called where services are linked (see link_services).
void link_texture_services() {}

extern "C" {

// A number that is no handle has no texels and reads as 0.
const void* wl_rt_texture(std::uint64_t handle) {
    static const auto* const nothing = new Texture;
    const Texture* texture = find_texture(handle);
    if (!texture) return nothing;
    return texture == gone_texture().get() ? nullptr : texture;
}
const void* wl_rt_surface(std::uint64_t handle) {
    static const auto* const nothing = new Surface;
    const Surface* surface = find_surface(handle);
    if (!surface) return nothing;
    return surface == gone_surface().get() ? nullptr : surface;
}

void wl_rt_no_texture(std::uint32_t linear, std::uint32_t site) {
    raise(Fault::illegal_address, kNoTexture, linear, site);
}
void wl_rt_no_surface(std::uint32_t linear, std::uint32_t site) {
    raise(Fault::illegal_address, kNoSurface, linear, site);
}

void wl_rt_tex(const void* texture, std::uint32_t geometry, std::uint32_t layer, float x, float y, float z, float level,
               std::uint32_t* result) {
    const Texture& t = texture_at(texture);
    sample(t.memory, t.sampler, static_cast<TextureGeometry>(geometry), layer, x, y, z, level, result);
}

void wl_rt_tex_fetch(const void* texture, std::int32_t x, std::uint32_t* result) {
    const Texture& t = texture_at(texture);
    fetch(t.memory, t.sampler, x, result);
}

void wl_rt_tex_lanes(const void* texture, std::uint32_t geometry, const TextureLanes* all) {
    const Texture& t = texture_at(texture);
    sample_lanes(t.memory, t.sampler, static_cast<TextureGeometry>(geometry), *all);
}

void wl_rt_tex_fetch_lanes(const void* texture, const TextureLanes* all) {
    const Texture& t = texture_at(texture);
    fetch_lanes(t.memory, t.sampler, *all);
}

void wl_rt_tex_request(const void* texture, const TextureRequest* request, std::uint32_t* result) {
    const Texture& t = texture_at(texture);
    if (ptx::is_sampler(request->sampler))
        sample(t.memory, with_sampler(t.sampler, request->sampler), *request, result);
    else
        sample(t.memory, t.sampler, *request, result);
}

std::uint16_t wl_rt_half_of(std::uint32_t bits) {
    return float_to_half(static_cast<double>(std::bit_cast<float>(bits)));
}

std::uint32_t wl_rt_txq(std::uint64_t handle, std::uint32_t what, std::uint32_t level, std::uint32_t linear,
                        std::uint32_t site) {
    if (ptx::is_sampler(handle)) {
        SamplerState state;
        state.normalized_coordinates = true;
        return query({}, with_sampler(state, handle), static_cast<TextureQuery>(what), level);
    }
    const auto* texture = static_cast<const Texture*>(wl_rt_texture(handle));
    if (!texture) wl_rt_no_texture(linear, site);
    return query(texture->memory, texture->sampler, static_cast<TextureQuery>(what), level);
}

std::uint32_t wl_rt_suq(std::uint64_t handle, std::uint32_t what, std::uint32_t linear, std::uint32_t site) {
    const auto* surface = static_cast<const Surface*>(wl_rt_surface(handle));
    if (!surface) wl_rt_no_surface(linear, site);
    SamplerState state;
    state.read_as_integer = true; // a surface's elements are not normalised
    return query(surface->memory, state, static_cast<TextureQuery>(what), 0);
}

std::uint32_t wl_rt_istypep(std::uint64_t handle, std::uint32_t type) {
    switch (static_cast<OpaqueType>(type)) {
    case OpaqueType::texture: return find_texture(handle) != nullptr;
    case OpaqueType::sampler: return ptx::is_sampler(handle);
    case OpaqueType::surface: return find_surface(handle) != nullptr;
    }
    return 0;
}

void wl_rt_suld(const void* surface, const SurfaceRequest* request, std::uint32_t bytes, void* result) {
    if (is_left_out(load_surface(surface_at(surface), *request, bytes, result), *request, surface, "read"))
        std::memset(result, 0, bytes);
}

void wl_rt_sust(const void* surface, const SurfaceRequest* request, std::uint32_t bytes, const void* value) {
    (void)is_left_out(store_surface(surface_at(surface), *request, bytes, value), *request, surface, "write");
}

void wl_rt_sust_formatted(const void* surface, const SurfaceRequest* request, std::uint32_t channels,
                          const std::uint32_t* value) {
    (void)is_left_out(store_formatted(surface_at(surface), *request, channels, value), *request, surface, "write");
}

void wl_rt_sured(const void* surface, const SurfaceRequest* request, std::uint32_t reduction, std::uint32_t formatted,
                 std::uint64_t value) {
    (void)is_left_out(
        reduce_surface(surface_at(surface), *request, static_cast<SurfaceReduction>(reduction), formatted != 0, value),
        *request, surface, "atomic");
}

} // extern "C"

} // namespace warplight::software
