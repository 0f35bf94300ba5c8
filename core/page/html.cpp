// SPDX-License-Identifier: Apache-2.0
#include "page/html.hpp"

#include "worker/utf8.hpp"

#include <fmt/format.h>
#include <iterator>

namespace warplight::page {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_control(char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < ' ' && letter != '\n' && letter != '\t') || code == 0x7F;
}

} // namespace

std::string escaped(std::string_view text) {
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    for (const char letter : worker::as_utf8(text)) {
        switch (letter) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        case '\r': break;
        default:
            if (is_control(letter))
                result += replacement;
            else
                result += letter;
        }
    }
    return result;
}

void Html::heading(int level, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "<h{0}>{1}</h{0}>\n", level, escaped(text));
}

void Html::paragraph(std::string_view text, std::string_view style_class) {
    if (style_class.empty())
        fmt::format_to(std::back_inserter(text_), "<p>{}</p>\n", escaped(text));
    else
        fmt::format_to(std::back_inserter(text_), "<p class=\"{}\">{}</p>\n", style_class, escaped(text));
}

void Html::facts(const std::vector<std::pair<std::string, std::string>>& rows) {
    text_ += "<table class=\"facts\">\n";
    for (const auto& [name, value] : rows)
        fmt::format_to(std::back_inserter(text_), "<tr><th align=\"left\">{}</th><td>{}</td></tr>\n", escaped(name),
                       escaped(value));
    text_ += "</table>\n";
}

void Html::table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                 std::size_t numbers) {
    const auto align = [numbers](std::size_t column) { return column < numbers ? "left" : "right"; };
    text_ += "<table>\n<tr>";
    for (std::size_t i = 0; i < heads.size(); ++i)
        fmt::format_to(std::back_inserter(text_), "<th align=\"{}\">{}</th>", align(i), escaped(heads[i]));
    text_ += "</tr>\n";
    for (const auto& row : rows) {
        text_ += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            fmt::format_to(std::back_inserter(text_), "<td align=\"{}\">{}</td>", align(i), escaped(row[i]));
        text_ += "</tr>\n";
    }
    text_ += "</table>\n";
}

void Html::preformatted(std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "<pre>{}</pre>\n", escaped(text));
}

void Html::image(std::string_view address, int width, int height, std::string_view description) {
    fmt::format_to(std::back_inserter(text_), "<p><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\"></p>\n",
                   address, width, height, escaped(description));
}

} // namespace warplight::page
