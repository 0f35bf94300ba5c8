// SPDX-License-Identifier: Apache-2.0
#include "session/platform.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace warplight::session::platform {

std::filesystem::path state_folder() {
    const char* state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/') return std::filesystem::path(state) / "warplight";
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home && *home ? home : "/") / ".local/state/warplight";
}

std::uint64_t physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

namespace {
// The process has one standard output, so one capture at a time.
std::mutex& turn() {
    static std::mutex mutex;
    return mutex;
}
} // namespace

struct StdoutCapture::State {
    std::unique_lock<std::mutex> lock{turn()};
    std::function<void(std::string_view)> receive;
    int saved = -1;
    int read_end = -1;
    bool echo = false;
    std::thread reader;

    void pass_on(const char* text, std::size_t size) const {
        while (size > 0) {
            const auto written = ::write(saved, text, size);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return;
            text += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    void read_all() const {
        char buffer[65536];
        for (;;) {
            const auto count = read(read_end, buffer, sizeof buffer);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return;
            if (echo && saved >= 0) pass_on(buffer, static_cast<std::size_t>(count));
            receive(std::string_view(buffer, static_cast<std::size_t>(count)));
        }
    }
    void restore() {
        // This closes the last writing end of the pipe, which ends the reader.
        if (saved >= 0)
            dup2(saved, STDOUT_FILENO);
        else
            close(STDOUT_FILENO);
        if (reader.joinable()) reader.join();
        if (saved >= 0) close(saved);
        close(read_end);
    }
};

StdoutCapture::StdoutCapture(std::function<void(std::string_view)> receive, bool echo)
    : state_(std::make_unique<State>()) {
    state_->receive = std::move(receive);
    state_->echo = echo;
    std::fflush(stdout);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    state_->saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    // Where standard output was closed, there is none to restore: it is closed again.
    if (state_->saved < 0 && errno != EBADF) {
        close(ends[0]);
        close(ends[1]);
        return;
    }
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    state_->read_end = ends[0];
    try {
        state_->reader = std::thread([state = state_.get()] { state->read_all(); });
    } catch (const std::system_error&) {
        state_->restore();
        throw;
    }
}

StdoutCapture::~StdoutCapture() {
    if (state_->read_end < 0) return;
    std::fflush(stdout);
    state_->restore();
}

} // namespace warplight::session::platform
