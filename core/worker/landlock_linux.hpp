// SPDX-License-Identifier: Apache-2.0
// Landlock: rules for files, TCP, signals and abstract sockets, which hold for ever. The kernel's header is not used,
// because the program runs on kernels that are newer and older than it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplight::worker::landlock {

struct Rules {
    std::vector<std::filesystem::path> read;
    std::vector<std::filesystem::path> write;
    std::vector<std::filesystem::path> execute;
    std::vector<std::filesystem::path> control; ///< device files that ioctl() may be called on
};

/// The first version of Landlock that has something.
enum Version { first = 1, truncation = 3, tcp = 4, device_control = 5, scopes = 6 };

struct Result {
    int version = 0;     ///< 0: the rules do not hold
    std::string problem; ///< why
};

/// 0 where the system has none, and `problem` says why.
Result available();

/// For this thread and those that it starts. Needs no_new_privs. Paths that do not exist are left out.
Result restrict_self(const Rules& rules);

} // namespace warplight::worker::landlock
