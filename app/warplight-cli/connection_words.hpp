// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a connection to another machine, and of files on their way, on standard error.
#pragma once

#include "progress_line.hpp"

#include "worker/client.hpp"

#include <mutex>
#include <string>

namespace warplight::cli {

class ConnectionWords {
public:
    /// @param driver of the worker; nothing is told of one on this machine
    explicit ConnectionWords(const std::string& driver);

    /// For ClientOptions::on_log.
    void log(const std::string& level, const std::string& text);
    /// For progress of requests: only that of files is told.
    void progress(const worker::Progress& progress);
    /// No line of progress stays behind.
    void clear();

private:
    std::string machine_;
    std::mutex mutex_;
    ProgressLine line_;
    bool lost_ = false;
};

} // namespace warplight::cli
