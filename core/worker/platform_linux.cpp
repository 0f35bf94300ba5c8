// SPDX-License-Identifier: Apache-2.0
#include "worker/platform.hpp"
#include "worker/process_memory.hpp"

#include "compiler/platform.hpp"
#include "worker/confinement.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace warplight::worker::platform {
namespace {

std::size_t read_some(int file, std::byte* to, std::size_t size) {
    for (;;) {
        ssize_t count = ::read(file, to, size);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) return 0;
    }
}

/// read_some() that ends with 0 when `stop` can be read.
std::size_t read_until(int stop, int file, std::byte* to, std::size_t size) {
    pollfd both[] = {{file, POLLIN, 0}, {stop, POLLIN, 0}};
    while (poll(both, 2, -1) < 0)
        if (errno != EINTR) return 0;
    return both[1].revents ? 0 : read_some(file, to, size);
}

bool write_all(int file, const std::byte* from, std::size_t size) {
    while (size > 0) {
        ssize_t count = ::write(file, from, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        from += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

void close_file(int& file) {
    if (file >= 0) ::close(file);
    file = -1;
}

/// The environment of a child: "NAME=VALUE".
class ChildEnvironment {
public:
    explicit ChildEnvironment(const ChildSettings& settings) {
        own_.reserve(settings.variables.size());
        for (const auto& [name, value] : settings.variables)
            own_.push_back(std::string(name).append("=").append(value));
        for (char** each = environ; each && *each; ++each) {
            const std::string_view text(*each);
            const std::string_view name = text.substr(0, text.find('='));
            const bool passed = settings.environment == ChildSettings::Environment::whole || is_passed_on(name);
            const bool replaced =
                std::ranges::any_of(settings.variables, [&](const auto& own) { return own.first == name; });
            if (passed && !replaced) words_.push_back(*each);
        }
        for (std::string& each : own_)
            words_.push_back(each.data());
        words_.push_back(nullptr);
    }
    [[nodiscard]] char* const* get() const { return words_.data(); }

private:
    std::vector<std::string> own_;
    std::vector<char*> words_;
};

struct Pipe {
    int read_end = -1, write_end = -1;
    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
        read_end = ends[0];
        write_end = ends[1];
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_file(read_end);
        close_file(write_end);
    }
    int take_read() { return std::exchange(read_end, -1); }
    int take_write() { return std::exchange(write_end, -1); }
};

} // namespace

std::int64_t process_id() { return getpid(); }

std::filesystem::path own_program() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::string program_file(const std::string& name) { return name; }

void close_inherited_files() {
    constexpr long close_range = 436; // Linux 5.9
    syscall(close_range, STDERR_FILENO + 1, ~0U, 0);
}

ServerPipes::ServerPipes() {
    std::signal(SIGPIPE, SIG_IGN);
    in_ = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    out_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        ::close(nothing);
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

ServerPipes::~ServerPipes() {
    int in = static_cast<int>(in_), out = static_cast<int>(out_);
    close_file(in);
    close_file(out);
}

std::size_t ServerPipes::read(std::byte* to, std::size_t size) { return read_some(static_cast<int>(in_), to, size); }

bool ServerPipes::write(const std::byte* from, std::size_t size) {
    return write_all(static_cast<int>(out_), from, size);
}

void ServerPipes::wait_for_closed_input() const {
    pollfd input{static_cast<int>(in_), POLLRDHUP, 0}; // POLLHUP is always told
    while (poll(&input, 1, -1) < 0 && errno == EINTR) {
    }
}

void ignore_interrupts() { signal(SIGINT, SIG_IGN); }

void set_environment(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void end_process(int code) { _exit(code); }

void begin_compiler(const std::filesystem::path& temporary) {
    setenv("TMPDIR", temporary.c_str(), 1);
    compiler::platform::keep_process_group();
}

void limit_compiler(std::uint64_t memory) {
    constexpr rlimit nothing{0, 0};
    setrlimit(RLIMIT_CORE, &nothing);
    if (memory == 0) return;
    const rlimit most{memory, memory};
    setrlimit(RLIMIT_AS, &most);
}

void end_process_group() {
    ::kill(0, SIGKILL);
    _exit(1);
}

struct Child::State {
    pid_t pid = 0;
    bool own_group = true;
    int input = -1, output = -1, errors = -1;
    int stop = -1;    ///< an event: nobody reads any more
    std::mutex mutex; ///< guards the members below: after wait() the process id may belong to another process
    bool gone = false;
};

Child::Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
             const ChildSettings& settings)
    : state_(std::make_unique<State>()) {
    state_->own_group = !settings.at_terminal;
    Pipe input, output, errors;
    state_->stop = eventfd(0, EFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.read_end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.write_end, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.write_end, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Ctrl+C in a terminal is meant for the program that owns the worker. Blocked signals are not inherited.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (settings.at_terminal)
        for (const int each : {SIGINT, SIGQUIT, SIGHUP})
            sigdelset(&all, each);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int group = state_->own_group ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&attributes, static_cast<short>(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    std::string path = program.string();
    std::vector<char*> words{path.data()};
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    const ChildEnvironment environment(settings);
    int status = posix_spawn(&state_->pid, path.c_str(), &actions, &attributes, words.data(), environment.get());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (status != 0) {
        close_file(state_->stop);
        throw std::runtime_error(path + " cannot be started: " + std::strerror(status));
    }
    state_->input = input.take_write();
    state_->output = output.take_read();
    state_->errors = errors.take_read();
}

Child::~Child() {
    if (!state_->gone) {
        kill();
        wait();
    }
    close_file(state_->input);
    close_file(state_->output);
    close_file(state_->errors);
    close_file(state_->stop);
}

std::int64_t Child::id() const { return state_->pid; }
std::size_t Child::read_output(std::byte* to, std::size_t size) {
    return read_until(state_->stop, state_->output, to, size);
}
std::size_t Child::read_errors(std::byte* to, std::size_t size) {
    return read_until(state_->stop, state_->errors, to, size);
}
void Child::stop_reading() { eventfd_write(state_->stop, 1); }

bool Child::write(const std::byte* from, std::size_t size) {
    // Writing to an ended worker fails with an error instead of SIGPIPE.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    return write_all(state_->input, from, size);
}

void Child::close_input() { close_file(state_->input); }

void Child::kill() {
    std::lock_guard lock(state_->mutex);
    if (state_->gone) return;
    // Programs that the child started hold its pipes open. Some have a group of their own.
    const std::vector<std::int64_t> started = descendants(state_->pid);
    ::kill(state_->own_group ? -state_->pid : state_->pid, SIGKILL);
    for (const std::int64_t process : started)
        ::kill(static_cast<pid_t>(process), SIGKILL);
}

std::uint64_t Child::memory() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->gone) return 0;
    std::uint64_t bytes = memory_of(state_->pid);
    for (const std::int64_t process : descendants(state_->pid))
        bytes += memory_of(process);
    return bytes;
}

namespace {
EndOfProcess::Cause cause_of(int signal) {
    using Cause = EndOfProcess::Cause;
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP: return Cause::fault;
    case SIGABRT: return Cause::abort;
    case SIGKILL: return Cause::killed;
    case SIGXCPU: return Cause::processor_time;
    case SIGXFSZ: return Cause::file_size;
    case SIGSYS: return Cause::forbidden_call;
    default: return Cause::other;
    }
}
} // namespace

EndOfProcess Child::wait() {
    // Waits without reaping the child, then reaps it under the lock that kill() takes.
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(state_->pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    std::lock_guard lock(state_->mutex);
    // Until the child is reaped, no other process gets its id.
    if (state_->own_group) ::kill(-state_->pid, SIGKILL);
    int status = 0;
    while (waitpid(state_->pid, &status, 0) < 0 && errno == EINTR) {
    }
    state_->gone = true;
    EndOfProcess end;
    if (WIFSIGNALED(status)) {
        end.by_signal = true;
        end.code = WTERMSIG(status);
        end.cause = cause_of(end.code);
        const char* name = strsignal(end.code);
        end.text = "was ended by signal " + std::to_string(end.code) + (name ? std::string(" (") + name + ")" : "");
    } else {
        end.code = WEXITSTATUS(status);
        end.text = "exited with code " + std::to_string(end.code);
    }
    return end;
}

} // namespace warplight::worker::platform
