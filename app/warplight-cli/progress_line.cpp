// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress_line.hpp"

#include "platform.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace warplight::cli {

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(platform::error_is_terminal()) {}

bool ProgressLine::is_due() const {
    const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
    return !quiet_ && std::chrono::steady_clock::now() - last_ >= pause;
}

void ProgressLine::show(const std::string& text) {
    if (!is_due()) return;
    last_ = std::chrono::steady_clock::now();
    if (!terminal_) {
        fmt::print(stderr, "{}\n", text);
        return;
    }
    // Blanks hide the end of a longer line.
    fmt::print(stderr, "{:<{}}\r", text, shown_);
    std::fflush(stderr);
    shown_ = text.size();
}

void ProgressLine::clear() {
    if (shown_) fmt::print(stderr, "{:<{}}\r", "", shown_);
    shown_ = 0;
}

std::string duration_left(double seconds) {
    if (seconds < 100) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

} // namespace warplight::cli
