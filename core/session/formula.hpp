// SPDX-License-Identifier: Apache-2.0
/// Formulas of a session: `sin(2*pi*i/n)` for each element of an array, in double precision.
/// docs/session-format.md tells what a formula may name. An argument's name comes before a name of the formula's own.
#pragma once

#include "session/formula_inputs.hpp"

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <string>

namespace warplight::session {

/// False in a build without muParser: then each formula is an error that says so.
bool has_formulas();

/// Which of these arguments a formula names.
std::set<std::string> names_in_formula(const std::string& expression, const FormulaNames& arguments);

/// @param axes of the array that the formula makes
/// @throws SessionError that tells the place; its `column` counts from 1
void check_formula(const std::string& expression, std::size_t axes, const FormulaNames& arguments);

/// The thread that fills calls them, now and then.
struct FormulaHooks {
    std::function<bool()> cancelled;
    std::function<void(double fraction)> progress;
};

/// Fills an array in C order. Integers are rounded to the nearest one, ties to even; then clipped to what the type
/// holds, and NaN becomes 0. @returns false where `cancelled` ended it
/// @throws SessionError as check_formula() does, and for an index outside of an array
bool fill_by_formula(NdArray& array, const std::string& expression, const FormulaInputs& inputs,
                     const FormulaHooks& hooks = {});

} // namespace warplight::session
