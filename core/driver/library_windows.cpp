// SPDX-License-Identifier: Apache-2.0
#include "driver/library.hpp"

#include <windows.h>

#include <system_error>

namespace warplight::driver::detail {

namespace {
std::filesystem::path file_of(HMODULE module) {
    std::wstring buffer(32768, L'\0');
    const DWORD length = GetModuleFileNameW(module, buffer.data(), static_cast<DWORD>(buffer.size()));
    if (length == 0 || length == buffer.size()) return {};
    buffer.resize(length);
    return buffer;
}
} // namespace

void* open_library(const std::filesystem::path& path, std::string& error) {
    // A full path also finds the libraries beside it; a bare name is looked for in the system folder alone.
    const DWORD flags = path.is_absolute() ? LOAD_WITH_ALTERED_SEARCH_PATH
                                           : LOAD_LIBRARY_SEARCH_SYSTEM32 | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
    HMODULE module = LoadLibraryExW(path.c_str(), nullptr, flags);
    if (!module) error = std::system_category().message(static_cast<int>(GetLastError()));
    return module;
}

void* find_symbol(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

std::filesystem::path library_file(void* library) { return file_of(static_cast<HMODULE>(library)); }

std::filesystem::path executable_folder() { return file_of(nullptr).parent_path(); }

std::filesystem::path own_folder() {
    HMODULE module = nullptr;
    const DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExW(flags, reinterpret_cast<LPCWSTR>(&own_folder), &module)) return {};
    return file_of(module).parent_path();
}

const char* cuda_library_name() { return "nvcuda.dll"; }
const char* software_library_name() { return "warplight-cuda.dll"; }

} // namespace warplight::driver::detail
