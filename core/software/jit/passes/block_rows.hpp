// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

namespace warplight::jit {

/// Several rows of a block's threads in step, in the loop over the rows of a block whose threads do not wait. Example:
///
///     for (k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];      row: threadIdx.y + …
///
/// A row has one chain of sums for each vector, so most of the time it waits for its last sum. Rows in step hide that,
/// and what does not depend on the row is read once. Threads that do not wait have no order among each other. The rows
/// must go the same way: where a branch would part them before they have written anything, they begin again one by one.
/// @param target of the function
/// Answers whether the function is changed.
bool put_block_rows_in_step(llvm::Function& block, const llvm::TargetTransformInfo& target);

} // namespace warplight::jit
