// SPDX-License-Identifier: Apache-2.0
#include "session/named_files.hpp"

#include "files/paths.hpp"
#include "session/options_check.hpp"

#include <algorithm>
#include <utility>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;

void add_outside(const fs::path& file, const Reach& reach, std::vector<fs::path>& all) {
    if (reach.contains(file)) return;
    // Another machine is not asked for a file that is not wanted yet.
    auto target = files::is_on_other_machine(file) ? fs::path() : without_links(file);
    if (target.empty()) target = file;
    if (std::ranges::find(all, target) == all.end()) all.push_back(std::move(target));
}

} // namespace

std::vector<fs::path> named_outside(const Session& session, const Reach& reach) {
    std::vector<fs::path> all;
    for (const auto& folder : include_folders_of(session.compile))
        add_outside(reach.place(folder), reach, all);
    visit_named_files(session, [&](FileUse, const std::string& path) { add_outside(reach.place(path), reach, all); });
    return all;
}

} // namespace warplight::session
