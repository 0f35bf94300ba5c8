// SPDX-License-Identifier: Apache-2.0
#include "remote/connection_folder.hpp"

#include "files/held_folder.hpp"
#include "files/new_file.hpp"
#include "files/paths.hpp"
#include "files/platform.hpp"
#include "files/problem.hpp"
#include "warplight/compiler.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace warplight::remote {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEndedSuffix = ".ended";
constexpr const char* kLockName = "lock";
/// Names the machine that has the connection: several may share a home folder.
constexpr const char* kMachineName = "machine";
constexpr auto kReasonLasts = std::chrono::hours(24);
/// A holder needs far less from making its folder to holding it.
constexpr auto kTimeToHold = std::chrono::minutes(1);
constexpr std::uintmax_t kLeastSpace = std::uintmax_t{16} << 20;
constexpr std::string_view kKilled =
    "its process was killed, or the machine was started again, or it ran out of memory";

fs::path ended_file(const fs::path& far, std::string_view id) {
    fs::path file = connection_folder(far, id);
    file += kEndedSuffix;
    return file;
}

/// Of a file of ours, which is short. Empty where it cannot be read.
std::string first_line(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string line(1000, '\0');
    stream.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(stream.gcount()));
    return line.substr(0, line.find('\n'));
}

void leave_reason(const fs::path& far, std::string_view id, std::string_view reason) {
    try {
        files::write_new_file(
            ended_file(far, id), [&](files::NewFile& file) { file.write(fmt::format("{}\n", reason)); },
            files::Lasting::process);
    } catch (const files::Problem&) { // NOLINT(bugprone-empty-catch): on a full disk the reason is lost, no more
    }
}

/// A folder whose holder has lost it without ending it. Nobody holds it, or it would not be called.
void bury(const fs::path& far, const std::string& id) {
    leave_reason(far, id, kKilled);
    std::error_code ignored;
    fs::remove_all(connection_folder(far, id), ignored);
}

bool is_of_this_machine(const fs::path& folder) {
    const std::string machine = first_line(folder / kMachineName);
    return machine.empty() || machine == platform::machine_name();
}

/// Times of files are compared with that of one that was just written: a file server has a clock of its own.
void remove_dead_connections(const fs::path& far, fs::file_time_type now) {
    std::error_code error, ignored;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(far / "held", error), end; !error && it != end; it.increment(error))
        found.push_back(it->path());
    for (const fs::path& path : found) {
        const std::string name = path.filename().string();
        const auto age = now - fs::last_write_time(path, error);
        if (error) continue;
        if (name.ends_with(kEndedSuffix)) {
            if (age > kReasonLasts) fs::remove(path, ignored);
            continue;
        }
        if (!is_connection_id(name) || !is_of_this_machine(path)) continue;
        platform::HeldFile file;
        const auto result = file.take(path / kLockName, false);
        if (result == platform::HeldFile::Result::held || (result == platform::HeldFile::Result::missing &&
                                                           !fs::exists(path / kLockName, ignored) && age > kTimeToHold))
            bury(far, name);
    }
}

} // namespace

fs::path far_folder() {
    if (const char* chosen = std::getenv("WARPLIGHT_REMOTE_FOLDER"); chosen && *chosen) return chosen;
    return fs::path(compiler::cache_folder()).parent_path() / "remote";
}

std::string far_folder_advice() {
    return "On that machine, set WARPLIGHT_REMOTE_FOLDER to a folder of yours with space, where programs that are "
           "started by ssh see it: in ~/.bashrc before anything that returns early, or in ~/.ssh/environment.";
}

void prepare_far_folder(const fs::path& folder) {
    if (!files::is_absolute(folder))
        throw files::Problem(folder, "is no absolute path, as WARPLIGHT_REMOTE_FOLDER must have");
    std::error_code error;
    // A link may lead to a larger disk.
    const fs::path real = files::real_path(folder, error);
    files::own_folder(error ? folder : real);
    files::own_folder((error ? folder : real) / "held");
    const auto space = fs::space(folder, error);
    if (!error && space.available < kLeastSpace)
        throw files::Problem(folder, fmt::format("its disk has only {} KiB left", space.available / 1024));
    const fs::path trial = folder / "held" / ".trial";
    files::write_new_file(trial, [](files::NewFile& file) { file.write("x"); }, files::Lasting::process);
    fs::remove(trial, error);
}

bool is_connection_id(std::string_view text) {
    return text.size() == 32 &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

fs::path connection_folder(const fs::path& far, std::string_view id) { return far / "held" / id; }

ConnectionFolder::ConnectionFolder(const fs::path& far, const std::string& id)
    : far_(far), path_(connection_folder(far, id)) {
    if (const std::error_code error = files::platform::make_private_folder(path_))
        throw files::Problem(path_, "cannot be made", error);
    if (held_.take(path_ / kLockName, true) != platform::HeldFile::Result::held) {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
        throw files::Problem(path_, "no file in it can be held (flock)");
    }
    std::ofstream(path_ / kMachineName) << platform::machine_name() << '\n';
    std::error_code error;
    const auto now = fs::last_write_time(path_ / kMachineName, error);
    if (!error) remove_dead_connections(far, now);
}

void ConnectionFolder::end(const std::string& reason) noexcept {
    try {
        const std::string id = path_.filename().string();
        leave_reason(far_, id, reason);
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): the next holder removes it
    }
    held_.release();
}

std::string why_connection_is_gone(const fs::path& far, const std::string& id) {
    const fs::path folder = connection_folder(far, id);
    std::error_code ignored;
    if (fs::exists(folder, ignored)) {
        if (!is_of_this_machine(folder))
            return fmt::format("It is on the machine {}, and this is {}. Name that machine itself.",
                               first_line(folder / kMachineName), platform::machine_name());
        platform::HeldFile file;
        if (file.take(folder / kLockName, false) == platform::HeldFile::Result::taken)
            return "Its process does not answer.";
        bury(far, id);
    }
    const std::string reason = first_line(ended_file(far, id));
    if (reason.empty())
        return fmt::format("The machine {} knows nothing of it: it ended more than a day ago, or was on another "
                           "machine of that name.",
                           platform::machine_name());
    return fmt::format("It has ended: {}.", reason);
}

} // namespace warplight::remote
