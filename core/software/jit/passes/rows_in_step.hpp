// SPDX-License-Identifier: Apache-2.0
// Several rows of a block's threads in step: what is the same in all rows is read once, and their chains of sums hide
// each other's latency.
#pragma once

#include "row_part.hpp"

#include <llvm/IR/Function.h>

namespace warplight::jit {

/// Puts a loop over several coroutines at once in front of a loop, if that saves loads. Threads between two barriers
/// have no order, so only code that writes nothing goes in step. What comes behind it is done a coroutine at a time.
void put_rows_in_step(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows);

} // namespace warplight::jit
