// SPDX-License-Identifier: Apache-2.0
#include "compiler/tokens.hpp"

#include <algorithm>

namespace warplight::compiler {
namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }

class Tokenizer {
public:
    explicit Tokenizer(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        bool line_start = true;
        while (at_ < text_.size()) {
            char c = text_[at_];
            if (c == '\n') {
                advance(1);
                line_start = true;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\\') {
                advance(1);
            } else if (starts("//") || starts("/*")) {
                comment();
            } else if (c == '#' && line_start) {
                directive();
            } else {
                line_start = false;
                if (!skipping())
                    token();
                else
                    skip_one();
            }
        }
        return std::move(tokens_);
    }

private:
    bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

    void advance(std::size_t count) {
        count = std::min(count, text_.size() - at_);
        line_ += static_cast<int>(std::count(text_.begin() + at_, text_.begin() + at_ + count, '\n'));
        at_ += count;
    }

    void comment() {
        if (starts("//")) {
            // A backslash at the end continues the comment on the next line.
            std::size_t end = at_;
            do
                end = text_.find('\n', end + 1);
            while (end != std::string_view::npos && text_[end - 1] == '\\');
            advance(std::min(end, text_.size()) - at_);
        } else {
            std::size_t end = text_.find("*/", at_ + 2);
            advance((end == std::string_view::npos ? text_.size() : end + 2) - at_);
        }
    }

    void directive() {
        std::size_t begin = at_, end = at_;
        do
            end = text_.find('\n', end + 1);
        while (end != std::string_view::npos &&
               (text_[end - 1] == '\\' || (end >= 2 && text_.substr(end - 2, 2) == "\\\r")));
        std::string_view line = text_.substr(begin + 1, std::min(end, text_.size()) - begin - 1);
        std::size_t word = line.find_first_not_of(" \t");
        line = word == std::string_view::npos ? std::string_view() : line.substr(word);
        if (line.starts_with("if")) {
            std::string_view condition = line.starts_with("if ") || line.starts_with("if\t") ? line.substr(3) : "1";
            std::size_t value = condition.find_first_not_of(" \t");
            condition = value == std::string_view::npos ? "" : condition.substr(value);
            bool zero = condition.starts_with("0") && (condition.size() == 1 || !in_name(condition[1]));
            branches_.push_back(zero);
            if (zero) ++skipped_;
        } else if (line.starts_with("el") && !branches_.empty()) {
            if (branches_.back()) --skipped_;
            branches_.back() = false;
        } else if (line.starts_with("endif") && !branches_.empty()) {
            if (branches_.back()) --skipped_;
            branches_.pop_back();
        }
        // A comment that begins on the line may end on a later one.
        std::size_t open = line.rfind("/*");
        if (open != std::string_view::npos && line.find("*/", open) == std::string_view::npos &&
            line.rfind("//", open) == std::string_view::npos) {
            advance(static_cast<std::size_t>(line.data() - text_.data()) + open - at_);
            comment();
            return;
        }
        advance(std::min(end, text_.size()) - at_);
    }

    bool skipping() const { return skipped_ > 0; }
    void skip_one() {
        // Quotes begin no strings in text that is not compiled, which may say "don't".
        advance(1);
    }

    void push(Token::Kind kind, std::size_t length) {
        tokens_.push_back({kind, text_.substr(at_, length), line_});
        advance(length);
    }

    void quoted(std::size_t prefix) {
        char quote = text_[at_ + prefix];
        std::size_t end = at_ + prefix + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        push(Token::Kind::string, std::min(end + 1, text_.size()) - at_);
    }

    void raw_string(std::size_t prefix) {
        constexpr std::size_t kLongestDelimiter = 16;
        std::size_t delimiter = at_ + prefix + 1;
        std::size_t length = text_.substr(delimiter, kLongestDelimiter + 1).find('(');
        if (length == std::string_view::npos) return quoted(prefix);
        std::string close = ")" + std::string(text_.substr(delimiter, length)) + "\"";
        std::size_t end = text_.find(close, delimiter + length);
        push(Token::Kind::string, (end == std::string_view::npos ? text_.size() : end + close.size()) - at_);
    }

    void token() {
        char c = text_[at_];
        if (begins_name(c)) {
            std::size_t end = at_;
            while (end < text_.size() && in_name(text_[end]))
                ++end;
            std::string_view name = text_.substr(at_, end - at_);
            bool prefix = name == "L" || name == "u" || name == "U" || name == "u8" || name.ends_with("R");
            if (end < text_.size() && text_[end] == '"' && prefix) {
                if (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R")
                    return raw_string(name.size());
                if (!name.ends_with("R")) return quoted(name.size());
            }
            return push(Token::Kind::identifier, name.size());
        }
        if (is_digit(c)) {
            std::size_t end = at_;
            while (end < text_.size() && (in_name(text_[end]) || text_[end] == '.' ||
                                          (text_[end] == '\'' && end + 1 < text_.size() && in_name(text_[end + 1]))))
                ++end;
            return push(Token::Kind::number, end - at_);
        }
        if (c == '"' || c == '\'') return quoted(0);
        for (std::string_view two : {"::", "->", "[[", "]]"})
            if (starts(two)) return push(Token::Kind::punctuation, 2);
        push(Token::Kind::punctuation, 1);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::vector<bool> branches_; ///< one an open #if: true while its text is not compiled
    std::size_t skipped_ = 0;    ///< those that are true
    std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenize(std::string_view text) { return Tokenizer(text).run(); }

std::string text_of(const std::vector<Token>& tokens) {
    std::string result;
    const Token* last = nullptr;
    for (const Token& token : tokens) {
        bool word = token.kind == Token::Kind::identifier || token.kind == Token::Kind::number;
        bool after_word = last && (last->kind == Token::Kind::identifier || last->kind == Token::Kind::number);
        if (last && ((word && after_word) || (after_word && (token.is("*") || token.is("&"))) ||
                     (word && (last->is("*") || last->is("&") || last->is(">") || last->is(","))) ||
                     (last->is(">") && token.is("*"))))
            result += ' ';
        result += token.text;
        last = &token;
    }
    return result;
}

} // namespace warplight::compiler
