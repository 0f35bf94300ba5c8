// SPDX-License-Identifier: Apache-2.0
#include "driver/library.hpp"
#include "driver/windows_library.hpp"
#include "files/paths.hpp"

#include <windows.h>

#include <array>
#include <fstream>
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

/// The processor that a program or library is for, as its header has it; 0 when the file is none.
unsigned machine_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const auto number = [&in](std::streamoff at, unsigned bytes) -> unsigned long {
        std::array<unsigned char, 4> raw{};
        if (!in.seekg(at).read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(bytes))) return 0;
        return raw[0] | raw[1] << 8 | raw[2] << 16 | static_cast<unsigned long>(raw[3]) << 24;
    };
    constexpr unsigned long mz = 0x5a4d, pe = 0x4550;
    if (number(0, 2) != mz) return 0;
    const auto header = static_cast<std::streamoff>(number(0x3c, 4));
    return number(header, 4) == pe ? static_cast<unsigned>(number(header + 4, 2)) : 0;
}
} // namespace

std::string why_not_opened(const std::filesystem::path& file, unsigned long error) {
    const std::string own_words = std::system_category().message(static_cast<int>(error));
    std::error_code code;
    const bool there = file.has_parent_path() && std::filesystem::exists(file, code);
    if (there && error == ERROR_BAD_EXE_FORMAT) {
        const unsigned machine = machine_of(file);
        if (machine == IMAGE_FILE_MACHINE_I386) return "is a 32-bit DLL, and the 64-bit one is needed";
        if (machine == 0) return "is no DLL, or a damaged one";
        if (machine != IMAGE_FILE_MACHINE_AMD64) return "is a DLL for another processor; the one for x86-64 is needed";
        return "is a damaged DLL: " + own_words;
    }
    if (there && error == ERROR_MOD_NOT_FOUND) return "is there, but a DLL that it needs is missing";
    if (there && error == ERROR_PROC_NOT_FOUND) return "does not fit a DLL that it needs, which lacks a function";
    return own_words;
}

void* open_library(const std::filesystem::path& path, std::string& error) {
    // A full path also finds the libraries beside it; a bare name is looked for in the system folder alone.
    const DWORD flags = files::is_absolute(path) ? LOAD_WITH_ALTERED_SEARCH_PATH
                                                 : LOAD_LIBRARY_SEARCH_SYSTEM32 | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
    HMODULE module = LoadLibraryExW(path.c_str(), nullptr, flags);
    if (!module) error = why_not_opened(path, GetLastError());
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

std::vector<std::filesystem::path> cuda_library_names() {
    // For the runtime library of `exec`, which lies beside the software device under that name.
    return {"nvcuda.dll", own_folder() / "nvcuda.dll"};
}
const char* software_library_name() { return "warplight-cuda.dll"; }

} // namespace warplight::driver::detail
