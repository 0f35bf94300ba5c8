// SPDX-License-Identifier: Apache-2.0
// The check of memory for textures and surfaces.
#pragma once

#include "surface_access.hpp"

namespace warplight::software {

/// Tells of an access to a surface that must not be made. False: it is not checked, and thus a fault.
[[nodiscard]] bool tell_of_surface(SurfaceFault fault, const SurfaceRequest& request, const TexelMemory& memory,
                                   const char* access);

} // namespace warplight::software
