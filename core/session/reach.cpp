// SPDX-License-Identifier: Apache-2.0
#include "session/reach.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/run_options.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;

/// Folders of the system whose files are no data: processes, devices, settings of the kernel.
constexpr std::array<const char*, 3> never = {"/proc", "/sys", "/dev"};

bool below_text(const fs::path& file, const fs::path& root) {
    const auto [rest, ignored] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
    return rest == root.end();
}

/// `file` is `root` or lies below it. Both are canonical. File systems that ignore case have several spellings.
bool below(const fs::path& file, const fs::path& root) {
    if (below_text(file, root)) return true;
    if (!files::same_root(file, root)) return false;
    std::error_code problem;
    for (fs::path each = file; each.has_relative_path(); each = each.parent_path())
        if (fs::equivalent(each, root, problem)) return true;
    return false;
}

bool reaches(const fs::path& root, const fs::path& file) {
    if (!below(file, root)) return false;
    return std::ranges::none_of(never, [&](const char* folder) {
        return below_text(file, folder) && !(below_text(root, folder) && root != fs::path(folder));
    });
}

} // namespace

fs::path without_links(const fs::path& file) {
    std::error_code problem;
    if (file.native().find(fs::path::value_type{}) != fs::path::string_type::npos) return {};
    auto target = files::real_path(file, problem);
    if (problem) return {};
    // What does not exist was only simplified. A link to nothing would decide later where it leads.
    for (auto each = target; each.has_relative_path(); each = each.parent_path()) {
        const auto type = fs::symlink_status(each, problem).type();
        if (type == fs::file_type::symlink) return {};
        if (type != fs::file_type::not_found && type != fs::file_type::none) break;
    }
    return target;
}

Reach::Reach(const fs::path& folder, const std::vector<fs::path>& agreed) : folder_(folder) {
    if (!folder.empty()) named_.push_back(folder);
    named_.insert(named_.end(), agreed.begin(), agreed.end());
    std::ranges::transform(named_, std::back_inserter(roots_), without_links);
    std::erase_if(roots_, [](const fs::path& root) { return root.empty(); });
    // The separator at the end of a folder's name would be a component of its own.
    for (auto& root : roots_)
        if (!root.has_filename() && root.has_relative_path()) root = root.parent_path();
}

Reach Reach::everywhere(const fs::path& folder) {
    Reach reach;
    reach.everywhere_ = true;
    reach.folder_ = folder;
    return reach;
}

Reach Reach::of(const RunOptions& options) {
    return options.trusted ? everywhere(options.folder) : Reach(options.folder, options.allow);
}

fs::path Reach::place(const std::string& path) const {
    auto named = path_from_utf8(path);
    // As an absolute path it would be another one, which looks harmless.
    if (!files::path_problem(named).empty()) return named;
    std::error_code problem;
    return files::absolute(files::join(folder_, named), problem);
}

/// Such a path is refused before anything is asked of the machine. A share may have two names: the one that was agreed
/// to, and that of the place to which it leads.
bool Reach::of_unknown_machine(const fs::path& file) const {
    if (!files::is_on_other_machine(file)) return false;
    const auto here = [&](const fs::path& root) { return files::same_root(root, file); };
    return std::ranges::none_of(named_, here) && std::ranges::none_of(roots_, here);
}

bool Reach::contains(const fs::path& file) const {
    if (everywhere_) return true;
    if (!files::path_problem(file).empty()) return false;
    if (of_unknown_machine(file)) return false;
    const auto target = without_links(file);
    if (target.empty()) return false;
    return std::ranges::any_of(roots_, [&](const fs::path& root) { return reaches(root, target); });
}

fs::path Reach::for_reading(const fs::path& file) const {
    if (everywhere_) return file;
    if (const auto problem = files::path_problem(file); !problem.empty())
        throw SessionError(fmt::format("\"{}\" {}. Correct the path.", utf8_of(file), problem));
    const auto target = of_unknown_machine(file) ? fs::path() : without_links(file);
    if (!target.empty() && std::ranges::any_of(roots_, [&](const fs::path& root) { return reaches(root, target); }))
        return target;
    const auto& shown = target.empty() ? file : target;
    const bool link = !target.empty() && target != files::normal(file);
    throw OutsideError(fmt::format("{} lies outside of the session's folder{}. {}", file.string(),
                                   link ? fmt::format(": it is {}", target.string()) : std::string(), advice(shown)),
                       shown);
}

bool Reach::can_be_allowed(const fs::path& file) {
    return files::path_problem(file).empty() &&
           std::ranges::none_of(never, [&](const char* folder) { return below_text(file, folder); });
}

fs::path Reach::folder_to_allow(const fs::path& file) {
    std::error_code problem;
    return !files::is_on_other_machine(file) && fs::is_directory(file, problem) ? file : file.parent_path();
}

std::string Reach::advice(const fs::path& file) {
    for (const char* folder : never)
        if (below_text(file, folder)) return fmt::format("A session never reads files of {}.", folder);
    return fmt::format("If the session may use that folder, allow it: --allow {}", folder_to_allow(file).string());
}

} // namespace warplight::session
