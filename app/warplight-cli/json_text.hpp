// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace warplight::cli {

/// On standard output, indented, with a newline; bytes that are not UTF-8 become the replacement character.
void print_json(const nlohmann::json& value);

} // namespace warplight::cli
