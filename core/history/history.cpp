// SPDX-License-Identifier: Apache-2.0
#include "history/history.hpp"

#include "compiler/sha256.hpp"
#include "files/held_folder.hpp"
#include "files/platform.hpp"
#include "history/database.hpp"
#include "history/packed_text.hpp"
#include "history/run_difference.hpp"
#include "session/data_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::history {
namespace {

using session::Status;
using Kind = HistoryError::Kind;

constexpr int kApplication = 0x57724c68; ///< "WrLh", in the file's header
constexpr int kVersion = 3;

// What a list shows lies in a table without the large texts, so that looking through it reads little.
constexpr const char* kTables = R"(
CREATE TABLE sources(
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  base INTEGER REFERENCES sources(id),
  size INTEGER NOT NULL,
  data BLOB NOT NULL);
CREATE INDEX sources_by_base ON sources(base);
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time INTEGER NOT NULL,
  session TEXT NOT NULL,
  title TEXT NOT NULL,
  kernel TEXT NOT NULL,
  device TEXT NOT NULL,
  launch TEXT NOT NULL,
  options TEXT NOT NULL,
  status TEXT NOT NULL,
  kernel_ms REAL NOT NULL,
  repeat INTEGER NOT NULL,
  label TEXT NOT NULL,
  note TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  words TEXT NOT NULL,
  change TEXT NOT NULL DEFAULT '',
  clocks TEXT NOT NULL DEFAULT '',
  source INTEGER NOT NULL REFERENCES sources(id));
CREATE INDEX runs_by_session ON runs(session);
CREATE INDEX runs_by_source ON runs(source);
CREATE TABLE details(
  run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  source_file TEXT NOT NULL,
  document_size INTEGER NOT NULL,
  document BLOB NOT NULL,
  report_size INTEGER NOT NULL,
  report BLOB NOT NULL);
)";
constexpr const char* kFromVersion1 = "ALTER TABLE runs ADD COLUMN change TEXT NOT NULL DEFAULT ''";
constexpr const char* kFromVersion2 = "ALTER TABLE runs ADD COLUMN clocks TEXT NOT NULL DEFAULT ''";

constexpr std::string_view kColumns = "id, time, session, title, kernel, device, launch, options, status, kernel_ms, "
                                      "repeat, label, note, pinned, change, "
                                      "clocks";

Status status_of(std::string_view name) {
    for (const Status each : {Status::ok, Status::expectation_failed, Status::input_error, Status::compile_error,
                              Status::device_error, Status::cancelled, Status::limit_reached, Status::findings})
        if (session::status_name(each) == name) return each;
    throw std::invalid_argument("unknown status");
}

Entry entry_of(const Statement& row) {
    Entry entry;
    entry.id = row.integer(0);
    entry.time = row.integer(1);
    entry.session = row.text(2);
    entry.title = row.text(3);
    entry.kernel = row.text(4);
    entry.device = row.text(5);
    entry.launch = row.text(6);
    entry.options = row.text(7);
    entry.status = status_of(row.text(8));
    entry.kernel_ms = row.real(9);
    entry.repeat = static_cast<int>(row.integer(10));
    entry.label = row.text(11);
    entry.note = row.text(12);
    entry.pinned = row.integer(13) != 0;
    entry.change = row.text(14);
    entry.clocks = row.text(15);
    return entry;
}

HistoryError missing(std::int64_t id) {
    return {Kind::missing,
            fmt::format("The history has no run {}. `warplight-cli history list` shows those that it has.", id)};
}

/// What a search finds a run by, beside its columns: the arguments.
std::string words_of(const session::Session& session) {
    std::string words;
    for (const auto& argument : session.arguments) {
        words += argument.name;
        const bool scalar = argument.direction == session::Direction::scalar;
        if (const auto* number = std::get_if<session::Number>(&argument.value); scalar && number)
            std::visit([&words](auto value) { words += fmt::format("={}", value); }, *number);
        else if (const auto* named = std::get_if<session::Enumerator>(&argument.value); scalar && named)
            words += '=' + named->name;
        words += ' ';
    }
    return words;
}

/// "%50\%%" of "50%"
std::string pattern_of(std::string_view word) {
    std::string pattern = "%";
    for (const char letter : word) {
        if (letter == '%' || letter == '_' || letter == '\\') pattern += '\\';
        pattern += letter;
    }
    return pattern + "%";
}

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    constexpr std::string_view blanks = " \t\r\n";
    for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(blanks, end);
    }
    return words;
}

struct Condition {
    std::string text;
    std::vector<std::string> values;
};
Condition condition_of(const Query& query) {
    Condition condition{" WHERE 1", {}};
    if (query.pinned) condition.text += " AND pinned";
    if (query.session) {
        condition.text += " AND session = ?";
        condition.values.push_back(document_name(*query.session));
        if (query.session->empty()) {
            condition.text += " AND title = ?";
            condition.values.push_back(query.title);
        }
    }
    for (const auto& word : words_in(query.text)) {
        constexpr std::array columns{"title", "kernel", "device", "launch", "options", "words", "label", "note"};
        std::string any;
        for (const char* column : columns) {
            any += fmt::format("{}{} LIKE ? ESCAPE '\\'", any.empty() ? "" : " OR ", column);
            condition.values.push_back(pattern_of(word));
        }
        condition.text += " AND (" + any + ")";
    }
    return condition;
}

/// The text of a source. One that resembles another is kept as a difference to it; that one is whole.
std::string source_text(Database& database, std::int64_t id) {
    auto row = database.prepare("SELECT size, data, base FROM sources WHERE id = ?");
    if (!row.bind(id).step()) throw std::invalid_argument("a source is missing");
    return unpack(row.text(1), static_cast<std::size_t>(row.integer(0)),
                  row.is_null(2) ? std::string() : source_text(database, row.integer(2)));
}

/// A whole source that the text may resemble.
std::int64_t base_for(Database& database, std::string_view session, std::string_view kernel) {
    auto row = database.prepare("SELECT sources.id, sources.base FROM runs JOIN sources ON sources.id = runs.source "
                                "WHERE runs.session = ? AND runs.kernel = ? ORDER BY runs.id DESC LIMIT 1");
    if (!row.bind(session).bind(kernel).step()) return 0;
    return row.is_null(1) ? row.integer(0) : row.integer(1);
}

std::int64_t add_source(Database& database, std::string_view text, std::string_view session, std::string_view kernel) {
    const std::string digest = compiler::sha256_hex(text);
    auto known = database.prepare("SELECT id FROM sources WHERE digest = ?");
    if (known.bind(std::string_view(digest)).step()) return known.integer(0);
    std::string data = pack(text);
    auto added = database.prepare("INSERT INTO sources(digest, size, base, data) VALUES(?, ?, ?, ?)");
    added.bind(std::string_view(digest)).bind(static_cast<std::int64_t>(text.size()));
    const std::int64_t base = base_for(database, session, kernel);
    std::string difference = base ? pack(text, source_text(database, base)) : std::string();
    if (base && difference.size() < data.size() / 2) {
        added.bind(base).bind_bytes(difference).run();
    } else {
        added.bind(nullptr).bind_bytes(data).run();
    }
    return database.last_id();
}

} // namespace

std::filesystem::path History::default_file() {
    if (const char* file = std::getenv("WARPLIGHT_HISTORY"); file && *file) return session::path_from_utf8(file);
    std::filesystem::path folder = files::platform::user_data_folder();
    if (folder.empty()) folder = files::own_temporary_folder("warplight-data");
    return folder / "warplight" / "history.sqlite";
}

History::History(const std::filesystem::path& file, std::function<bool()> cancelled)
    : database_(std::make_unique<Database>(file, std::move(cancelled))) {
    const auto number = [this](const char* question) {
        auto row = database_->prepare(question);
        row.step();
        return row.integer(0);
    };
    const std::string name = session::utf8_of(file);
    const auto is_history = [&] {
        if (number("PRAGMA application_id") != kApplication) return false;
        if (number("PRAGMA user_version") > kVersion)
            throw HistoryError(Kind::too_new,
                               fmt::format("The history {} was made by a later version of Warplight. Use "
                                           "that version, or choose another file.",
                                           name));
        return true;
    };
    const auto is_current = [&] { return is_history() && number("PRAGMA user_version") == kVersion; };
    if (!is_current()) {
        Transaction transaction(*database_);
        const auto note_version = [this] {
            database_->execute(
                fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kVersion).c_str());
        };
        if (!is_history()) { // no other process was faster
            if (number("SELECT count(*) FROM sqlite_master") != 0)
                throw HistoryError(
                    Kind::damaged,
                    fmt::format("{} is a database of another program. Choose another file for the history.", name));
            database_->execute(kTables);
            note_version();
        } else if (!is_current()) {
            if (number("PRAGMA user_version") == 1) database_->execute(kFromVersion1);
            database_->execute(kFromVersion2);
            note_version();
        }
        transaction.commit();
    }
    database_->keep_log();
}

History::~History() = default;

void History::set_cancelled(std::function<bool()> cancelled) { database_->set_cancelled(std::move(cancelled)); }

std::int64_t History::add(const session::Session& session, std::string_view source, const session::Report& report,
                          std::string_view label, std::string_view note) {
    Run run = run_of(session, source, report);
    const Entry& entry = run.entry;
    std::string source_text = std::exchange(run.document.source.text, "-"); // it is in `sources`
    const std::string text = session::to_text(run.document);
    run.document.source.text = std::move(source_text);
    const std::string told =
        session::to_json(run.report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Transaction transaction(*database_);
    const std::string change = change_of(run);
    const std::int64_t source_id = add_source(*database_, source, entry.session, entry.kernel);
    auto row = database_->prepare("INSERT INTO runs(time, session, title, kernel, device, launch, options, status, "
                                  "kernel_ms, repeat, label, note, pinned, words, change, clocks, source) "
                                  "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)");
    row.bind(entry.time)
        .bind(std::string_view(entry.session))
        .bind(std::string_view(entry.title))
        .bind(std::string_view(entry.kernel))
        .bind(std::string_view(entry.device))
        .bind(std::string_view(entry.launch))
        .bind(std::string_view(entry.options))
        .bind(session::status_name(entry.status))
        .bind(entry.kernel_ms)
        .bind(std::int64_t{entry.repeat})
        .bind(label)
        .bind(note)
        .bind(std::string_view(words_of(session)))
        .bind(std::string_view(change))
        .bind(std::string_view(entry.clocks))
        .bind(source_id)
        .run();
    const std::int64_t id = database_->last_id();
    auto details =
        database_->prepare("INSERT INTO details(run, source_file, document_size, document, report_size, report) "
                           "VALUES(?, ?, ?, ?, ?, ?)");
    details.bind(id)
        .bind(std::string_view(run.source_file))
        .bind(static_cast<std::int64_t>(text.size()))
        .bind_bytes(pack(text))
        .bind(static_cast<std::int64_t>(told.size()))
        .bind_bytes(pack(told))
        .run();
    transaction.commit();
    return id;
}

std::string History::change_of(const Run& run) const {
    Query query;
    query.session = run.entry.session;
    query.title = run.entry.title;
    query.limit = 1;
    const auto before = find(query);
    if (before.empty()) return {};
    try {
        return change_text(get(before.front().id), run);
    } catch (const HistoryError&) {
        return {}; // a damaged run is no reason to lose this one
    }
}

std::vector<Entry> History::find(const Query& query) const {
    const Condition condition = condition_of(query);
    auto rows = database_->prepare(fmt::format(
        "SELECT {} FROM runs{} AND (? = 0 OR id < ?) ORDER BY id DESC LIMIT ? OFFSET ?", kColumns, condition.text));
    for (const auto& value : condition.values)
        rows.bind(std::string_view(value));
    rows.bind(query.before).bind(query.before);
    rows.bind(static_cast<std::int64_t>(query.limit)).bind(static_cast<std::int64_t>(query.offset));
    std::vector<Entry> entries;
    try {
        while (rows.step())
            entries.push_back(entry_of(rows));
    } catch (const std::invalid_argument& problem) {
        throw HistoryError(Kind::damaged, fmt::format("The history is damaged: {}.", problem.what()));
    }
    return entries;
}

std::size_t History::count(const Query& query) const {
    const Condition condition = condition_of(query);
    auto row = database_->prepare("SELECT count(*) FROM runs" + condition.text);
    for (const auto& value : condition.values)
        row.bind(std::string_view(value));
    row.step();
    return static_cast<std::size_t>(row.integer(0));
}

Run History::get(std::int64_t id) const {
    auto row = database_->prepare(
        fmt::format("SELECT {}, source, source_file, document_size, document, report_size, report FROM runs "
                    "JOIN details ON details.run = runs.id WHERE id = ?",
                    kColumns));
    if (!row.bind(id).step()) throw missing(id);
    Run run;
    try {
        run.entry = entry_of(row);
        run.source_file = row.text(17);
        run.document = session::parse(unpack(row.text(19), static_cast<std::size_t>(row.integer(18))));
        run.document.source.text = source_text(*database_, row.integer(16));
        run.report = session::report_from_json(
            nlohmann::json::parse(unpack(row.text(21), static_cast<std::size_t>(row.integer(20)))));
    } catch (const HistoryError&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& problem) {
        throw HistoryError(Kind::damaged, fmt::format("Run {} of the history is damaged: {}. Other runs can be read; "
                                                      "`warplight-cli history remove {}` removes this one.",
                                                      id, problem.what(), id));
    }
    return run;
}

void History::set(std::int64_t id, const char* column, std::string_view value) {
    auto update = database_->prepare(fmt::format("UPDATE runs SET {} = ? WHERE id = ?", column));
    update.bind(value).bind(id).run();
    if (database_->changes() == 0) throw missing(id);
}
void History::set_label(std::int64_t id, std::string_view label) { set(id, "label", label); }
void History::set_note(std::int64_t id, std::string_view note) { set(id, "note", note); }
void History::set_pinned(std::int64_t id, bool pinned) { set_pinned(std::span(&id, 1), pinned); }
void History::remove(std::int64_t id) { remove(std::span(&id, 1)); }

void History::set_pinned(std::span<const std::int64_t> ids, bool pinned) {
    Transaction transaction(*database_);
    auto update = database_->prepare(fmt::format("UPDATE runs SET pinned = {} WHERE id = ?", pinned ? 1 : 0));
    for_each(ids, update);
    transaction.commit();
}

void History::remove(std::span<const std::int64_t> ids) {
    Transaction transaction(*database_);
    auto removal = database_->prepare("DELETE FROM runs WHERE id = ?");
    for_each(ids, removal);
    remove_unused_sources();
    transaction.commit();
}

void History::for_each(std::span<const std::int64_t> ids, Statement& statement) const {
    std::int64_t changed = 0;
    for (const std::int64_t id : ids) {
        statement.reset();
        statement.bind(id).run();
        changed += database_->changes();
    }
    if (changed == 0 && !ids.empty()) throw missing(ids.front());
}

std::size_t History::keep_newest(std::size_t count) {
    Transaction transaction(*database_);
    database_
        ->prepare("DELETE FROM runs WHERE NOT pinned AND id <= (SELECT id FROM runs WHERE NOT pinned ORDER BY id DESC "
                  "LIMIT 1 OFFSET ?)")
        .bind(static_cast<std::int64_t>(count))
        .run();
    const auto removed = static_cast<std::size_t>(database_->changes());
    if (removed != 0) remove_unused_sources();
    transaction.commit();
    return removed;
}

void History::remove_unused_sources() {
    // First those that are differences; then what they differed from may be unused too.
    for (int pass = 0; pass < 2; ++pass)
        database_->execute("DELETE FROM sources WHERE NOT EXISTS(SELECT 1 FROM runs WHERE source = sources.id) AND NOT "
                           "EXISTS(SELECT 1 FROM sources AS others WHERE others.base = sources.id)");
}

} // namespace warplight::history
