// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a connection to another machine, of files on their way, and of the command itself, on standard error.
#pragma once

#include "progress_line.hpp"

#include "worker/connection_watch.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace warplight::cli {

/// All may be called by any thread.
class ConnectionWords {
public:
    /// @param machine "ssh://user@host:port"; empty: this one, and there is no connection to tell of
    /// @param quiet only a connection that is lost or back is told
    explicit ConnectionWords(const std::string& machine, bool quiet = false);

    /// For the workers, which end before this.
    [[nodiscard]] const std::shared_ptr<worker::ConnectionWatch>& watch() const { return watch_; }
    /// Whether the next text of progress() would be shown now.
    [[nodiscard]] bool is_due();
    /// How far the command is. Files on their way are shown in its place.
    void progress(const std::string& text);
    /// Lines that stay, with their newline.
    void say(const std::string& lines);
    /// No line of progress stays behind.
    void clear();

private:
    void show_state(const worker::ConnectionState& state);
    void show_files(const worker::FilesOnTheirWay& files);
    void say_now(const std::string& lines);

    const std::string machine_; ///< "user@host:port"
    std::mutex mutex_;
    ProgressLine own_, files_;
    bool lost_ = false, files_move_ = false;
    std::shared_ptr<worker::ConnectionWatch> watch_;
};

} // namespace warplight::cli
