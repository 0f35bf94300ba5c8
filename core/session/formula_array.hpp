// SPDX-License-Identifier: Apache-2.0
// The values of a formula as an array, computed as they are read.
#pragma once

#include "session/formula_inputs.hpp"

#include <string>

namespace warplight::session {

/// An array of float64 in this shape. The arrays of `inputs` may be of any order, and lie in files.
/// @throws SessionError as check_formula() does; an index outside of an array is an error of the read that asks for it
NdArray formula_array(const std::string& expression, Shape shape, const FormulaInputs& inputs);

} // namespace warplight::session
