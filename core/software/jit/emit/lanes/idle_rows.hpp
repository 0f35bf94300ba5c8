// SPDX-License-Identifier: Apache-2.0
// Ends rows of threads that do nothing: the code behind a branch by which all lanes end tells whether the threads
// behind them do too (lanes/idle_rows).
#pragma once

#include "lane_groups.hpp"
#include "software/jit/lanes/row_moves.hpp"

#include <map>
#include <vector>

namespace warplight::jit {

class IdleRows {
public:
    explicit IdleRows(Emitter& e);

    /// Where all lanes go from a block to a place at which they end. It leads to `to`, or is that.
    [[nodiscard]] llvm::BasicBlock* way(std::uint32_t block, std::uint32_t successor, llvm::BasicBlock* to);

private:
    /// The threads end where a comparison holds, or where it does not.
    struct Condition {
        const ptx::Instruction* comparison = nullptr;
        bool holds = true;
        bool swapped = false; ///< operand 2 moves, not operand 1
        RowMoves moves;
        std::int64_t stride = 0; ///< from lane to lane
    };
    void take_apart(ptx::RegisterId predicate, bool holds, bool any, std::vector<Condition>& into);
    [[nodiscard]] bool understand(Condition& condition);
    [[nodiscard]] bool moves_one_way(const Condition& condition) const;
    void emit(const Condition& condition);
    [[nodiscard]] llvm::Value* wide(const ptx::Operand& operand, ptx::Type type);

    Emitter& e_;
    const LanePlan& plan_;
    std::vector<bool> exits_; ///< find_idle_exits()
    RowMovesOf moves_of_;
    unsigned looks_ = 0;                                                        ///< at predicates, for one branch
    std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::BasicBlock*> ways_; ///< by block and successor
};

} // namespace warplight::jit
