// SPDX-License-Identifier: Apache-2.0
// From vector to vector in a row of a flat index. Where the lanes of a vector of threads are in one row
// (lanes/one_row), those of the next vector mostly are too. So the row code is a loop:
//
//     divide                                 as in the code for one vector; in long rows then
//   begin: the code behind the divisions     a second time
//     …
//   end: the next vector of the block's row
//     the code before the divisions, then    where lanes part in it, the kernel begins anew
//     index - start of the row               so it does where that is another row
//     go to begin
//
// The quotient is the same in all rounds, and so are addresses and numbers made of it.
#pragma once

#include "lane_groups.hpp"

#include <map>

namespace warplight::jit {

class RowLoop {
public:
    /// Of a plan that has one.
    RowLoop(Emitter& e, const OneRow& row);

    /// Whether a division is one of those in front of the loop.
    [[nodiscard]] bool divides(std::uint32_t at) const;
    /// Behind a division that holds. Behind the last one, code for long rows goes to the loop. In short rows the next
    /// vector often is in the next row, and nobody foresees when.
    void enter_behind(std::uint32_t at, const RowDivision& division);
    [[nodiscard]] std::uint32_t block() const { return loop_.path.back(); } ///< of the divisions
    [[nodiscard]] std::uint32_t first() const { return loop_.last + 1; }    ///< instruction of the loop
    [[nodiscard]] llvm::BasicBlock* begin() const { return begin_; }
    /// Where a vector's row code ends.
    [[nodiscard]] llvm::BasicBlock* end() const { return end_; }

    /// Emits the code from there to the loop's beginning.
    /// @param rest  where the kernel ends
    /// @param anew  where it ends too, but begins again with this vector
    /// @param emit_one emits an instruction for all lanes
    void emit_again(llvm::BasicBlock* rest, llvm::BasicBlock* anew,
                    llvm::function_ref<void(std::uint32_t at)> emit_one);

private:
    struct Kept {
        llvm::AllocaInst *start, *count, *length, *quotient;
    };

    void keep(std::uint32_t at, const RowDivision& made);
    void divide_as_before(std::uint32_t at, llvm::BasicBlock* anew);
    void go_along(std::size_t step, llvm::BasicBlock* next, llvm::BasicBlock* anew);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    const OneRow::Loop& loop_;
    llvm::BasicBlock *begin_, *end_;
    std::map<std::uint32_t, RowDivision> divisions_;
    std::map<std::uint32_t, Kept> kept_; ///< by division
};

} // namespace warplight::jit
