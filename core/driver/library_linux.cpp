// SPDX-License-Identifier: Apache-2.0
#include "driver/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace warplight::driver::detail {

void* open_library(const std::filesystem::path& path, std::string& error) {
    // Local: both drivers export the same names.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* text = dlerror();
        error = text ? text : "cannot be opened";
    }
    return library;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

std::filesystem::path library_file(void* library) {
    link_map* map = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || !map || !map->l_name) return {};
    return map->l_name;
}

std::filesystem::path executable_folder() {
    std::error_code code;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", code);
    return code ? std::filesystem::path() : path.parent_path();
}

std::filesystem::path own_folder() {
    Dl_info info{};
    if (!dladdr(reinterpret_cast<void*>(&own_folder), &info) || !info.dli_fname) return {};
    std::error_code code;
    const auto path = std::filesystem::canonical(info.dli_fname, code);
    return code ? std::filesystem::path() : path.parent_path();
}

std::vector<std::filesystem::path> cuda_library_names() { return {"libcuda.so.1"}; }
const char* software_library_name() { return "libwarplight-cuda.so"; }

} // namespace warplight::driver::detail
