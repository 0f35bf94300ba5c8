// SPDX-License-Identifier: Apache-2.0
#include "session/platform.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <io.h>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <windows.h>

namespace warplight::session::platform {

std::filesystem::path state_folder() {
    const wchar_t* local = _wgetenv(L"LOCALAPPDATA");
    return std::filesystem::path(local && *local ? local : L".") / L"warplight" / L"state";
}

std::uint64_t physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

namespace {
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

    void read_all() const {
        char buffer[65536];
        for (;;) {
            const int count = _read(read_end, buffer, sizeof buffer);
            if (count <= 0) return;
            if (echo && saved >= 0) _write(saved, buffer, static_cast<unsigned>(count));
            receive(std::string_view(buffer, static_cast<std::size_t>(count)));
        }
    }
    void restore() {
        if (saved >= 0)
            _dup2(saved, 1);
        else
            _close(1);
        if (reader.joinable()) reader.join();
        if (saved >= 0) _close(saved);
        _close(read_end);
    }
};

StdoutCapture::StdoutCapture(std::function<void(std::string_view)> receive, bool echo)
    : state_(std::make_unique<State>()) {
    state_->receive = std::move(receive);
    state_->echo = echo;
    std::fflush(stdout);
    int ends[2];
    if (_pipe(ends, 65536, _O_BINARY | _O_NOINHERIT) != 0) return;
    state_->saved = _dup(1);
    _dup2(ends[1], 1);
    _close(ends[1]);
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
