// SPDX-License-Identifier: Apache-2.0
/// A launch of a program as a session: its kernel, its launch, what it read as inputs, and what it left as
/// expectations.
#pragma once

#include "launch_log/snapshot.hpp"
#include "session/session.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::importing {

/// Why there is no session. `what()` is one paragraph: the problem, and the remedy.
class ImportError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct ImportRequest {
    std::filesystem::path source;     ///< the program's file that has the kernel
    std::string kernel;               ///< as the user named it
    std::vector<std::string> options; ///< of the compiler
    std::filesystem::path snapshot;   ///< the folder of the launch
    std::filesystem::path folder;     ///< for the session, made where there is none
};

struct Imported {
    std::filesystem::path session;
    std::vector<std::string> notes; ///< sentences about what the user should know
};

/// Writes the session, its source and its data into the folder. Files that are there are not replaced.
/// @throws ImportError
Imported import_launch(const ImportRequest& request);

} // namespace warplight::importing
