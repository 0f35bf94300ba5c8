// SPDX-License-Identifier: GPL-3.0-or-later
// `warplight-cli remote install` and `uninstall`.
#pragma once

#include <string>

namespace warplight::cli {

struct RemoteInstallOptions {
    std::string machine; ///< as the user wrote it
    std::string archive; ///< empty: made of this installation
    bool yes = false;
    bool progress = false; ///< lines for programs
};

/// @returns the exit code
int install_there(const RemoteInstallOptions& options);
int uninstall_there(const std::string& machine);

} // namespace warplight::cli
