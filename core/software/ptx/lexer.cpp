// SPDX-License-Identifier: Apache-2.0
#include "lexer.hpp"

#include <array>
#include <utility>

namespace warplight::ptx {
namespace {

enum : std::uint8_t { blank = 1, letter = 2, digit = 4, hex = 8 };

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
    return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is(char c, unsigned classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

} // namespace

void Lexer::fail(const char* at, std::string message) const {
    throw Failure{line_, static_cast<std::uint32_t>(at - line_start_ + 1), std::move(message)};
}

void Lexer::skip_blanks() {
    while (at_ != end_) {
        if (*at_ == '\n') {
            ++line_;
            line_start_ = ++at_;
        } else if (is(*at_, blank)) {
            ++at_;
        } else if (*at_ == '\0') {
            at_ = end_; // a C string that was passed with its end
        } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '/') {
            while (at_ != end_ && *at_ != '\n')
                ++at_;
        } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '*') {
            const Failure unclosed{line_, static_cast<std::uint32_t>(at_ - line_start_ + 1), "comment without an end"};
            for (at_ += 2;; ++at_) {
                if (end_ - at_ < 2) throw unclosed;
                if (at_[0] == '*' && at_[1] == '/') break;
                if (*at_ == '\n') {
                    ++line_;
                    line_start_ = at_ + 1;
                }
            }
            at_ += 2;
        } else {
            return;
        }
    }
}

void Lexer::scan_number(Token& token) {
    const char* start = at_;
    token.kind = Token::Kind::integer;
    const char second = end_ - at_ > 1 ? static_cast<char>(at_[1] | 0x20) : '\0';
    const auto digits = [&](unsigned classes) {
        const char* from = at_;
        while (at_ != end_ && is(*at_, classes))
            ++at_;
        return at_ - from;
    };
    if (*start == '0' && (second == 'f' || second == 'd')) {
        const int wanted = second == 'f' ? 8 : 16;
        at_ += 2;
        token.kind = Token::Kind::floating;
        if (digits(hex) != wanted)
            fail(start, "a floating-point constant 0" + std::string(1, start[1]) + " needs " + std::to_string(wanted) +
                            " hexadecimal digits");
    } else if (*start == '0' && (second == 'x' || second == 'b')) {
        at_ += 2;
        if (digits(second == 'x' ? hex : digit) == 0) fail(start, "malformed number");
    } else {
        digits(digit);
        const bool fraction = end_ - at_ > 1 && *at_ == '.' && is(at_[1], digit);
        if (fraction) {
            ++at_;
            digits(digit);
        }
        bool exponent = false;
        if (at_ != end_ && (*at_ | 0x20) == 'e') {
            const char* mark = at_++;
            if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
            exponent = digits(digit) != 0;
            if (!exponent) at_ = mark;
        }
        // "1." is a number too, unless a word follows the dot.
        if (!fraction && !exponent && at_ != end_ && *at_ == '.' && (end_ - at_ == 1 || !is(at_[1], letter))) {
            ++at_;
            token.kind = Token::Kind::floating;
        }
        if (fraction || exponent) token.kind = Token::Kind::floating;
    }
    if (token.kind == Token::Kind::integer && at_ != end_ && *at_ == 'U') ++at_;
    if (at_ != end_ && is(*at_, letter | digit)) fail(start, "malformed number");
}

Token Lexer::next() {
    const char* before = at_;
    skip_blanks();
    Token token;
    token.joined = at_ == before;
    token.line = line_;
    token.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
    if (at_ == end_) return token;

    const char* start = at_;
    const char c = *at_;
    const auto rest = [&] {
        while (at_ != end_ && is(*at_, letter | digit))
            ++at_;
    };
    if (is(c, letter) || (c == '%' && end_ - at_ > 1 && is(at_[1], letter))) {
        ++at_;
        rest();
        token.kind = Token::Kind::identifier;
    } else if (is(c, digit)) {
        scan_number(token);
    } else if (c == '.' && end_ - at_ > 1 && is(at_[1], letter | digit)) {
        ++at_;
        ++start;
        rest();
        while (end_ - at_ > 2 && at_[0] == ':' && at_[1] == ':' && is(at_[2], letter | digit)) {
            at_ += 2;
            rest();
        }
        token.kind = Token::Kind::word;
    } else if (c == '"') {
        ++start;
        for (++at_; at_ != end_ && *at_ != '"' && *at_ != '\n'; ++at_)
            if (*at_ == '\\' && end_ - at_ > 1 && at_[1] != '\n') ++at_;
        if (at_ == end_ || *at_ != '"') fail(start - 1, "string without an end");
        token.kind = Token::Kind::string;
        token.text = {start, static_cast<std::size_t>(at_ - start)};
        ++at_;
        return token;
    } else {
        ++at_;
        static constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
        if (at_ != end_)
            for (const std::string_view pair : kPairs)
                if (c == pair[0] && *at_ == pair[1]) {
                    ++at_;
                    break;
                }
        static constexpr std::string_view kSymbols = ",;:{}()[]<>=|!@+-*/&^~?%.";
        if (kSymbols.find(c) == std::string_view::npos) {
            const auto byte = static_cast<unsigned char>(c);
            static constexpr char kHex[] = "0123456789ABCDEF";
            fail(start, byte >= 0x20 && byte < 0x7F
                            ? "unexpected character '" + std::string(1, c) + "'"
                            : std::string("unexpected byte 0x") + kHex[byte >> 4] + kHex[byte & 15]);
        }
        token.kind = Token::Kind::symbol;
    }
    token.text = {start, static_cast<std::size_t>(at_ - start)};
    return token;
}

} // namespace warplight::ptx
