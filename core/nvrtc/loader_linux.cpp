// SPDX-License-Identifier: Apache-2.0
#include "loader.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

namespace warplight::nvrtc::loader {

std::vector<std::filesystem::path> search_folders() {
    std::vector<std::filesystem::path> folders;
    const char* const search = std::getenv("LD_LIBRARY_PATH");
    std::string_view rest = search ? search : "";
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(":;"), rest.size());
        if (end > 0) folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
}

std::vector<std::filesystem::path> system_folders() {
    return {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"};
}

void* open(const std::filesystem::path& library) {
    return dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

void close(void* library) { dlclose(library); }

void* symbol(void* library, const char* name) { return dlsym(library, name); }

} // namespace warplight::nvrtc::loader
