// SPDX-License-Identifier: Apache-2.0
// What a session from someone else may ask of the compiler.
#pragma once

#include "session/reach.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"

#include <string>
#include <vector>

namespace warplight::session {

/// The folders of -I and --include-path, as the session writes them.
std::vector<std::string> include_folders_of(const CompileOptions& options);

/// The options for the compiler: include folders are absolute, for relative paths start at the session's folder.
/// @throws OutsideError for a folder outside of the reach, and SessionError for one whose name nvcc would split
std::vector<std::string> placed_options(const CompileOptions& options, const Reach& reach);

/// Gives the request the session's options, and lets the compiler read no header outside of the reach.
/// @throws SessionError as check_compile_options() and placed_options() do
void confine(compiler::CompileRequest& request, const CompileOptions& options, const Reach& reach);

} // namespace warplight::session
