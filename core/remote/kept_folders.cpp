// SPDX-License-Identifier: Apache-2.0
#include "remote/kept_folders.hpp"

#include "compiler/sha256.hpp"
#include "files/held_folder.hpp"

#include <chrono>
#include <string>
#include <system_error>
#include <vector>

namespace warplight::remote {
namespace fs = std::filesystem;
namespace {

constexpr const char* kKept = "kept";
constexpr auto kOld = std::chrono::hours(24);

} // namespace

KeptFolder::KeptFolder(const fs::path& folder, std::string_view near)
    : path_(folder / kKept / compiler::sha256_hex(near)) {
    files::own_folder(folder / kKept);
    files::own_folder(path_);
    std::string ignored;
    held_ = files::platform::Folder::open(path_, files::platform::Owner::user, ignored);
    // A connection before this one may hold it still; its files are as safe then.
    if (held_.is_open()) (void)held_.hold();
}

void remove_old_kept_folders(const fs::path& folder) {
    std::vector<fs::path> old;
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator each(folder / kKept, error), end; !error && each != end; each.increment(error)) {
        std::error_code gone;
        const auto changed = each->last_write_time(gone);
        if (!gone && each->is_directory(gone) && !each->is_symlink(gone) && changed + kOld < now)
            old.push_back(each->path());
    }
    for (const fs::path& path : old) {
        std::string ignored;
        const auto held = files::platform::Folder::open(path, files::platform::Owner::user, ignored);
        if (!held.is_open() || held.hold() != files::platform::Hold::held) continue;
        fs::remove_all(path, error);
    }
}

} // namespace warplight::remote
