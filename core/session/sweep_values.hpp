// SPDX-License-Identifier: Apache-2.0
// Puts the value of an axis into a session.
#pragma once

#include "session/session.hpp"
#include "session/sweep_text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// The name as it is typed: "define:TILE".
std::string name_of(const SweepName& name);
/// Finds the steps that the name is about, and checks that the session has the argument that is named.
/// @throws SessionError
void find_subject(const Session& session, SweepName& name);
/// The launch that the name is about; of several steps the first one. Null: there is none.
const LaunchConfiguration* launch_of(const Session& session, const SweepName& name);
/// Steps of a pipeline by a number or a kernel: their numbers. @throws SessionError where there is none
std::vector<std::string> paths_of_steps(const Session& session, std::string_view step);
/// @throws SessionError for a value that the name cannot have
void set_value(Session& session, const SweepName& name, const std::string& value);
/// Of a scalar. A whole number stays exact.
void set_number(Session& session, const SweepName& name, double value);

/// "1024x1024"
std::vector<std::uint64_t> parse_shape(std::string_view value);
/// Nothing for a file that tells it itself.
std::optional<Shape> shape_of(const DataSource& source);
/// A formula can have it as a variable.
bool is_formula_name(std::string_view name);

} // namespace warplight::session
