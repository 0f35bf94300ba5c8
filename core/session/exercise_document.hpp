// SPDX-License-Identifier: Apache-2.0
// The notes and the exercise of a session document.
#pragma once

#include "session/exercise.hpp"
#include "session/json_reader.hpp"

#include <functional>
#include <string>

namespace warplight::session {

/// @throws SessionError with a pointer to the wrong value
Notes read_notes(const JsonReader& document);
ordered_json write_notes(const Notes& notes);

/// Arguments that cases name may be missing: the kernel of who solves it may have others.
/// @throws SessionError with a pointer to the wrong value
Exercise read_exercise(const JsonReader& reader);
/// Gives each path of the cases' data and expectations to `place`, which may change it.
void change_paths(Exercise& exercise, const std::function<void(std::string&)>& place);
ordered_json write_exercise(const Exercise& exercise);

} // namespace warplight::session
