// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::formats {

/// Which of the names is meant. An empty `member` means the only one. @throws FileError that lists the names.
std::size_t choose_member(const std::filesystem::path& file, const std::vector<std::string>& names,
                          const std::string& member, std::string_view what);

} // namespace warplight::formats
