// SPDX-License-Identifier: Apache-2.0
// PTX text to tokens, which are pieces of the text.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warplight::ptx {

/// A text that is wrong: what parse() turns into a ParseError.
struct Failure {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
    bool unsupported_version = false;
};

struct Token {
    enum class Kind : std::uint8_t {
        end,
        identifier, ///< `%r1`, `$L__BB0_1`, `add`; without what follows a dot
        word,       ///< `.global`, `.L1::evict_last`: the text is without the first dot
        integer,
        floating, ///< `0f3F800000`, `0d…`, `1.5e3`
        string,   ///< without the quotes
        symbol,   ///< one or two characters
    };
    Kind kind = Kind::end;
    bool joined = false; ///< no space before it
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    std::string_view text;

    [[nodiscard]] bool is(char c) const { return kind == Kind::symbol && text.size() == 1 && text[0] == c; }
    [[nodiscard]] bool is(std::string_view s) const { return kind == Kind::symbol && text == s; }
    [[nodiscard]] bool is_word(std::string_view s) const { return kind == Kind::word && text == s; }
    [[nodiscard]] bool is_identifier(std::string_view s) const { return kind == Kind::identifier && text == s; }
};

class Lexer {
public:
    explicit Lexer(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
        line_start_ = begin_;
    }
    /// The next token; Kind::end for ever after the last. Throws Failure.
    Token next();

private:
    void skip_blanks();
    void scan_number(Token& token);
    [[noreturn]] void fail(const char* at, std::string message) const;

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* line_start_ = nullptr;
    std::uint32_t line_ = 1;
};

} // namespace warplight::ptx
