// SPDX-License-Identifier: Apache-2.0
// Private folders that last as long as their process, and folders that belong to the user.
#pragma once

#include "files/problem.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace warplight::files {

/// A new folder `warplight-PURPOSE-…` under a name that nobody can guess, which only this user may enter. It is removed
/// with this object. Where the process is ended before, the next process that makes such a folder removes it.
class HeldFolder {
public:
    /// `purpose`: letters. An empty `parent` is the system's folder for temporary files.
    /// @throws Problem where none can be made
    explicit HeldFolder(const std::string& purpose, const std::filesystem::path& parent = {});
    ~HeldFolder();
    HeldFolder(HeldFolder&& other) noexcept;
    HeldFolder& operator=(HeldFolder&& other) noexcept;
    HeldFolder(const HeldFolder&) = delete;
    HeldFolder& operator=(const HeldFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Removes folders `warplight-PURPOSE-…` of this user whose process is gone.
void remove_dead_folders(const std::filesystem::path& parent = {});

/// Removes this process's folders. For a process that ends without destructors.
void remove_held_folders() noexcept;

/// A new folder `warplight-PURPOSE.…` in the folder for temporary files, which only this user may enter and which
/// stays.
/// @throws Problem
[[nodiscard]] std::filesystem::path make_kept_folder(const std::string& purpose);

/// The folder for temporary files. @throws Problem where there is none
[[nodiscard]] std::filesystem::path temporary_folder();

/// Makes the folder, or takes one that this user has made. From then on nobody else may look into it.
/// @throws Problem where it cannot be made, is a link, or belongs to another user
void own_folder(const std::filesystem::path& path);

/// A folder of this name, with the user's number behind, in the folder for temporary files. It stays from one process
/// to the next. Where another user has put something else under the name, it is a folder of this process only.
/// @throws Problem where neither can be made
[[nodiscard]] std::filesystem::path own_temporary_folder(const std::string& name);

} // namespace warplight::files
