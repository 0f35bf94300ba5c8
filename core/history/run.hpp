// SPDX-License-Identifier: Apache-2.0
/// A run as the history keeps it.
#pragma once

#include "session/report.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace warplight::history {

/// A run, as a list shows it.
struct Entry {
    std::int64_t id = 0;       ///< from 1, in the order of the runs; a number is not given twice
    std::int64_t time = 0;     ///< when it ended, milliseconds since 1970-01-01 UTC
    std::string session;       ///< the document's file; empty without one
    std::string title, kernel; ///< of the session
    std::string device;        ///< "software: AMD EPYC …, on user@host", as the report has it
    std::string launch;        ///< "64,1,1 × 256,1,1"; with dynamic shared memory "… + 4096 B"
    std::string options;       ///< of the compiler, with blanks between them
    session::Status status = session::Status::ok;
    double kernel_ms = 0; ///< the median; 0 where it did not run
    int repeat = 0;       ///< runs that were measured
    std::string change;   ///< since the run before: `change_text`; empty for a document's first run
    /// Why the times are doubtful: names of driver::ClockLimit, and "changed", with blanks between them. Empty where
    /// nothing is known against them.
    std::string clocks;
    std::string label, note;
    bool pinned = false; ///< stays where the oldest runs are removed
};

/// A run, whole.
struct Run {
    Entry entry;
    session::Session document; ///< with the source's text in it as it was, so that it runs anywhere
    std::string source_file;   ///< that the text came from; empty where the document had it
    session::Report report;
};

/// "user@host" of a run on another machine; empty for one here.
[[nodiscard]] std::string machine_of(const Entry& entry);

/// A run that has ended, as the history would have it: without a number. @param source the text that was compiled
Run run_of(const session::Session& session, std::string_view source, const session::Report& report);

/// A session's file as runs name it: programs spell its path with either separator.
std::string document_name(const std::string& session);

} // namespace warplight::history
