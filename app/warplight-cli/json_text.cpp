// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplight::cli {

std::string json_text(const nlohmann::json& value) {
    return value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void print_json(const nlohmann::json& value) { fmt::print("{}", json_text(value)); }

} // namespace warplight::cli
