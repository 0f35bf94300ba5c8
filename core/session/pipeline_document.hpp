// SPDX-License-Identifier: Apache-2.0
/// A pipeline as a value of the session document.
#pragma once

#include "session/json_reader.hpp"
#include "session/pipeline.hpp"

namespace warplight::session {

/// @throws SessionError with a pointer to the culprit
Pipeline read_pipeline(const JsonReader& reader);
ordered_json write_pipeline(const Pipeline& pipeline);

/// `launch` of a session and of a step.
LaunchConfiguration read_launch(const JsonReader& reader);
ordered_json write_launch(const LaunchConfiguration& launch);
/// Keys that this version does not know go back to the end of their object.
void add_unknown(ordered_json& object, const std::string& unknown);

} // namespace warplight::session
