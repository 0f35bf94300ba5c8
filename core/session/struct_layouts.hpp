// SPDX-License-Identifier: Apache-2.0
/// Layouts of the structs that a kernel takes.
#pragma once

#include "debug/layout.hpp"
#include "warplight/compiler.hpp"

#include <string>
#include <vector>

namespace warplight::session {

struct StructLayouts {
    std::vector<debug::NamedLayouts> all; ///< of kernels by their names in the PTX, and of variables
    std::string problem;                  ///< why there are none: "…, so …"; else empty

    /// Of a kernel's parameter, by its name, else by its place; null where it is not known.
    [[nodiscard]] const debug::Layout* of_parameter(const std::string& kernel, const compiler::Kernel& signature,
                                                    std::size_t index) const;
    /// Of a variable, by its name in the PTX.
    [[nodiscard]] const debug::Layout* of_variable(const std::string& lowered) const;
};

/// By a second compilation with --device-debug, in whose DWARF they are. The compiler's cache keeps it.
/// @param request of the compilation that the PTX comes from
[[nodiscard]] StructLayouts layouts_of_source(compiler::CompileRequest request);
/// Of PTX that was compiled with --device-debug.
[[nodiscard]] StructLayouts layouts_of_ptx(std::string_view ptx);

/// The request for the same PTX with DWARF.
[[nodiscard]] compiler::CompileRequest for_debugger(compiler::CompileRequest request);

} // namespace warplight::session
