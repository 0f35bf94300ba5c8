// SPDX-License-Identifier: Apache-2.0
// The end of a worker on another machine, as the process that stands for it here tells it: a line on standard error.
#pragma once

#include "worker/end_reason.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::worker {

/// Begins the line.
inline constexpr std::string_view told_end_mark = "warplight end: ";

/// With the newline.
std::string told_end_line(const EndReason& reason);
/// The last such line of the text. A line that is malformed is none.
std::optional<EndReason> told_end(std::string_view errors);

/// How a process ended, in a message.
nlohmann::json to_json(const platform::EndOfProcess& end);
/// What is missing or malformed stays as it is in one that exited with code 0.
platform::EndOfProcess end_of_process_from_json(const nlohmann::json& told);

} // namespace warplight::worker
