// SPDX-License-Identifier: Apache-2.0
// The sweep of a session document, and the forms in which a command line gives its parts.
#pragma once

#include "session/json_reader.hpp"
#include "session/sweep.hpp"

#include <string_view>

namespace warplight::session {

/// @throws SessionError with a pointer to the wrong value
Sweep read_sweep(const JsonReader& reader);
ordered_json write_sweep(const Sweep& sweep);

} // namespace warplight::session
