// SPDX-License-Identifier: Apache-2.0
// Several modules made one: declarations meet the definitions of the others.
#pragma once

#include "module.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplight::ptx {

struct LinkInput {
    Module module;
    std::string name; ///< for messages
};

/// Why modules cannot be linked: "multiple definition of 'f' (in a.ptx and b.ptx)".
struct LinkError {
    std::string message;
};

/// Names that are not visible stay apart: where two modules use one, the later one gets another name. A
/// symbol without a definition stays a declaration: undefined_symbols() finds it.
[[nodiscard]] std::variant<Module, LinkError> link(std::vector<LinkInput> inputs);

/// Functions and variables that something refers to and that are only declared.
[[nodiscard]] std::vector<std::string> undefined_symbols(const Module& module);
/// Whether other modules can refer to a definition of that name here.
[[nodiscard]] bool defines(const Module& module, std::string_view name);

} // namespace warplight::ptx
