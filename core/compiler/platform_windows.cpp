// SPDX-License-Identifier: Apache-2.0
#include "compiler/platform.hpp"

#include "driver/windows_command_line.hpp"
#include "driver/windows_library.hpp"
#include "driver/windows_process.hpp"
#include "files/held_folder.hpp"
#include "files/paths.hpp"

#include <algorithm>
#include <cstdlib>
#include <cwchar>
#include <windows.h>

namespace warplight::compiler::platform {
namespace fs = std::filesystem;

void* open_library(const std::string& path, std::string& problem) {
    HMODULE library = LoadLibraryExW(
        fs::path(path).c_str(), nullptr,
        files::is_absolute(path) ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS : 0);
    if (!library) problem = driver::detail::why_not_opened(path, GetLastError());
    return reinterpret_cast<void*>(library);
}

void* find_symbol(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

fs::path file_of_symbol(void* symbol) {
    HMODULE library = nullptr;
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            static_cast<LPCWSTR>(symbol), &library))
        return {};
    std::wstring path(32768, L'\0');
    path.resize(GetModuleFileNameW(library, path.data(), static_cast<DWORD>(path.size())));
    return path;
}

std::vector<std::string> nvrtc_loader_names() {
    return {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"};
}

bool is_nvrtc_file(const std::string& name) {
    return name.starts_with("nvrtc64_") && name.ends_with(".dll") && name.find("alt") == std::string::npos;
}

std::vector<fs::path> toolkit_folders() {
    std::vector<fs::path> result;
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"})
        if (const char* value = std::getenv(variable); value && *value) result.emplace_back(value);
    std::vector<fs::path> versions;
    const char* programs = std::getenv("ProgramFiles");
    std::error_code error;
    fs::path root = fs::path(programs ? programs : "C:/Program Files") / "NVIDIA GPU Computing Toolkit" / "CUDA";
    for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error))
        versions.push_back(it->path());
    std::sort(versions.begin(), versions.end(), [](const fs::path& a, const fs::path& b) {
        return std::atof(a.filename().string().c_str() + 1) > std::atof(b.filename().string().c_str() + 1);
    });
    result.insert(result.end(), versions.begin(), versions.end());
    return result;
}

std::vector<fs::path> system_include_folders() { return {}; }

fs::path ascii_path(const fs::path& path) {
    const auto is_ascii = [](wchar_t c) { return c < 128; };
    const std::wstring& own = path.native();
    if (std::ranges::all_of(own, is_ascii)) return path;
    std::wstring brief(32768, L'\0');
    brief.resize(GetShortPathNameW(own.c_str(), brief.data(), static_cast<DWORD>(brief.size())));
    if (!brief.empty() && std::ranges::all_of(brief, is_ascii)) return brief;
    // Wine knows the short names of what lies on another machine, but not those of whole paths there.
    std::wstring name = path.filename().wstring();
    WIN32_FIND_DATAW found{};
    const HANDLE search = FindFirstFileW(own.c_str(), &found);
    if (search != INVALID_HANDLE_VALUE) FindClose(search);
    if (search != INVALID_HANDLE_VALUE && found.cAlternateFileName[0] != 0 && !std::ranges::all_of(name, is_ascii))
        name = found.cAlternateFileName;
    // A disk without short names. Since Windows 10 version 1903 our programs' code page is UTF-8.
    if (search != INVALID_HANDLE_VALUE && !std::ranges::all_of(name, is_ascii) && GetACP() == CP_UTF8) return path;
    // A file that is not on the disk.
    std::ranges::replace_if(name, [](wchar_t c) { return c >= 128; }, L'_');
    return path.has_parent_path() && path.parent_path() != path ? ascii_path(path.parent_path()) / name
                                                                : fs::path(name);
}

std::string system_packages(bool) { return {}; }

std::vector<std::string> library_subfolders() { return {"bin", "bin/x64", "bin/x86_64"}; }

std::string program_file(const std::string& name) { return name + ".exe"; }

fs::path find_on_path(const std::string& program) {
    // Without the folders named, Windows looks in the current one first, where others may have put a program.
    const wchar_t* folders = _wgetenv(L"PATH");
    if (!folders || !*folders) return {};
    std::wstring found(32768, L'\0');
    DWORD length = SearchPathW(folders, fs::path(program).c_str(), L".exe", static_cast<DWORD>(found.size()),
                               found.data(), nullptr);
    found.resize(length < found.size() ? length : 0);
    return found;
}

namespace {

/// This process's environment, with another folder for temporary files.
std::wstring environment_with(const fs::path& temporary) {
    std::wstring block;
    wchar_t* const own = GetEnvironmentStringsW();
    for (const wchar_t* each = own; each && *each; each += std::wcslen(each) + 1)
        if (_wcsnicmp(each, L"TMP=", 4) != 0 && _wcsnicmp(each, L"TEMP=", 5) != 0) block.append(each).push_back(L'\0');
    if (own) FreeEnvironmentStringsW(own);
    for (const wchar_t* name : {L"TEMP=", L"TMP="})
        block.append(name).append(temporary.wstring()).push_back(L'\0');
    block.push_back(L'\0');
    return block;
}

} // namespace

ProcessResult run_process(const std::vector<std::string>& command, const fs::path& folder,
                          const Callback<bool()>& cancelled, const fs::path& temporary) {
    ProcessResult result;
    SECURITY_ATTRIBUTES inherit{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    HANDLE read_end = nullptr, write_end = nullptr;
    if (!CreatePipe(&read_end, &write_end, &inherit, 0)) return result;
    SetHandleInformation(read_end, HANDLE_FLAG_INHERIT, 0);
    std::wstring line;
    for (const std::string& word : command)
        line += (line.empty() ? L"" : L" ") + driver::detail::quoted(fs::path(word).wstring());
    HANDLE job = CreateJobObjectW(nullptr, nullptr);
    const auto started =
        driver::detail::start_process({.program = {},
                                       .command_line = line,
                                       .folder = folder,
                                       .environment = temporary.empty() ? std::wstring() : environment_with(temporary),
                                       .output = write_end,
                                       .errors = write_end,
                                       .job = job});
    const DWORD error = GetLastError();
    CloseHandle(write_end);
    if (!started) {
        result.output = "error " + std::to_string(error);
        CloseHandle(read_end);
        CloseHandle(job);
        return result;
    }
    const PROCESS_INFORMATION process = *started;
    result.started = true;
    char buffer[8192];
    for (;;) {
        DWORD available = 0, count = 0;
        if (!PeekNamedPipe(read_end, nullptr, 0, nullptr, &available, nullptr)) break;
        if (available) {
            if (!ReadFile(read_end, buffer, sizeof buffer, &count, nullptr) || !count) break;
            result.output.append(buffer, count);
            continue;
        }
        if (cancelled && !result.cancelled && cancelled()) {
            result.cancelled = true;
            TerminateJobObject(job, 1);
        }
        Sleep(20);
    }
    WaitForSingleObject(process.hProcess, INFINITE);
    DWORD code = 0;
    GetExitCodeProcess(process.hProcess, &code);
    result.exit_code = static_cast<int>(code);
    CloseHandle(read_end);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    CloseHandle(job);
    return result;
}

void keep_process_group() {} // jobs end with the job of this process

fs::path user_cache_folder() {
    if (const char* local = std::getenv("LOCALAPPDATA"); local && *local) return local;
    return files::own_temporary_folder("warplight-cache");
}

unsigned long process_id() { return GetCurrentProcessId(); }

} // namespace warplight::compiler::platform
