// SPDX-License-Identifier: Apache-2.0
#include "expression_tree.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace warplight::debug {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;
using NodePtr = std::unique_ptr<Node>;

constexpr unsigned kMostNested = 100;
constexpr std::size_t kMostText = 4096;

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {
        if (text.size() > kMostText) throw ExpressionError("The expression is too long.");
        next();
    }

    NodePtr all() {
        NodePtr node = conditional(0);
        if (!token_.empty()) unexpected();
        return node;
    }

private:
    [[noreturn]] void unexpected() const {
        if (token_.empty()) throw ExpressionError("The expression ends too early.");
        throw ExpressionError(fmt::format("'{}' is not understood here.", token_));
    }
    static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

    void next() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
            ++at_;
        const std::size_t begin = at_;
        if (at_ == text_.size()) {
            token_ = {};
            return;
        }
        const char c = text_[at_];
        // %r1 is a register where a value may stand, and a remainder behind one.
        const bool is_register = c == '%' && !behind_value_ && at_ + 1 < text_.size() && is_name(text_[at_ + 1]);
        if (is_name(c) || is_register ||
            (c == '.' && at_ + 1 < text_.size() && std::isdigit(text_[at_ + 1]) && !behind_value_)) {
            const bool is_number = std::isdigit(static_cast<unsigned char>(c)) || c == '.';
            ++at_;
            while (at_ < text_.size() && (is_name(text_[at_]) || (is_number && in_number(begin)))) {
                if (!is_number && text_[at_] == ':') break;
                ++at_;
            }
            if (!is_number) take_qualified();
            token_ = text_.substr(begin, at_ - begin);
            behind_value_ = true;
            return;
        }
        static constexpr std::string_view pairs[] = {"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
        const bool is_pair = std::find(std::begin(pairs), std::end(pairs), text_.substr(at_, 2)) != std::end(pairs);
        at_ += is_pair ? 2 : 1;
        token_ = text_.substr(begin, at_ - begin);
        behind_value_ = token_ == ")" || token_ == "]";
    }
    [[nodiscard]] bool in_number(std::size_t begin) const {
        const char c = text_[at_], before = text_[at_ - 1];
        const bool hexadecimal = text_.substr(begin, 2) == "0x" || text_.substr(begin, 2) == "0X";
        return c == '.' || ((c == '-' || c == '+') && !hexadecimal && (before == 'e' || before == 'E'));
    }
    /// a::b
    void take_qualified() {
        while (text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && is_name(text_[at_ + 2])) {
            at_ += 2;
            while (at_ < text_.size() && is_name(text_[at_]))
                ++at_;
        }
    }
    bool accept(std::string_view token) {
        if (token_ != token) return false;
        next();
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) unexpected();
    }

    static NodePtr make(Kind kind, std::string text = {}) {
        auto node = std::make_unique<Node>();
        node->kind = kind;
        node->text = std::move(text);
        return node;
    }

    NodePtr conditional(unsigned depth) {
        NodePtr node = binary(0, depth + 1);
        if (!accept("?")) return node;
        NodePtr all = make(Kind::conditional);
        all->parts.push_back(std::move(node));
        all->parts.push_back(conditional(depth + 1));
        expect(":");
        all->parts.push_back(conditional(depth + 1));
        return all;
    }

    static int level_of(std::string_view op) {
        static constexpr std::pair<std::string_view, int> levels[] = {
            {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
            {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
        for (const auto& [name, level] : levels)
            if (name == op) return level;
        return 0;
    }

    NodePtr binary(int least, unsigned depth) {
        if (depth > kMostNested) throw ExpressionError("The expression is nested too deeply.");
        NodePtr left = unary(depth + 1);
        for (;;) {
            const int level = level_of(token_);
            if (level == 0 || level <= least) return left;
            NodePtr node = make(Kind::binary, std::string(token_));
            behind_value_ = false;
            next();
            node->parts.push_back(std::move(left));
            node->parts.push_back(binary(level, depth + 1));
            left = std::move(node);
        }
    }

    NodePtr unary(unsigned depth) {
        if (depth > kMostNested) throw ExpressionError("The expression is nested too deeply.");
        for (const std::string_view op : {"-", "+", "!", "~", "*", "&"})
            if (token_ == op) {
                NodePtr node = make(Kind::unary, std::string(op));
                next();
                node->parts.push_back(unary(depth + 1));
                return node;
            }
        if (token_ == "(") {
            if (NodePtr cast = try_cast()) {
                cast->parts.push_back(unary(depth + 1));
                return cast;
            }
        }
        return postfix(primary(depth + 1), depth);
    }

    /// `(unsigned int *)`: words that end in a star or name a base type.
    NodePtr try_cast() {
        const std::size_t at = at_;
        const std::string_view token = token_;
        next();
        NodePtr cast = make(Kind::cast);
        while (!token_.empty() && (std::isalpha(static_cast<unsigned char>(token_[0])) || token_[0] == '_')) {
            if (token_ != "const" && token_ != "volatile" && token_ != "struct")
                cast->text += (cast->text.empty() ? "" : " ") + std::string(token_);
            next();
        }
        while (accept("*"))
            ++cast->stars;
        static constexpr std::string_view words[] = {"bool",   "char", "short", "int",   "unsigned",
                                                     "signed", "long", "float", "double"};
        const std::string first = cast->text.substr(0, cast->text.find(' '));
        const bool is_base = std::find(std::begin(words), std::end(words), first) != std::end(words);
        if (token_ == ")" && !cast->text.empty() && (cast->stars || is_base)) {
            behind_value_ = false;
            next();
            return cast;
        }
        at_ = at;
        token_ = token;
        behind_value_ = false;
        return nullptr;
    }

    NodePtr postfix(NodePtr node, unsigned depth) {
        for (;;) {
            if (accept("[")) {
                NodePtr element = make(Kind::element);
                element->parts.push_back(std::move(node));
                element->parts.push_back(conditional(depth + 1));
                expect("]");
                node = std::move(element);
            } else if (token_ == "." || token_ == "->") {
                NodePtr member = make(token_ == "." ? Kind::member : Kind::arrow);
                next();
                if (token_.empty() || !is_name(token_[0])) unexpected();
                member->text = token_;
                next();
                member->parts.push_back(std::move(node));
                node = std::move(member);
            } else {
                return node;
            }
        }
    }

    NodePtr primary(unsigned depth) {
        if (accept("(")) {
            NodePtr node = conditional(depth + 1);
            expect(")");
            return node;
        }
        if (token_.empty()) unexpected();
        if (std::isdigit(static_cast<unsigned char>(token_[0])) || (token_[0] == '.' && token_.size() > 1))
            return literal();
        if (!is_name(token_[0]) && token_[0] != '%') unexpected();
        if (token_ == "%") unexpected();
        NodePtr node = make(Kind::name, std::string(token_));
        next();
        return node;
    }

    NodePtr literal() {
        NodePtr node = make(Kind::number, std::string(token_));
        next();
        return node;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string_view token_;
    bool behind_value_ = false;
};

} // namespace

std::unique_ptr<ExpressionNode> parse_expression(std::string_view text) { return Parser(text).all(); }

} // namespace warplight::debug
