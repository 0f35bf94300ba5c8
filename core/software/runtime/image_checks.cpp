// SPDX-License-Identifier: Apache-2.0
#include "image_checks.hpp"

#include "address_space.hpp"
#include "launch_checks.hpp"
#include "service_call.hpp"
#include "texture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

namespace warplight::software {
namespace {

/// From the first byte that a level has to the last.
std::uint64_t bytes_of(const TexelMemory& memory, const TextureLevel& level) {
    const std::uint64_t row = std::uint64_t{level.width} * memory.element_bytes();
    return (std::uint64_t{level.height} - 1) * level.row_bytes + row;
}

/// Of an object that shows memory which is no array: that may have been freed since.
std::optional<ImageProblem> problem_of(const TexelMemory& memory, const char* kind) {
    if (memory.owner || memory.levels.empty()) return std::nullopt;
    const TextureLevel& level = memory.levels.front();
    const auto base = reinterpret_cast<std::uint64_t>(level.base);
    const std::uint64_t bytes = bytes_of(memory, level);
    const AddressSpace& space = AddressSpace::instance();
    if (const auto there = space.find(base)) {
        const bool mapped = there->kind == Allocation::Kind::mapped;
        const std::uint64_t room = mapped ? space.room(base) : there->base + there->size - base;
        if (room >= bytes) return std::nullopt;
        return ImageProblem{fmt::format("a {} of {} bytes at the address 0x{:x}, where {} has only {} more. Make it as "
                                        "large as the memory: its width, height and pitch tell its size.",
                                        kind, bytes, base, AddressSpace::name_of(*there), room),
                            base, bytes, AddressSpace::name_of(*there)};
    }
    ImageProblem problem{{}, base, bytes, {}};
    AddressSpace::Naming naming;
    naming.meant = base;
    if (const auto freed = space.find_or_freed(base)) problem.allocation = AddressSpace::name_of(*freed);
    problem.message = fmt::format("a {} whose memory, at the address 0x{:x}, is gone: {}. Free memory after the last "
                                  "kernel that uses it, and make a new object for new memory.",
                                  kind, base, space.describe(base, naming));
    return problem;
}

ImageProblem no_object(const char* kind) {
    return {
        fmt::format("a {} object that is none: it was destroyed, or never made. It reads as 0. Destroy it after the "
                    "last kernel that uses it.",
                    kind)};
}

ImageProblem gone(const char* kind) {
    return {.message = fmt::format(
                "a {} whose memory is gone: its array was destroyed. Destroy the array after the last kernel "
                "that uses the {}.",
                kind, kind)};
}

/// The object to use.
template <class Object>
const void* checked(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint64_t handle,
                    std::uint32_t site, const Object* found, const Object* gone_one, const char* kind,
                    const KernelCaller& caller) {
    static const auto* const nothing = new Object; // without texels: it reads as 0
    enter_service(caller);
    const bool usable = without_exceptions(caller, [&] {
        std::optional<ImageProblem> problem;
        if (!found && handle != 0)
            problem = no_object(kind);
        else if (found == gone_one)
            problem = gone(kind);
        else if (found)
            problem = problem_of(found->memory, kind);
        if (!problem) return true;
        const LaunchChecks* const checks = checks_of(*block);
        return !checks || !checks->tell_image(*block, linear, active, site, "read", *problem);
    });
    if (!usable || !found) return nothing;
    return found == gone_one ? nullptr : found;
}

} // namespace

bool LaunchChecks::tell_image(const BlockContext& block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                              const char* access, const ImageProblem& problem) const {
    if (!checks_.has(findings::Check::memory)) return false;
    for (; active != 0; active &= active - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(active));
        checked_.keep(block, {linear + lane, site}, access, "image", [&](findings::Finding& f) {
            f.kind = findings::name_of(findings::Check::memory);
            f.size = problem.bytes;
            f.address = problem.address;
            f.allocation = problem.allocation;
            f.message = problem.message;
        });
    }
    return true;
}

bool tell_of_surface(SurfaceFault fault, const SurfaceRequest& request, const TexelMemory& memory, const char* access) {
    const LaunchChecks* const checks = request.block ? checks_of(*request.block) : nullptr;
    if (!checks || memory.levels.empty()) return false;
    const TextureLevel& level = memory.levels.front();
    const std::uint64_t row = std::uint64_t{level.width} * memory.element_bytes();
    ImageProblem problem;
    if (fault == SurfaceFault::misaligned)
        problem.message =
            fmt::format("a {} of a surface at x = {}, which is no multiple of its size. A surface counts x "
                        "in bytes: multiply the column by the size of an element.",
                        access, request.x);
    else
        problem.message = fmt::format(
            "a {} of a surface at ({}, {}, {}), outside of its {} bytes by {} rows{}. x counts bytes: compare "
            "the column and the row with the surface's size.",
            access, request.x, request.y, request.z, row, level.height,
            level.depth > 1 ? fmt::format(" by {}", level.depth) : std::string());
    return checks->tell_image(*request.block, request.linear, 1, request.site, access, problem);
}

namespace {

/// Null where something is to be told.
template <class Object>
const Object* usable(const KernelCaller& caller, const Object* found, const Object* gone_one) {
    enter_service(caller);
    if (!found || found == gone_one) return nullptr;
    return without_exceptions(caller, [&] { return problem_of(found->memory, ""); }) ? nullptr : found;
}

/// Without texels where the memory has no shadow: all is written there.
template <class Object>
const Object* shadowed(const Object* found) {
    static const auto* const nothing = new Object;
    if (!found) return nothing;
    const auto is_covered = [](const TextureLevel& level) {
        return AddressSpace::instance().covers(reinterpret_cast<std::uint64_t>(level.base));
    };
    const auto& levels = found->memory.levels;
    return std::all_of(levels.begin(), levels.end(), is_covered) ? found : nothing;
}

} // namespace

extern "C" const void* wl_rt_usable_texture(std::uint64_t handle) {
    return usable<Texture>({WARPLIGHT_CALLER()}, find_texture(handle), gone_texture().get());
}

extern "C" const void* wl_rt_usable_surface(std::uint64_t handle) {
    return usable<Surface>({WARPLIGHT_CALLER()}, find_surface(handle), gone_surface().get());
}

extern "C" const void* wl_rt_shadowed_texture(std::uint64_t handle) {
    return shadowed(usable<Texture>({WARPLIGHT_CALLER()}, find_texture(handle), gone_texture().get()));
}

extern "C" const void* wl_rt_shadowed_surface(std::uint64_t handle) {
    return shadowed(usable<Surface>({WARPLIGHT_CALLER()}, find_surface(handle), gone_surface().get()));
}

extern "C" std::uint32_t wl_rt_texture_shows(std::uint64_t handle, std::uint64_t begin, std::uint64_t bytes) {
    const Texture* const texture = find_texture(handle);
    if (!texture || texture->memory.owner || texture->memory.levels.empty()) return 0;
    const TextureLevel& level = texture->memory.levels.front();
    const auto base = reinterpret_cast<std::uint64_t>(level.base);
    return bytes == 0 || (base < begin + bytes && begin < base + bytes_of(texture->memory, level));
}

extern "C" const void* wl_rt_checked_texture(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                             std::uint64_t handle, std::uint32_t site) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    const void* object = checked<Texture>(block, linear, active, handle, site, find_texture(handle),
                                          gone_texture().get(), "texture", caller);
    if (!object) wl_rt_no_texture(linear + static_cast<std::uint32_t>(std::countr_zero(active)), site);
    return object;
}

extern "C" const void* wl_rt_checked_surface(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                             std::uint64_t handle, std::uint32_t site) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    const void* object = checked<Surface>(block, linear, active, handle, site, find_surface(handle),
                                          gone_surface().get(), "surface", caller);
    if (!object) wl_rt_no_surface(linear + static_cast<std::uint32_t>(std::countr_zero(active)), site);
    return object;
}

} // namespace warplight::software
