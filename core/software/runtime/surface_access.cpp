// SPDX-License-Identifier: Apache-2.0
#include "surface_access.hpp"

#include "texel_formats.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace warplight::software {

Surface::Surface(TexelMemory texels) : memory(std::move(texels)) {
    if (memory.levels.empty()) return;
    const TextureLevel& level = memory.levels[0];
    const std::uint32_t height = std::max(level.height, 1U), depth = std::max(level.depth, 1U);
    const std::uint32_t slices = (memory.layered ? std::max(memory.layers, 1U) : 1) * (memory.cubemap ? 6 : 1);
    const std::uint64_t bytes = std::uint64_t{level.width} * memory.element_bytes();
    const std::uint64_t all =
        (std::uint64_t{slices} + depth) * level.slice_bytes + height * level.row_bytes + bytes; // or more
    if (all >> 31 != 0) return;
    plain = {level.base,
             static_cast<std::uint32_t>(bytes),
             height,
             depth,
             slices,
             static_cast<std::uint32_t>(level.row_bytes),
             static_cast<std::uint32_t>(level.slice_bytes)};
}

/// Errors are found in a GPU's order: with .trap the boundary is checked first, else the alignment.
SurfaceTarget target_of(const TexelMemory& memory, const SurfaceRequest& r, std::uint32_t bytes, std::uint32_t scale) {
    if (memory.levels.empty()) return {}; // no surface: reads are 0, writes go nowhere
    const TextureLevel& level = memory.levels[0];
    const bool layered = r.geometry == TextureGeometry::a1d || r.geometry == TextureGeometry::a2d;
    const unsigned dimensions = r.geometry == TextureGeometry::d3                                         ? 3
                                : r.geometry == TextureGeometry::d1 || r.geometry == TextureGeometry::a1d ? 1
                                                                                                          : 2;
    const std::int64_t row = std::int64_t{level.width} * memory.element_bytes();
    std::int64_t x = std::int64_t{r.x} * scale, y = dimensions > 1 ? r.y : 0, z = dimensions > 2 ? r.z : 0;
    const std::int64_t last_x = row - bytes, last_y = std::int64_t{level.height} - 1,
                       last_z = std::int64_t{level.depth} - 1;
    std::int64_t slices = memory.layered ? memory.layers : 1;
    if (memory.cubemap) slices *= 6;
    std::int64_t slice = layered ? std::int64_t{r.layer} : 0;
    const bool outside = x < 0 || x > last_x || y < 0 || y > last_y || z < 0 || z > last_z || slice >= slices;
    const bool misaligned = x % bytes != 0;
    if (r.bounds == SurfaceBounds::trap) {
        if (outside) return {nullptr, SurfaceFault::boundary};
        if (misaligned) return {nullptr, SurfaceFault::misaligned};
    } else {
        if (misaligned) return {nullptr, SurfaceFault::misaligned};
        if (outside && (r.bounds == SurfaceBounds::zero || last_x < 0)) return {};
        x = std::clamp(x, std::int64_t{0}, std::max(last_x, std::int64_t{0}));
        y = std::clamp(y, std::int64_t{0}, last_y);
        z = std::clamp(z, std::int64_t{0}, last_z);
        slice = std::min(slice, slices - 1);
    }
    return {level.base + static_cast<std::uint64_t>(slice + z) * level.slice_bytes +
            static_cast<std::uint64_t>(y) * level.row_bytes + static_cast<std::uint64_t>(x)};
}

namespace {

/// memcpy of a size that the compiler knows.
void copy(void* to, const void* from, std::uint32_t bytes) {
    switch (bytes) {
    case 1: std::memcpy(to, from, 1); break;
    case 2: std::memcpy(to, from, 2); break;
    case 4: std::memcpy(to, from, 4); break;
    case 8: std::memcpy(to, from, 8); break;
    case 16: std::memcpy(to, from, 16); break;
    default: std::memcpy(to, from, bytes); break;
    }
}

template <class T, class Combine>
void reduce(std::byte* at, T value, Combine combine) {
    // Blocks run side by side: reductions of several are one after the other.
    std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
    T old = word.load(std::memory_order_relaxed);
    while (!word.compare_exchange_weak(old, combine(old, value), std::memory_order_relaxed)) {
    }
}

template <class T>
void reduce_as(std::byte* at, std::uint64_t value, bool smallest) {
    const auto wanted = static_cast<T>(value);
    reduce<T>(at, wanted, [smallest](T a, T b) { return smallest ? std::min(a, b) : std::max(a, b); });
}

bool holds_signed(const TexelMemory& memory) {
    return memory.format == Texel::s8 || memory.format == Texel::s16 || memory.format == Texel::s32;
}

SurfaceReduction with_sign_of(SurfaceReduction reduction, const TexelMemory& memory) {
    const bool is_signed = holds_signed(memory);
    switch (reduction) {
    case SurfaceReduction::min_u32:
    case SurfaceReduction::min_s32: return is_signed ? SurfaceReduction::min_s32 : SurfaceReduction::min_u32;
    case SurfaceReduction::max_u32:
    case SurfaceReduction::max_s32: return is_signed ? SurfaceReduction::max_s32 : SurfaceReduction::max_u32;
    case SurfaceReduction::min_u64:
    case SurfaceReduction::min_s64: return is_signed ? SurfaceReduction::min_s64 : SurfaceReduction::min_u64;
    case SurfaceReduction::max_u64:
    case SurfaceReduction::max_s64: return is_signed ? SurfaceReduction::max_s64 : SurfaceReduction::max_u64;
    default: return reduction;
    }
}

template <class T>
void put(std::byte* at, std::size_t channel, T value) {
    std::memcpy(at + channel * sizeof(T), &value, sizeof(T));
}

} // namespace

std::uint32_t bytes_of(SurfaceReduction reduction) {
    switch (reduction) {
    case SurfaceReduction::add_64:
    case SurfaceReduction::min_u64:
    case SurfaceReduction::max_u64:
    case SurfaceReduction::min_s64:
    case SurfaceReduction::max_s64: return 8;
    default: return 4;
    }
}

SurfaceFault load_surface(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes, void* result) {
    const SurfaceTarget target = target_of(memory, request, bytes, 1);
    if (target.fault != SurfaceFault::none) return target.fault;
    if (target.at)
        copy(result, target.at, bytes);
    else
        std::memset(result, 0, bytes);
    return SurfaceFault::none;
}

SurfaceFault store_surface(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t bytes,
                           const void* value) {
    const SurfaceTarget target = target_of(memory, request, bytes, 1);
    if (target.at) copy(target.at, value, bytes);
    return target.fault;
}

void format_element(const TexelMemory& memory, std::uint32_t channels, const std::uint32_t* value, std::byte* to) {
    for (std::uint32_t c = 0; c < memory.channels; ++c) {
        const std::uint32_t word = c < channels ? value[c] : 0;
        const auto low = static_cast<std::int32_t>(word);
        switch (memory.format) {
        case Texel::u8: put(to, c, static_cast<std::uint8_t>(std::min(word, 255u))); break;
        case Texel::u16: put(to, c, static_cast<std::uint16_t>(std::min(word, 65535u))); break;
        case Texel::s8: put(to, c, static_cast<std::int8_t>(std::clamp(low, -128, 127))); break;
        case Texel::s16: put(to, c, static_cast<std::int16_t>(std::clamp(low, -32768, 32767))); break;
        case Texel::f16: put(to, c, float_to_half(static_cast<double>(std::bit_cast<float>(word)))); break;
        default: put(to, c, word); break;
        }
    }
}

SurfaceFault store_formatted(const TexelMemory& memory, const SurfaceRequest& request, std::uint32_t channels,
                             const std::uint32_t* value) {
    const std::uint32_t element = memory.element_bytes();
    const SurfaceTarget target = target_of(memory, request, element, element);
    if (target.at) format_element(memory, channels, value, target.at);
    return target.fault;
}

SurfaceFault reduce_surface(const TexelMemory& memory, const SurfaceRequest& request, SurfaceReduction reduction,
                            bool formatted, std::uint64_t value) {
    const std::uint32_t bytes = bytes_of(reduction);
    const SurfaceTarget target = target_of(memory, request, bytes, formatted ? memory.element_bytes() : 1);
    if (!target.at) return target.fault;
    if (formatted) reduction = with_sign_of(reduction, memory);
    std::byte* at = target.at;
    const auto low = static_cast<std::uint32_t>(value);
    switch (reduction) {
    case SurfaceReduction::add_32: reduce(at, low, [](auto a, auto b) { return a + b; }); break;
    case SurfaceReduction::add_64: reduce(at, value, [](auto a, auto b) { return a + b; }); break;
    case SurfaceReduction::and_32: reduce(at, low, [](auto a, auto b) { return a & b; }); break;
    case SurfaceReduction::or_32: reduce(at, low, [](auto a, auto b) { return a | b; }); break;
    case SurfaceReduction::min_u32: reduce_as<std::uint32_t>(at, value, true); break;
    case SurfaceReduction::max_u32: reduce_as<std::uint32_t>(at, value, false); break;
    case SurfaceReduction::min_s32: reduce_as<std::int32_t>(at, value, true); break;
    case SurfaceReduction::max_s32: reduce_as<std::int32_t>(at, value, false); break;
    case SurfaceReduction::min_u64: reduce_as<std::uint64_t>(at, value, true); break;
    case SurfaceReduction::max_u64: reduce_as<std::uint64_t>(at, value, false); break;
    case SurfaceReduction::min_s64: reduce_as<std::int64_t>(at, value, true); break;
    case SurfaceReduction::max_s64: reduce_as<std::int64_t>(at, value, false); break;
    }
    return SurfaceFault::none;
}

} // namespace warplight::software
