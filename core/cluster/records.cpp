// SPDX-License-Identifier: Apache-2.0
#include "cluster/records.hpp"

#include "files/problem.hpp"
#include "files/random_name.hpp"
#include "session/digest.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::cluster {
namespace {

std::string digest_of_record(std::uint64_t point, std::string_view body) {
    const auto text = fmt::format("{} {}", point, body);
    return session::digest(std::as_bytes(std::span(text)));
}

/// A number in front of a blank, which is taken away with it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end == text.data() + text.size() || *end != ' ') return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return number;
}

} // namespace

std::string record_line(std::uint64_t point, std::string_view body) {
    return fmt::format("{} {} {} {}\n", point, body.size(), digest_of_record(point, body), body);
}

std::optional<Record> parse_record(std::string_view line) {
    constexpr std::size_t digest_size = 32;
    const auto length = line.size() + 1;
    const auto point = take_number(line);
    if (!point) return std::nullopt;
    const auto size = take_number(line);
    if (!size || line.size() < digest_size + 1 || *size != line.size() - digest_size - 1) return std::nullopt;
    Record record{*point, line.substr(digest_size + 1), 0, length};
    if (line[digest_size] != ' ' || line.substr(0, digest_size) != digest_of_record(*point, record.body))
        return std::nullopt;
    return record;
}

void RecordReader::feed(std::string_view bytes, const std::function<void(const Record&)>& take) {
    const auto line_is = [&](std::string_view line, std::uint64_t end) {
        if (std::exchange(skips_, false)) { // its beginning was dropped
            ++damaged_;
            return;
        }
        if (line.empty()) return;
        if (auto record = parse_record(line)) {
            record->offset = end - record->length;
            take(*record);
        } else {
            ++damaged_;
        }
    };
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        if (end == std::string_view::npos) {
            offset_ += bytes.size();
            if (rest_.size() + bytes.size() > longest_record) {
                skips_ = true;
                rest_.clear();
                rest_.shrink_to_fit();
            }
            if (!skips_) rest_ += bytes;
            return;
        }
        offset_ += end + 1;
        if (rest_.empty()) {
            line_is(bytes.substr(0, end), offset_);
        } else {
            rest_ += bytes.substr(0, end);
            line_is(rest_, offset_);
            rest_.clear();
        }
        bytes.remove_prefix(end + 1);
    }
}

std::string LogName::text() const { return fmt::format("{:06}.{}.{}.log", task, attempt, unique); }

std::optional<LogName> LogName::parse(std::string_view name) {
    constexpr std::string_view suffix = ".log";
    if (!name.ends_with(suffix)) return std::nullopt;
    name.remove_suffix(suffix.size());
    const auto first = name.find('.');
    const auto second = first == std::string_view::npos ? first : name.find('.', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    LogName result;
    const auto number = [](std::string_view text, std::uint64_t& value) {
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        return problem == std::errc() && end == text.data() + text.size() && !text.empty();
    };
    result.unique = name.substr(second + 1);
    if (!number(name.substr(0, first), result.task) ||
        !number(name.substr(first + 1, second - first - 1), result.attempt) || !files::is_random_name(result.unique))
        return std::nullopt;
    return result;
}

RecordLog::RecordLog(const std::filesystem::path& folder, std::uint64_t task, std::uint64_t attempt) {
    std::string why;
    folder_ = files::platform::Folder::open(folder, files::platform::Owner::anybody, why);
    if (!folder_.is_open()) throw files::Problem(folder, "cannot be opened: " + why);
    std::error_code code;
    for (int i = 0; i < files::kNameTries; ++i) {
        const auto name = LogName{task, attempt, files::random_name()}.text();
        path_ = folder / name;
        file_ = folder_.create(name, true, code);
        if (file_.is_open()) return;
        if (code != std::errc::file_exists) break;
    }
    throw files::Problem(path_, "cannot be made", code);
}

void RecordLog::append(std::string_view lines) {
    std::string begun;
    if (torn_) { // what stands there is no record any more; this one begins on a line of its own
        begun = '\n';
        begun += lines;
        lines = begun;
    }
    auto code = file_.write(std::as_bytes(std::span(lines)));
    torn_ = static_cast<bool>(code);
    if (!code) code = file_.sync();
    if (code) throw files::Problem(path_, "cannot be written", code);
}

} // namespace warplight::cluster
