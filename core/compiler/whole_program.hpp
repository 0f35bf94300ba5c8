// SPDX-License-Identifier: Apache-2.0
// Programs with main(), where NVRTC takes kernels alone.
#pragma once

#include "warplight/compiler.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

/// The line of a definition of main() that no #if surrounds; 0: there is none.
int line_of_main(std::string_view source);

/// Says first what is wanted, where messages about host code would lead away from it. `name`: of the source in
/// messages.
void explain_whole_program(std::vector<Diagnostic>& diagnostics, std::string_view source, const std::string& name);

} // namespace warplight::compiler
