// SPDX-License-Identifier: Apache-2.0
// A compilation for NVRTC or nvcc, and its products.
#pragma once

#include "warplight/compiler.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

/// An architecture as the compilers write it: the digits and letters after sm_ or compute_.
struct Architecture {
    std::string suffix; ///< "80", "90a"
    bool real = false;  ///< sm_, not compute_
    int number() const;
    std::string text() const { return (real ? "sm_" : "compute_") + suffix; }
};
/// From sm_90, compute_90a, 90, 9.0; empty for anything else.
std::optional<Architecture> parse_architecture(std::string_view text);

struct Job {
    const CompileRequest& request;
    Architecture arch;
    std::string file;   ///< the name under which the compiler knows the source
    std::string source; ///< wrapped where that was asked for
};

struct Products {
    bool ok = false;
    bool cancelled = false;
    std::string log, ptx, cubin, lto_ir, command;
    std::vector<LoweredName> lowered_names;
};

Products compile_with_nvrtc(const Job& job);
Products compile_with_nvcc(const Job& job);

/// The beginning of a front-end message that names no line.
inline constexpr std::string_view kEndOfSource = "At end of source:";

/// The options that decide about debug information were given already.
bool has_line_option(const std::vector<std::string>& options);

} // namespace warplight::compiler
