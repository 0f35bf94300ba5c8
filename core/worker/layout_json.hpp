// SPDX-License-Identifier: Apache-2.0
// Layouts of structs as JSON, for the protocol.
#pragma once

#include "debug/layout.hpp"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::worker {

nlohmann::json to_json(const std::vector<debug::Layout>& layouts);
/// Layouts that are not sound become ones of which nothing is known. Does not throw.
std::vector<debug::Layout> layouts_from_json(const nlohmann::json& array);

} // namespace warplight::worker
