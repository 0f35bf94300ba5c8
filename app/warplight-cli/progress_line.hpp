// SPDX-License-Identifier: GPL-3.0-or-later
// How far something is: one line on a terminal, else a line every few seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace warplight::cli {

class ProgressLine {
public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Whether the next text would be shown now.
    [[nodiscard]] bool is_due() const;
    void show(const std::string& text);
    void clear();

private:
    bool quiet_, terminal_;
    std::size_t shown_ = 0; ///< characters of the line that stands there
    std::chrono::steady_clock::time_point last_{};
};

/// "12 s", "3 min", "2.5 h"
std::string duration_left(double seconds);

} // namespace warplight::cli
