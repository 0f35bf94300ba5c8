// SPDX-License-Identifier: Apache-2.0
#include "remote/root_folder.hpp"

#include "files/held_folder.hpp"
#include "files/paths.hpp"
#include "files/problem.hpp"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace warplight::remote {
namespace fs = std::filesystem;
namespace {

using files::platform::Folder;
using files::platform::Hold;

constexpr int kMostRoots = 10'000; ///< connections at once

void remove_content(const fs::path& folder) {
    std::vector<fs::path> content;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error))
        content.push_back(each->path());
    for (const fs::path& path : content)
        fs::remove_all(path, error);
}

} // namespace

RootFolder::RootFolder(const fs::path& folder) {
    fs::path roots = folder / "roots";
    files::own_folder(roots);
    std::error_code error;
    if (auto real = files::real_path(roots, error); !error) roots = std::move(real);
    for (int i = 0; i < kMostRoots; ++i) {
        const fs::path path = roots / std::to_string(i);
        const bool there = fs::exists(path, error);
        if (!there && held_.is_open()) return; // all have been looked at
        if (!there) files::own_folder(path);
        std::string ignored;
        Folder candidate = Folder::open(path, files::platform::Owner::private_, ignored);
        if (!candidate.is_open() || candidate.hold() != Hold::held) continue;
        remove_content(path);
        if (held_.is_open()) continue; // of a process that was killed
        held_ = std::move(candidate);
        path_ = path;
    }
    if (!held_.is_open()) throw files::Problem(roots, "has no free folder that can be held");
}

RootFolder::~RootFolder() { remove_content(path_); }

} // namespace warplight::remote
