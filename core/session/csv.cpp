// SPDX-License-Identifier: Apache-2.0
#include "session/data_file.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/session.hpp"
#include "warplight/file_io.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace warplight::session {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
    return text;
}

// A file's separator is the first of these that its first line has.
char separator_of(std::string_view line) {
    for (const char each : {',', ';', '\t'})
        if (line.find(each) != std::string_view::npos) return each;
    return ' ';
}

std::vector<std::string_view> split(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    while (true) {
        if (separator == ' ') {
            line = trim(line);
            if (line.empty()) return cells;
        }
        const auto end = line.find_first_of(separator == ' ' ? " \t" : std::string_view(&separator, 1));
        cells.push_back(trim(line.substr(0, end)));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
    }
}

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
    while (!text.empty()) {
        const auto end = text.find('\n');
        auto line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (line.empty() || line.front() == '#') continue;
        if (!separator) separator = separator_of(line);
        const auto cells = split(line, separator);
        const auto before = values.size();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            T value{};
            if (parse_cell(cells[i], value)) {
                values.push_back(value);
                continue;
            }
            double any = 0;
            if (rows == 0 && i == 0 && columns == 0 && !parse_cell(cells[i], any)) break; // the line of names
            throw SessionError(fmt::format("{}, line {}, column {}: \"{}\" is not a number of the wanted type.",
                                           file.string(), number, i + 1, cells[i].substr(0, 40)),
                               "/path");
        }
        const auto count = values.size() - before;
        if (count == 0) {
            columns = cells.size();
            continue;
        }
        if (columns != 0 && count != columns)
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
    const auto text = read_text_file(file);
    std::string_view view = text;
    if (view.substr(0, 3) == "\xEF\xBB\xBF") view.remove_prefix(3); // a byte order mark
    NdArray array;
    visit_dtype(dtype, [&]<class Tag>(Tag) { array = read_rows<typename Tag::type>(file, view); });
    return array;
}

} // namespace warplight::session
