// SPDX-License-Identifier: Apache-2.0
// Small stand-ins for host headers, which NVRTC lacks. Code from a .cu file includes them for printf, assert or the
// mathematical functions, which NVRTC knows by itself. The stand-ins make such code compile.
#pragma once

#include <vector>

namespace warplight::compiler {

struct BuiltinHeader {
    const char* name;
    const char* text;
};
const std::vector<BuiltinHeader>& builtin_headers();

} // namespace warplight::compiler
