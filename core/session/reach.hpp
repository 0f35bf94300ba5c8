// SPDX-License-Identifier: Apache-2.0
/// Which files a session may name. A session from someone else reaches the files inside its own folder, and files to
/// which the user has agreed.
#pragma once

#include "session/session.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::session {

struct RunOptions;

/// A session names a file outside of its folder, and the user has not agreed to that.
class OutsideError : public SessionError {
public:
    OutsideError(const std::string& message, std::filesystem::path file, const std::string& pointer = {})
        : SessionError(message, pointer), file(std::move(file)) {}

    std::filesystem::path file; ///< canonical
};

class Reach {
public:
    /// What lies inside `folder`, and what the user has agreed to: folders with all that is below them, or files.
    /// Without a folder only the latter. An agreed folder above /proc, /sys or /dev does not include these.
    Reach() = default;
    Reach(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& agreed = {});
    /// All files: of a session that the user has typed.
    static Reach everywhere(const std::filesystem::path& folder);
    static Reach of(const RunOptions& options);

    /// Where relative paths start.
    const std::filesystem::path& folder() const { return folder_; }
    /// The absolute path of a file that the session names. A path that is none for a file stays as it is, to be
    /// refused.
    std::filesystem::path place(const std::string& path) const;

    /// Symbolic links and `..` are resolved first. A file that does not exist lies where it would be made.
    bool contains(const std::filesystem::path& file) const;
    /// The path under which to open a file that is to be read: without links, so that they are not followed later.
    /// @throws OutsideError for a file outside; SessionError where the system would take the path for something else
    std::filesystem::path for_reading(const std::filesystem::path& file) const;

    /// False for files of /proc, /sys and /dev, and for paths that for_reading() always refuses.
    static bool can_be_allowed(const std::filesystem::path& file);
    /// The file's folder, or itself where it is one. Another machine is not asked which it is.
    static std::filesystem::path folder_to_allow(const std::filesystem::path& file);
    /// The remedy for a file outside, for the end of a message.
    static std::string advice(const std::filesystem::path& file);

private:
    bool everywhere_ = false;
    std::filesystem::path folder_;
    bool of_unknown_machine(const std::filesystem::path& file) const;

    std::vector<std::filesystem::path> named_; ///< the folder and what was agreed to, as they were given
    std::vector<std::filesystem::path> roots_; ///< the same, canonical
};

/// `file` without symbolic links and `..`; empty where a link leads in a circle or to nothing.
std::filesystem::path without_links(const std::filesystem::path& file);

} // namespace warplight::session
