// SPDX-License-Identifier: Apache-2.0
// Formulas of a session as expressions of C++ and Python, which compute the same doubles.
#pragma once

#include "export/language.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::exporting {

/// What the names of a formula are in the program. Both know that a name is not theirs.
struct FormulaWords {
    Language language = Language::python;
    /// A double of NumPy, or of C++.
    std::function<std::optional<std::string>(std::string_view name)> scalar;
    /// An element of an array, as such a double. The indices are expressions.
    std::function<std::optional<std::string>(std::string_view name, const std::vector<std::string>& indices)> element;
};

/// Formulas are ones that a run takes. Functions of a namespace or module `formulas` stand for what a language lacks.
/// @throws ExportError for a function that the language has not
[[nodiscard]] std::string formula_value(std::string_view formula, const FormulaWords& words);
/// Whether its value is not 0.
[[nodiscard]] std::string formula_condition(std::string_view formula, const FormulaWords& words);

} // namespace warplight::exporting
