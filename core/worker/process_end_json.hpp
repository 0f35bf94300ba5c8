// SPDX-License-Identifier: Apache-2.0
// How a process on another machine ended, as a message tells it.
#pragma once

#include "worker/platform.hpp"

#include <nlohmann/json_fwd.hpp>

namespace warplight::worker {

nlohmann::json to_json(const platform::EndOfProcess& end);
/// What is missing or malformed stays as it is in one that exited with code 0.
platform::EndOfProcess end_of_process_from_json(const nlohmann::json& told);

} // namespace warplight::worker
