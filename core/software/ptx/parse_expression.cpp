// SPDX-License-Identifier: Apache-2.0
// Constant expressions: 64-bit integers with C's operators, and floating-point constants.
#include "parser_state.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <optional>

namespace warplight::ptx {
namespace {

/// C's precedence, 1 the loosest; 0: not a binary operator.
int precedence(const Token& t) {
    if (t.kind != Token::Kind::symbol) return 0;
    const std::string_view s = t.text;
    if (s == "?") return 1;
    if (s == "||") return 2;
    if (s == "&&") return 3;
    if (s == "|") return 4;
    if (s == "^") return 5;
    if (s == "&") return 6;
    if (s == "==" || s == "!=") return 7;
    if (s == "<" || s == "<=" || s == ">" || s == ">=") return 8;
    if (s == "<<" || s == ">>") return 9;
    if (s == "+" || s == "-") return 10;
    if (s == "*" || s == "/" || s == "%") return 11;
    return 0;
}

double as_double(Type type, std::uint64_t bits) {
    return type == Type::f32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                             : std::bit_cast<double>(bits);
}

/// Comparisons and logical operators; nothing for other operators.
std::optional<bool> truth_of(std::string_view op, bool is_unsigned, std::uint64_t x, std::uint64_t y) {
    const bool less = is_unsigned ? x < y : static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
    if (op == "<") return less;
    if (op == ">=") return !less;
    if (op == "<=") return less || x == y;
    if (op == ">") return !less && x != y;
    if (op == "==") return x == y;
    if (op == "!=") return x != y;
    if (op == "&&") return x != 0 && y != 0;
    if (op == "||") return x != 0 || y != 0;
    return std::nullopt;
}

} // namespace

Parser::Constant Parser::parse_number() {
    const Token number = token_;
    std::string_view text = number.text;
    Constant c;
    const auto parse_integer = [&](std::string_view digits, int base) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), c.bits, base);
        if (error == std::errc::result_out_of_range) fail(number, "integer constant exceeds 64 bits");
        if (error != std::errc{} || end != digits.data() + digits.size())
            fail(number, "malformed number '" + std::string(number.text) + "'");
    };
    if (number.kind == Token::Kind::floating) {
        c.floating = true;
        const char second = text.size() > 1 ? static_cast<char>(text[1] | 0x20) : '\0';
        if (text[0] == '0' && (second == 'f' || second == 'd')) {
            c.type = second == 'f' ? Type::f32 : Type::f64;
            parse_integer(text.substr(2), 16);
        } else {
            double value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc::invalid_argument) fail(number, "malformed number");
            if (error == std::errc::result_out_of_range) fail(number, "floating-point constant out of range");
            c.bits = std::bit_cast<std::uint64_t>(value);
        }
        advance();
        return c;
    }
    if (text.back() == 'U') {
        c.is_unsigned = true;
        text.remove_suffix(1);
    }
    if (text.size() > 1 && text[0] == '0') {
        const char second = static_cast<char>(text[1] | 0x20);
        if (second == 'x')
            parse_integer(text.substr(2), 16);
        else if (second == 'b')
            parse_integer(text.substr(2), 2);
        else
            parse_integer(text, 8);
    } else {
        parse_integer(text, 10);
    }
    if (c.bits >> 63) c.is_unsigned = true;
    advance();
    return c;
}

Parser::Constant Parser::parse_unary(unsigned depth) {
    if (depth > kMaxExpressionDepth) fail(token_, "expression is nested too deeply");
    if (token_.kind == Token::Kind::integer || token_.kind == Token::Kind::floating) return parse_number();
    if (token_.is_identifier("WARP_SZ")) {
        advance();
        Constant c;
        c.bits = 32;
        return c;
    }
    if (token_.is('(')) {
        advance();
        if (token_.is_word("s64") || token_.is_word("u64")) {
            const bool is_unsigned = token_.text == "u64";
            advance();
            expect(')');
            Constant c = parse_unary(depth + 1);
            if (c.floating) fail(token_, "a floating-point constant cannot be cast");
            c.is_unsigned = is_unsigned;
            return c;
        }
        Constant c = parse_constant(0, depth + 1);
        expect(')');
        return c;
    }
    if (token_.is('-') || token_.is('+') || token_.is('~') || token_.is('!')) {
        const Token op = token_;
        advance();
        Constant c = parse_unary(depth + 1);
        if (c.floating) {
            if (op.is('-'))
                c.bits ^= c.type == Type::f32 ? std::uint64_t{1} << 31 : std::uint64_t{1} << 63;
            else if (!op.is('+'))
                fail(op, "operator '" + std::string(op.text) + "' needs an integer");
            return c;
        }
        if (op.is('-')) c.bits = 0 - c.bits;
        if (op.is('~')) c.bits = ~c.bits;
        if (op.is('!')) c.bits = c.bits == 0;
        return c;
    }
    unexpected("a constant");
}

Parser::Constant Parser::combine_floats(const Token& op, const Constant& a, const Constant& b) const {
    if (!a.floating || !b.floating) fail(op, "integer and floating-point constants cannot be mixed");
    const double x = as_double(a.type, a.bits), y = as_double(b.type, b.bits);
    const std::string_view s = op.text;
    Constant r;
    r.floating = true;
    if (s == "+")
        r.bits = std::bit_cast<std::uint64_t>(x + y);
    else if (s == "-")
        r.bits = std::bit_cast<std::uint64_t>(x - y);
    else if (s == "*")
        r.bits = std::bit_cast<std::uint64_t>(x * y);
    else if (s == "/" && y != 0)
        r.bits = std::bit_cast<std::uint64_t>(x / y);
    else
        fail(op, "operator '" + std::string(s) + "' cannot be used on these floating-point constants");
    return r;
}

Parser::Constant Parser::combine(const Token& op, const Constant& a, const Constant& b) const {
    if (a.floating || b.floating) return combine_floats(op, a, b);
    const std::string_view s = op.text;
    const std::uint64_t x = a.bits, y = b.bits;
    const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
    const bool u = a.is_unsigned || b.is_unsigned;
    const auto integer_constant = [](std::uint64_t bits, bool is_unsigned) {
        Constant c;
        c.bits = bits;
        c.is_unsigned = is_unsigned;
        return c;
    };
    if (const std::optional<bool> truth = truth_of(s, u, x, y)) return integer_constant(*truth ? 1 : 0, false);
    if (s == "+") return integer_constant(x + y, u);
    if (s == "-") return integer_constant(x - y, u);
    if (s == "*") return integer_constant(x * y, u);
    if (s == "&") return integer_constant(x & y, u);
    if (s == "|") return integer_constant(x | y, u);
    if (s == "^") return integer_constant(x ^ y, u);
    if (s == "<<") return integer_constant(y > 63 ? 0 : x << y, a.is_unsigned);
    if (s == ">>") {
        if (a.is_unsigned) return integer_constant(y > 63 ? 0 : x >> y, true);
        return integer_constant(static_cast<std::uint64_t>(sx >> (y > 63 ? 63 : y)), false);
    }
    // / and %
    if (y == 0) fail(op, "division by zero in a constant expression");
    const bool wraps = sx == std::numeric_limits<std::int64_t>::min() && sy == -1;
    if (s == "/") return integer_constant(u ? x / y : wraps ? x : static_cast<std::uint64_t>(sx / sy), u);
    return integer_constant(u ? x % y : wraps ? 0 : static_cast<std::uint64_t>(sx % sy), u);
}

Parser::Constant Parser::parse_constant(int lowest, unsigned depth) {
    if (depth > kMaxExpressionDepth) fail(token_, "expression is nested too deeply");
    Constant left = parse_unary(depth + 1);
    for (;;) {
        const Token op = token_;
        const int level = precedence(op);
        if (level == 0 || level < lowest) return left;
        advance();
        if (level == 1) {
            const Constant yes = parse_constant(1, depth + 1);
            expect(':');
            const Constant no = parse_constant(1, depth + 1);
            if (left.floating) fail(op, "a condition must be an integer");
            left = left.bits != 0 ? yes : no;
        } else {
            left = combine(op, left, parse_constant(level + 1, depth + 1));
        }
    }
}

std::uint64_t Parser::parse_count(const char* what, std::uint64_t most) {
    const Token at = token_;
    // Tighter than the comparisons, for `%r<10>` ends with one.
    const Constant c = parse_constant(9);
    if (c.floating || (!c.is_unsigned && static_cast<std::int64_t>(c.bits) < 0))
        fail(at, std::string(what) + " must be a positive integer");
    if (c.bits > most) fail(at, std::string(what) + " is too large");
    return c.bits;
}

} // namespace warplight::ptx
