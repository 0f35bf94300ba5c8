// SPDX-License-Identifier: Apache-2.0
#include "compiler/directives.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warplight::compiler {
namespace {

/// How compilers differ in the first phases of translation.
struct Dialect {
    bool trigraphs = false;
    bool blanks_before_splice = false; ///< a backslash, blanks and a newline splice lines
    bool return_ends_line = false;     ///< a carriage return alone is a newline
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// The text after phases 1 and 2, with the line that each character came from.
struct Spliced {
    std::string text;
    std::vector<int> lines;

    void add(char c, int line) {
        text += c;
        lines.push_back(line);
    }
};

/// The character at `at`, and in `length` how much of the text it takes.
char character(std::string_view text, std::size_t at, const Dialect& dialect, std::size_t& length) {
    length = 1;
    if (!dialect.trigraphs || text.size() - at < 3 || text[at] != '?' || text[at + 1] != '?') return text[at];
    constexpr std::string_view from = "=/'()!<>-", to = "#\\^[]|{}~";
    const auto found = from.find(text[at + 2]);
    if (found == std::string_view::npos) return text[at];
    length = 3;
    return to[found];
}

Spliced splice(std::string_view text, const Dialect& dialect) {
    Spliced result;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    int line = 1;
    for (std::size_t at = 0, length = 1; at < text.size(); at += length) {
        char c = character(text, at, dialect, length);
        if (c == '\\') {
            std::size_t next = at + length;
            while (dialect.blanks_before_splice && next < text.size() && is_blank(text[next]))
                ++next;
            if (next < text.size() && text[next] == '\r') ++next;
            if (next < text.size() && text[next] == '\n') {
                length = next + 1 - at;
                ++line;
                continue;
            }
        }
        if (c == '\r' && dialect.return_ends_line && !(at + 1 < text.size() && text[at + 1] == '\n')) c = '\n';
        result.add(c, line);
        if (text[at] == '\n') ++line;
    }
    return result;
}

class Reader {
public:
    Reader(std::string_view text, const Dialect& dialect, Directives& result)
        : spliced_(splice(text, dialect)), text_(spliced_.text), result_(result) {}

    void read() {
        try {
            directives();
            queries();
        } catch (const TooMuch&) {
            problem("so many comments and directives that it takes too long to read them", 0);
        }
        for (const std::string_view word : {"include_alias", "pch_preprocess"})
            if (const auto at = text_.find(word); at != std::string_view::npos) problem(word, at);
    }

private:
    int line(std::size_t at) const {
        return spliced_.lines.empty() ? 1 : spliced_.lines[std::min(at, text_.size() - 1)];
    }

    void problem(std::string_view what, std::size_t at) {
        if (!result_.problem.empty()) return;
        result_.problem = what;
        result_.problem_line = line(at);
    }

    /// Only blanks and comments stand before a directive on its line. A comment may have begun on an earlier line.
    void directives() {
        bool begins_line = true;
        for (std::size_t at = 0; at < text_.size(); ++at) {
            const char c = text_[at];
            if (is_blank(c)) continue;
            const bool digraph = c == '%' && text_.substr(at, 2) == "%:";
            if (begins_line && (c == '#' || digraph)) directive(at + (digraph ? 2 : 1));
            begins_line = c == '\n' || (c == '/' && at > 0 && text_[at - 1] == '*');
        }
    }

    /// A text can make each directive read all of the rest. That of a source is short work.
    struct TooMuch {};
    void spend(std::size_t characters) {
        work_ += characters;
        if (work_ > 16 * text_.size() + 1'000'000) throw TooMuch();
    }

    void skip_blanks(std::size_t& at) {
        const auto start = at;
        while (at < text_.size()) {
            if (is_blank(text_[at])) {
                ++at;
            } else if (text_.substr(at, 2) == "/*") {
                const auto end = text_.find("*/", at + 2);
                at = end == std::string_view::npos ? text_.size() : end + 2;
            } else {
                break;
            }
        }
        spend(at - start);
    }
    std::string_view word(std::size_t& at) const {
        const auto start = at;
        while (at < text_.size() && is_word(text_[at]))
            ++at;
        return text_.substr(start, at - start);
    }
    bool at_end(std::size_t at) const { return at >= text_.size() || text_[at] == '\n' || text_.substr(at, 2) == "//"; }
    /// The rest of the directive, without comments.
    std::string rest(std::size_t at) {
        std::string result;
        const auto start = at;
        while (at < text_.size() && text_[at] != '\n') {
            if (text_.substr(at, 2) == "//") break;
            if (text_.substr(at, 2) == "/*") {
                skip_blanks(at);
                result += ' ';
                continue;
            }
            result += text_[at++];
        }
        spend(at - start);
        while (!result.empty() && is_blank(result.back()))
            result.pop_back();
        return result;
    }

    void directive(std::size_t at) {
        skip_blanks(at);
        const auto start = at;
        const auto name = word(at);
        if (at < text_.size() && text_[at] == '\\') return problem("a directive with an escape in its name", start);
        skip_blanks(at);
        constexpr std::array<std::string_view, 5> includes = {"include", "include_next", "import", "embed", "using"};
        if (std::ranges::find(includes, name) != includes.end()) return operand(at, NamedFile::Use::include);
        if (name == "define") return define(at);
        if (name == "line" || (!name.empty() && name.front() >= '0' && name.front() <= '9'))
            return line_name(name == "line" ? at : start);
        if (name == "pragma" && rest(at).find("dependency") != std::string::npos) problem("#pragma dependency", start);
    }

    void operand(std::size_t at, NamedFile::Use use) {
        if (at_end(at)) return;
        NamedFile file;
        file.use = use;
        file.line = line(at);
        const char close = text_[at] == '"' ? '"' : text_[at] == '<' ? '>' : '\0';
        if (close) {
            const auto end = std::min(text_.find(close, at + 1), text_.find('\n', at + 1));
            const auto name_end = std::min(end, text_.size());
            spend(name_end - at);
            file.text = text_.substr(at + 1, name_end - at - 1);
            file.quoted = close == '"';
            file.computed = end == std::string_view::npos || text_[end] == '\n';
            if (!file.computed || use == NamedFile::Use::include) result_.files.push_back(std::move(file));
            return;
        }
        file.computed = true;
        file.text = use == NamedFile::Use::include ? rest(at) : std::string(word(at));
        result_.files.push_back(std::move(file));
    }

    void define(std::size_t at) {
        MacroDefinition macro{std::string(word(at)), {}};
        macro.body = at < text_.size() && text_[at] == '(' ? "(" : rest(at);
        macro.body.erase(0, std::min(macro.body.find_first_not_of(" \t\f\v\r"), macro.body.size()));
        result_.macros.push_back(std::move(macro));
    }

    /// `12 "name"`. Macros may stand for both, and then the name is that of a macro's string.
    void line_name(std::size_t at) {
        const std::string words = rest(at);
        const auto quote = words.find('"');
        if (quote == std::string::npos) {
            const bool number =
                std::ranges::all_of(words, [](char c) { return is_blank(c) || (c >= '0' && c <= '9'); });
            if (!number) result_.files.push_back({NamedFile::Use::line, words, true, true, line(at)});
            return;
        }
        const auto end = std::min(words.find('"', quote + 1), words.size());
        result_.files.push_back(
            {NamedFile::Use::line, words.substr(quote + 1, end - quote - 1), true, false, line(at)});
    }

    void queries() {
        for (const std::string_view name : {"__has_include", "__has_embed"})
            for (auto at = text_.find(name); at != std::string_view::npos; at = text_.find(name, at + 1)) {
                auto operand_at = at + name.size();
                if (text_.substr(operand_at, 5) == "_next") operand_at += 5;
                skip_blanks(operand_at);
                if (operand_at >= text_.size() || text_[operand_at] != '(') continue;
                skip_blanks(++operand_at);
                operand(operand_at, NamedFile::Use::query);
            }
    }

    Spliced spliced_;
    std::string_view text_;
    Directives& result_;
    std::size_t work_ = 0;
};

} // namespace

bool read_header_name(std::string_view body, NamedFile& file) {
    if (body.size() < 2) return false;
    const char close = body.front() == '"' ? '"' : body.front() == '<' ? '>' : '\0';
    if (!close || body.find(close, 1) != body.size() - 1) return false;
    file.text = body.substr(1, body.size() - 2);
    file.quoted = close == '"';
    file.computed = false;
    return true;
}

Directives read_directives(std::string_view text) {
    Directives result;
    const bool trigraphs = text.find("??") != std::string_view::npos;
    bool loose = false, returns = false;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        loose = loose || ((text[at] == '\\' || text[at] == '/') && is_blank(text[at + 1]));
        returns = returns || (text[at] == '\r' && text[at + 1] != '\n');
    }
    for (int dialect = 0; dialect < 8; ++dialect) {
        const Dialect each{(dialect & 1) != 0, (dialect & 2) != 0, (dialect & 4) != 0};
        if ((each.trigraphs && !trigraphs) || (each.blanks_before_splice && !loose) ||
            (each.return_ends_line && !returns))
            continue;
        Reader(text, each, result).read();
    }
    return result;
}

} // namespace warplight::compiler
