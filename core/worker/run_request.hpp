// SPDX-License-Identifier: Apache-2.0
// The request `run` as a value, and its JSON parameters.
#pragma once

#include "session/run_options.hpp"
#include "session/session.hpp"

#include <nlohmann/json_fwd.hpp>

namespace warplight::worker {

struct RunRequest {
    session::Session session;
    session::RunOptions options;
};

/// Leaves out the options that have their defaults.
nlohmann::json to_json(const RunRequest& request);
/// @throws RequestError naming the parameter, or with the place in the session as its data.
RunRequest run_request_from_json(const nlohmann::json& params);

} // namespace warplight::worker
