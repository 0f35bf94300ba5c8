// SPDX-License-Identifier: Apache-2.0
// Whether a source can make the compiler read files that it must not: headers, and files that a message quotes.
//
// The text is read as a compiler reads it, and where compilers differ, in each of their ways: trigraphs, digraphs,
// spliced lines, comments between the words of a directive. A directive inside a comment of several lines or inside a
// raw string counts. So a name too many may be refused, and none is missed.
#pragma once

#include "warplight/compiler.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::compiler {

struct IncludeReach {
    std::vector<std::filesystem::path> headers; ///< that the source may read, the toolkit's excepted
    std::vector<std::filesystem::path> outside; ///< that it may not read
    std::vector<Diagnostic> refused;            ///< errors; empty: it may be compiled
};

/// @param toolkit folders of the compiler's own headers, in the order of their search
IncludeReach check_includes(const CompileRequest& request, const std::vector<std::filesystem::path>& toolkit);

/// The file may be named in messages: it may be read, or belongs to the toolkit, or to the system's programs.
bool may_be_quoted(const std::filesystem::path& file, const CompileRequest& request,
                   const std::vector<std::filesystem::path>& toolkit);

} // namespace warplight::compiler
