// SPDX-License-Identifier: Apache-2.0
/// Words of command lines for shells on other machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplight::remote {

/// The word in a form that sh, bash, dash, ksh, zsh, csh, tcsh and fish all read as the word itself.
/// @throws std::invalid_argument for a word with a control character: there is no such form
[[nodiscard]] std::string quoted_for_shells(std::string_view word);

/// The words, quoted, with spaces between them.
[[nodiscard]] std::string joined_for_shells(const std::vector<std::string>& words);

/// A command line for the user's shell there, whichever that is, that runs a script of one line in `sh`.
/// @throws std::invalid_argument as above
[[nodiscard]] std::string in_posix_shell(std::string_view script);

} // namespace warplight::remote
