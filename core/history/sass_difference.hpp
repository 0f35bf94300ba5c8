// SPDX-License-Identifier: Apache-2.0
/// Two disassemblies side by side: of two architectures, or with two sets of options.
#pragma once

#include "compiler/sass.hpp"
#include "history/run_difference.hpp"

#include <string>
#include <vector>

namespace warplight::history {

/// A line of each. Equal ones have the same opcode; their registers and addresses may differ.
struct SassRow {
    Line::Kind kind = Line::Kind::same;
    std::string before, after;
};
struct SassClassCount {
    std::string name; ///< compiler::sass_class()
    int before = 0, after = 0;
};
struct SassFunctionDifference {
    std::string name;
    int before = 0, after = 0; ///< instructions; 0 where one side has no such function
    std::vector<SassClassCount> classes;
    std::vector<SassRow> rows;
};

/// Each function of the first, then those that only the second has.
std::vector<SassFunctionDifference> sass_difference(const std::vector<compiler::SassFunction>& before,
                                                    const std::vector<compiler::SassFunction>& after);

/// The tables of classes, and the rows in two columns.
std::string sass_difference_text(const std::vector<SassFunctionDifference>& functions, const std::string& name_before,
                                 const std::string& name_after);

} // namespace warplight::history
