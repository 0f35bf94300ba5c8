// SPDX-License-Identifier: GPL-3.0-or-later
/// Formulas of arguments, while they are typed.
#pragma once

#include "session/formula.hpp"
#include "session/session.hpp"

#include <QString>
#include <cstddef>
#include <string>
#include <vector>

namespace warplight::ui {

/// What a formula of these arguments may name.
session::FormulaNames formulaNames(const std::vector<session::Argument>& arguments);

/// What is wrong with a formula for an array of so many axes, and where; empty when it is good.
QString formulaProblem(const std::string& expression, std::size_t axes, const session::FormulaNames& names);

/// The same of an argument's source and of its expectation.
QString formulaProblem(const session::Argument& argument, const std::vector<session::Argument>& all);

} // namespace warplight::ui
