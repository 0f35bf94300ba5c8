// SPDX-License-Identifier: Apache-2.0
#include "process_end.hpp"

#ifndef _WIN32

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace warplight::software::platform {
namespace {

// Plain: the library's end comes after that of all objects.
void (*report_at_end)(ProcessEnd) = nullptr;

constexpr std::array kSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT, SIGHUP};

/// Of the thread that reports: a byte in `asked` is a signal, one in `done` the answer.
struct Reporter {
    pid_t process = 0;
    std::array<int, 2> asked{}, done{};
};
Reporter reporter;

constexpr int kPatience = 5000; ///< milliseconds; the thread that got the signal may hold a lock

/// Whether the thread has reported.
bool has_reported() {
    if (reporter.process != getpid()) return false;
    pollfd answer{reporter.done[0], POLLIN, 0};
    return write(reporter.asked[1], "", 1) == 1 && poll(&answer, 1, kPatience) == 1;
}

void wait_for_signal() {
    char byte = 0;
    while (read(reporter.asked[0], &byte, 1) != 1)
        if (errno != EINTR) return;
    report_at_end(ProcessEnd::stopped);
    (void)!write(reporter.done[1], "", 1);
}

void handle(int signal) {
    if (!has_reported()) report_at_end(ProcessEnd::signal);
    struct sigaction fallback{};
    fallback.sa_handler = SIG_DFL;
    sigaction(signal, &fallback, nullptr);
    raise(signal);
}

/// Later than what the program does at its exit.
[[gnu::destructor]] void at_exit() {
    if (report_at_end) report_at_end(ProcessEnd::exit);
}

} // namespace

void at_end_of_process(void (*report)(ProcessEnd)) {
    report_at_end = report;
    for (const int signal : kSignals) {
        struct sigaction now{};
        if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) continue;
        struct sigaction action{};
        action.sa_handler = handle;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

void report_by_thread() {
    Reporter made;
    made.process = getpid();
    if (reporter.process == made.process || pipe2(made.asked.data(), O_CLOEXEC) != 0) return;
    if (pipe2(made.done.data(), O_CLOEXEC) != 0) {
        close(made.asked[0]);
        close(made.asked[1]);
        return;
    }
    reporter = made;
    // No signal of the program is for this thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread(wait_for_signal).detach();
    } catch (const std::system_error&) {
        reporter.process = 0; // without it, as in a process that has no such thread
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

namespace {

/// Objects of the main thread go before all that was made for the process, also before what other threads have made
/// since the call.
struct MainThread {
    void (*end)() = nullptr;
    MainThread() = default;
    ~MainThread() {
        if (end) end();
    }
    MainThread(const MainThread&) = delete;
    MainThread& operator=(const MainThread&) = delete;
};

} // namespace

void at_exit_beside_threads(void (*end)()) {
    (void)std::atexit(end); // where another thread calls exit()
    if (gettid() != getpid()) return;
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wexit-time-destructors" // that is what it is for
#endif
    thread_local MainThread main_thread;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
    main_thread.end = end;
}

void write_error(std::string_view text) {
    while (!text.empty()) {
        const auto written = write(STDERR_FILENO, text.data(), text.size());
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string file_of(const void* address) {
    Dl_info info{};
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

std::string program_name() {
    std::array<char, 4096> path{};
    const auto size = readlink("/proc/self/exe", path.data(), path.size());
    const std::string name(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return name.substr(name.rfind('/') + 1); // npos + 1 is 0
}

} // namespace warplight::software::platform

#endif
