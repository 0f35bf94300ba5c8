// SPDX-License-Identifier: Apache-2.0
// PTX text to tokens. A token is a piece of the text, which must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::ptx {

/// Says what is wrong in a text, and where.
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

/// The value of a token of Kind::integer: decimal, `0x1F`, `0b101` or octal `017`, with or without `U`.
/// None where it exceeds 64 bits or has a digit that its base lacks.
[[nodiscard]] std::optional<std::uint64_t> integer_value(std::string_view text);

/// What a token of Kind::string says: compilers write a backslash before a quotation mark and before another backslash,
/// as in the paths of Windows. Any other backslash is one.
[[nodiscard]] std::string string_value(std::string_view text);

class Lexer {
public:
    explicit Lexer(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
        line_start_ = begin_;
    }
    /// The next token; Kind::end for ever after the last. Throws Failure.
    Token next();
    /// Reads the next token that is well formed, for text that may be half written. Malformed numbers, strings and
    /// bytes are passed over.
    void next_valid(Token& token);
    /// Goes on to the next place of `text` outside comments and strings, else to the end. Faster than reading tokens.
    void skip_to(std::string_view text);
    /// Goes on to the next brace of this line outside comments and strings, else to the line's end.
    void skip_to_brace_or_line_end();

private:
    enum class Problem : std::uint8_t { none, comment, string, number, float_digits, character };

    /// Where there is a problem, the token is the malformed text.
    Problem scan(Token& token);
    Problem skip_comment();
    Problem skip_blanks();
    void skip_quoted();
    Problem scan_number(Token& token);
    [[nodiscard]] const char* name_end(const char* at) const;
    [[nodiscard]] const char* string_end(const char* at) const;
    void move_to(const char* to);
    [[nodiscard]] static Failure describe(Problem problem, const Token& token);

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* line_start_ = nullptr;
    std::uint32_t line_ = 1;
};

} // namespace warplight::ptx
