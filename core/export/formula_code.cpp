// SPDX-License-Identifier: Apache-2.0
#include "export/formula_code.hpp"

#include "export/export_error.hpp"
#include "session/formula_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::exporting {
namespace {

/// How strongly an expression's parts hold together, in both languages.
enum class Bond { choice, or_, and_, not_, compare, add, multiply, sign, whole };

struct Code {
    std::string text;
    Bond bond = Bond::whole;
    bool is_condition = false; ///< true or false, and not a double
    bool is_numpy = false;     ///< a double of NumPy, which may be divided by 0
};

struct CodeOfFunction {
    std::string_view name, cpp, python; ///< empty: the language has none
    bool is_condition = false;
};
constexpr CodeOfFunction codes_of_functions[] = {
    {"sin", "std::sin", "np.sin"},
    {"cos", "std::cos", "np.cos"},
    {"tan", "std::tan", "np.tan"},
    {"asin", "std::asin", "np.arcsin"},
    {"acos", "std::acos", "np.arccos"},
    {"atan", "std::atan", "np.arctan"},
    {"sinh", "std::sinh", "np.sinh"},
    {"cosh", "std::cosh", "np.cosh"},
    {"tanh", "std::tanh", "np.tanh"},
    {"asinh", "std::asinh", "np.arcsinh"},
    {"acosh", "std::acosh", "np.arccosh"},
    {"atanh", "std::atanh", "np.arctanh"},
    {"exp", "std::exp", "np.exp"},
    {"exp2", "std::exp2", "np.exp2"},
    {"expm1", "std::expm1", "np.expm1"},
    {"log", "std::log", "np.log"},
    {"log2", "std::log2", "np.log2"},
    {"log10", "std::log10", "np.log10"},
    {"log1p", "std::log1p", "np.log1p"},
    {"sqrt", "std::sqrt", "np.sqrt"},
    {"cbrt", "std::cbrt", "np.cbrt"},
    {"abs", "std::fabs", "np.fabs"},
    {"fabs", "std::fabs", "np.fabs"},
    {"floor", "std::floor", "np.floor"},
    {"ceil", "std::ceil", "np.ceil"},
    {"trunc", "std::trunc", "np.trunc"},
    {"round", "std::round", "formulas.round_half_away"},
    {"rint", "std::rint", "np.rint"},
    {"erf", "std::erf", "formulas.erf"},
    {"erfc", "std::erfc", "formulas.erfc"},
    {"tgamma", "std::tgamma", ""},
    {"lgamma", "std::lgamma", ""},
    {"isnan", "std::isnan", "np.isnan", true},
    {"isinf", "std::isinf", "np.isinf", true},
    {"rsqrt", "1.0 / std::sqrt", "1.0 / np.sqrt"},
    {"atan2", "std::atan2", "np.arctan2"},
    {"pow", "std::pow", "np.float_power"},
    {"fmod", "std::fmod", "np.fmod"},
    {"hypot", "std::hypot", "np.hypot"},
    {"copysign", "std::copysign", "np.copysign"},
    {"fma", "std::fma", ""},
    {"min", "std::min", "min"},
    {"max", "std::max", "max"},
};

class FormulaCoder {
public:
    FormulaCoder(std::string_view text, const FormulaWords& words) : text_(text), words_(words) {}
    Code formula() {
        Code code = choice();
        skip();
        if (place_ != text_.size()) fail();
        return code;
    }
    [[nodiscard]] std::string value_text(Code code) const { return value(std::move(code)).text; }
    [[nodiscard]] std::string condition_text(Code code) const { return condition(std::move(code)).text; }

private:
    [[nodiscard]] bool is_python() const { return words_.language == Language::python; }
    [[noreturn]] void fail() const {
        throw ExportError(fmt::format("The formula \"{}\" cannot be written as a program, from \"{}\" on.", text_,
                                      text_.substr(std::min(place_, text_.size()))));
    }
    void skip() {
        while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])))
            ++place_;
    }
    bool take(std::string_view sign) {
        skip();
        if (!text_.substr(place_).starts_with(sign)) return false;
        // `<` is not the beginning of `<=`, and `!` not that of `!=`.
        if (sign.size() == 1 && std::string_view("<>!").find(sign) != std::string_view::npos &&
            text_.substr(place_ + 1).starts_with('='))
            return false;
        place_ += sign.size();
        return true;
    }

    static std::string in_brackets(std::string text) { return "(" + std::move(text) + ")"; }
    /// With brackets where it holds together less than it has to.
    static std::string part(const Code& code, Bond least) {
        return code.bond < least ? in_brackets(code.text) : code.text;
    }
    static Bond above(Bond bond) { return static_cast<Bond>(static_cast<int>(bond) + 1); }

    [[nodiscard]] Code value(Code code) const {
        if (!code.is_condition) return code;
        if (is_python()) return {fmt::format("float({})", code.text)};
        return {fmt::format("({} ? 1.0 : 0.0)", part(code, Bond::or_))};
    }
    [[nodiscard]] Code condition(Code code) const {
        if (code.is_condition) return code;
        return {part(code, above(Bond::compare)) + (is_python() ? " != 0" : " != 0.0"), Bond::compare, true};
    }

    Code choice() {
        Code code = disjunction();
        if (!take("?")) return code;
        const Code asked = condition(std::move(code));
        const Code then = value(choice());
        if (!take(":")) fail();
        const Code other = value(choice());
        const bool is_numpy = then.is_numpy && other.is_numpy;
        if (is_python())
            return {fmt::format("{} if {} else {}", part(then, Bond::or_), part(asked, Bond::or_), other.text),
                    Bond::choice, false, is_numpy};
        return {fmt::format("{} ? {} : {}", part(asked, Bond::or_), part(then, Bond::or_), other.text), Bond::choice};
    }
    Code disjunction() { return connected("||", is_python() ? " or " : " || ", Bond::or_); }
    Code connected(std::string_view sign, std::string_view word, Bond bond) {
        const auto next = [&] {
            return bond == Bond::or_ ? connected("&&", is_python() ? " and " : " && ", Bond::and_) : comparison();
        };
        Code code = next();
        // Compilers of C++ warn of `a || b && c` without brackets.
        const auto joined_part = [&](const Code& each) {
            return each.bond == bond ? each.text : part(each, Bond::not_);
        };
        while (take(sign)) {
            const Code left = condition(std::move(code)), right = condition(next());
            code = {joined_part(left) + std::string(word) + part(right, Bond::not_), bond, true};
        }
        return code;
    }
    Code comparison() {
        Code code = sum();
        while (true) {
            std::string_view found;
            for (const std::string_view each : {"<=", ">=", "==", "!=", "<", ">"})
                if (found.empty() && take(each)) found = each;
            if (found.empty()) return code;
            const Code left = value(std::move(code)), right = value(sum());
            code = {fmt::format("{} {} {}", part(left, Bond::add), found, part(right, Bond::add)), Bond::compare, true};
        }
    }
    Code sum() {
        Code code = product();
        while (true) {
            const char sign = take("+") ? '+' : take("-") ? '-' : '\0';
            if (!sign) return code;
            const Code left = value(std::move(code)), right = value(product());
            code = {fmt::format("{} {} {}", part(left, Bond::add), sign, part(right, Bond::multiply)), Bond::add, false,
                    left.is_numpy || right.is_numpy};
        }
    }
    Code product() {
        Code code = sign();
        while (true) {
            const char operation = take("*") ? '*' : take("/") ? '/' : take("%") ? '%' : '\0';
            if (!operation) return code;
            Code left = value(std::move(code));
            const Code right = value(sign());
            if (operation == '%') {
                code = {fmt::format("{}({}, {})", is_python() ? "np.fmod" : "std::fmod", left.text, right.text),
                        Bond::whole, false, true};
                continue;
            }
            // Python's own numbers are not divided by 0.
            if (is_python() && operation == '/' && !left.is_numpy && !right.is_numpy)
                left = {fmt::format("np.float64({})", left.text), Bond::whole, false, true};
            code = {fmt::format("{} {} {}", part(left, Bond::multiply), operation, part(right, Bond::sign)),
                    Bond::multiply, false, left.is_numpy || right.is_numpy};
        }
    }
    Code sign() {
        if (take("+")) return value(sign());
        if (take("-")) {
            const Code of = value(sign());
            return {"-" + part(of, Bond::whole), Bond::sign, false, of.is_numpy};
        }
        if (!take("!")) return power();
        const Code of = condition(sign());
        if (is_python()) return {"not " + part(of, Bond::compare), Bond::not_, true};
        return {"!" + part(of, Bond::whole), Bond::sign, true};
    }
    Code power() {
        Code code = primary();
        if (!take("^")) return code;
        const Code base = value(std::move(code)), exponent = value(sign());
        return {fmt::format("{}({}, {})", is_python() ? "np.float_power" : "std::pow", base.text, exponent.text),
                Bond::whole, false, true};
    }
    Code primary() {
        skip();
        if (take("(")) {
            Code code = choice();
            if (!take(")")) fail();
            return code;
        }
        if (place_ >= text_.size()) fail();
        if (std::isdigit(static_cast<unsigned char>(text_[place_])) || text_[place_] == '.') return number();
        const std::size_t start = place_;
        while (place_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[place_])) || text_[place_] == '_'))
            ++place_;
        if (place_ == start) fail();
        const auto name = text_.substr(start, place_ - start);
        if (take("(") || take("[")) return call(name, list());
        if (words_.scalar)
            if (const auto found = words_.scalar(name)) return {*found, Bond::whole, false, true};
        if (words_.element)
            if (const auto found = words_.element(name, {"0"})) return {*found, Bond::whole, false, true};
        return own_name(name);
    }
    /// Of an array with one element: the formula's own names.
    Code own_name(std::string_view name) const {
        if (name == "pi") return {number_text(std::numbers::pi)};
        if (name == "inf") return {number_text(std::numeric_limits<double>::infinity())};
        if (name == "nan") return {is_python() ? "np.nan" : "NAN"};
        if (name == "n" || (name.size() > 1 && name.front() == 'n')) return {number_text(1)};
        return {number_text(0)};
    }
    std::vector<Code> list() {
        std::vector<Code> values;
        do
            values.push_back(value(choice()));
        while (take(","));
        if (!take(")") && !take("]")) fail();
        return values;
    }
    Code call(std::string_view name, const std::vector<Code>& values) const {
        std::vector<std::string> texts;
        texts.reserve(values.size());
        for (const Code& each : values)
            texts.push_back(each.text);
        if (words_.element)
            if (const auto found = words_.element(name, texts)) return {*found, Bond::whole, false, true};
        const auto* known = std::ranges::find(codes_of_functions, name, &CodeOfFunction::name);
        if (known == std::end(codes_of_functions)) fail();
        const auto function = is_python() ? known->python : known->cpp;
        if (function.empty())
            throw ExportError(fmt::format("The formula \"{}\" uses {}, which NumPy has not. Export the session as "
                                          "cpp-driver or cpp-warplight.",
                                          text_, name));
        const auto arguments = fmt::format("{}", fmt::join(texts, ", "));
        const bool is_least_or_largest = name == "min" || name == "max";
        if (is_least_or_largest && texts.size() == 1) return values.front();
        if (is_least_or_largest && !is_python()) return {fmt::format("{}({{{}}})", function, arguments)};
        const bool is_quotient = name == "rsqrt";
        return {fmt::format("{}({})", function, arguments), is_quotient ? Bond::multiply : Bond::whole,
                known->is_condition, !is_least_or_largest};
    }
    Code number() {
        const auto number = text_.substr(place_, session::end_of_number(text_, place_) - place_);
        place_ += number.size();
        if (number.starts_with("0x") || number.starts_with("0X")) {
            std::uint64_t bits = 0;
            std::from_chars(number.data() + 2, number.data() + number.size(), bits, 16);
            return {number_text(static_cast<double>(bits))};
        }
        double value = 0;
        if (std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc::result_out_of_range)
            value = number.find("e-") != std::string_view::npos || number.find("E-") != std::string_view::npos
                        ? 0
                        : std::numeric_limits<double>::infinity();
        return {number_text(value)};
    }
    [[nodiscard]] std::string number_text(double value) const {
        if (std::isinf(value)) return is_python() ? "np.inf" : "INFINITY";
        std::string text = fmt::format("{}", value);
        if (text.find_first_of(".e") == std::string::npos) text += ".0";
        return text;
    }

    std::string_view text_;
    const FormulaWords& words_;
    std::size_t place_ = 0;
};

} // namespace

std::string formula_value(std::string_view formula, const FormulaWords& words) {
    FormulaCoder coder(formula, words);
    return coder.value_text(coder.formula());
}

std::string formula_condition(std::string_view formula, const FormulaWords& words) {
    FormulaCoder coder(formula, words);
    return coder.condition_text(coder.formula());
}

} // namespace warplight::exporting
