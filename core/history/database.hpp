// SPDX-License-Identifier: Apache-2.0
// A file of SQLite: statements, and errors that say what to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace warplight::history {

class Statement;

class Database {
public:
    /// Opens the file, or makes it. Another program that writes is waited for, in each statement.
    /// @param cancelled asked now and then while a statement runs or waits. True ends it: it throws. May be empty.
    /// @throws HistoryError
    explicit Database(const std::filesystem::path& file, std::function<bool()> cancelled = {});

    /// From now on what is written survives a crash of this program, and readers do not wait for who writes. This
    /// changes the file: it must be known to be a history. @throws HistoryError
    void keep_log();
    /// Statements without values, one or several. @throws HistoryError
    void execute(const char* statements);
    Statement prepare(std::string_view statement);
    /// As the constructor's.
    void set_cancelled(std::function<bool()> cancelled);
    [[nodiscard]] std::int64_t last_id() const;
    /// Rows that the last statement changed.
    [[nodiscard]] std::int64_t changes() const;
    /// @throws HistoryError for a code of SQLite
    [[noreturn]] void fail(int code) const;

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::filesystem::path file_;
    static int wait(void* self, int count);

    std::function<bool()> cancelled_;
    std::chrono::steady_clock::time_point waits_since_;
    std::unique_ptr<sqlite3, Close> database_;
};

/// Values are bound in the order of the question marks, and columns read from 0.
class Statement {
public:
    Statement(Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}

    /// Back to the start, for other values.
    void reset();
    Statement& bind(std::int64_t value);
    Statement& bind(double value);
    Statement& bind(std::string_view text);
    Statement& bind(std::nullptr_t);
    Statement& bind_bytes(std::string_view bytes);
    /// The next row. False: there is none. @throws HistoryError
    bool step();
    /// To the end. @throws HistoryError
    void run();

    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void check(int code);
    Database* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    int bound_ = 0;
};

/// All of it is written, or nothing.
class Transaction {
public:
    explicit Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Database& database_;
    bool open_ = true;
};

} // namespace warplight::history
