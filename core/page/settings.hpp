// SPDX-License-Identifier: Apache-2.0
/// What a session says, for a reader.
#pragma once

#include "session/session.hpp"

#include <string>
#include <vector>

namespace warplight::page {

/// Name, direction and data of each argument.
std::vector<std::vector<std::string>> argument_rows(const session::Session& session);
/// The document without its source.
std::string session_text(const session::Session& session);

} // namespace warplight::page
