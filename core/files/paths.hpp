// SPDX-License-Identifier: Apache-2.0
// What a path leads to on this system. Windows changes names, and takes some for devices or streams.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace warplight::files {

/// Why the system would take the path for something else than a file with exactly these names, to be put after the
/// path: "names a device of Windows". Empty where it would not. Nothing is asked of the system.
[[nodiscard]] std::string path_problem(const std::filesystem::path& path);

/// The path names another machine, which would be asked with this user's name.
[[nodiscard]] bool is_on_other_machine(const std::filesystem::path& path);

/// As the members and functions of std::filesystem with these names, and right for `\\machine\share` too. GCC knows
/// drives alone: it takes such a path for one on the current drive.
[[nodiscard]] bool is_absolute(const std::filesystem::path& path);
/// Without `.` and `..`; links are not followed.
[[nodiscard]] std::filesystem::path normal(const std::filesystem::path& path);
/// Normal as well. @throws std::filesystem::filesystem_error for an empty path
[[nodiscard]] std::filesystem::path absolute(const std::filesystem::path& path);
/// Empty, with an error, for an empty path.
[[nodiscard]] std::filesystem::path absolute(const std::filesystem::path& path, std::error_code& problem);
/// What `path` means in `folder`: an absolute one is itself.
[[nodiscard]] std::filesystem::path join(const std::filesystem::path& folder, const std::filesystem::path& path);
/// Both start at the same drive or the same share of a machine, however their letters are written. Always, on Linux.
[[nodiscard]] bool same_root(const std::filesystem::path& a, const std::filesystem::path& b);

/// `path`, absolute, without links and `..`, as the file system spells it. What does not exist keeps its spelling.
/// Empty, with an error, where a link leads in a circle or cannot be followed.
[[nodiscard]] std::filesystem::path real_path(const std::filesystem::path& path, std::error_code& problem);

/// Another program has the file open and lets nobody replace it.
[[nodiscard]] bool is_held(const std::filesystem::path& file);

/// Both lead to the same place, whether or not there is a file.
[[nodiscard]] bool same_place(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace warplight::files
