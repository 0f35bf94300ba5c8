// SPDX-License-Identifier: Apache-2.0
#include "process_end.hpp"

#ifndef _WIN32

#include <array>
#include <csignal>
#include <dlfcn.h>
#include <unistd.h>

namespace warplight::software::platform {
namespace {

// Plain: the library's end comes after that of all objects.
void (*report_at_end)(ProcessEnd) = nullptr;

constexpr std::array kSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT, SIGHUP};

void handle(int signal) {
    report_at_end(ProcessEnd::signal);
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
