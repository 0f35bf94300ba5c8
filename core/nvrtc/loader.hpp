// SPDX-License-Identifier: Apache-2.0
// The system's loader, for a library that has the name of the one it opens.
#pragma once

#include <filesystem>
#include <vector>

namespace warplight::nvrtc::loader {

/// The folders that the user told the loader of.
[[nodiscard]] std::vector<std::filesystem::path> search_folders();
/// Those that it looks into by itself, where toolkits put libraries too.
[[nodiscard]] std::vector<std::filesystem::path> system_folders();

/// Null where it cannot be opened. What it calls by its own names are its own functions.
[[nodiscard]] void* open(const std::filesystem::path& library);
void close(void* library);
[[nodiscard]] void* symbol(void* library, const char* name);

} // namespace warplight::nvrtc::loader
