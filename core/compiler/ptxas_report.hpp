// SPDX-License-Identifier: Apache-2.0
// What ptxas gets to read for its report.
#pragma once

#include <string>
#include <string_view>

namespace warplight::compiler {

/// The text with empty lines in place of its .loc and .file directives. The report is the same without them. ptxas
/// takes memory for as many files as the largest number of one: four bytes each, and a text may say 4294967295.
std::string without_lines(std::string_view ptx);

} // namespace warplight::compiler
