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

/// The number-th folder, held and empty. Not open where a connection has it. @param make where it is missing
Folder take_root(const fs::path& roots, int number, bool make) {
    const fs::path path = roots / std::to_string(number);
    if (make) files::own_folder(path);
    std::string ignored;
    Folder folder = Folder::open(path, files::platform::Owner::private_, ignored);
    if (!folder.is_open() || folder.hold() != Hold::held) return {};
    remove_content(path);
    return folder;
}

fs::path roots_in(const fs::path& folder) {
    fs::path roots = folder / "roots";
    std::error_code error;
    if (auto real = files::real_path(roots, error); !error) return real;
    return roots;
}

} // namespace

RootFolder::RootFolder(const fs::path& folder) {
    files::own_folder(folder / "roots");
    const fs::path roots = roots_in(folder);
    for (int i = 0; i < kMostRoots && !held_.is_open(); ++i) {
        held_ = take_root(roots, i, true);
        path_ = roots / std::to_string(i);
    }
    if (!held_.is_open()) throw files::Problem(roots, "has no free folder that can be held");
    empty_dead_roots(folder);
}

RootFolder::~RootFolder() { remove_content(path_); }

void empty_dead_roots(const fs::path& folder) {
    const fs::path roots = roots_in(folder);
    std::error_code error;
    for (int i = 0; i < kMostRoots && fs::exists(roots / std::to_string(i), error); ++i)
        (void)take_root(roots, i, false);
}

} // namespace warplight::remote
