// SPDX-License-Identifier: Apache-2.0
#include "history/database.hpp"

#include "history/error.hpp"

#include "session/data_file.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <system_error>
#include <thread>
#include <utility>

namespace warplight::history {
namespace {

constexpr std::chrono::seconds kPatience{3}; ///< for another program that writes

std::string shown(const std::filesystem::path& file) { return session::utf8_of(file); }

} // namespace

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(const std::filesystem::path& file, std::function<bool()> cancelled) : file_(file) {
    if (file.has_parent_path()) {
        std::error_code problem;
        std::filesystem::create_directories(file.parent_path(), problem); // opening tells of it
    }
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(session::utf8_of(file).c_str(), &opened,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) fail(code);
    sqlite3_busy_handler(opened, wait, this);
    set_cancelled(std::move(cancelled));
    sqlite3_extended_result_codes(opened, 1);
    execute("PRAGMA foreign_keys = ON");
}

/// Called where another program has the file, for the count-th time in a statement. 0: gives up.
int Database::wait(void* self, int count) {
    auto& database = *static_cast<Database*>(self);
    const auto now = std::chrono::steady_clock::now();
    if (count == 0) database.waits_since_ = now;
    if (now - database.waits_since_ >= kPatience) return 0;
    if (database.cancelled_ && database.cancelled_()) return 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(count < 10 ? 1 : 20));
    return 1;
}

void Database::keep_log() {
    // SQLite does not call the busy handler where two connections begin a log at once: one of them has to try again.
    for (int tries = 0;; ++tries) {
        const int code = sqlite3_exec(database_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
        if (code == SQLITE_OK) break;
        if ((code & 0xff) != SQLITE_BUSY || wait(this, tries) == 0) fail(code);
    }
    execute("PRAGMA synchronous = NORMAL");
}

void Database::fail(int code) const {
    const std::string name = shown(file_);
    const std::string said = database_ ? sqlite3_errmsg(database_.get()) : sqlite3_errstr(code);
    // SQLite tells of a quota, or of a limit on the size of files, as of a write that failed.
    switch (code == SQLITE_IOERR_WRITE ? SQLITE_FULL : code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw HistoryError(HistoryError::Kind::locked,
                           fmt::format("The history {} is locked: another program has been writing to it for {} s. "
                                       "Close that program, or try again.",
                                       name, kPatience.count()));
    case SQLITE_FULL:
        throw HistoryError(
            HistoryError::Kind::full,
            fmt::format("The history {} cannot grow: the disk or a quota is full ({}). Make room, or remove runs.",
                        name, said));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        throw HistoryError(
            HistoryError::Kind::damaged,
            fmt::format("The history {} is damaged ({}). Move the file away: then a new history is begun, "
                        "and the old one stays as it is.",
                        name, said));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
        throw HistoryError(
            HistoryError::Kind::not_writable,
            fmt::format("The history {} cannot be opened for writing ({}). Check the folder's permissions, "
                        "or choose another file.",
                        name, said));
    case SQLITE_NOMEM: throw std::bad_alloc();
    default: throw HistoryError(HistoryError::Kind::other, fmt::format("The history {}: {}.", name, said));
    }
}

void Database::execute(const char* statements) {
    const int code = sqlite3_exec(database_.get(), statements, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

Statement Database::prepare(std::string_view statement) {
    sqlite3_stmt* prepared = nullptr;
    const int code =
        sqlite3_prepare_v2(database_.get(), statement.data(), static_cast<int>(statement.size()), &prepared, nullptr);
    if (code != SQLITE_OK) fail(code);
    return {*this, prepared};
}

void Database::set_cancelled(std::function<bool()> cancelled) {
    constexpr int steps = 500; // of SQLite's machine: well below a millisecond
    cancelled_ = std::move(cancelled);
    const auto ask = [](void* self) { return static_cast<const Database*>(self)->cancelled_() ? 1 : 0; };
    if (cancelled_)
        sqlite3_progress_handler(database_.get(), steps, ask, this);
    else
        sqlite3_progress_handler(database_.get(), 0, nullptr, nullptr);
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(database_.get()); }
std::int64_t Database::changes() const { return sqlite3_changes(database_.get()); }

void Statement::check(int code) {
    if (code != SQLITE_OK) database_->fail(code);
}
void Statement::reset() {
    sqlite3_reset(statement_.get()); // whose code is that of the step before
    bound_ = 0;
}
Statement& Statement::bind(std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
    return *this;
}
Statement& Statement::bind(double value) {
    check(sqlite3_bind_double(statement_.get(), ++bound_, value));
    return *this;
}
Statement& Statement::bind(std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), ++bound_, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
    return *this;
}
Statement& Statement::bind(std::nullptr_t) {
    check(sqlite3_bind_null(statement_.get(), ++bound_));
    return *this;
}
Statement& Statement::bind_bytes(std::string_view bytes) {
    check(sqlite3_bind_blob64(statement_.get(), ++bound_, bytes.data() ? bytes.data() : "", bytes.size(),
                              SQLITE_TRANSIENT));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_->fail(code);
    return false;
}
void Statement::run() {
    while (step()) {
    }
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string Statement::text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
                 : std::string();
}

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.execute("ROLLBACK");
    } catch (const HistoryError&) { // SQLite has done so by itself after some errors
    }
}
void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

} // namespace warplight::history
