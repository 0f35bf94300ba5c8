// SPDX-License-Identifier: Apache-2.0
// Which code of a loop over coroutines goes in step for several of them, and for how many.
#pragma once

#include "row_steps.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
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

/// The part of a loop that only reads and goes in step, from the head on, and what is behind it.
class RowPart {
public:
    using Blocks = llvm::SetVector<llvm::BasicBlock*>;

    RowPart(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows);

    /// Splits blocks of the loop where they begin to write.
    /// @return whether it pays
    [[nodiscard]] bool find();

    [[nodiscard]] const Blocks& part() const noexcept { return part_; }     ///< in the order of execution
    [[nodiscard]] const Blocks& behind() const noexcept { return behind_; } ///< what is reached from the part
    [[nodiscard]] llvm::BasicBlock* rest() const noexcept { return rest_; } ///< where the part ends
    [[nodiscard]] unsigned count() const noexcept { return count_; }        ///< coroutines at once
    /// Whether it only holds where each coroutine has a row of its own.
    [[nodiscard]] bool needs_rows() const noexcept { return needs_rows_; }

    /// Known before the loop.
    [[nodiscard]] bool is_of_function(const llvm::Value* value) const;
    [[nodiscard]] KnownStep step_of(const llvm::Value* value) const;
    /// The same in all rows.
    [[nodiscard]] bool is_shared(const llvm::Value* value) const;
    /// In stencils a row reads what the next row reads at another place of the code: so many instructions of a row
    /// earlier, or later where it is negative. 0: nowhere.
    [[nodiscard]] std::int64_t delay_in(const llvm::BasicBlock& block) const;

private:
    struct Place {
        llvm::SmallVector<const llvm::Value*, 4> parts; ///< a sum of those, and of
        std::int64_t bytes = 0;
    };

    void split_at_writes();
    bool find_part();
    llvm::BasicBlock* rest_of_loop(llvm::BasicBlock& block, const llvm::LoopInfo& loops) const;
    llvm::BasicBlock* after(llvm::BasicBlock* last, const llvm::LoopInfo& loops) const;
    bool find_rest();
    void know_steps();
    void know(llvm::Instruction& i);
    [[nodiscard]] std::uint64_t saved() const;
    [[nodiscard]] Place place_of(const llvm::Value* pointer) const;
    [[nodiscard]] unsigned registers_of(const llvm::Value* value) const;
    [[nodiscard]] unsigned rows_that_fit() const;

    llvm::Function& round_;
    const CoroutineLoop& loop_;
    const CoroutineRows& rows_;
    const llvm::DataLayout& layout_;
    RowSteps steps_;
    llvm::BasicBlock* head_;
    llvm::DenseSet<llvm::BasicBlock*> blocks_;
    Blocks part_, behind_;
    llvm::BasicBlock* rest_ = nullptr;
    llvm::DenseMap<const llvm::Value*, KnownStep> known_;
    llvm::SetVector<const llvm::PHINode*> phis_;
    llvm::DenseSet<const llvm::PHINode*> unknown_phis_;
    bool needs_rows_ = false;
    unsigned count_ = 0;
};

} // namespace warplight::jit
