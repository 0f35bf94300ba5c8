// SPDX-License-Identifier: GPL-3.0-or-later
// The commands and options as CLI11 knows them, for texts that are made of them: completions and the manual page.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warplight::cli {

struct OptionDescription {
    std::vector<std::string> names; ///< "-h", "--help"; of a positional argument: "FILE"
    bool positional = false, required = false, repeatable = false, takes_value = false, takes_path = false;
    std::string value;                ///< the kind of its value: INT, FILE
    std::vector<std::string> choices; ///< its possible values, where they are few
    std::string help, group;
};

struct CommandDescription {
    std::string name, path; ///< "install", "toolkit install"; the path of the program itself is empty
    std::string help, footer;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

/// Hidden commands and options are left out.
CommandDescription describe(const CLI::App& app);

/// Calls f with the command and all below it.
template <typename F>
void for_each_command(const CommandDescription& command, const F& f) {
    f(command);
    for (const auto& each : command.commands)
        for_each_command(each, f);
}

/// Scripts that complete command lines in these shells.
std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);

/// The sections about commands and exit codes of the manual page.
std::string manual_sections(const CommandDescription& program);

} // namespace warplight::cli
