// SPDX-License-Identifier: Apache-2.0
#include "session/saved_results.hpp"

#include "session/data_file.hpp"
#include "session/platform.hpp"
#include "session/reach.hpp"

#include "files/input_file.hpp"
#include "files/new_file.hpp"
#include "formats/array_writer.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "warplight/ndarray.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <span>
#include <sstream>
#include <vector>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSample = 64 << 10; ///< bytes at either end

/// FNV-1a. It tells apart what programs write by accident; nobody gains by the same digest.
class Digest {
public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes)
            value_ = (value_ ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The contents of a file, of which the digest sees both ends.
struct Contents {
    std::uint64_t size = 0;
    std::string digest;
    bool operator==(const Contents&) const = default;
};

/// `read` fills a span with the bytes from a place on.
template <class Read>
Contents contents_of(std::uint64_t size, const Read& read) {
    Digest digest;
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(size, 2 * kSample)));
    if (size <= 2 * kSample) {
        read(0, std::span(bytes));
    } else {
        read(0, std::span(bytes).first(kSample));
        read(size - kSample, std::span(bytes).last(kSample));
    }
    digest.add(bytes);
    return {size, digest.text()};
}

/// Nothing where the file is no regular one or cannot be read.
std::optional<Contents> contents_of(const fs::path& file) {
    try {
        const files::InputFile input(file);
        return contents_of(input.size(), [&](std::uint64_t at, std::span<std::byte> to) { input.read(at, to); });
    } catch (const files::InputError&) {
        return std::nullopt;
    }
}

std::string time_of(const fs::path& file) {
    std::error_code problem;
    const auto time = fs::last_write_time(file, problem);
    return problem ? std::string() : fmt::format("{}", time.time_since_epoch().count());
}

/// What is recorded of one result.
struct Record {
    std::string file, session;
    std::optional<Contents> saved;   ///< written, at the time below
    std::string time;                ///< of `saved`
    std::optional<Contents> pending; ///< about to be written
};

fs::path path_of_record(const std::string& file) {
    Digest digest;
    digest.add(std::as_bytes(std::span(file)));
    return saved_results_folder() / digest.text();
}

std::string text_of(const Record& record) {
    std::string text = fmt::format("warplight result 1\n{}\n{}\n", record.file, record.session);
    if (record.saved) text += fmt::format("saved {} {} {}\n", record.saved->size, record.saved->digest, record.time);
    if (record.pending) text += fmt::format("pending {} {}\n", record.pending->size, record.pending->digest);
    return text;
}

/// An empty record where there is none for this file.
Record read_record(const std::string& file) {
    Record record;
    std::string text;
    try {
        text = files::read_text(path_of_record(file), files::Kind::settings);
    } catch (const files::InputError&) {
        return {};
    }
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != "warplight result 1") return {};
    if (!std::getline(lines, record.file) || record.file != file || !std::getline(lines, record.session)) return {};
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string kind;
        Contents contents;
        words >> kind >> contents.size >> contents.digest;
        if (!words) continue;
        if (kind == "saved") {
            words >> record.time;
            record.saved = contents;
        } else if (kind == "pending") {
            record.pending = contents;
        }
    }
    return record;
}

/// Without a record the next run asks before it replaces the result, so a failure is no error of this one.
void write_record(const Record& record) {
    try {
        fs::create_directories(saved_results_folder());
        write_file_atomically(path_of_record(record.file), text_of(record));
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch)
    }
}

/// A line of the record.
std::string line_of(const fs::path& file) {
    const auto real = without_links(file);
    std::string text = utf8_of(real.empty() ? file : real);
    std::ranges::replace(text, '\n', '\x1f');
    return text;
}

} // namespace

fs::path saved_results_folder() { return platform::state_folder() / "results"; }

SavedResults::SavedResults(const RunOptions& options)
    : session_(line_of(options.session_path.empty() ? options.folder : path_from_utf8(options.session_path))) {}

bool SavedResults::may_replace(const fs::path& file) const {
    std::error_code problem;
    if (fs::symlink_status(file, problem).type() == fs::file_type::not_found) return true;
    const Record record = read_record(line_of(file));
    if (record.session != session_ || record.session.empty()) return false;
    const auto now = contents_of(file);
    if (!now) return false;
    return now == record.pending || (now == record.saved && time_of(file) == record.time);
}

void SavedResults::save(const fs::path& file, std::span<const SavedArray> arrays, bool recorded) const {
    std::vector<NdArray> packed; // which the outputs read in place
    std::vector<formats::OutputArray> outputs;
    packed.reserve(arrays.size());
    outputs.reserve(arrays.size());
    for (const SavedArray& each : arrays) {
        packed.push_back(each.array->is_c_contiguous() ? *each.array : each.array->copy());
        outputs.push_back(formats::output_of(each.name, packed.back()));
    }
    const int rate = arrays.empty() ? 0 : arrays.front().rate;
    write(file, [&](files::NewFile& out) { formats::write_arrays(out, outputs, {.rate = rate}, {}); }, recorded);
}

void SavedResults::write(const fs::path& file, const files::Writer& writer, bool recorded) const {
    Record record;
    if (recorded) record = read_record(line_of(file));
    if (record.session != session_) record = {};
    record.file = line_of(file);
    record.session = session_;
    try {
        files::write_new_file(file, [&](files::NewFile& out) {
            writer(out);
            if (!recorded) return;
            record.pending =
                contents_of(out.size(), [&](std::uint64_t at, std::span<std::byte> to) { out.read_at(at, to); });
            write_record(record);
        });
    } catch (const files::Problem& problem) {
        throw FileError(file.string(), problem.text(), problem.hint());
    }
    if (!recorded) return;
    record.saved = record.pending;
    record.time = time_of(file);
    record.pending.reset();
    write_record(record);
}

} // namespace warplight::session
