// SPDX-License-Identifier: Apache-2.0
// The source line of each line of a PTX text, by its .loc and .file directives.
#include "ptx_text/lexer.hpp"
#include "warplight/compiler.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace warplight::compiler {
namespace {

using ptx::Token;

struct Place {
    int file = 0, line = 0, column = 0;
    bool operator<(const Place& other) const {
        return std::tie(file, line, column) < std::tie(other.file, other.line, other.column);
    }
};

class LineReader {
public:
    explicit LineReader(std::string_view text) : lexer_(text) { advance(); }

    void run() {
        while (token_.kind != Token::Kind::end)
            read_line();
    }

    std::vector<LineMapping> mappings() const {
        std::vector<LineMapping> result;
        result.reserve(mapped_.size());
        for (const auto& [ptx_line, place] : mapped_) {
            const auto file = files_.find(place.file);
            result.push_back({ptx_line, place.line, file == files_.end() ? std::string() : file->second});
        }
        return result;
    }

private:
    void advance() { lexer_.next_valid(token_); }
    bool on_line() const { return token_.kind != Token::Kind::end && token_.line == line_; }

    void read_line() {
        line_ = token_.line;
        if (token_.is_word("file")) return read_file();
        if (token_.is_word("loc")) return read_location();
        bool begun = false; // behind braces and labels
        while (on_line()) {
            if (token_.is('{')) {
                ++depth_;
                advance();
            } else if (token_.is('}')) {
                close_brace();
                advance();
            } else if (!begun) {
                begun = read_beginning();
            } else {
                lexer_.skip_to_brace_or_line_end();
                advance();
            }
        }
    }

    /// Maps the line where it begins with an instruction. False for a label: something may follow it.
    bool read_beginning() {
        const Token first = token_;
        advance();
        if (first.kind == Token::Kind::identifier && on_line() && token_.is(':')) {
            advance();
            return false;
        }
        if (first.kind == Token::Kind::word) {
            // Another function begins. A brace may be missing before it.
            if (first.text == "visible" || first.text == "entry" || first.text == "func" || first.text == "weak") {
                depth_ = 0;
                current_.reset();
            }
        } else if (depth_ > 0 && !first.is(')') && current_) {
            mapped_.emplace_back(static_cast<int>(line_), *current_);
        }
        return true;
    }

    void close_brace() {
        if (depth_ > 0) --depth_;
        if (depth_ == 0) current_.reset();
    }

    int read_number() {
        if (!on_line() || token_.kind != Token::Kind::integer) return 0;
        constexpr std::uint64_t most = std::numeric_limits<int>::max();
        const std::uint64_t value = ptx::integer_value(token_.text).value_or(0);
        advance();
        return static_cast<int>(std::min(value, most));
    }

    Place read_place() {
        Place place;
        place.file = read_number();
        place.line = read_number();
        place.column = read_number();
        return place;
    }

    /// .file 1 "name"
    void read_file() {
        advance();
        const int index = read_number();
        if (on_line() && token_.kind == Token::Kind::string) files_[index] = ptx::string_value(token_.text);
        while (on_line())
            advance();
    }

    /// .loc 1 10 3, function_name $f, inlined_at 1 11 5
    void read_location() {
        advance();
        const Place place = read_place();
        std::optional<Place> outer;
        while (on_line()) {
            const bool inlined = token_.is_identifier("inlined_at");
            advance();
            if (inlined) outer = read_place();
        }
        if (outer)
            inlined_[place] = *outer;
        else
            inlined_.erase(place);
        current_ = shown_place(place);
        if (current_->line <= 0) current_.reset();
    }

    /// The innermost place in the kernel's own file: a line of a header helps nobody who looks at the kernel, the call
    /// in the kernel does.
    Place shown_place(const Place& innermost) const {
        std::vector<Place> chain{innermost};
        // A longer chain is a circle, made of two inlinings of one place.
        constexpr std::size_t kMaxChain = 64;
        for (auto next = inlined_.find(innermost); next != inlined_.end() && chain.size() < kMaxChain;
             next = inlined_.find(next->second))
            chain.push_back(next->second);
        return *std::ranges::find(chain, chain.back().file, &Place::file);
    }

    ptx::Lexer lexer_;
    Token token_;
    std::uint32_t line_ = 0;
    int depth_ = 0;                  ///< open braces
    std::optional<Place> current_;   ///< of the last .loc
    std::map<Place, Place> inlined_; ///< a place and where it was inlined, by the last .loc that names it
    std::map<int, std::string> files_;
    /// PTX lines and their places. The .file directives stand at the end of the text, so names come later.
    std::vector<std::pair<int, Place>> mapped_;
};

} // namespace

std::vector<LineMapping> parse_ptx_lines(std::string_view ptx) {
    LineReader reader(ptx);
    reader.run();
    return reader.mappings();
}

} // namespace warplight::compiler
