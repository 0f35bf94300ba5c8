// SPDX-License-Identifier: Apache-2.0
// Flags of graphics resources, with the values of CUDA 13.0.
#pragma once

namespace warplight::driver {

/// How a kernel uses a registered graphics resource.
namespace graphics_register_flags {
inline constexpr unsigned NONE = 0x0, READ_ONLY = 0x1, WRITE_DISCARD = 0x2, SURFACE_LDST = 0x4, TEXTURE_GATHER = 0x8;
}
/// How a kernel uses a mapped graphics resource.
namespace graphics_map_flags {
inline constexpr unsigned NONE = 0x0, READ_ONLY = 0x1, WRITE_DISCARD = 0x2;
}

} // namespace warplight::driver
