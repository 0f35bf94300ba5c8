// SPDX-License-Identifier: Apache-2.0
// Programs of the system, which are started with their arguments as they are: there is no shell between.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::cluster {

struct CommandOptions {
    std::chrono::milliseconds timeout{60'000};
    std::size_t most_output = std::size_t{32} << 20; ///< bytes; what comes beyond is dropped
    std::function<bool()> cancelled = {};            ///< asked a few times a second; true ends the program
    std::vector<std::pair<std::string, std::string>> environment = {}; ///< beside that of this process
    std::filesystem::path input_file = {};                             ///< instead of `input`
    bool at_terminal = false;                                          ///< it may ask the user, as ssh does
};

struct CommandResult {
    bool started = false;
    bool late = false; ///< it was ended after the timeout
    bool cancelled = false;
    int code = -1; ///< its exit code, or the number of the signal that ended it
    std::string output, errors;
    std::string problem; ///< why it was not started: a sentence

    [[nodiscard]] bool ok() const { return started && !late && !cancelled && code == 0; }
};

/// Runs a program to its end. Never throws for what the program does.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& command, std::string_view input = {},
                                        const CommandOptions& options = {});

} // namespace warplight::cluster
