// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote_install.hpp"
#include "command.hpp"
#include "platform.hpp"

#include "files/held_folder.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "remote/archive.hpp"
#include "remote/install.hpp"
#include "remote/machines.hpp"
#include "session/data_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <optional>

namespace warplight::cli {
namespace {

using files::size_text;

/// A line on a terminal, which is written again and again; a line every few seconds elsewhere; or lines for programs.
class TransferProgress {
public:
    TransferProgress(std::uint64_t size, bool for_programs)
        : size_(size), for_programs_(for_programs), terminal_(platform::error_is_terminal()) {}
    ~TransferProgress() {
        if (shown_) fmt::print(stderr, "\n");
    }
    TransferProgress(const TransferProgress&) = delete;
    TransferProgress& operator=(const TransferProgress&) = delete;

    void show(std::uint64_t bytes) {
        const auto now = std::chrono::steady_clock::now();
        if (!begin_) {
            begin_ = now;
            first_ = bytes;
        }
        const auto pause = std::chrono::milliseconds(terminal_ || for_programs_ ? 200 : 5000);
        if (bytes < size_ && now - last_ < pause) return;
        last_ = now;
        const std::chrono::duration<double> seconds = now - *begin_;
        constexpr double least = 0.3; // before that the rate says nothing
        const auto text =
            fmt::format("{} of {}{}", size_text(bytes), size_text(size_),
                        seconds.count() < least
                            ? std::string()
                            : fmt::format(", {}/s", size_text(static_cast<std::uint64_t>(
                                                        static_cast<double>(bytes - first_) / seconds.count()))));
        if (for_programs_) {
            fmt::print("progress {:.3f} {}\n", size_ ? static_cast<double>(bytes) / static_cast<double>(size_) : 1,
                       text);
            std::fflush(stdout);
        } else if (terminal_) {
            fmt::print(stderr, "\rsending: {:<40}", text);
            std::fflush(stderr);
            shown_ = true;
        } else {
            fmt::print(stderr, "sending: {}\n", text);
        }
    }

private:
    std::uint64_t size_, first_ = 0;
    bool for_programs_, terminal_, shown_ = false;
    std::chrono::steady_clock::time_point last_{};
    std::optional<std::chrono::steady_clock::time_point> begin_;
};

bool agrees() {
    fmt::print("Go on? [y/N] ");
    std::fflush(stdout);
    std::string answer;
    return std::getline(std::cin, answer) && (answer == "y" || answer == "Y" || answer == "yes");
}

int failed(const char* what) {
    fmt::print(stderr, "error: {}\n", what);
    return device_failed;
}

/// The archive to send; made here where the user has named none.
struct Sent {
    std::optional<files::HeldFolder> folder;
    std::filesystem::path file;
};

Sent archive_of(const RemoteInstallOptions& options) {
    Sent sent;
    if (!options.archive.empty()) {
        sent.file = files::absolute(session::path_from_utf8(options.archive));
        return sent;
    }
    sent.folder.emplace("install");
    sent.file = sent.folder->path() / "warplight.tar.gz";
    if (options.progress) fmt::print("progress 0 packing this installation\n");
    std::fflush(stdout);
    remote::write_own_archive(sent.file);
    return sent;
}

} // namespace

int install_there(const RemoteInstallOptions& options) {
    const auto place = remote::place_of_machine(options.machine);
    const auto name = remote::machine_of(place);
    remote::Installer installer(place);
    try {
        const auto sent = archive_of(options);
        const auto archive = remote::read_archive(sent.file);
        const auto have = installer.check(archive);
        fmt::print("Warplight for {} with glibc 2.{} or later goes to {}: {} to send, {} unpacked, into\n"
                   "~/.local/share/warplight/remote there. Nothing else changes, and no root is needed.\n",
                   archive.machine, archive.glibc, name, size_text(archive.size - have), size_text(archive.unpacked));
        if (have > 0) fmt::print("{} are there from an earlier try.\n", size_text(have));
        if (!options.yes && !agrees()) {
            fmt::print("Nothing was changed. --yes goes on without asking.\n");
            return bad_input;
        }
        {
            TransferProgress progress(archive.size, options.progress);
            installer.send(sent.file, archive, have, [&](std::uint64_t bytes) {
                progress.show(bytes);
                return true;
            });
        }
        if (options.progress) fmt::print("progress 1 unpacking there\n");
        std::fflush(stdout);
        const auto version = installer.unpack(archive);
        fmt::print("Warplight {} is on {}. `warplight-cli remote status {}` tells of its devices.\n", version, name,
                   name);
        return success;
    } catch (const remote::InstallError& error) {
        return failed(error.what());
    }
}

int uninstall_there(const std::string& machine) {
    remote::Installer installer(remote::place_of_machine(machine));
    try {
        if (installer.uninstall())
            fmt::print("What `remote install` had put on {} is removed.\n", machine);
        else
            fmt::print("Nothing was installed on {} by `remote install`.\n", machine);
        return success;
    } catch (const remote::InstallError& error) {
        return failed(error.what());
    }
}

} // namespace warplight::cli
