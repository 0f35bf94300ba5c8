// SPDX-License-Identifier: Apache-2.0
#include "real_library.hpp"

#include "compiler/toolkit.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// Tells this library from NVIDIA's.
extern "C" __attribute__((visibility("default"))) const char warplight_nvrtc[] = "Warplight";

namespace warplight::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = WARPLIGHT_NVRTC_NAME; // "libnvrtc.so.13"

/// Files that may be NVRTC: in the loader's folders, in toolkits, in the system's folders.
std::vector<fs::path> candidates() {
    if (const char* chosen = std::getenv("WARPLIGHT_NVRTC"); chosen && *chosen) return {chosen};
    std::vector<fs::path> found;
    const char* const search = std::getenv("LD_LIBRARY_PATH");
    std::string_view rest = search ? search : "";
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(":;"), rest.size());
        if (end > 0) found.push_back(fs::path(rest.substr(0, end)) / kName);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (const auto& candidate : compiler::nvrtc_candidates())
        if (fs::path(candidate).has_parent_path()) found.emplace_back(candidate);
    for (const char* folder : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"})
        found.push_back(fs::path(folder) / kName);
    // The version that the program was made for comes first, where it is there.
    std::vector<fs::path> ordered;
    for (const bool wanted : {true, false})
        std::ranges::copy_if(found, std::back_inserter(ordered), [&](const fs::path& file) {
            std::error_code code;
            return fs::canonical(file, code).filename().string().starts_with(kName) == wanted;
        });
    return ordered;
}

/// NVRTC opens its builtins by their bare name, which the loader knows once they are open.
void open_builtins(const fs::path& library) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(library.parent_path(), code))
        if (entry.path().filename().string().starts_with("libnvrtc-builtins.so."))
            dlopen(entry.path().c_str(), RTLD_LAZY | RTLD_LOCAL);
}

void* open() {
    for (const auto& candidate : candidates()) {
        std::error_code code;
        const fs::path file = fs::canonical(candidate, code);
        if (code) continue;
        // Its calls of its own functions must not come here.
        void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        if (!library) continue;
        if (dlsym(library, "nvrtcCompileProgram") && !dlsym(library, "warplight_nvrtc")) {
            open_builtins(file);
            return library;
        }
        dlclose(library);
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
    return library ? dlsym(library, name) : nullptr;
}

} // namespace warplight::nvrtc
