// SPDX-License-Identifier: Apache-2.0
/// Launch options as keys of `launch`, in sessions and reports.
#pragma once

#include "session/launch_options.hpp"

#include <nlohmann/json_fwd.hpp>

namespace warplight::session {

class JsonReader;

/// @throws SessionError with a pointer to the key
LaunchOptions read_launch_options(const JsonReader& reader);
/// The keys of what is set.
void write_launch_options(const LaunchOptions& options, nlohmann::ordered_json& launch);

} // namespace warplight::session
