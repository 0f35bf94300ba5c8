// SPDX-License-Identifier: Apache-2.0
#include "loader.hpp"

#include "compiler/platform.hpp"

#include <algorithm>
#include <string>
#include <windows.h>

namespace warplight::nvrtc::loader {

std::vector<std::filesystem::path> search_folders() {
    std::wstring search(32768, L'\0');
    search.resize(GetEnvironmentVariableW(L"PATH", search.data(), static_cast<DWORD>(search.size())));
    std::vector<std::filesystem::path> folders;
    for (std::size_t begin = 0; begin < search.size();) {
        const auto end = std::min(search.find(L';', begin), search.size());
        auto folder = search.substr(begin, end - begin);
        std::erase(folder, L'"');
        if (!folder.empty()) folders.emplace_back(std::move(folder));
        begin = end + 1;
    }
    return folders;
}

std::vector<std::filesystem::path> system_folders() { return {}; }

void* open(const std::filesystem::path& library) {
    std::string problem;
    return compiler::platform::open_library(library.string(), problem);
}

void close(void* library) { FreeLibrary(static_cast<HMODULE>(library)); }

void* symbol(void* library, const char* name) { return compiler::platform::find_symbol(library, name); }

} // namespace warplight::nvrtc::loader
