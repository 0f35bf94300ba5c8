// SPDX-License-Identifier: Apache-2.0
#include "session/data_file.hpp"

#include "files/input_file.hpp"
#include "session/dtype_dispatch.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace warplight::session {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view trim(std::string_view text) {
    text = without_blanks(text);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
    return text;
}

// A file's separator is the first of these that its first line has.
char separator_of(std::string_view line) {
    for (const char each : {',', ';', '\t'})
        if (line.find(each) != std::string_view::npos) return each;
    return ' ';
}

/// The cells of a line, one after the other: a line may be as long as the file.
class Cells {
public:
    Cells(std::string_view line, char separator) : line_(line), separator_(separator) {}

    bool next(std::string_view& cell) {
        if (separator_ == ' ') line_ = without_blanks(line_);
        if (done_ || (separator_ == ' ' && line_.empty())) return false;
        const auto end = line_.find_first_of(separator_ == ' ' ? " \t" : std::string_view(&separator_, 1));
        cell = trim(line_.substr(0, end));
        done_ = end == std::string_view::npos;
        if (!done_) line_.remove_prefix(end + 1);
        return true;
    }

private:
    std::string_view line_;
    char separator_;
    bool done_ = false;
};

template <class T>
bool parse_cell(std::string_view cell, T& value) {
    if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
    const auto* begin = cell.data();
    const auto* end = begin + cell.size();
    if constexpr (std::is_integral_v<T>) {
        const auto [stop, problem] = std::from_chars(begin, end, value);
        if (problem == std::errc() && stop == end) return true;
    }
    double real = 0;
    const auto [stop, problem] = std::from_chars(begin, end, real);
    if (problem != std::errc() || stop != end || cell.empty()) return false;
    if constexpr (std::is_integral_v<T>) {
        // 1e3 and 4.0 are whole numbers, too.
        value = from_double<T>(real);
        return static_cast<double>(value) == real;
    } else {
        value = from_double<T>(real);
        return true;
    }
}

template <class T>
NdArray read_rows(const std::filesystem::path& file, std::string_view text) {
    std::vector<T> values;
    std::size_t columns = 0, rows = 0, number = 0;
    char separator = 0;
    const bool comments = lower_extension(file) == ".txt"; // as numpy.loadtxt has them
    while (!text.empty()) {
        const auto end = text.find('\n');
        auto line = without_blanks(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (comments) line = without_blanks(line.substr(0, line.find('#')));
        if (line.empty() || line.front() == '#') continue;
        if (!separator) separator = separator_of(line);
        const auto before = values.size();
        std::size_t cells = 0;
        bool names = false;
        Cells rest(line, separator);
        for (std::string_view cell; rest.next(cell); ++cells) {
            T value{};
            if (names) continue;
            if (parse_cell(cell, value)) {
                values.push_back(value);
                continue;
            }
            double any = 0;
            names = rows == 0 && cells == 0 && columns == 0 && !parse_cell(cell, any); // the line of names
            if (!names)
                throw SessionError(fmt::format("{}, line {}, column {}: \"{}\" is not a number of the wanted type.",
                                               file.string(), number, cells + 1, cell.substr(0, 40)),
                                   "/path");
        }
        const auto count = values.size() - before;
        if (count == 0 && rows == 0) {
            columns = cells;
            continue;
        }
        if ((rows != 0 || columns != 0) && count != columns)
            throw SessionError(fmt::format("{}, line {}: {} numbers, but the lines before have {}. All rows must be "
                                           "equally long.",
                                           file.string(), number, count, columns),
                               "/path");
        columns = count;
        ++rows;
    }
    if (rows == 0) throw SessionError(fmt::format("{} holds no numbers.", file.string()), "/path");
    return NdArray::from(std::span<const T>(values),
                         columns == 1 ? warplight::Shape{rows} : warplight::Shape{rows, columns});
}

} // namespace

NdArray read_csv(const std::filesystem::path& file, const DType& dtype) {
    return parse_csv(files::read_text(file, files::Kind::table), file, dtype);
}

NdArray parse_csv(std::string_view text, const std::filesystem::path& file, const DType& dtype) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3); // a byte order mark
    NdArray array;
    visit_dtype(dtype, [&]<class Tag>(Tag) { array = read_rows<typename Tag::type>(file, text); });
    return array;
}

} // namespace warplight::session
