// SPDX-License-Identifier: GPL-3.0-or-later
// A command of warplight-cli on another machine whose answer is JSON.
#pragma once

#include "remote/place.hpp"

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::cli {

/// The machine cannot be reached, or what is there does not do: sentences that say what to do.
struct FarError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Calls `warplight-cli remote-here ARGUMENTS` there. @throws FarError
nlohmann::json ask_far(const remote::Place& place, std::vector<std::string> arguments);

} // namespace warplight::cli
