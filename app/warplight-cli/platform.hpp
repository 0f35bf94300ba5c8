// SPDX-License-Identifier: GPL-3.0-or-later
// The console, and other programs: how they are found, and started in place of this one.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warplight::cli::platform {

/// From now on a console takes what this program writes for UTF-8, until the program ends. On Linux it always does.
void write_utf8_to_console();

/// Somebody reads standard error as it comes.
bool error_is_terminal();

/// The folder, beside the software device's library, in which the library has the names of NVIDIA's driver.
/// @throws FileError when there is none and it cannot be made.
std::filesystem::path driver_folder(const std::filesystem::path& library);

/// How a program is started.
struct Start {
    std::vector<std::string> command;                             ///< the program, and its arguments
    std::vector<std::pair<std::string, std::string>> environment; ///< variables to set
    std::filesystem::path library;                                ///< the software device
    bool gpu = false; ///< the program finds NVIDIA's driver, and of the names beside the library the runtime's alone
};

/// Runs a program from the PATH in place of this one. On Linux it replaces this process and the call does not return.
/// On Windows the call returns the program's exit code, and the program ends with this process.
/// @returns 126 where it cannot be run, 127 where it does not exist, after printing the reason.
int replace_by(const std::vector<std::string>& command);

/// Runs a program that finds the software device under the name of NVIDIA's driver, or the driver itself.
int replace_by(const Start& start);

/// The same, but waits for the program's end on Linux too, and answers with its exit code. A signal that ends the
/// program ends this one.
int run(const Start& start);

/// The command that runs Python 3; empty when there is none.
std::vector<std::string> python();
/// How Python is installed here: the end of a sentence.
std::string python_advice();

} // namespace warplight::cli::platform
