// SPDX-License-Identifier: Apache-2.0
#include "files/problem.hpp"

#include <utility>

namespace warplight::files {

Problem::Problem(const std::filesystem::path& path, const std::string& what, std::error_code code)
    : Problem(path.string(), what + ": " + code.message(), code) {}

Problem::Problem(const std::filesystem::path& path, const std::string& what)
    : Problem(path.string(), what, std::error_code()) {}

Problem::Problem(std::string path, std::string text, std::error_code code)
    : std::runtime_error(path + ": " + text), path_(std::move(path)), text_(std::move(text)), code_(code) {}

std::string Problem::hint() const {
    if (code_ == std::errc::no_space_on_device) return "Free some space or choose another folder";
    if (code_ == std::errc::permission_denied || code_ == std::errc::read_only_file_system ||
        code_ == std::errc::operation_not_permitted)
        return "Choose a folder that can be written to";
    return {};
}

} // namespace warplight::files
