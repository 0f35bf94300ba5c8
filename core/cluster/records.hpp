// SPDX-License-Identifier: Apache-2.0
/// Logs of results. A record is a line, so that a torn one spoils no other; docs/cluster.md has its form.
#pragma once

#include "files/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::cluster {

/// A record may be so long. A longer line is no record.
inline constexpr std::size_t longest_record = std::size_t{8} << 20;

struct Record {
    std::uint64_t point = 0;
    std::string_view body;    ///< JSON, not looked at yet
    std::uint64_t offset = 0; ///< of its line in the log
    std::size_t length = 0;   ///< of its line, with the end of the line
};

/// `POINT LENGTH DIGEST BODY\n`. @param body without line ends
[[nodiscard]] std::string record_line(std::uint64_t point, std::string_view body);
/// Of a line without its end. Nothing where it is torn, damaged, or something else.
[[nodiscard]] std::optional<Record> parse_record(std::string_view line);

/// Reads a log in pieces, as they come.
class RecordReader {
public:
    /// Calls `take` with each record that is complete. Other lines are counted as damaged; empty ones are nothing.
    void feed(std::string_view bytes, const std::function<void(const Record&)>& take);
    [[nodiscard]] std::uint64_t offset() const { return offset_; } ///< bytes that were fed
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }

private:
    std::string rest_; ///< a line whose end has not come
    bool skips_ = false;
    std::uint64_t offset_ = 0, damaged_ = 0;
};

/// What a log is called: the task, which attempt at it this is, and a part that no other process has.
struct LogName {
    std::uint64_t task = 0, attempt = 0;
    std::string unique;

    [[nodiscard]] std::string text() const; ///< "000012.0.k3j5h2l4m9.log"
    [[nodiscard]] static std::optional<LogName> parse(std::string_view name);
};

/// A log of this process alone.
class RecordLog {
public:
    /// @throws files::Problem
    RecordLog(const std::filesystem::path& folder, std::uint64_t task, std::uint64_t attempt);
    /// Appends records by one write, and waits until the disk has them: other machines see them then. Bytes of a write
    /// that failed stay as a damaged line. @throws files::Problem, where the disk is full
    void append(std::string_view lines);

private:
    std::filesystem::path path_;
    files::platform::Folder folder_;
    files::platform::File file_;
    bool torn_ = false;
};

} // namespace warplight::cluster
