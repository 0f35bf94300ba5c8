// SPDX-License-Identifier: Apache-2.0
/// Further commands to a machine that use the connection of the first one (ControlMaster of OpenSSH).
#pragma once

#include "remote/place.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::remote {

/// The arguments of ssh for it. None where the user's configuration shares connections itself, where this system cannot
/// (Windows), or where there is no private folder with a short enough name for the socket.
[[nodiscard]] std::vector<std::string> sharing_arguments(const std::filesystem::path& ssh, const Place& place);

/// Those for a connection of its own, whatever the user's configuration says. None on Windows: its ssh shares nothing.
[[nodiscard]] std::vector<std::string> unshared_arguments();

} // namespace warplight::remote
