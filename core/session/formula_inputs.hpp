// SPDX-License-Identifier: Apache-2.0
// The arguments that a formula may name.
#pragma once

#include "warplight/ndarray.hpp"

#include <string>
#include <utility>
#include <vector>

namespace warplight::session {

/// What a formula may use beside the place of its element.
struct FormulaInputs {
    std::vector<std::pair<std::string, double>> scalars;
    std::vector<std::pair<std::string, NdArray>> arrays;
    /// Scalars of several numbers, such as a struct: arrays with one element.
    std::vector<std::pair<std::string, NdArray>> compounds = {};
};

/// Names of arguments, for a check before there are values.
struct FormulaNames {
    std::vector<std::string> scalars;
    std::vector<std::string> arrays;
    std::vector<std::string> compounds = {}; ///< named by their members only: `p.mass`
};

} // namespace warplight::session
