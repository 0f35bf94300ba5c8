// SPDX-License-Identifier: Apache-2.0
// What went wrong with a file or folder.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace warplight::files {

class Problem : public std::runtime_error {
public:
    /// `what` without the path: "cannot be written". The system's reason follows it.
    Problem(const std::filesystem::path& path, const std::string& what, std::error_code code);
    Problem(const std::filesystem::path& path, const std::string& what);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; } ///< what() without the path
    [[nodiscard]] std::error_code code() const noexcept { return code_; }
    /// What to do about it, without a full stop: "Free some space or choose another folder". May be empty.
    [[nodiscard]] std::string hint() const;

private:
    Problem(std::string path, std::string text, std::error_code code);

    std::string path_, text_;
    std::error_code code_;
};

} // namespace warplight::files
