// SPDX-License-Identifier: GPL-3.0-or-later
// A session out of options: `run FILE.cu --kernel … --arg …`.
#pragma once

#include "session/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::cli {

/// "X", "X,Y" or "X,Y,Z". @throws SessionError
std::vector<std::uint32_t> parse_extents(const std::string& text, const char* option);
/// What stands after --arg; docs/session-format.md lists the forms. @throws SessionError
session::Argument parse_argument(const std::string& text, std::size_t index);
/// Is what a scalar counts, such as u32=size:2, an array? `texts`: what stands after each --arg. @throws SessionError
void check_sizes(const std::vector<std::string>& texts, const std::vector<session::Argument>& arguments);
/// "INDEX=FILE.npy" of --save, into the argument. @throws SessionError
void apply_save(const std::string& text, std::vector<session::Argument>& arguments);

} // namespace warplight::cli
