// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.hpp"

#include "compiler/platform.hpp"
#include "driver/windows_command_line.hpp"
#include "files/paths.hpp"
#include "warplight/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <system_error>
#include <windows.h>

namespace warplight::cli::platform {
namespace {

namespace fs = std::filesystem;

std::wstring wide(const std::string& text) { return fs::path(std::u8string(text.begin(), text.end())).wstring(); }

std::wstring variable(const wchar_t* name) {
    std::wstring value(32768, L'\0');
    value.resize(GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size())));
    return value;
}

/// Ignores Ctrl+C, which is meant for the program.
BOOL WINAPI wait_for_program(DWORD) { return TRUE; }

} // namespace

void write_utf8_to_console() {
    static const UINT before = GetConsoleOutputCP(); // 0 where there is no console
    if (before == 0 || before == CP_UTF8 || !SetConsoleOutputCP(CP_UTF8)) return;
    std::atexit([] { SetConsoleOutputCP(before); });
}

bool error_is_terminal() {
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

namespace {

fs::path exec_folder(const fs::path& library) {
    std::error_code code;
    return files::real_path(library, code).parent_path() / "exec";
}

} // namespace

fs::path driver_folder(const fs::path& library) {
    std::wstring system(MAX_PATH, L'\0');
    system.resize(GetSystemDirectoryW(system.data(), MAX_PATH));
    std::error_code code;
    if (const auto taken = fs::path(system) / "nvcuda.dll"; fs::exists(taken, code))
        throw FileError(taken.string(), "is NVIDIA's driver, which Windows finds before any other; programs run on the "
                                        "software device where it is not installed");
    auto folder = exec_folder(library);
    if (!fs::exists(folder / "nvcuda.dll", code))
        throw FileError((folder / "nvcuda.dll").string(),
                        "is missing: it is the software device under the driver's name");
    return folder;
}

int replace_by(const std::vector<std::string>& command) {
    std::wstring line;
    for (const auto& each : command)
        line += (line.empty() ? L"" : L" ") + driver::detail::quoted(wide(each));
    // The job ends the program together with this process.
    HANDLE job = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    PROCESS_INFORMATION process{};
    std::fflush(nullptr);
    SetConsoleCtrlHandler(wait_for_program, TRUE);
    if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr, nullptr, &startup,
                        &process)) {
        const DWORD problem = GetLastError();
        fmt::print(stderr, "error: {} cannot be run: {}\n", command[0],
                   std::system_category().message(static_cast<int>(problem)));
        return problem == ERROR_FILE_NOT_FOUND || problem == ERROR_PATH_NOT_FOUND ? 127 : 126;
    }
    AssignProcessToJobObject(job, process.hProcess);
    ResumeThread(process.hThread);
    WaitForSingleObject(process.hProcess, INFINITE);
    DWORD code = 0;
    GetExitCodeProcess(process.hProcess, &code);
    // Processes that the program has left running go on, as on other systems.
    limits.BasicLimitInformation.LimitFlags = 0;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    CloseHandle(job);
    return static_cast<int>(code);
}

int replace_by(const Start& start) {
    // Windows finds an installed driver before the name in that folder.
    const auto folder = start.gpu ? exec_folder(start.library) : driver_folder(start.library);
    // The libraries that it needs are beside it.
    const auto path = folder.wstring() + L";" + folder.parent_path().wstring() + L";" + variable(L"PATH");
    SetEnvironmentVariableW(L"PATH", path.c_str());
    for (const auto& [name, value] : start.environment)
        SetEnvironmentVariableW(wide(name).c_str(), wide(value).c_str());
    return replace_by(start.command);
}

int run(const Start& start) { return replace_by(start); }

std::vector<std::string> python() {
    // The launcher of python.org's installer is in PATH even where Python is not.
    const std::vector<std::vector<std::string>> known{{"py.exe", "-3"}, {"python3.exe"}, {"python.exe"}};
    for (auto command : known) {
        const auto found = compiler::platform::find_on_path(command[0]);
        if (found.empty()) continue;
        command[0] = found.string();
        // Where no Python is, Windows has programs of these names that open its store, and fail with arguments.
        auto asked = command;
        asked.emplace_back("--version");
        const auto answer = compiler::platform::run_process(asked, {}, {});
        if (answer.started && answer.exit_code == 0) return command;
    }
    return {};
}

std::string python_advice() {
    return "with\n  winget install Python.Python.3.13\nor from https://www.python.org/downloads/";
}

} // namespace warplight::cli::platform
