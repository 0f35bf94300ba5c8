// SPDX-License-Identifier: GPL-3.0-or-later
// SASS and tables of register limits on the command line: `compile --emit sass`, `compile --registers`, `inspect
// --sass`.
#pragma once

#include "compiler/disassembler.hpp"
#include "warplight/compiler.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warplight::cli {

/// What `compile --emit sass` writes.
struct SassOutput {
    bool ok = false;
    std::string problem; ///< where the source compiles and there is no SASS
    std::string text;    ///< the listing, or the two side by side
    std::vector<compiler::SassFunction> functions;
    compiler::CompileResult compiled;
    nlohmann::json json() const;

    bool compared = false;
    std::string names[2]; ///< "sm_90 --use_fast_math"
    std::vector<compiler::SassFunction> others;
};

/// Another architecture or other options to compare with; neither: nothing is compared.
struct SassComparison {
    std::string arch;
    std::vector<std::string> options;
    bool wanted() const { return !arch.empty() || !options.empty(); }
};

SassOutput sass_of(const compiler::CompileRequest& request, const SassComparison& comparison);

/// `inspect --sass` of a CUBIN or PTX. @returns the exit code
int print_sass(const std::string& file, const std::string& arch, bool as_json);

} // namespace warplight::cli
