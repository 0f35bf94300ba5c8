// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"

#include "expression_tree.hpp"
#include "number.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace warplight::debug {

namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;

constexpr unsigned kMostBases = 100; ///< of bases
constexpr unsigned kMostVisits = 10'000;

TypeId pointer_to(TypeId type, const Surroundings& where) {
    DebugInfo& info = where.info();
    for (TypeId t = 0; t < info.types.size(); ++t)
        if (info.types[t].kind == Type::Kind::pointer && info.types[t].of == type) return t;
    Type pointer;
    pointer.kind = Type::Kind::pointer;
    pointer.size = 8;
    pointer.of = type;
    return info.add(std::move(pointer));
}

Value literal_value(const std::string& text, const Surroundings& where) {
    std::string_view digits = text;
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const auto wrong = [&] { return ExpressionError(fmt::format("'{}' is no number.", text)); };
    if (!hexadecimal && digits.find_first_of(".eE") != std::string_view::npos) {
        double real = 0;
        if (digits.ends_with('f') || digits.ends_with('F')) digits.remove_suffix(1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
        if (error != std::errc() || end != digits.data() + digits.size()) throw wrong();
        return value_of({Number::Of::real, 0, real, true}, where);
    }
    Number n;
    if (hexadecimal) digits.remove_prefix(2);
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
        if (digits.back() == 'u' || digits.back() == 'U') n.of = Number::Of::unsigned_integer;
        digits.remove_suffix(1);
    }
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), n.bits, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) throw wrong();
    n.is_long = n.bits > 0xffffffff;
    if (n.of == Number::Of::integer && n.bits > 0x7fffffff) { // of hexadecimal numbers the unsigned type comes first
        n.is_long = n.is_long || !hexadecimal;
        if (!n.is_long || n.bits > INT64_MAX) n.of = Number::Of::unsigned_integer;
    }
    return value_of(n, where);
}

// --- evaluation

class Evaluator {
public:
    explicit Evaluator(const Surroundings& where) : where_(where) {}

    Value value(const Node& n) {
        switch (n.kind) {
        case Kind::number: return literal_value(n.text, where_);
        case Kind::name: return named(n.text);
        case Kind::unary: return unary(n);
        case Kind::binary: return binary(n);
        case Kind::conditional: return value(number(value(*n.parts[0]), where_).is_true() ? *n.parts[1] : *n.parts[2]);
        case Kind::member: return member(value(*n.parts[0]), n.text);
        case Kind::arrow: return member(target(value(*n.parts[0])), n.text);
        case Kind::element: return target(plus(value(*n.parts[0]), number(value(*n.parts[1]), where_).bits));
        case Kind::cast: return cast(n);
        }
        throw ExpressionError("This expression is not understood.");
    }

private:
    Value named(const std::string& name) {
        if (name == "true" || name == "false") return truth(name == "true", where_);
        if (auto found = where_.find(name)) return std::move(*found);
        throw ExpressionError(fmt::format("There is no '{}' here.", name));
    }

    [[nodiscard]] const Type& type(const Value& v) const { return type_of(v, where_); }
    [[nodiscard]] bool is_address(const Value& v) const {
        return type(v).kind == Type::Kind::pointer || type(v).kind == Type::Kind::array;
    }

    /// A pointer that is moved on by elements.
    Value plus(const Value& v, std::uint64_t count) {
        if (!is_address(v)) throw ExpressionError(fmt::format("A {} has no elements.", where_.info().name_of(v.type)));
        const TypeId element = type(v).of;
        // An array without an address is a value of registers.
        if (type(v).kind == Type::Kind::array && !v.address) {
            Value part = part_of(v, count * where_.info().size_of(element), element, where_);
            part_ = std::move(part);
            return {};
        }
        const std::uint64_t at = number(v, where_).bits + count * where_.info().size_of(element);
        return {pointer_to(element, where_), 0, stored(at)};
    }
    Value target(const Value& pointer) {
        if (part_) return *std::exchange(part_, std::nullopt);
        if (!is_address(pointer))
            throw ExpressionError(fmt::format("A {} is no pointer.", where_.info().name_of(pointer.type)));
        const std::uint64_t at = number(pointer, where_).bits;
        if (at == 0) throw ExpressionError("The pointer is null.");
        if (where_.info().resolved(type(pointer).of) == kVoid)
            throw ExpressionError("A void pointer has no target: cast it, as in *(float*)p.");
        return {type(pointer).of, at, {}};
    }

    Value member(const Value& v, const std::string& name) {
        if (type(v).kind == Type::Kind::structure)
            if (auto found = find_member(v, name, 0)) return std::move(*found);
        throw ExpressionError(fmt::format("A {} has no member '{}'.", where_.info().name_of(v.type), name));
    }
    std::optional<Value> find_member(const Value& v, const std::string& name, unsigned depth) {
        if (++visits_ > kMostVisits) throw ExpressionError("The types of the program are damaged.");
        const std::vector<Type::Member> members = type(v).members;
        for (const Type::Member& m : members)
            if (m.name == name) return part_of(v, m.offset, m.type, where_);
        for (const Type::Member& m : members) // bases
            if (m.name.empty() && depth < kMostBases)
                if (auto found = find_member(part_of(v, m.offset, m.type, where_), name, depth + 1)) return found;
        return std::nullopt;
    }

    Value unary(const Node& n) {
        const Value v = value(*n.parts[0]);
        if (n.text == "*") return target(v);
        if (n.text == "&") {
            if (!v.address) throw ExpressionError("This has no address: it is in a register.");
            return {pointer_to(v.type, where_), 0, stored(v.address)};
        }
        Number a = number(v, where_);
        if (n.text == "!") return truth(!a.is_true(), where_);
        if (n.text == "~") {
            if (a.of == Number::Of::real) throw ExpressionError("'~' takes integers.");
            a.bits = ~a.bits;
        }
        if (n.text == "-") {
            a.real = -a.real;
            a.bits = ~a.bits + 1;
        }
        return value_of(a, where_);
    }

    Value cast(const Node& n) {
        const Value v = value(*n.parts[0]);
        TypeId to = find_type(n.text);
        for (unsigned k = 0; k < n.stars; ++k)
            to = pointer_to(to, where_);
        const Number a = number(v, where_);
        const Type& type = where_.info().types.at(where_.info().resolved(to));
        if (type.kind == Type::Kind::floating)
            return {to, 0, type.size == 4 ? stored(static_cast<float>(a.as_real())) : stored(a.as_real())};
        if (type.kind == Type::Kind::boolean) return truth(a.is_true(), where_);
        std::uint64_t bits = a.bits;
        if (a.of == Number::Of::real) {
            if (!(std::fabs(a.real) < 9e18)) throw ExpressionError("The number is too large for an integer.");
            bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(a.real));
        }
        std::vector<std::byte> bytes = stored(bits);
        bytes.resize(std::min<std::size_t>(type.size, bytes.size()));
        return {to, 0, std::move(bytes)};
    }
    TypeId find_type(std::string name) {
        static constexpr std::pair<std::string_view, std::string_view> others[] = {
            {"unsigned", "unsigned int"},
            {"long", "long long"},
            {"unsigned long", "unsigned long long"},
            {"long int", "long long"},
            {"size_t", "unsigned long long"},
            {"signed", "int"}};
        for (const auto& [from, to] : others)
            if (name == from) name = to;
        if (const auto found = where_.info().find_type(name)) return *found;
        throw ExpressionError(fmt::format("There is no type '{}'.", name));
    }

    Value binary(const Node& n) {
        const std::string& op = n.text;
        const Value left = value(*n.parts[0]);
        if (op == "&&" || op == "||") {
            const bool first = number(left, where_).is_true();
            if (first == (op == "||")) return truth(first, where_);
            return truth(number(value(*n.parts[1]), where_).is_true(), where_);
        }
        const Value right = value(*n.parts[1]);
        if (op == "+" && is_address(left)) return plus(left, number(right, where_).bits);
        if (op == "+" && is_address(right)) return plus(right, number(left, where_).bits);
        if (op == "-" && is_address(left)) return minus(left, right);
        return compute(op, number(left, where_), number(right, where_));
    }
    Value minus(const Value& left, const Value& right) {
        if (!is_address(right)) return plus(left, ~number(right, where_).bits + 1);
        const std::uint64_t size = std::max<std::uint64_t>(where_.info().size_of(type(left).of), 1);
        const auto difference = static_cast<std::int64_t>(number(left, where_).bits - number(right, where_).bits);
        Number n;
        n.bits = static_cast<std::uint64_t>(difference / static_cast<std::int64_t>(size));
        n.is_long = true;
        return value_of(n, where_);
    }

    Value compute(const std::string& op, const Number& a, const Number& b) {
        if (a.of == Number::Of::real || b.of == Number::Of::real) return compute_real(op, a.as_real(), b.as_real());
        const bool is_signed = (a.of == Number::Of::integer && b.of == Number::Of::integer) ||
                               (a.of == Number::Of::integer && a.is_long && !b.is_long) ||
                               (b.of == Number::Of::integer && b.is_long && !a.is_long);
        Number n;
        n.of = is_signed ? Number::Of::integer : Number::Of::unsigned_integer;
        n.is_long = a.is_long || b.is_long;
        // A negative int becomes a large unsigned int, as in C++.
        const auto converted = [&](const Number& x) { return n.is_long || is_signed ? x.bits : x.bits & 0xffffffff; };
        const std::uint64_t x = converted(a), y = converted(b);
        const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
        const bool less = is_signed ? sx < sy : x < y;
        if (op == "<") return truth(less, where_);
        if (op == ">=") return truth(!less, where_);
        if (op == ">") return truth(is_signed ? sx > sy : x > y, where_);
        if (op == "<=") return truth(is_signed ? sx <= sy : x <= y, where_);
        if (op == "==") return truth(x == y, where_);
        if (op == "!=") return truth(x != y, where_);
        if (op == "/" || op == "%") {
            if (y == 0) throw ExpressionError("Division by zero.");
            if (!is_signed)
                n.bits = op == "/" ? x / y : x % y;
            else if (sy == -1)
                n.bits = op == "/" ? ~x + 1 : 0;
            else
                n.bits = static_cast<std::uint64_t>(op == "/" ? sx / sy : sx % sy);
        } else if (op == "+") {
            n.bits = x + y;
        } else if (op == "-") {
            n.bits = x - y;
        } else if (op == "*") {
            n.bits = x * y;
        } else if (op == "&") {
            n.bits = x & y;
        } else if (op == "|") {
            n.bits = x | y;
        } else if (op == "^") {
            n.bits = x ^ y;
        } else { // shifts have the type of what is shifted
            n.of = a.of;
            n.is_long = a.is_long;
            const unsigned count = static_cast<unsigned>(y & (a.is_long ? 63 : 31));
            if (op == "<<")
                n.bits = a.bits << count;
            else
                n.bits = a.of == Number::Of::integer
                             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a.bits) >> count)
                             : a.bits >> count;
        }
        return value_of(n, where_);
    }
    Value compute_real(const std::string& op, double a, double b) {
        if (op == "<") return truth(a < b, where_);
        if (op == ">") return truth(a > b, where_);
        if (op == "<=") return truth(a <= b, where_);
        if (op == ">=") return truth(a >= b, where_);
        if (op == "==") return truth(a == b, where_);
        if (op == "!=") return truth(a != b, where_);
        Number n{Number::Of::real, 0, 0, true};
        if (op == "+")
            n.real = a + b;
        else if (op == "-")
            n.real = a - b;
        else if (op == "*")
            n.real = a * b;
        else if (op == "/")
            n.real = a / b;
        else
            throw ExpressionError(fmt::format("'{}' takes integers.", op));
        return value_of(n, where_);
    }

    const Surroundings& where_;
    unsigned visits_ = 0;       ///< of types, in search of members
    std::optional<Value> part_; ///< the element of an array that has no address
};

} // namespace

Expression::Expression(std::string_view text) : root_(parse_expression(text)) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

Value Expression::evaluate(const Surroundings& where) const { return Evaluator(where).value(*root_); }

bool Expression::holds(const Surroundings& where) const { return number(evaluate(where), where).is_true(); }

} // namespace warplight::debug
