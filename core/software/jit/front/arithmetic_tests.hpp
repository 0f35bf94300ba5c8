// SPDX-License-Identifier: Apache-2.0
// Adds tests of arithmetic to a function: the runtime is told of results that mean nothing.
#pragma once

#include "added_code.hpp"
#include "software/jit/options.hpp"

namespace warplight::jit {

/// @param tests not `none`
[[nodiscard]] ChangedFunction add_arithmetic_tests(const ptx::Function& function, ArithmeticTests tests);

} // namespace warplight::jit
