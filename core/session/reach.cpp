// SPDX-License-Identifier: Apache-2.0
#include "session/reach.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/run_options.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
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
    if (file.root_name() != root.root_name()) return false;
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

/// A path of another machine is refused before anything is asked of that machine.
bool on_other_machine(const fs::path& file, const std::vector<fs::path>& roots) {
    if (!files::is_on_other_machine(file)) return false;
    return std::ranges::none_of(roots, [&](const fs::path& root) { return root.root_name() == file.root_name(); });
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
    if (!folder.empty()) roots_.push_back(without_links(folder));
    for (const auto& each : agreed)
        roots_.push_back(without_links(each));
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
    return fs::absolute(folder_ / named, problem).lexically_normal();
}

bool Reach::contains(const fs::path& file) const {
    if (everywhere_) return true;
    if (!files::path_problem(file).empty()) return false;
    if (on_other_machine(file, roots_)) return false;
    const auto target = without_links(file);
    if (target.empty()) return false;
    return std::ranges::any_of(roots_, [&](const fs::path& root) { return reaches(root, target); });
}

fs::path Reach::for_reading(const fs::path& file) const {
    if (everywhere_) return file;
    if (const auto problem = files::path_problem(file); !problem.empty())
        throw SessionError(fmt::format("\"{}\" {}. Correct the path.", utf8_of(file), problem));
    const auto target = on_other_machine(file, roots_) ? fs::path() : without_links(file);
    if (!target.empty() && std::ranges::any_of(roots_, [&](const fs::path& root) { return reaches(root, target); }))
        return target;
    const auto& shown = target.empty() ? file : target;
    const bool link = !target.empty() && target != file.lexically_normal();
    throw OutsideError(fmt::format("{} lies outside of the session's folder{}. {}", file.string(),
                                   link ? fmt::format(": it is {}", target.string()) : std::string(), advice(shown)),
                       shown);
}

bool Reach::can_be_allowed(const fs::path& file) {
    return files::path_problem(file).empty() &&
           std::ranges::none_of(never, [&](const char* folder) { return below_text(file, folder); });
}

std::string Reach::advice(const fs::path& file) {
    for (const char* folder : never)
        if (below_text(file, folder)) return fmt::format("A session never reads files of {}.", folder);
    std::error_code problem;
    const auto folder =
        !files::is_on_other_machine(file) && fs::is_directory(file, problem) ? file : file.parent_path();
    return fmt::format("If the session may use that folder, allow it: --allow {}", folder.string());
}

} // namespace warplight::session
