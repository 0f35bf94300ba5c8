// SPDX-License-Identifier: Apache-2.0
// SASS and tables of register limits, as the methods `sass` and `registers` and the command line have them.
#pragma once

#include "compiler/disassembler.hpp"
#include "session/register_table.hpp"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::worker {

/// With each instruction: for programs.
nlohmann::json to_json(const std::vector<compiler::SassFunction>& functions);
/// A missing key leaves the default.
std::vector<compiler::SassFunction> sass_functions_from_json(const nlohmann::json& array);

nlohmann::json to_json(const session::RegisterTable& table);
/// A missing key leaves the default.
session::RegisterTable register_table_from_json(const nlohmann::json& object);

} // namespace warplight::worker
