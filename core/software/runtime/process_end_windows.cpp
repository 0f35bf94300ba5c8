// SPDX-License-Identifier: Apache-2.0
#include "process_end.hpp"

#ifdef _WIN32

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <filesystem>
#include <windows.h>

namespace warplight::software::platform {
namespace {

std::string name_of(HMODULE module) {
    std::array<wchar_t, 32768> path{};
    const DWORD size = GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size()));
    if (size == 0) return "";
    const std::u8string name = std::filesystem::path(std::wstring(path.data(), size)).u8string();
    return {name.begin(), name.end()};
}

} // namespace

void at_end_of_process(void (*report)(ProcessEnd)) {
    static void (*report_at_end)(ProcessEnd) = nullptr;
    report_at_end = report;
    std::atexit([] { report_at_end(ProcessEnd::exit); });
}

void report_by_thread() {} // there are no signals

void at_exit_beside_threads(void (*)()) {}

void write_error(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

std::string file_of(const void* address) {
    HMODULE module = nullptr;
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            static_cast<LPCWSTR>(address), &module))
        return "";
    return name_of(module);
}

std::string program_name() {
    const std::string name = name_of(nullptr);
    return name.substr(name.find_last_of("/\\") + 1); // npos + 1 is 0
}

} // namespace warplight::software::platform

#endif
