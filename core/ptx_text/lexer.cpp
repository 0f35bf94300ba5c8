// SPDX-License-Identifier: Apache-2.0
#include "ptx_text/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace warplight::ptx {
namespace {

enum : std::uint8_t { blank = 1, letter = 2, digit = 4, hex = 8, symbol = 16, begins_pair = 32, stops_skip = 64 };

constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (const char c : {' ', '\t', '\r', '\n', '\v', '\f'})
        classes[static_cast<unsigned char>(c)] = blank;
    for (unsigned c = 'a'; c <= 'z'; ++c)
        classes[c] = classes[c - 'a' + 'A'] = letter;
    for (unsigned c = '0'; c <= '9'; ++c)
        classes[c] = digit | hex;
    for (unsigned c = 'a'; c <= 'f'; ++c)
        classes[c] = classes[c - 'a' + 'A'] = letter | hex;
    classes['_'] = classes['$'] = letter;
    for (const char c : std::string_view(",;:{}()[]<>=|!@+-*/&^~?%."))
        classes[static_cast<unsigned char>(c)] = symbol;
    for (const std::string_view pair : kPairs)
        classes[static_cast<unsigned char>(pair[0])] |= begins_pair;
    for (const char c : {'{', '}', '\n', '"', '/'})
        classes[static_cast<unsigned char>(c)] |= stops_skip;
    return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is(char c, unsigned classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

} // namespace

std::string string_value(std::string_view text) {
    std::string value;
    value.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '\\' || text[at + 1] == '"')) ++at;
        value += text[at];
    }
    return value;
}

std::optional<std::uint64_t> integer_value(std::string_view text) {
    if (text.ends_with('U')) text.remove_suffix(1);
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char second = static_cast<char>(text[1] | 0x20);
        base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
        text.remove_prefix(base == 8 ? 1 : 2);
    }
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

Failure Lexer::describe(Problem problem, const Token& token) {
    const std::string text(token.text);
    std::string message;
    switch (problem) {
    case Problem::none: break;
    case Problem::comment: message = "comment without an end"; break;
    case Problem::string: message = "string without an end"; break;
    case Problem::number: message = "malformed number"; break;
    case Problem::float_digits: {
        const char* digits = (text[1] | 0x20) == 'f' ? "8" : "16";
        message = "a floating-point constant " + text.substr(0, 2) + " needs " + digits + " hexadecimal digits";
        break;
    }
    case Problem::character: {
        const auto byte = static_cast<unsigned char>(text[0]);
        static constexpr char kHex[] = "0123456789ABCDEF";
        message = byte >= 0x20 && byte < 0x7F ? "unexpected character '" + text + "'"
                                              : std::string("unexpected byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
        break;
    }
    }
    return {token.line, token.column, std::move(message)};
}

// The scanning loops advance a local pointer. A member would be stored and loaded again for each character.

/// Passes over a comment at the current place, if there is one. The newline that ends a `//` stays.
Lexer::Problem Lexer::skip_comment() {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    if (rest.starts_with("//")) {
        at_ += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
        const std::size_t close = rest.find("*/", 2);
        if (close == std::string_view::npos) return Problem::comment;
        move_to(at_ + close + 2);
    }
    return Problem::none;
}

Lexer::Problem Lexer::skip_blanks() {
    const char* at = at_;
    while (at != end_) {
        if (*at == '\n') {
            ++line_;
            line_start_ = ++at;
        } else if (is(*at, blank)) {
            ++at;
        } else if (*at == '\0') {
            at = end_; // a C string that was passed with its end
        } else if (*at == '/') {
            at_ = at;
            const Problem problem = skip_comment();
            if (problem != Problem::none || at_ == at) return problem; // a division, if none
            at = at_;
        } else {
            break;
        }
    }
    at_ = at;
    return Problem::none;
}

Lexer::Problem Lexer::scan_number(Token& token) {
    const char* at = at_;
    const auto finish = [&](Problem problem) {
        at_ = at;
        return problem;
    };
    const char* start = at;
    token.kind = Token::Kind::integer;
    const char second = end_ - at > 1 ? static_cast<char>(at[1] | 0x20) : '\0';
    const auto digits = [&](unsigned classes) {
        const char* from = at;
        while (at != end_ && is(*at, classes))
            ++at;
        return at - from;
    };
    if (*start == '0' && (second == 'f' || second == 'd')) {
        const int wanted = second == 'f' ? 8 : 16;
        at += 2;
        token.kind = Token::Kind::floating;
        if (digits(hex) != wanted) return finish(Problem::float_digits);
    } else if (*start == '0' && (second == 'x' || second == 'b')) {
        at += 2;
        if (digits(second == 'x' ? hex : digit) == 0) return finish(Problem::number);
    } else {
        digits(digit);
        const bool fraction = end_ - at > 1 && *at == '.' && is(at[1], digit);
        if (fraction) {
            ++at;
            digits(digit);
        }
        bool exponent = false;
        if (at != end_ && (*at | 0x20) == 'e') {
            const char* mark = at++;
            if (at != end_ && (*at == '+' || *at == '-')) ++at;
            exponent = digits(digit) != 0;
            if (!exponent) at = mark;
        }
        // "1." is a number too, unless a word follows the dot.
        if (!fraction && !exponent && at != end_ && *at == '.' && (end_ - at == 1 || !is(at[1], letter))) {
            ++at;
            token.kind = Token::Kind::floating;
        }
        if (fraction || exponent) token.kind = Token::Kind::floating;
    }
    if (token.kind == Token::Kind::integer && at != end_ && *at == 'U') ++at;
    return finish(at != end_ && is(*at, letter | digit) ? Problem::number : Problem::none);
}

const char* Lexer::name_end(const char* at) const {
    while (at != end_ && is(*at, letter | digit))
        ++at;
    return at;
}

/// The quote that closes a string, else the end of its line.
const char* Lexer::string_end(const char* at) const {
    for (; at != end_ && *at != '"' && *at != '\n'; ++at)
        if (*at == '\\' && end_ - at > 1 && at[1] != '\n') ++at;
    return at;
}

Lexer::Problem Lexer::scan(Token& token) {
    const char* before = at_;
    const Problem unclosed = skip_blanks();
    const char* start = at_;
    token.joined = start == before;
    token.line = line_;
    token.column = static_cast<std::uint32_t>(start - line_start_ + 1);
    token.kind = Token::Kind::end;
    token.text = {};
    if (unclosed != Problem::none) {
        at_ = end_;
        return unclosed;
    }
    if (start == end_) return Problem::none;

    Problem problem = Problem::none;
    const char c = *start;
    const char* at = start + 1;
    if (is(c, letter) || (c == '%' && at != end_ && is(*at, letter))) {
        at = name_end(at);
        token.kind = Token::Kind::identifier;
    } else if (is(c, digit)) {
        problem = scan_number(token);
        at = problem == Problem::none ? at_ : name_end(at_);
    } else if (c == '.' && at != end_ && is(*at, letter | digit)) {
        ++start;
        at = name_end(at);
        while (end_ - at > 2 && at[0] == ':' && at[1] == ':' && is(at[2], letter | digit))
            at = name_end(at + 2);
        token.kind = Token::Kind::word;
    } else if (c == '"') {
        at = string_end(at);
        token.kind = Token::Kind::string;
        token.text = {start + 1, static_cast<std::size_t>(at - start - 1)};
        const bool closed = at != end_ && *at == '"';
        at_ = closed ? at + 1 : at;
        return closed ? Problem::none : Problem::string;
    } else {
        if (is(c, begins_pair) && at != end_)
            for (const std::string_view pair : kPairs)
                if (c == pair[0] && *at == pair[1]) {
                    ++at;
                    break;
                }
        if (!is(c, symbol)) problem = Problem::character;
        token.kind = Token::Kind::symbol;
    }
    token.text = {start, static_cast<std::size_t>(at - start)};
    at_ = at;
    return problem;
}

Token Lexer::next() {
    Token token;
    if (const Problem problem = scan(token); problem != Problem::none) throw describe(problem, token);
    return token;
}

void Lexer::next_valid(Token& token) {
    while (scan(token) != Problem::none) {
    }
}

void Lexer::move_to(const char* to) {
    const std::string_view passed(at_, static_cast<std::size_t>(to - at_));
    line_ += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    const std::size_t newline = passed.rfind('\n');
    if (newline != std::string_view::npos) line_start_ = at_ + newline + 1;
    at_ = to;
}

/// Passes over the string or comment at the current place, or over the character there.
void Lexer::skip_quoted() {
    const char* start = at_;
    if (*start == '"') {
        at_ = string_end(start + 1);
        if (at_ != end_ && *at_ == '"') ++at_;
    } else if (skip_comment() != Problem::none) {
        at_ = end_;
    } else if (at_ == start) {
        ++at_;
    }
}

void Lexer::skip_to(std::string_view text) {
    const auto find = [this](std::string_view wanted, const char* before) {
        const std::size_t found = std::string_view(at_, static_cast<std::size_t>(before - at_)).find(wanted);
        return found == std::string_view::npos ? before : at_ + found;
    };
    // Each of these is looked for again only when it has been passed, so that the time stays linear.
    const char* target = find(text, end_);
    const char* quote = find("\"", target);
    const char* slash = find("/", target);
    while (std::min(quote, slash) != target) {
        move_to(std::min(quote, slash));
        skip_quoted();
        const bool passed = target < at_;
        if (passed) target = find(text, end_);
        if (passed || quote < at_) quote = find("\"", target);
        if (passed || slash < at_) slash = find("/", target);
    }
    move_to(target);
}

void Lexer::skip_to_brace_or_line_end() {
    const std::uint32_t line = line_;
    while (line_ == line) {
        const char* at = at_;
        while (at != end_ && !is(*at, stops_skip))
            ++at;
        at_ = at;
        if (at == end_ || *at == '{' || *at == '}' || *at == '\n') return;
        skip_quoted();
    }
}

} // namespace warplight::ptx
