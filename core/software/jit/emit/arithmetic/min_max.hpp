// SPDX-License-Identifier: Apache-2.0
// The smaller or larger of two floats, or of vectors of them.
#pragma once

#include "arithmetic.hpp"

namespace warplight::jit {

struct MinMax {
    bool maximum = false;
    bool nan = false;       ///< .NaN: the result is NaN when any source is
    bool magnitude = false; ///< .abs: of the magnitudes
    bool xorsign = false;   ///< with the product's sign
};
/// min and max of floats: a NaN loses (or wins), and -0 is less than +0.
[[nodiscard]] llvm::Value* min_max(Emitter& e, MinMax kind, llvm::Value* a, llvm::Value* b);

} // namespace warplight::jit
