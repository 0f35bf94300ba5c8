// SPDX-License-Identifier: GPL-3.0-or-later
// Handing this process over to another program.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warplight::cli::platform {

/// The folder, beside the software device's library, in which the library has the names of NVIDIA's driver.
/// @throws FileError when there is none and it cannot be made.
std::filesystem::path driver_folder(const std::filesystem::path& library);

/// How a program is started.
struct Start {
    std::vector<std::string> command;                             ///< the program, and its arguments
    std::vector<std::pair<std::string, std::string>> environment; ///< variables to set
    std::filesystem::path library;                                ///< the software device
};

/// Runs a program, searched for on the PATH, in place of this one. On Linux it replaces this process and the call does
/// not return; on Windows the exit code is the program's, which ends when this process is ended.
/// @returns 126 or 127, as other programs that start programs do, having told why: it cannot be run, is not there.
int replace_by(const std::vector<std::string>& command);

/// The same with a program that finds the software device under the name of NVIDIA's driver.
int replace_by(const Start& start);

} // namespace warplight::cli::platform
