// SPDX-License-Identifier: Apache-2.0
#include "remote/ssh.hpp"
#include "worker/utf8.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace warplight::remote {
namespace {

constexpr int kSshFailed = 255;           // ssh's own code, whatever failed
constexpr int kCannotRun = 126;           // of shells: found, but no program for this machine
constexpr int kBadUsage = 2;              // of warplight-cli
constexpr std::size_t kShownLines = 3;    // of ssh's errors that a message repeats
constexpr std::size_t kLongestLine = 300; // characters of each

/// Lines without their ends and control characters. Servers choose some of these texts.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, std::min(end, kLongestLine)));
        std::erase_if(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
        if (line.find_first_not_of(' ') != std::string::npos) lines.push_back(worker::as_utf8(std::string_view(line)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string last_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (std::size_t i = lines.size() > kShownLines ? lines.size() - kShownLines : 0; i < lines.size(); ++i)
        text += (text.empty() ? "" : " ") + lines[i];
    return text;
}

/// The last line with one of the words; ssh tells the cause last.
std::string line_with(const std::vector<std::string>& lines, std::initializer_list<std::string_view> words) {
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        for (const auto word : words)
            if (line->find(word) != std::string::npos) return *line;
    return {};
}

/// What ssh prints for a cause, and a sentence about it. "{0}" is the machine as the user calls it.
struct Cause {
    std::initializer_list<std::string_view> words;
    std::string_view text;
};

const std::array<Cause, 9>& causes_of_ssh() {
    static const std::array<Cause, 9> causes = {{
        {{"Bad configuration option", "terminating, ", "Bad owner or permissions on"},
         "The configuration of ssh on this machine is not valid."},
        {{"Could not resolve hostname"},
         "No machine of the name {0} is known. Check the name, or add it to the configuration of ssh (~/.ssh/config)."},
        {{"Connection refused"}, "{0} refuses connections by ssh. Check the port, and that an SSH server runs there."},
        {{"timed out", "not responding"},
         "{0} does not answer. Check that it is on and can be reached from this network, and its firewall."},
        {{"No route to host", "Network is unreachable"}, "There is no way to {0} from this network."},
        {{"Too many authentication failures"},
         "{0} refused the keys that ssh offered before it came to the right one. Name the key in the configuration of "
         "ssh (IdentityFile and IdentitiesOnly)."},
        {{"Permission denied ("},
         "{0} lets nobody in with these keys or passwords. Try `ssh {0}` first: it has to work without Warplight."},
        {{"This account is", "not available"}, "The account on {0} may not run programs."},
        {{"Connection closed", "Connection reset", "kex_exchange_identification", "Broken pipe", "mux_client_",
          "closed by remote host"},
         "The connection to {0} was closed from the other side."},
    }};
    return causes;
}

std::string of_host_key(const std::vector<std::string>& lines, std::string_view machine) {
    if (!line_with(lines, {"REMOTE HOST IDENTIFICATION HAS CHANGED", "HOST IDENTIFICATION HAS CHANGED"}).empty()) {
        const auto remove = line_with(lines, {"ssh-keygen -f", "ssh-keygen -R"});
        return fmt::format(
            "The key of {0} is another one than before. Another machine may answer in its place, so nothing was sent. "
            "Ask who looks after it. Only if it has a new key for a good reason, remove the old one{1} and connect "
            "once "
            "with `ssh {0}`.",
            machine, remove.empty() ? std::string() : fmt::format(" (`{}`)", remove.substr(remove.find("ssh-keygen"))));
    }
    if (line_with(lines, {"Host key verification failed", "host key is known for"}).empty()) return {};
    return fmt::format(
        "The key of {0} is not known yet. Connect once with `ssh {0}` and compare the key that it shows, "
        "or answer in the window.",
        machine);
}

std::string of_far_side(int code, const std::vector<std::string>& lines, std::string_view machine) {
    const auto install = fmt::format("Put it there by `warplight-cli remote install {}`", machine);
    if (!line_with(lines, {kNoProgramMarker}).empty())
        return fmt::format("There is no warplight-cli on {}. {}, or install Warplight's package there.", machine,
                           install);
    if (code == kBadUsage && !line_with(lines, {"remote-serve", "remote-here"}).empty())
        return fmt::format("warplight-cli on {} is too old to serve other machines. Put this version there by "
                           "`warplight-cli remote install {}`.",
                           machine, machine);
    const auto not_for_it =
        line_with(lines, {"Exec format error", "cannot execute binary", "error while loading shared", "GLIBC_"});
    if (code == kCannotRun || !not_for_it.empty())
        return fmt::format("warplight-cli on {} cannot be run there: {} {}.", machine,
                           not_for_it.empty() ? last_lines(lines) : not_for_it, install);
    return {};
}

} // namespace

std::string explain_ssh_failure(int exit_code, std::string_view standard_error, std::string_view machine) {
    const auto lines = lines_of(standard_error);
    if (exit_code != kSshFailed)
        if (auto text = of_far_side(exit_code, lines, machine); !text.empty()) return text;
    if (exit_code == kSshFailed) {
        if (auto text = of_host_key(lines, machine); !text.empty()) return text;
        for (const auto& cause : causes_of_ssh())
            if (auto line = line_with(lines, cause.words); !line.empty()) {
                if (line.starts_with("ssh: ")) line.erase(0, 5);
                return fmt::format("{} (ssh: {})", fmt::format(fmt::runtime(cause.text), machine), line);
            }
    }
    const auto said = last_lines(lines);
    if (exit_code == kSshFailed && said.empty()) // a shared connection that ends says nothing
        return fmt::format("The connection to {} is lost.", machine);
    const auto who = exit_code == kSshFailed ? fmt::format("ssh did not reach {}", machine)
                                             : fmt::format("The command on {} ended with code {}", machine, exit_code);
    return said.empty() ? who + "." : fmt::format("{}: {}", who, said);
}

} // namespace warplight::remote
