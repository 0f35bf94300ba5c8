// SPDX-License-Identifier: Apache-2.0
// A round: the coroutines of a block that wait for the same event are resumed one after the other.
#pragma once

#include "rows_in_step.hpp"

#include <llvm/IR/Module.h>

namespace warplight::jit {

/// Makes CompiledKernel::RunRound from the function that resumes the kernel's coroutine, which becomes a round of one
/// thread. Called when LLVM has split the coroutine.
/// @param vectors null: no rows in step
void loop_over_threads(llvm::Module& module, const RowVectors* vectors);

} // namespace warplight::jit
