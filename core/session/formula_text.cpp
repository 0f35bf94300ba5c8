// SPDX-License-Identifier: Apache-2.0
#include "session/formula_text.hpp"

#include "session/session.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace warplight::session {
namespace {

/// muParser's own limit is 5000.
constexpr std::size_t longest = 4000;
constexpr std::size_t longest_name = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }
bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

} // namespace

std::size_t end_of_number(std::string_view text, std::size_t place) {
    const auto digits = [&] {
        while (place < text.size() && is_digit(text[place]))
            ++place;
    };
    if (text.substr(place, 2) == "0x" || text.substr(place, 2) == "0X") {
        place += 2;
        while (place < text.size() && std::isxdigit(static_cast<unsigned char>(text[place])))
            ++place;
        return place;
    }
    digits();
    if (place < text.size() && text[place] == '.') {
        ++place;
        digits();
    }
    if (place < text.size() && (text[place] == 'e' || text[place] == 'E')) {
        std::size_t exponent = place + 1;
        if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
        if (exponent < text.size() && is_digit(text[exponent])) {
            place = exponent;
            digits();
        }
    }
    return place;
}

namespace {

bool is_assignment(std::string_view text, std::size_t place) {
    const auto is = [&](std::size_t at, std::string_view which) {
        return at < text.size() && which.find(text[at]) != std::string_view::npos;
    };
    if (is(place + 1, "=")) return false;
    return place == 0 || !is(place - 1, "=<>!");
}

} // namespace

void refuse_formula(const std::string& expression, std::size_t place, const std::string& problem,
                    const std::string& subject) {
    constexpr std::size_t shown = 30;
    const auto continues = [&](std::size_t at) {
        return at < expression.size() && (static_cast<unsigned char>(expression[at]) & 0xc0) == 0x80;
    };
    place = std::min(place, expression.size());
    std::size_t end = std::min(place + shown, expression.size());
    while (continues(end))
        ++end;
    std::size_t column = 1;
    for (std::size_t i = 0; i < place; ++i)
        column += !continues(i);
    const std::string near = expression.substr(place, end - place) + (end < expression.size() ? "…" : "");
    throw SessionError(place == expression.size()
                           ? fmt::format("{} {}, at its end.", subject, problem)
                           : fmt::format("{} {}, at character {}: \"{}\".", subject, problem, column, near),
                       "/expression", 0, static_cast<int>(column));
}

std::vector<FormulaName> names_of_formula(std::string_view text) {
    std::vector<FormulaName> names;
    for (std::size_t i = 0; i < text.size();) {
        if (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]))) {
            i = end_of_number(text, i);
        } else if (starts_name(text[i])) {
            const std::size_t start = i;
            while (i < text.size() &&
                   (continues_name(text[i]) || (text[i] == '.' && i + 1 < text.size() && starts_name(text[i + 1]))))
                ++i;
            std::size_t next = i;
            while (next < text.size() && is_white(text[next]))
                ++next;
            names.push_back(
                {text.substr(start, i - start), start, next < text.size() && (text[next] == '[' || text[next] == '(')});
        } else {
            ++i;
        }
    }
    return names;
}

std::string parser_text(const std::string& expression) {
    if (std::ranges::all_of(expression, is_white))
        throw SessionError("The formula is empty. Write one such as sin(2*pi*i/n).", "/expression", 0, 1);
    if (expression.size() > longest)
        throw SessionError(fmt::format("The formula has {} characters; {} are the most.", expression.size(), longest),
                           "/expression", 0, static_cast<int>(longest) + 1);
    std::string text = expression;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_white(c)) text[i] = ' ';
        if (c == '"' || c == '\'' || c == '#' || c == '\\' || c == ';' || static_cast<unsigned char>(c) >= 0x7f ||
            (!is_white(c) && static_cast<unsigned char>(c) < 0x20))
            refuse_formula(expression, i, "has a character that means nothing in it");
        if (c == '=' && is_assignment(expression, i)) refuse_formula(expression, i, "sets nothing: compare with ==");
        if (c == '(' || c == '[') open.push_back(i);
        if (c == '[') {
            std::size_t before = i;
            while (before > 0 && is_white(expression[before - 1]))
                --before;
            if (before == 0 || !continues_name(expression[before - 1]))
                refuse_formula(expression, i, "has brackets without the name of an array before them");
            text[i] = '(';
        }
        if (c == ')' || c == ']') {
            if (open.empty() || (expression[open.back()] == '[') != (c == ']'))
                refuse_formula(expression, i, "closes a bracket that is not open");
            open.pop_back();
            text[i] = ')';
        }
    }
    if (!open.empty()) refuse_formula(expression, open.back(), "has a bracket that is not closed");
    for (const FormulaName& name : names_of_formula(expression))
        if (name.text.size() > longest_name) refuse_formula(expression, name.place, "has a name that is too long");
    return text;
}

} // namespace warplight::session
