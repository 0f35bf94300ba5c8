// SPDX-License-Identifier: Apache-2.0
/// Every run that was made, in a database of SQLite: what ran, where, how long, and with which results. A run can be
/// found again, compared with another, and made again as it was. docs/history.md tells what is kept.
#pragma once

#include "history/error.hpp"
#include "session/report.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::history {

/// A run, as a list shows it.
struct Entry {
    std::int64_t id = 0;       ///< from 1, in the order of the runs; a number is not given twice
    std::int64_t time = 0;     ///< when it ended, milliseconds since 1970-01-01 UTC
    std::string session;       ///< the document's file; empty without one
    std::string title, kernel; ///< of the session
    std::string device;        ///< "software: AMD EPYC …", as the report has it
    std::string launch;        ///< "64,1,1 × 256,1,1"; with dynamic shared memory "… + 4096 B"
    std::string options;       ///< of the compiler, with blanks between them
    session::Status status = session::Status::ok;
    double kernel_ms = 0; ///< the median; 0 where it did not run
    int repeat = 0;       ///< runs that were measured
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

struct Query {
    /// Words, each of which stands in title, kernel, device, launch, options, arguments, label or note.
    std::string text = {};
    std::string session = {}; ///< of this document only
    bool pinned = false;      ///< pinned ones only
    std::size_t limit = 200, offset = 0;
};

class Database;

/// One thread uses it at a time; several processes may have the file open.
class History {
public:
    /// In the user's folder: `~/.local/share/warplight/history.sqlite`, `%LOCALAPPDATA%\warplight\history.sqlite`; or
    /// the file that WARPLIGHT_HISTORY names.
    static std::filesystem::path default_file();

    /// Opens the file, or makes it. @throws HistoryError
    explicit History(const std::filesystem::path& file);
    ~History();

    /// Adds a run that has ended. @param source the text that was compiled. @returns its number. @throws HistoryError
    std::int64_t add(const session::Session& session, std::string_view source, const session::Report& report,
                     std::string_view label = {}, std::string_view note = {});
    /// The newest first. @throws HistoryError
    [[nodiscard]] std::vector<Entry> find(const Query& query) const;
    /// Of the query without its limit. @throws HistoryError
    [[nodiscard]] std::size_t count(const Query& query) const;
    /// @throws HistoryError, of the kind `missing` too
    [[nodiscard]] Run get(std::int64_t id) const;

    /// @throws HistoryError, of the kind `missing` too
    void set_label(std::int64_t id, std::string_view label);
    void set_note(std::int64_t id, std::string_view note);
    void set_pinned(std::int64_t id, bool pinned);
    void remove(std::int64_t id);
    /// Removes the oldest runs that are not pinned, until so many are left. @returns how many went
    std::size_t keep_newest(std::size_t count);

private:
    void set(std::int64_t id, const char* column, std::string_view value);
    void remove_unused_sources();
    std::unique_ptr<Database> database_;
};

} // namespace warplight::history
