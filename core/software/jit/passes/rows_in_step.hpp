// SPDX-License-Identifier: Apache-2.0
// Several rows of a block's threads in step: what is the same in all rows is read once, and their chains of sums hide
// each other's latency.
#pragma once

#include "row_steps.hpp"

#include <llvm/IR/Function.h>

#include <vector>

namespace warplight::jit {

/// A loop over coroutines: head … next, and from there through `more` back to the head, or to `end`.
struct CoroutineLoop {
    llvm::PHINode* frame;
    llvm::PHINode* index;
    std::vector<llvm::BasicBlock*> blocks; ///< the head first; without `next` and `more`
    llvm::BasicBlock* next;
    llvm::BasicBlock* more;
    llvm::BasicBlock* end;
};

struct RowVectors {
    unsigned lanes;         ///< of a coroutine
    unsigned register_bits; ///< of a vector register
    unsigned registers;     ///< how many vector registers there are
};

/// What all loops of a function know of the coroutines.
struct CoroutineRows {
    FrameSlots slots;
    std::uint64_t thread_place; ///< where a frame has its thread's context
    RowVectors vectors;
};

/// Puts a loop over several coroutines at once in front of a loop, if that saves loads. Threads between two barriers
/// have no order, so only code that writes nothing goes in step. What comes behind it is done a coroutine at a time.
void put_rows_in_step(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows);

} // namespace warplight::jit
