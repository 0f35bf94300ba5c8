// SPDX-License-Identifier: Apache-2.0
#include "remote/ssh_sharing.hpp"

#include "compiler/sha256.hpp"
#include "files/held_folder.hpp"
#include "remote/ssh_words.hpp"
#include "worker/platform.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

namespace warplight::remote {
namespace {

#ifdef _WIN32
constexpr bool kCanShare = false; // its ssh has no Unix sockets for that
#else
constexpr bool kCanShare = true;
#endif

constexpr std::size_t kLongestSocket = 107; // struct sockaddr_un
constexpr std::size_t kDigest = 40;         // "%C" of OpenSSH
constexpr std::size_t kSuffix = 17;         // which OpenSSH puts behind the name while it makes the socket

/// What ssh would do for the place by the user's configuration: a line for each option, "name value".
std::string ssh_configuration(const std::filesystem::path& ssh, const Place& place) {
    std::vector<std::string> arguments{"-G"};
    for (auto& each : machine_arguments(place))
        arguments.push_back(std::move(each));
    worker::platform::Child child(ssh, arguments, {.environment = worker::platform::ChildSettings::Environment::whole});
    child.close_input();
    std::string text;
    std::array<std::byte, 4096> bytes{};
    constexpr std::size_t most = 1 << 20;
    // It prints a few kilobytes, and its problems will be told by the connection itself. Nobody reads them here.
    std::thread drain([&child] {
        std::array<std::byte, 4096> unread{};
        while (child.read_errors(unread.data(), unread.size()) > 0) {
        }
    });
    while (const auto count = child.read_output(bytes.data(), bytes.size()))
        if (text.size() < most) text.append(reinterpret_cast<const char*>(bytes.data()), count);
    drain.join();
    return child.wait().code == 0 ? text : std::string();
}

/// True where the user's ssh can share connections, and shares none for this place by itself.
bool is_free_to_share(const std::string& ssh_text) {
    std::istringstream lines(ssh_text);
    bool own = false, quiet = false;
    for (std::string line; std::getline(lines, line);) {
        const std::string_view text = line;
        own = own || (text.starts_with("controlpath ") && text != "controlpath none");
        // OpenSSH from 8.7. An older one keeps our pipe of its errors open for as long as the connection stays.
        quiet = quiet || text.starts_with("stdinnull ");
    }
    return quiet && !own;
}

/// A private folder where a socket's name fits behind. Empty where there is none, such as when the one of the login
/// went with it.
std::filesystem::path socket_folder(std::size_t name) {
    const auto fits = [&](const std::filesystem::path& folder) {
        return folder.string().size() + 1 + name + kSuffix <= kLongestSocket;
    };
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    for (const bool of_login : {true, false}) {
        try {
            std::filesystem::path folder;
            if (!of_login) {
                folder = files::own_temporary_folder("warplight-ssh");
            } else if (runtime && *runtime == '/') {
                folder = std::filesystem::path(runtime) / "warplight";
                if (fits(folder)) files::own_folder(folder);
            }
            if (!folder.empty() && fits(folder)) return folder;
        } catch (const files::Problem&) {
            continue;
        }
    }
    return {};
}

std::string doubled_percents(const std::string& text) {
    std::string result;
    for (const char c : text)
        result.append(c == '%' ? 2 : 1, c);
    return result;
}

std::vector<std::string> find_arguments(const std::filesystem::path& ssh, const Place& place) {
    if (!is_free_to_share(ssh_configuration(ssh, place))) return {};
    // Another program than the system's may have another configuration, under which the same name is another machine.
    const char* chosen = std::getenv("WARPLIGHT_SSH");
    const auto mark = chosen && *chosen ? compiler::sha256_hex(chosen).substr(0, 8) : std::string();
    const auto folder = socket_folder(kDigest + mark.size());
    if (folder.empty()) return {};
    return {"-o", "ControlMaster=auto",
            "-o", "ControlPersist=60",
            "-o", "ControlPath=" + doubled_percents(folder.string()) + "/%C" + mark};
}

} // namespace

std::vector<std::string> unshared_arguments() {
    if (!kCanShare) return {};
    return {"-o", "ControlMaster=no", "-o", "ControlPath=none"};
}

std::vector<std::string> sharing_arguments(const std::filesystem::path& ssh, const Place& place) {
    if (!kCanShare) return {};
    static std::mutex mutex;
    static std::map<std::pair<std::string, std::string>, std::vector<std::string>> known;
    const std::lock_guard lock(mutex);
    const std::pair key{ssh.string(), machine_of(place)};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    std::vector<std::string> arguments;
    try {
        arguments = find_arguments(ssh, place);
    } catch (const std::runtime_error&) { // no such program; the connection itself will tell
        return {};
    }
    return known.emplace(key, std::move(arguments)).first->second;
}

} // namespace warplight::remote
