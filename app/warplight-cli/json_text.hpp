// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warplight::cli {

/// Indented, with a newline; bytes that are not UTF-8 become the replacement character.
std::string json_text(const nlohmann::json& value);
/// The same on standard output.
void print_json(const nlohmann::json& value);

} // namespace warplight::cli
