// SPDX-License-Identifier: Apache-2.0
// Opaque variables: textures, samplers and surfaces. A .texref or .surfref holds the handle of an object, which the
// host puts there; a .samplerref holds its own state.
#pragma once

#include "module.hpp"

#include <cstdint>

namespace warplight::ptx {

[[nodiscard]] constexpr bool is_opaque(Type type) {
    return type == Type::texref || type == Type::samplerref || type == Type::surfref;
}

/// The initial value of a .samplerref variable. A mark above tells it from handles. Below it are four bits an address
/// mode (as in CUaddress_mode) from bit 0, then the filter, then whether coordinates are never normalised.
inline constexpr unsigned kSamplerFilter = 12, kSamplerUnnormalized = 13;
inline constexpr std::uint64_t kSamplerMark = 0x5A3Cull << 48;
inline constexpr std::uint64_t kSamplerDefault = kSamplerMark | 0x111; ///< nearest, clamped
[[nodiscard]] constexpr bool is_sampler(std::uint64_t value) { return value >> 48 == kSamplerMark >> 48; }

} // namespace warplight::ptx
