// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rows_in_step.hpp"
#include "segment_ends.hpp"

#include <llvm/IR/Function.h>

namespace warplight::jit {

/// Makes the body of CompiledKernel::RunRound. Each suspension point has a loop over the coroutines that wait there.
/// Where all of them come to one barrier, the loop of the next point follows.
/// @param round without a body yet
/// @param resume the function that resumes a coroutine. It loses its body, or keeps it where the answer is false
/// @param start the function that makes a coroutine
/// @param vectors null: no rows in step
/// @return false: the loops would be too long, or the points are not known. Nothing has changed
[[nodiscard]] bool loop_by_segments(llvm::Function& round, llvm::Function& resume, llvm::Function& start,
                                    const PointOfFrame& point, const RowVectors* vectors);

} // namespace warplight::jit
