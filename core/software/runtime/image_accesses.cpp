// SPDX-License-Identifier: Apache-2.0
#include "image_accesses.hpp"

#include "address_space.hpp"
#include "array.hpp"
#include "launch_checks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

namespace warplight::software {
namespace {

template <class Byte>
Byte* shadow_of(Byte* memory) {
    return memory + AddressSpace::instance().shadow_distance();
}

bool is_any_unwritten(const std::byte* shadow, std::size_t bytes) {
    return std::any_of(shadow, shadow + bytes, [](std::byte each) { return each != std::byte{0}; });
}

bool is_all_unwritten(const std::byte* shadow, std::size_t bytes) {
    return std::all_of(shadow, shadow + bytes, [](std::byte each) { return each == std::byte{0xff}; });
}

std::uint32_t channel_bytes_of(const TexelMemory& memory) { return memory.element_bytes() / memory.channels; }

/// The instruction of one of several threads.
TextureRequest request_of(const TextureLanes& all, TextureGeometry geometry, bool integers, std::uint32_t lane) {
    TextureRequest request{};
    request.geometry = geometry;
    request.integer_coordinates = integers;
    const float* at = all.coordinates + lane;
    if (integers) {
        request.i[0] = std::bit_cast<std::int32_t>(*at);
    } else {
        request.x = at[0];
        request.y = at[all.lanes];
        request.z = at[std::size_t{2} * all.lanes];
    }
    request.layer = all.layer ? all.layer[lane] : 0;
    request.level = all.level ? all.level[lane] : std::numeric_limits<float>::quiet_NaN();
    request.component = -1;
    request.caller = all.caller;
    request.caller.linear += lane;
    request.caller.active = 1;
    return request;
}

template <class Body>
void tell(const KernelCaller& caller, const BlockContext* block, Body body) {
    LaunchChecks* const checks = block ? checks_of(*block) : nullptr;
    if (!checks) return;
    enter_service(caller);
    without_exceptions(caller, [&] { body(*checks); });
}

void tell_write(const KernelCaller& caller, const SurfaceRequest& request, UninitialisedUse what, const std::byte* at) {
    tell(caller, request.block, [&](LaunchChecks& checks) {
        const auto address = reinterpret_cast<std::uint64_t>(at);
        if (checks.values()) checks.values()->use(*request.block, {request.linear, 1, &address, request.site, what});
    });
}

} // namespace

// --- races

void trace_texture(const KernelCaller& caller, const Texture& texture, const SamplerState& sampler,
                   const TextureRequest& request) {
    const ImageCaller& asks = request.caller;
    tell(caller, asks.block, [&](LaunchChecks& checks) {
        if (!checks.races()) return;
        TracedAccess what{};
        what.bytes = texture.memory.element_bytes();
        what.reads = what.image = true;
        const auto read = [&](const Footprint& footprint, std::uint32_t*) {
            for (std::size_t k = 0; k < footprint.count; ++k) {
                if (!footprint.element[k] || footprint.weight[k] == 0) continue;
                const auto address = reinterpret_cast<std::uint64_t>(footprint.element[k]);
                for (std::uint32_t left = asks.active; left != 0; left &= left - 1) {
                    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                    checks.races()->access(*asks.block,
                                           {asks.linear + lane, 1, &address, nullptr, asks.site, what, nullptr});
                }
            }
        };
        TextureResult unused;
        find_elements(texture.memory, sampler, request, read, unused);
    });
}

void trace_surface(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                   TracedAccess what, std::uint32_t bytes, std::uint32_t scale, const std::byte* value) {
    const SurfaceTarget target = target_of(memory, request, bytes, scale);
    if (!target.at) return;
    tell(caller, request.block, [&](LaunchChecks& checks) {
        if (!checks.races()) return;
        what.bytes = bytes;
        what.elements = value ? 1 : 0;
        what.image = true;
        const auto address = reinterpret_cast<std::uint64_t>(target.at);
        checks.races()->access(*request.block, {request.linear, 1, &address, value, request.site, what, nullptr});
    });
}

// --- values that nothing wrote

void sample_unwritten(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& request,
                      TextureResult result) {
    const std::uint32_t bytes = channel_bytes_of(memory);
    const auto look = [&](const Footprint& footprint, std::uint32_t* channels) {
        std::fill_n(channels, 4, 0U);
        for (std::size_t k = 0; k < footprint.count; ++k) {
            if (!footprint.element[k] || footprint.weight[k] == 0) continue;
            const std::byte* shadow = shadow_of(footprint.element[k]);
            if (footprint.count == 1 && bytes == sizeof(*channels)) {
                std::memcpy(channels, shadow, memory.element_bytes());
                return;
            }
            for (std::uint32_t c = 0; c < memory.channels; ++c)
                if (is_any_unwritten(shadow + std::size_t{c} * bytes, bytes)) channels[c] = ~0U;
        }
    };
    find_elements(memory, sampler, request, look, result);
}

void load_unwritten(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes, void* result) {
    const SurfaceTarget target = target_of(memory, request, bytes, 1);
    if (target.at)
        std::memcpy(result, shadow_of(target.at), bytes);
    else
        std::memset(result, 0, bytes);
}

void store_unwritten(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                     std::uint32_t bytes, const void* shadow) {
    const SurfaceTarget target = target_of(memory, request, bytes, 1);
    if (!target.at) return;
    std::memcpy(shadow_of(target.at), shadow, bytes);
    const std::uint32_t channel = std::min(channel_bytes_of(memory), bytes);
    for (std::uint32_t at = 0; at < bytes; at += channel) {
        if (!is_all_unwritten(static_cast<const std::byte*>(shadow) + at, channel)) continue;
        return tell_write(caller, request, {UninitialisedUse::Of::store, bytes}, target.at);
    }
}

void store_formatted_unwritten(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                               std::uint32_t channels, const std::uint32_t* shadow) {
    const std::uint32_t element = memory.element_bytes(), channel = channel_bytes_of(memory);
    const SurfaceTarget target = target_of(memory, request, element, element);
    if (!target.at) return;
    bool is_told = false;
    for (std::uint32_t c = 0; c < memory.channels; ++c) {
        const bool is_unwritten = c < channels && shadow[c] != 0;
        std::memset(shadow_of(target.at) + std::size_t{c} * channel, is_unwritten ? 0xff : 0, channel);
        is_told |= is_unwritten && shadow[c] == ~0U;
    }
    if (is_told) tell_write(caller, request, {UninitialisedUse::Of::store, element}, target.at);
}

void reduce_unwritten(const KernelCaller& caller, const TexelMemory& memory, const SurfaceRequest& request,
                      SurfaceReduction reduction, bool formatted, std::uint64_t shadow) {
    const std::uint32_t bytes = bytes_of(reduction);
    const SurfaceTarget target = target_of(memory, request, bytes, formatted ? memory.element_bytes() : 1);
    if (!target.at) return;
    std::uint64_t there = 0;
    std::memcpy(&there, shadow_of(target.at), bytes);
    there |= shadow;
    std::memcpy(shadow_of(target.at), &there, bytes);
    if (is_all_unwritten(shadow_of(target.at), bytes))
        tell_write(caller, request, {UninitialisedUse::Of::atomic, bytes}, target.at);
}

void sample_lanes_looked_at(const KernelCaller& caller, const Texture& texture, TextureGeometry geometry, bool integers,
                            const TextureLanes& all) {
    for (std::uint32_t left = all.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const TextureRequest request = request_of(all, geometry, integers, lane);
        if (!all.caller.of_shadow) {
            trace_texture(caller, texture, texture.sampler, request);
            continue;
        }
        TextureResult result;
        sample_unwritten(texture.memory, texture.sampler, request, result);
        for (std::uint32_t channel = 0; channel < 4; ++channel)
            all.result[std::size_t{channel} * all.lanes + lane] = result[channel];
    }
    if (all.caller.of_shadow) return;
    if (integers)
        fetch_lanes(texture.memory, texture.sampler, all);
    else
        sample_lanes(texture.memory, texture.sampler, geometry, all);
}

extern "C" void wl_rt_uninitialised_sums(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::byte* to,
                                         const std::byte* from, std::uint64_t bytes, std::uint32_t size) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    for (std::uint64_t at = 0; at + size <= bytes; at += size) {
        std::transform(to + at, to + at + size, from + at, to + at, [](std::byte a, std::byte b) { return a | b; });
        if (!is_all_unwritten(to + at, size)) continue;
        tell(caller, block, [&](LaunchChecks& checks) {
            const auto address = reinterpret_cast<std::uint64_t>(to + at) - block->launch->shadow_distance;
            if (checks.values())
                checks.values()->use(*block, {linear, 1, &address, site, {UninitialisedUse::Of::atomic, size}});
        });
    }
}

} // namespace warplight::software
