// SPDX-License-Identifier: Apache-2.0
#include "session/scalar_formula.hpp"

#include "session/session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#ifdef WARPLIGHT_HAS_FORMULAS
#include "session/formula_reader.hpp"
#endif

namespace warplight::session {

#ifdef WARPLIGHT_HAS_FORMULAS

struct ScalarFormula::State {
    std::string text;
    std::vector<std::string> names;
    std::vector<double> values;
    FormulaReader parser;

    [[nodiscard]] SessionError error(const mu::ParserError& problem) const {
        const auto place =
            problem.GetCode() == mu::ecUNASSIGNABLE_TOKEN || problem.GetPos() >= 0
                ? std::min<std::size_t>(static_cast<std::size_t>(std::max(problem.GetPos(), 0)), text.size())
                : text.size();
        std::string message = problem.GetMsg();
        if (problem.GetCode() == mu::ecUNASSIGNABLE_TOKEN)
            message = fmt::format("\"{}\" is not known; there are {}.", problem.GetToken(), fmt::join(names, ", "));
        return SessionError(
            fmt::format("The formula \"{}\" cannot be read at character {}: {}", text, place + 1, message));
    }
};

ScalarFormula::ScalarFormula(std::string_view expression, std::vector<std::string> names)
    : state_(std::make_unique<State>()) {
    state_->text = expression;
    state_->names = std::move(names);
    state_->values.resize(state_->names.size());
    try {
        for (std::size_t i = 0; i < state_->names.size(); ++i)
            state_->parser.DefineVar(state_->names[i], &state_->values[i]);
        state_->parser.SetExpr(state_->text);
        (void)state_->parser.Eval(); // reads the text
        if (state_->parser.GetNumResults() != 1)
            throw SessionError(fmt::format("The formula \"{}\" has several values; one is needed.", state_->text));
    } catch (const mu::ParserError& problem) {
        throw state_->error(problem);
    }
}

double ScalarFormula::value(std::span<const double> values) const {
    if (values.size() != state_->values.size())
        throw SessionError(fmt::format("The formula \"{}\" was given {} values instead of {}.", state_->text,
                                       values.size(), state_->values.size()));
    std::ranges::copy(values, state_->values.begin());
    try {
        return state_->parser.Eval();
    } catch (const mu::ParserError& problem) {
        throw state_->error(problem);
    }
}

#else

struct ScalarFormula::State {};

ScalarFormula::ScalarFormula(std::string_view expression, std::vector<std::string>) {
    throw SessionError(fmt::format(
        "The formula \"{}\" cannot be computed: this Warplight was built without muParser. Give numbers instead.",
        expression));
}

double ScalarFormula::value(std::span<const double>) const { return 0; }

#endif

ScalarFormula::ScalarFormula(ScalarFormula&&) noexcept = default;
ScalarFormula& ScalarFormula::operator=(ScalarFormula&&) noexcept = default;
ScalarFormula::~ScalarFormula() = default;

} // namespace warplight::session
