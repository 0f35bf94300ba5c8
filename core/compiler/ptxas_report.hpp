// SPDX-License-Identifier: Apache-2.0
// What ptxas gets to read for its report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplight::compiler {

/// The text with empty lines in place of its .loc and .file directives. The report is the same without them. ptxas
/// takes memory for as many files as the largest number of one: four bytes each, and a text may say 4294967295.
std::string without_lines(std::string_view ptx);

/// The registers that the text declares by a number, as `%r<32>` does. ptxas takes eight bytes for each, used or not,
/// and a text may say 2147483648.
std::uint64_t declared_registers(std::string_view ptx);
/// ptxas gets no text that declares more.
inline constexpr std::uint64_t kMostDeclaredRegisters = 16'000'000;

} // namespace warplight::compiler
