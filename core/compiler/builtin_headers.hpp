// SPDX-License-Identifier: Apache-2.0
// NVRTC has no host headers. Code that is pasted from a .cu file includes them all the same, for
// printf, assert or the mathematical functions, which NVRTC knows by itself: these small stand-ins
// of our own make such code compile.
#pragma once

#include <vector>

namespace warplight::compiler {

struct BuiltinHeader {
    const char* name;
    const char* text;
};
const std::vector<BuiltinHeader>& builtin_headers();

} // namespace warplight::compiler
