// SPDX-License-Identifier: Apache-2.0
// Programs with main(), which NVRTC refuses: it compiles kernels alone.
#pragma once

#include "warplight/compiler.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

/// The line of the definition of main() outside any #if; 0 when there is none.
int line_of_main(std::string_view source);

/// Puts advice for whole programs before the messages about host code, which would mislead. `name` is the source's name
/// in messages.
void explain_whole_program(std::vector<Diagnostic>& diagnostics, std::string_view source, const std::string& name);

} // namespace warplight::compiler
