// SPDX-License-Identifier: Apache-2.0
/// Command lines of the system's OpenSSH client, which does all that is network: the user's configuration, agent, jump
/// hosts, known hosts and prompts. Host keys are checked as the user has it.
#pragma once

#include "remote/place.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::remote {

/// A program to be started with the whole environment of this process and the variables of `environment` beside it.
struct SshCommand {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;
};

struct SshOptions {
    /// Somebody can answer questions, at the terminal or in the window. Else ssh fails where it would ask.
    bool interactive = true;
    /// Further commands to a machine use the connection of the first one, which stays for a minute. False: a connection
    /// of its own, for one that has to stand when the shared one does not.
    bool share_connection = true;
    std::chrono::seconds connect_timeout{15};
};

/// WARPLIGHT_SSH, else the system's: ssh of the PATH, or that of Windows. Empty where there is none.
[[nodiscard]] std::filesystem::path ssh_program();

/// Runs warplight-cli there with these arguments: WARPLIGHT_REMOTE_PROGRAM, else the one of this version that
/// `remote install` has put into the user's folder there, else that of the PATH there, else the one that was installed
/// last. Where there is none, ssh ends with kNoProgramCode after kNoProgramMarker on standard error.
/// @throws std::runtime_error where there is no ssh here, std::invalid_argument for arguments with control characters
[[nodiscard]] SshCommand ssh_command(const Place& place, const std::vector<std::string>& remote_arguments,
                                     const SshOptions& options);

/// Runs a script of one line there, in `sh`. @throws as ssh_command()
[[nodiscard]] SshCommand ssh_script(const Place& place, std::string_view script, const SshOptions& options);

/// The folder of installed versions there, as a word of a script in `sh`, and below it.
inline constexpr std::string_view kInstallFolder = "$HOME/.local/share/warplight/remote";

inline constexpr int kNoProgramCode = 127;
inline constexpr std::string_view kNoProgramMarker = "WARPLIGHT-NO-PROGRAM";

/// A sentence or two for people: what failed and what to do. Of ssh, of the far shell, or of warplight-cli there.
/// `machine`: what the user calls it (machine_of), for the advice.
[[nodiscard]] std::string explain_ssh_failure(int exit_code, std::string_view standard_error,
                                              std::string_view machine = "HOST");

} // namespace warplight::remote
