// SPDX-License-Identifier: Apache-2.0
#include "worker/platform.hpp"

#include "driver/windows_command_line.hpp"
#include "driver/windows_process.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <fcntl.h>
#include <io.h>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <windows.h>

namespace warplight::worker::platform {
namespace {

std::size_t read_some(HANDLE file, std::byte* to, std::size_t size) {
    DWORD count = 0;
    DWORD wanted = static_cast<DWORD>(std::min<std::size_t>(size, 1 << 20));
    return ReadFile(file, to, wanted, &count, nullptr) ? count : 0;
}

bool write_all(HANDLE file, const std::byte* from, std::size_t size) {
    while (size > 0) {
        DWORD count = 0;
        if (!WriteFile(file, from, static_cast<DWORD>(std::min<std::size_t>(size, 1 << 20)), &count, nullptr))
            return false;
        from += count;
        size -= count;
    }
    return true;
}

void close_handle(HANDLE& handle) {
    if (handle) CloseHandle(handle);
    handle = nullptr;
}

std::wstring wide(const std::string& utf8) {
    return std::filesystem::path(std::u8string(utf8.begin(), utf8.end())).wstring();
}

/// A block for CreateProcessW of this process's variables with these set. Empty where there are none to set.
std::wstring environment_with(const std::vector<std::pair<std::string, std::string>>& variables) {
    if (variables.empty()) return {};
    std::wstring block;
    const auto same_name = [](std::wstring_view line, const std::wstring& name) {
        return line.size() > name.size() && line[name.size()] == L'=' &&
               CompareStringOrdinal(line.data(), static_cast<int>(name.size()), name.data(),
                                    static_cast<int>(name.size()), TRUE) == CSTR_EQUAL;
    };
    wchar_t* own = GetEnvironmentStringsW();
    for (const wchar_t* line = own; line && *line; line += std::wcslen(line) + 1) {
        const bool replaced =
            std::ranges::any_of(variables, [&](const auto& each) { return same_name(line, wide(each.first)); });
        if (!replaced) block.append(line).push_back(L'\0');
    }
    if (own) FreeEnvironmentStringsW(own);
    for (const auto& [name, value] : variables)
        block.append(wide(name)).append(L"=").append(wide(value)).push_back(L'\0');
    return block + L'\0';
}

} // namespace

std::int64_t process_id() { return GetCurrentProcessId(); }

std::filesystem::path own_program() {
    std::wstring path(32768, L'\0');
    path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return path;
}

std::string program_file(const std::string& name) { return name + ".exe"; }

void close_inherited_files() {} // Handles are inherited only where a program asks for it

ServerPipes::ServerPipes() {
    auto keep = [](DWORD which) {
        HANDLE copy = nullptr;
        DuplicateHandle(GetCurrentProcess(), GetStdHandle(which), GetCurrentProcess(), &copy, 0, FALSE,
                        DUPLICATE_SAME_ACCESS);
        return reinterpret_cast<std::int64_t>(copy);
    };
    in_ = keep(STD_INPUT_HANDLE);
    out_ = keep(STD_OUTPUT_HANDLE);
    SetStdHandle(STD_OUTPUT_HANDLE, GetStdHandle(STD_ERROR_HANDLE));
    _dup2(2, 1);
    if (int nothing = _open("NUL", _O_RDONLY); nothing >= 0) {
        _dup2(nothing, 0);
        _close(nothing);
    }
}

ServerPipes::~ServerPipes() {
    CloseHandle(reinterpret_cast<HANDLE>(in_));
    CloseHandle(reinterpret_cast<HANDLE>(out_));
}

std::size_t ServerPipes::read(std::byte* to, std::size_t size) {
    return read_some(reinterpret_cast<HANDLE>(in_), to, size);
}

bool ServerPipes::write(const std::byte* from, std::size_t size) {
    return write_all(reinterpret_cast<HANDLE>(out_), from, size);
}

void ServerPipes::wait_for_closed_input() const {
    DWORD waiting = 0;
    while (PeekNamedPipe(reinterpret_cast<HANDLE>(in_), nullptr, 0, nullptr, &waiting, nullptr))
        Sleep(200);
    while (GetLastError() != ERROR_BROKEN_PIPE) // no pipe
        Sleep(INFINITE);
}

void ignore_interrupts() { SetConsoleCtrlHandler(nullptr, TRUE); }

void set_environment(const char* name, const std::string& value) { _putenv_s(name, value.c_str()); }

void end_process(int code) {
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(code));
    std::abort();
}

void begin_compiler(const std::filesystem::path& temporary) {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); // a crash of the compiler opens no window
    for (const wchar_t* name : {L"TMP", L"TEMP"})
        _wputenv_s(name, temporary.c_str());
}

// The job of this process may have bounds.
void limit_compiler(std::uint64_t /*memory*/) {}

// The job ends what this process has started.
void end_process_group() { end_process(1); }

struct Child::State {
    HANDLE process = nullptr, job = nullptr;
    HANDLE input = nullptr, output = nullptr, errors = nullptr;
    DWORD id = 0;
    bool gone = false;
    std::atomic<bool> unread = false; ///< nobody reads any more

    std::size_t read(HANDLE file, std::byte* to, std::size_t size) const {
        return unread ? 0 : read_some(file, to, size);
    }
    bool write(const std::byte* from, std::size_t size);
    void close_input();

private:
    std::mutex writing_mutex_;
    std::condition_variable written_;
    int writers_ = 0;
    bool input_closed_ = false;
};

bool Child::State::write(const std::byte* from, std::size_t size) {
    {
        const std::lock_guard lock(writing_mutex_);
        if (input_closed_) return false;
        ++writers_;
    }
    const bool written = write_all(input, from, size);
    {
        const std::lock_guard lock(writing_mutex_);
        --writers_;
    }
    written_.notify_all();
    return written;
}

/// Windows does not close a pipe as long as another thread writes to it, which may wait for ever.
void Child::State::close_input() {
    std::unique_lock lock(writing_mutex_);
    if (std::exchange(input_closed_, true)) return;
    constexpr int rounds = 200;
    for (int i = 0; writers_ > 0; ++i) {
        // A write that has begun meanwhile is found by the next round. Without a reader it fails in any case.
        CancelIoEx(input, nullptr);
        if (i == rounds) TerminateJobObject(job, 1);
        written_.wait_for(lock, std::chrono::milliseconds(5), [this] { return writers_ == 0; });
    }
    close_handle(input);
}

Child::Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
             const ChildSettings& settings)
    : state_(std::make_unique<State>()) {
    SECURITY_ATTRIBUTES inherit{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    HANDLE child_in = nullptr, child_out = nullptr, child_err = nullptr;
    if (!CreatePipe(&child_in, &state_->input, &inherit, 0) || !CreatePipe(&state_->output, &child_out, &inherit, 0) ||
        !CreatePipe(&state_->errors, &child_err, &inherit, 0))
        throw std::runtime_error("no pipe: error " + std::to_string(GetLastError()));
    for (HANDLE own : {state_->input, state_->output, state_->errors})
        SetHandleInformation(own, HANDLE_FLAG_INHERIT, 0);
    std::wstring line = driver::detail::quoted(program.wstring());
    for (const std::string& argument : arguments)
        line += L" " + driver::detail::quoted(wide(argument));
    // The worker ends with this process, even when this one is killed.
    state_->job = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    if (!settings.ends_with_input) limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (settings.memory_limit) {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
        limits.JobMemoryLimit = static_cast<SIZE_T>(settings.memory_limit);
    }
    SetInformationJobObject(state_->job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    const auto started = driver::detail::start_process({.program = program,
                                                        .command_line = line,
                                                        .folder = {},
                                                        .environment = environment_with(settings.variables),
                                                        .input = child_in,
                                                        .output = child_out,
                                                        .errors = child_err,
                                                        .job = state_->job,
                                                        .keeps_console = settings.at_terminal});
    const DWORD error = GetLastError();
    CloseHandle(child_in);
    CloseHandle(child_out);
    CloseHandle(child_err);
    if (!started) {
        for (HANDLE* handle : {&state_->input, &state_->output, &state_->errors, &state_->job})
            close_handle(*handle);
        throw std::runtime_error(program.string() + " cannot be started: error " + std::to_string(error));
    }
    CloseHandle(started->hThread);
    state_->process = started->hProcess;
    state_->id = started->dwProcessId;
}

Child::~Child() {
    if (state_->process && !state_->gone) {
        kill();
        wait();
    }
    for (HANDLE* handle : {&state_->input, &state_->output, &state_->errors, &state_->process, &state_->job})
        close_handle(*handle);
}

std::int64_t Child::id() const { return state_->id; }
std::size_t Child::read_output(std::byte* to, std::size_t size) { return state_->read(state_->output, to, size); }
std::size_t Child::read_errors(std::byte* to, std::size_t size) { return state_->read(state_->errors, to, size); }
void Child::stop_reading() {
    state_->unread = true;
    // A read that has begun meanwhile is found by the next round, and one that has not sees the flag.
    constexpr int rounds = 20;
    for (int i = 0; i < rounds; ++i, Sleep(5))
        for (HANDLE file : {state_->output, state_->errors})
            CancelIoEx(file, nullptr);
}
bool Child::write(const std::byte* from, std::size_t size) { return state_->write(from, size); }
void Child::close_input() { state_->close_input(); }
// The handle stays valid as long as this object, so it cannot name another process.
void Child::kill() {
    TerminateProcess(state_->process, 1);
    TerminateJobObject(state_->job, 1);
}

// The job's own limit makes allocations fail, so nothing has to be watched.
std::uint64_t Child::memory() const { return 0; }

EndOfProcess Child::wait() {
    WaitForSingleObject(state_->process, INFINITE);
    DWORD code = 0;
    GetExitCodeProcess(state_->process, &code);
    state_->gone = true;
    EndOfProcess end;
    end.code = static_cast<int>(code);
    // An exit code of this form is an exception, such as an access violation.
    end.by_signal = code >= 0xC0000000u;
    constexpr DWORD fail_fast = 0xC0000409; // what abort() ends with
    if (end.by_signal) end.cause = code == fail_fast ? EndOfProcess::Cause::abort : EndOfProcess::Cause::fault;
    char text[64];
    std::snprintf(text, sizeof text, end.by_signal ? "was ended by exception 0x%08lX" : "exited with code %lu", code);
    end.text = text;
    return end;
}

} // namespace warplight::worker::platform
