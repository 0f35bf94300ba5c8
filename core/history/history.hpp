// SPDX-License-Identifier: Apache-2.0
/// Every run that was made, in a database of SQLite: what ran, where, how long, and with which results. A run can be
/// found again, compared with another, and made again as it was. docs/history.md tells what is kept.
#pragma once

#include "history/error.hpp"
#include "history/run.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::history {

struct Query {
    /// Words, each of which stands in title, kernel, device, launch, options, arguments, label or note.
    std::string text = {};
    /// Of this document only. Runs without a file ("") belong together when they have the same title.
    std::optional<std::string> session = {};
    std::string title = {};
    bool pinned = false;     ///< pinned ones only
    std::int64_t before = 0; ///< with lower numbers only, for the next page of a list; 0: all
    std::size_t limit = 200, offset = 0;
};

class Database;
class Statement;

/// One thread uses it at a time; several processes may have the file open.
class History {
public:
    /// In the user's folder: `~/.local/share/warplight/history.sqlite`, `%LOCALAPPDATA%\warplight\history.sqlite`; or
    /// the file that WARPLIGHT_HISTORY names.
    static std::filesystem::path default_file();

    /// Opens the file, or makes it. @param cancelled as of set_cancelled(), for opening too. @throws HistoryError
    explicit History(const std::filesystem::path& file, std::function<bool()> cancelled = {});
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

    /// Asked now and then while a statement runs, or waits for another program that writes. True ends it: it throws
    /// HistoryError, and nothing has changed.
    void set_cancelled(std::function<bool()> cancelled);

    /// @throws HistoryError, of the kind `missing` too
    void set_label(std::int64_t id, std::string_view label);
    void set_note(std::int64_t id, std::string_view note);
    void set_pinned(std::int64_t id, bool pinned);
    void remove(std::int64_t id);
    /// Several at once, all or none. Those that are missing by now are left out, unless all are.
    void set_pinned(std::span<const std::int64_t> ids, bool pinned);
    void remove(std::span<const std::int64_t> ids);
    /// Removes the oldest runs that are not pinned, until so many are left. @returns how many went
    std::size_t keep_newest(std::size_t count);

private:
    [[nodiscard]] std::string change_of(const Run& run) const;
    void set(std::int64_t id, const char* column, std::string_view value);
    void for_each(std::span<const std::int64_t> ids, Statement& statement) const;
    void remove_unused_sources();
    std::unique_ptr<Database> database_;
};

} // namespace warplight::history
