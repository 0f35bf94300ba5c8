// SPDX-License-Identifier: GPL-3.0-or-later
/// Arguments that are variables of the module, not parameters of the kernel.
#pragma once

#include "ui/common/document.hpp"

#include <vector>

namespace warplight::ui {

/// The kernel's parameter that each argument is for, by number; -1 for variables.
std::vector<int> parameterNumbers(const std::vector<session::Argument>& arguments);

/// The variables of what was built last, or of the PTX source, that no argument is for yet.
std::vector<compiler::Variable> variablesToAdd(const Document& document);
/// Whether it is known which there are.
bool knowsVariables(const Document& document);

/// A first argument for it: numbers and `__constant__` arrays are given, others are given and read.
session::Argument argumentFor(const compiler::Variable& variable);

/// Why the variable cannot be used so, as a sentence; empty when it can, or when that is not known.
QString variableProblem(const session::Argument& argument, const Document& document);

} // namespace warplight::ui
