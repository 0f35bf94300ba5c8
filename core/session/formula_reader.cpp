// SPDX-License-Identifier: Apache-2.0
#include "session/formula_reader.hpp"

#include "session/formula_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace warplight::session {
namespace {

std::string problem_of(const mu::ParserError& error) {
    switch (error.GetCode()) {
    case mu::ecUNEXPECTED_OPERATOR: return "has an operator where a value is needed";
    case mu::ecUNEXPECTED_EOF: return "ends too early";
    case mu::ecUNEXPECTED_ARG_SEP: return "has a comma that does not belong there";
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN: return "lacks an operator between two values";
    case mu::ecUNEXPECTED_PARENS:
    case mu::ecMISSING_PARENS: return "has a bracket that does not belong there";
    case mu::ecTOO_MANY_PARAMS: return "gives a function too many values";
    case mu::ecTOO_FEW_PARAMS: return "gives a function too few values";
    case mu::ecUNEXPECTED_CONDITIONAL:
    case mu::ecMISPLACED_COLON:
    case mu::ecMISSING_ELSE_CLAUSE: return "has a condition that is not complete: write CONDITION ? VALUE : VALUE";
    default: return "cannot be read";
    }
}

struct FormulaFunction {
    const char* name;
    double (*call)(double);
};
constexpr FormulaFunction formula_functions[] = {
    {"sin", std::sin},
    {"cos", std::cos},
    {"tan", std::tan},
    {"asin", std::asin},
    {"acos", std::acos},
    {"atan", std::atan},
    {"sinh", std::sinh},
    {"cosh", std::cosh},
    {"tanh", std::tanh},
    {"asinh", std::asinh},
    {"acosh", std::acosh},
    {"atanh", std::atanh},
    {"exp", std::exp},
    {"exp2", std::exp2},
    {"expm1", std::expm1},
    {"log", std::log},
    {"log2", std::log2},
    {"log10", std::log10},
    {"log1p", std::log1p},
    {"sqrt", std::sqrt},
    {"cbrt", std::cbrt},
    {"abs", std::fabs},
    {"fabs", std::fabs},
    {"floor", std::floor},
    {"ceil", std::ceil},
    {"trunc", std::trunc},
    {"round", std::round},
    {"rint", std::rint},
    {"erf", std::erf},
    {"erfc", std::erfc},
    {"tgamma", std::tgamma},
    {"lgamma", std::lgamma},
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
    {"isinf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
};
struct FormulaFunctionOfTwo {
    const char* name;
    double (*call)(double, double);
};
constexpr FormulaFunctionOfTwo formula_functions_of_two[] = {
    {"atan2", std::atan2}, {"pow", std::pow}, {"fmod", std::fmod}, {"hypot", std::hypot}, {"copysign", std::copysign},
};

double least_value(const double* values, int count) { return *std::min_element(values, values + count); }
double largest_value(const double* values, int count) { return *std::max_element(values, values + count); }

int read_formula_number(const char* text, int* place, double* value) {
    const std::string_view rest = text;
    const auto is_digit = [&](std::size_t at) { return at < rest.size() && rest[at] >= '0' && rest[at] <= '9'; };
    if (!is_digit(0) && !(rest.starts_with('.') && is_digit(1))) return 0;
    const std::string_view number = rest.substr(0, end_of_number(rest, 0));
    const char* const end = text + number.size();
    if (number.starts_with("0x") || number.starts_with("0X")) {
        std::uint64_t bits = 0;
        const auto [stop, problem] = std::from_chars(text + 2, end, bits, 16);
        if (problem != std::errc() || stop != end) return 0;
        *value = static_cast<double>(bits);
    } else {
        const auto [stop, problem] = std::from_chars(text, end, *value);
        if (stop != end) return 0;
        if (problem == std::errc::result_out_of_range) // 1e999, or 1e-999
            *value = number.find("e-") != std::string_view::npos || number.find("E-") != std::string_view::npos
                         ? 0
                         : std::numeric_limits<double>::infinity();
    }
    *place += static_cast<int>(number.size());
    return 1;
}

} // namespace

FormulaReader::FormulaReader() {
    DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    DefineOprtChars("+-*/^%<>=!&|");
    DefineInfixOprtChars("+-!");
    AddValIdent(read_formula_number);
    for (const FormulaFunction& each : formula_functions)
        DefineFun(each.name, each.call);
    for (const FormulaFunctionOfTwo& each : formula_functions_of_two)
        DefineFun(each.name, each.call);
    DefineFun("min", least_value);
    DefineFun("max", largest_value);
    DefineFun("fma", static_cast<double (*)(double, double, double)>(std::fma));
    DefineInfixOprt("-", [](double x) { return -x; });
    DefineInfixOprt("+", [](double x) { return x; });
    DefineInfixOprt("!", [](double x) { return x == 0 ? 1.0 : 0.0; });
    DefineOprt("%", static_cast<double (*)(double, double)>(std::fmod), mu::prMUL_DIV, mu::oaLEFT);
    // It would compute in another order than the formula's.
    EnableOptimizer(false);
}

void refuse_formula(const std::string& expression, const mu::ParserError& error, const std::string& subject) {
    const std::size_t place = error.GetPos() < 0 ? expression.size() : static_cast<std::size_t>(error.GetPos());
    refuse_formula(expression, place, problem_of(error), subject);
}

} // namespace warplight::session
