// SPDX-License-Identifier: Apache-2.0
#include "real_library.hpp"

#include "compiler/nvrtc_library.hpp"
#include "compiler/toolkit.hpp"
#include "files/paths.hpp"
#include "loader.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace warplight::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = WARPLIGHT_NVRTC_NAME; // "libnvrtc.so.13"

/// Files that may be NVRTC: in the loader's folders, in toolkits, in the system's folders.
std::vector<fs::path> candidates() {
    if (const char* chosen = std::getenv("WARPLIGHT_NVRTC"); chosen && *chosen) return {chosen};
    std::vector<fs::path> found;
    for (const auto& folder : loader::search_folders())
        found.push_back(folder / kName);
    for (const auto& candidate : compiler::nvrtc_candidates())
        if (fs::path(candidate).has_parent_path()) found.emplace_back(candidate);
    for (const auto& folder : loader::system_folders())
        found.push_back(folder / kName);
    // The version that the program was made for comes first, where it is there.
    std::vector<fs::path> ordered;
    for (const bool wanted : {true, false})
        std::ranges::copy_if(found, std::back_inserter(ordered), [&](const fs::path& file) {
            std::error_code code;
            return files::real_path(file, code).filename().string().starts_with(kName) == wanted;
        });
    return ordered;
}

void* open() {
    for (const auto& candidate : candidates()) {
        std::error_code code;
        const fs::path file = files::real_path(candidate, code);
        if (code) continue;
        void* const library = loader::open(file);
        if (!library) continue;
        if (loader::symbol(library, "nvrtcCompileProgram") && !loader::symbol(library, "warplight_nvrtc")) {
            compiler::open_nvrtc_builtins(file);
            return library;
        }
        loader::close(library);
    }
    std::fprintf(stderr,
                 "warplight: this program uses NVRTC (%s), which was not found.\n"
                 "`warplight-cli toolkit install` installs one, and WARPLIGHT_NVRTC can name another.\n",
                 kName);
    return nullptr;
}

} // namespace

void* real_library() {
    static void* const library = open();
    return library;
}

void* real_function(const char* name) {
    void* const library = real_library();
    return library ? loader::symbol(library, name) : nullptr;
}

} // namespace warplight::nvrtc
