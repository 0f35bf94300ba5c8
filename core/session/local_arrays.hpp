// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "warplight/compiler.hpp"

#include <string>

namespace warplight::session {

/// For the check of memory: the PTX of a source in which each local array has bounds of its own, as far as a second
/// compilation with --device-debug tells them. The PTX as it is where that has no more to tell, or fails.
/// @param request of the compilation that the PTX comes from
[[nodiscard]] std::string with_bounds_of_local_arrays(std::string ptx, compiler::CompileRequest request);

} // namespace warplight::session
