// SPDX-License-Identifier: Apache-2.0
#include "worker/crash_report.hpp"

#include "files/risky_read.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <windows.h>

namespace warplight::worker {
namespace {

LONG WINAPI report(EXCEPTION_POINTERS* exception) {
    const void* const pc = exception->ExceptionRecord->ExceptionAddress;
    std::array<char, MAX_PATH> file{};
    HMODULE module = nullptr;
    std::string_view place = kernel_place; // code that belongs to no file
    if (GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           static_cast<LPCSTR>(pc), &module) &&
        GetModuleFileNameA(module, file.data(), static_cast<DWORD>(file.size())) > 0) {
        const char* const slash = std::strrchr(file.data(), '\\');
        place = slash ? slash + 1 : file.data();
    } else {
        MEMORY_BASIC_INFORMATION memory{};
        constexpr DWORD runs = PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY;
        if (VirtualQuery(pc, &memory, sizeof memory) == 0 || memory.State != MEM_COMMIT || !(memory.Protect & runs))
            place = "unknown code";
    }
    std::array<char, 512> line{};
    const int length = std::snprintf(
        line.data(), line.size(), "%.*sexception %08lx at %p in %.*s\n", static_cast<int>(crash_mark.size()),
        crash_mark.data(), exception->ExceptionRecord->ExceptionCode, pc, static_cast<int>(place.size()), place.data());
    DWORD written = 0;
    if (const auto input = files::risky_read(); !input.empty()) {
        std::array<char, 512> reading{};
        const int size =
            std::snprintf(reading.data(), reading.size(), "%.*s%.*s\n", static_cast<int>(crash_reading_mark.size()),
                          crash_reading_mark.data(), static_cast<int>(input.size()), input.data());
        if (size > 0)
            WriteFile(GetStdHandle(STD_ERROR_HANDLE), reading.data(), static_cast<DWORD>(size), &written, nullptr);
    }
    if (length > 0)
        WriteFile(GetStdHandle(STD_ERROR_HANDLE), line.data(), static_cast<DWORD>(length), &written, nullptr);
    return EXCEPTION_CONTINUE_SEARCH; // the process ends with the exception's code
}

} // namespace

void install_crash_report() {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); // no window that waits for a click
    SetUnhandledExceptionFilter(report);
}

void prepare_thread_for_crash() {
    ULONG bytes = 16 << 10;
    SetThreadStackGuarantee(&bytes);
}

} // namespace warplight::worker
