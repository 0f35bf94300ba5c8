// SPDX-License-Identifier: Apache-2.0
// The directives of a source that name files, and the macros that they may use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

struct NamedFile {
    enum class Use {
        include,
        query, ///< __has_include
        line   ///< #line: compilers quote the line of that file in messages
    } use = Use::include;
    std::string text; ///< the name; of a computed one the macro
    bool quoted = false;
    bool computed = false; ///< by a macro, or in a way that cannot be read
    int line = 0;
};

struct MacroDefinition {
    std::string name;
    std::string body; ///< without comments; "(" for a macro with parameters
};

struct Directives {
    std::vector<NamedFile> files;
    std::vector<MacroDefinition> macros;
    std::string problem; ///< a directive that must not be there
    int problem_line = 0;
};

/// All that a compiler may take for a directive, and perhaps more.
Directives read_directives(std::string_view text);

/// `"x.h"` and `<x.h>` of a macro's body; false for anything else.
bool read_header_name(std::string_view body, NamedFile& file);

} // namespace warplight::compiler
