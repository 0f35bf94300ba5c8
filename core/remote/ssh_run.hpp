// SPDX-License-Identifier: Apache-2.0
/// Runs one command on another machine, from its beginning to its end.
#pragma once

#include "remote/ssh.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace warplight::remote {

struct SshRun {
    /// Gives the command's standard input piece by piece, from another thread; 0 ends it. None: it is empty.
    std::function<std::size_t(std::span<std::byte>)> input = {};
    /// The command is ended then; 0: never.
    std::chrono::milliseconds timeout{0};
};

struct SshResult {
    int exit_code = -1;
    bool late = false;  ///< it was ended after the timeout
    std::string output; ///< the first 4 MiB
    std::string errors; ///< the last 64 KiB of standard error: of ssh, and of the command
    [[nodiscard]] bool ok() const { return exit_code == 0 && !late; }
};

/// ssh may ask at the terminal meanwhile. @throws std::runtime_error where it cannot be started
[[nodiscard]] SshResult run_ssh(const SshCommand& command, const SshRun& how = {});

} // namespace warplight::remote
