// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a session from options: `run FILE.cu --kernel … --arg …`.
#pragma once

#include "session/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::cli {

/// "X", "X,Y" or "X,Y,Z". @throws SessionError
std::vector<std::uint32_t> parse_extents(const std::string& text, const char* option);
/// Parses the value of --arg. docs/session-format.md lists the forms. @throws SessionError
session::Argument parse_argument(const std::string& text, std::size_t index);
/// Parses the value of --variable: a variable's name in front of what parse_argument() reads. @throws SessionError
session::Argument parse_variable(const std::string& text);
/// Checks that size:2 of a scalar names an array. @throws SessionError
void check_sizes(const std::vector<session::Argument>& arguments);
/// Puts "INDEX=FILE.npy" or "VARIABLE=FILE.npy" of --save into the argument. @throws SessionError
void apply_save(const std::string& text, std::vector<session::Argument>& arguments);
/// The same of --expect: "INDEX=FILE.npy" or "INDEX=formula:2*arg0".
void apply_expect(const std::string& text, double rtol, double atol, std::vector<session::Argument>& arguments);
/// The same of --texture and --surface: "INDEX=2d", or the keys of a session, "INDEX={"kind": "2d", "filter":
/// "linear"}".
/// @param key "texture" or "surface"
void apply_texture(const std::string& text, const char* key, std::vector<session::Argument>& arguments);

} // namespace warplight::cli
