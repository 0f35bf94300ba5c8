// SPDX-License-Identifier: Apache-2.0
#include "session/scalar_formula.hpp"

#include "session/session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#ifdef WARPLIGHT_HAS_FORMULAS
#include "session/formula_reader.hpp"
#include "session/formula_text.hpp"
#endif

namespace warplight::session {

#ifdef WARPLIGHT_HAS_FORMULAS

struct ScalarFormula::State {
    std::string text;
    std::vector<std::string> names;
    std::vector<double> values;
    FormulaReader parser;

    [[nodiscard]] std::string subject() const { return fmt::format("The formula \"{}\"", text); }

    void read() {
        for (const FormulaName& name : names_of_formula(text)) {
            const std::string word(name.text);
            if (std::ranges::find(names, word) == names.end() && !parser.GetFunDef().contains(word))
                refuse_formula(
                    text, name.place,
                    fmt::format("names \"{}\", which is not known (there are {})", word, fmt::join(names, ", ")),
                    subject());
        }
        try {
            for (std::size_t i = 0; i < names.size(); ++i)
                parser.DefineVar(names[i], &values[i]);
            parser.SetExpr(text);
            (void)parser.Eval();
        } catch (const mu::ParserError& problem) {
            refuse_formula(text, problem, subject());
        }
        if (parser.GetNumResults() != 1) throw SessionError(subject() + " has several values; one is needed.");
    }
};

ScalarFormula::ScalarFormula(std::string_view expression, std::vector<std::string> names)
    : state_(std::make_unique<State>()) {
    state_->text = expression;
    state_->names = std::move(names);
    state_->values.resize(state_->names.size());
    try {
        state_->read();
    } catch (SessionError& problem) {
        problem.pointer.clear(); // the sweep's, which has several formulas
        throw;
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
        refuse_formula(state_->text, problem, state_->subject());
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
