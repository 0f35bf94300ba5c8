// SPDX-License-Identifier: Apache-2.0
#include "remote/ssh.hpp"

#include "compiler/platform.hpp"
#include "remote/shell_words.hpp"
#include "remote/ssh_sharing.hpp"
#include "remote/ssh_words.hpp"
#include "warplight/version.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <stdexcept>
#include <system_error>

namespace warplight::remote {
namespace {

/// Empty where it is not set.
std::string own_variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// Of questions. The window sets WARPLIGHT_ASKPASS to a program that asks in a dialog of its own.
/// WARPLIGHT_ASKPASS_MODE tells the program that it is started for that.
std::vector<std::pair<std::string, std::string>> askpass_environment() {
    const auto program = own_variable("WARPLIGHT_ASKPASS");
    if (program.empty()) return {};
    std::vector<std::pair<std::string, std::string>> variables{
        {"SSH_ASKPASS", program}, {"SSH_ASKPASS_REQUIRE", "force"}, {"WARPLIGHT_ASKPASS_MODE", "1"}};
    // OpenSSH before 8.4 asks through a program only where there is an X display.
    if (own_variable("DISPLAY").empty()) variables.emplace_back("DISPLAY", ":0");
    return variables;
}

/// Windows runs these by cmd.exe, to which the quotation marks and percent signs of a command mean something else.
std::string program_problem([[maybe_unused]] const std::filesystem::path& program) {
#ifdef _WIN32
    auto kind = program.extension().string();
    std::ranges::transform(kind, kind.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (kind == ".bat" || kind == ".cmd")
        return fmt::format("{} is a batch file, which changes the commands for other machines. Let WARPLIGHT_SSH name "
                           "a program that ends with .exe.",
                           program.string());
#endif
    return {};
}

SshCommand command_line(const Place& place, std::string far_command, const SshOptions& options) {
    SshCommand command;
    command.program = ssh_program();
    if (command.program.empty())
        throw std::runtime_error("The program ssh, which reaches other machines, is not installed. Install the "
                                 "OpenSSH client (Debian: openssh-client; Windows: the optional feature OpenSSH "
                                 "Client), or let WARPLIGHT_SSH name the program.");
    if (const auto problem = program_problem(command.program); !problem.empty()) throw std::runtime_error(problem);
    command.environment = askpass_environment();
    auto& arguments = command.arguments;
    // No terminal there; nothing of this machine is lent to the other one. Data are compressed before ssh gets them.
    arguments = {"-T", "-x"};
    for (const char* each :
         {"ForwardAgent=no", "ClearAllForwardings=yes", "PermitLocalCommand=no", "RemoteCommand=none", "Compression=no",
          "ServerAliveInterval=5", "ServerAliveCountMax=3"}) {
        arguments.emplace_back("-o");
        arguments.emplace_back(each);
    }
    arguments.emplace_back("-o");
    arguments.push_back(fmt::format("ConnectTimeout={}", options.connect_timeout.count()));
    if (!options.interactive) {
        arguments.emplace_back("-o");
        arguments.emplace_back("BatchMode=yes");
    }
    const auto sharing = options.share_connection ? sharing_arguments(command.program, place) : unshared_arguments();
    arguments.insert(arguments.end(), sharing.begin(), sharing.end());
    for (auto& each : machine_arguments(place))
        arguments.push_back(std::move(each));
    arguments.push_back(std::move(far_command));
    return command;
}

/// Lines of a script that set p to the program there, or end with the marker.
std::string find_program_there() {
    const auto chosen = own_variable("WARPLIGHT_REMOTE_PROGRAM");
    const auto missing = fmt::format("{{ echo {} >&2; exit {}; }}", kNoProgramMarker, kNoProgramCode);
    if (!chosen.empty()) {
        // "~" is the far user's folder.
        const auto word =
            chosen.starts_with("~/") ? "\"$HOME\"/" + quoted_for_shells(chosen.substr(2)) : quoted_for_shells(chosen);
        return fmt::format("p={}; command -v \"$p\" >/dev/null 2>&1 || {}; ", word, missing);
    }
    return fmt::format("i=\"{0}\"; p=\"$i/{1}/bin/warplight-cli\"; "
                       "if test -z \"${{HOME-}}\" || test ! -x \"$p\"; then "
                       "if command -v warplight-cli >/dev/null 2>&1; then p=warplight-cli; "
                       "elif test -n \"${{HOME-}}\" && test -x \"$i/current/bin/warplight-cli\"; then "
                       "p=\"$i/current/bin/warplight-cli\"; "
                       "else {2}; fi; fi; ",
                       "${HOME-}" + std::string(kInstallFolder.substr(5)), version(), missing);
}

} // namespace

std::vector<std::string> machine_arguments(const Place& place) {
    std::vector<std::string> arguments;
    if (place.port != 0) arguments = {"-p", std::to_string(place.port)};
    arguments.emplace_back("--");
    arguments.push_back(place.user.empty() ? place.host : place.user + "@" + place.host);
    return arguments;
}

std::filesystem::path ssh_program() {
    if (const auto chosen = own_variable("WARPLIGHT_SSH"); !chosen.empty())
        return chosen.find_first_of("/\\") == std::string::npos ? compiler::platform::find_on_path(chosen)
                                                                : std::filesystem::path(chosen);
#ifdef _WIN32
    std::error_code error;
    if (const auto system = own_variable("SystemRoot"); !system.empty())
        if (const auto own = std::filesystem::path(system) / "System32" / "OpenSSH" / "ssh.exe";
            std::filesystem::exists(own, error))
            return own;
#endif
    return compiler::platform::find_on_path(compiler::platform::program_file("ssh"));
}

SshCommand ssh_command(const Place& place, const std::vector<std::string>& remote_arguments,
                       const SshOptions& options) {
    return ssh_script(place, find_program_there() + "exec \"$p\" " + joined_for_shells(remote_arguments), options);
}

SshCommand ssh_script(const Place& place, std::string_view script, const SshOptions& options) {
    return command_line(place, in_posix_shell(script), options);
}

} // namespace warplight::remote
