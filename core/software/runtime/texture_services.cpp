// SPDX-License-Identifier: Apache-2.0
// Services of compiled kernels for textures and surfaces. Like other services they leave a fault by a jump.
#include "image_accesses.hpp"
#include "image_checks.hpp"
#include "sampling.hpp"
#include "software/jit/abi/texture_abi.hpp"
#include "surface_access.hpp"
#include "texel_formats.hpp"
#include "texture.hpp"
#include "trap.hpp"

#include <bit>
#include <cstddef>
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

/// A number that is no handle has no texels and reads as 0.
const Texture& texture_or_nothing(std::uint64_t handle) {
    static const auto* const nothing = new Texture;
    const Texture* texture = find_texture(handle);
    return texture ? *texture : *nothing;
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

constexpr std::size_t kMostElementBytes = 16; ///< four channels

TracedAccess read_of_surface() {
    TracedAccess what{};
    what.reads = true;
    return what;
}
TracedAccess write_of_surface() {
    TracedAccess what{};
    what.writes = true;
    return what;
}
TracedAccess reduction_of_surface() {
    TracedAccess what{};
    what.reads = what.writes = what.strong = true;
    what.scope = static_cast<std::uint32_t>(FenceScope::device);
    return what;
}

} // namespace

/// Called where services are linked (see link_services).
void link_texture_services() {}

extern "C" {

const void* wl_rt_texture(std::uint64_t handle) {
    const Texture& texture = texture_or_nothing(handle);
    return &texture == gone_texture().get() ? nullptr : &texture;
}
const void* wl_rt_plain_texture(std::uint64_t handle) { return &texture_or_nothing(handle); }
const void* wl_rt_surface(std::uint64_t handle) {
    static const auto* const nothing = new Surface;
    const Surface* surface = find_surface(handle);
    if (!surface) return nothing;
    return surface == gone_surface().get() ? nullptr : surface;
}

const void* wl_rt_plain_surface(std::uint64_t handle) {
    static const auto* const nothing = new Surface;
    const Surface* surface = find_surface(handle);
    return surface ? surface : nothing;
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
    if (all->caller.block)
        return sample_lanes_looked_at({WARPLIGHT_CALLER(), all->caller.linear, all->caller.site}, t,
                                      static_cast<TextureGeometry>(geometry), false, *all);
    sample_lanes(t.memory, t.sampler, static_cast<TextureGeometry>(geometry), *all);
}

void wl_rt_tex_fetch_lanes(const void* texture, const TextureLanes* all) {
    const Texture& t = texture_at(texture);
    if (all->caller.block)
        return sample_lanes_looked_at({WARPLIGHT_CALLER(), all->caller.linear, all->caller.site}, t,
                                      TextureGeometry::d1, true, *all);
    fetch_lanes(t.memory, t.sampler, *all);
}

void wl_rt_tex_request(const void* texture, const TextureRequest* request, std::uint32_t* result) {
    const Texture& t = texture_at(texture);
    const KernelCaller caller{WARPLIGHT_CALLER(), request->caller.linear, request->caller.site};
    const auto sample_by = [&](const SamplerState& sampler) {
        if (request->caller.of_shadow) return sample_unwritten(t.memory, sampler, *request, result);
        if (request->caller.block) trace_texture(caller, t, sampler, *request);
        sample(t.memory, sampler, *request, result);
    };
    if (ptx::is_sampler(request->sampler))
        sample_by(with_sampler(t.sampler, request->sampler));
    else
        sample_by(t.sampler);
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
    const TexelMemory& memory = surface_at(surface);
    if (request->of_shadow) return load_unwritten(memory, *request, bytes, result);
    if (request->traced)
        trace_surface({WARPLIGHT_CALLER(), request->linear, request->site}, memory, *request, read_of_surface(), bytes,
                      1, nullptr);
    if (is_left_out(load_surface(memory, *request, bytes, result), *request, surface, "read"))
        std::memset(result, 0, bytes);
}

void wl_rt_sust(const void* surface, const SurfaceRequest* request, std::uint32_t bytes, const void* value) {
    const TexelMemory& memory = surface_at(surface);
    const KernelCaller caller{WARPLIGHT_CALLER(), request->linear, request->site};
    if (request->of_shadow) return store_unwritten(caller, memory, *request, bytes, value);
    if (request->traced)
        trace_surface(caller, memory, *request, write_of_surface(), bytes, 1, static_cast<const std::byte*>(value));
    (void)is_left_out(store_surface(memory, *request, bytes, value), *request, surface, "write");
}

void wl_rt_sust_formatted(const void* surface, const SurfaceRequest* request, std::uint32_t channels,
                          const std::uint32_t* value) {
    const TexelMemory& memory = surface_at(surface);
    const KernelCaller caller{WARPLIGHT_CALLER(), request->linear, request->site};
    if (request->of_shadow) return store_formatted_unwritten(caller, memory, *request, channels, value);
    if (request->traced) {
        std::byte element[kMostElementBytes];
        format_element(memory, channels, value, element);
        trace_surface(caller, memory, *request, write_of_surface(), memory.element_bytes(), memory.element_bytes(),
                      element);
    }
    (void)is_left_out(store_formatted(memory, *request, channels, value), *request, surface, "write");
}

void wl_rt_sured(const void* surface, const SurfaceRequest* request, std::uint32_t reduction, std::uint32_t formatted,
                 std::uint64_t value) {
    const TexelMemory& memory = surface_at(surface);
    const KernelCaller caller{WARPLIGHT_CALLER(), request->linear, request->site};
    const auto how = static_cast<SurfaceReduction>(reduction);
    if (request->of_shadow) return reduce_unwritten(caller, memory, *request, how, formatted != 0, value);
    if (request->traced)
        trace_surface(caller, memory, *request, reduction_of_surface(), bytes_of(how),
                      formatted ? memory.element_bytes() : 1, nullptr);
    (void)is_left_out(reduce_surface(memory, *request, how, formatted != 0, value), *request, surface, "atomic");
}

} // extern "C"

} // namespace warplight::software
