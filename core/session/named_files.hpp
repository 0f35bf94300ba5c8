// SPDX-License-Identifier: Apache-2.0
// The files that a session names.
#pragma once

#include "session/reach.hpp"
#include "session/session.hpp"

#include <filesystem>
#include <vector>

namespace warplight::session {

/// Files, and folders of headers, that the session names and that lie outside of `reach`; canonical, each once.
/// Files that headers name are not among them.
std::vector<std::filesystem::path> named_outside(const Session& session, const Reach& reach);

} // namespace warplight::session
