// SPDX-License-Identifier: Apache-2.0
#include "row_prefetch_pass.hpp"

#include "software/jit/emit/memory/prefetch.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>

namespace warplight::jit {
namespace {

using llvm::dyn_cast;

constexpr std::uint64_t kDistance = 2048; ///< bytes: the best of 1024 to 4096 (docs/measurements.md)
constexpr std::int64_t kMostStep = 64;    ///< bytes a round: a line of the cache
constexpr unsigned kFewRounds = 16;
constexpr std::size_t kMostValues = 48; ///< to look at among the operands of a start

/// Whether a start is computed from something that each round of the loop over threads loads.
bool is_read(const llvm::SCEV* start, const llvm::Loop& threads) {
    llvm::SmallPtrSet<llvm::Value*, 16> seen;
    llvm::SmallVector<llvm::Value*> todo;
    (void)llvm::SCEVExprContains(start, [&](const llvm::SCEV* part) {
        if (const auto* unknown = dyn_cast<llvm::SCEVUnknown>(part)) todo.push_back(unknown->getValue());
        return false;
    });
    while (!todo.empty()) {
        auto* i = dyn_cast<llvm::Instruction>(todo.pop_back_val());
        if (!i || !threads.contains(i) || !seen.insert(i).second) continue;
        if (llvm::isa<llvm::LoadInst>(i)) return true;
        if (i->mayReadOrWriteMemory() || seen.size() >= kMostValues) continue;
        todo.append(i->value_op_begin(), i->value_op_end());
    }
    return false;
}

/// First addresses of the loads in `loop` that go through memory evenly. One for loads that keep a constant distance.
llvm::SmallVector<const llvm::SCEV*> starts_of(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
    llvm::SmallVector<const llvm::SCEV*> starts;
    for (llvm::BasicBlock* block : loop.blocks())
        for (llvm::Instruction& i : *block) {
            auto* load = dyn_cast<llvm::LoadInst>(&i);
            if (!load || !load->isSimple() || loop.isLoopInvariant(load->getPointerOperand())) continue;
            const auto* address = dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand()));
            if (!address || address->getLoop() != &loop || !address->isAffine()) continue;
            const auto* step = dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution));
            if (!step || step->getAPInt().getSignificantBits() > 32) continue;
            const std::int64_t bytes = step->getAPInt().getSExtValue();
            if (bytes <= 0 || bytes > kMostStep) continue;
            const llvm::SCEV* start = address->getStart();
            const bool known = std::any_of(starts.begin(), starts.end(), [&](const llvm::SCEV* other) {
                return llvm::isa<llvm::SCEVConstant>(evolution.getMinusSCEV(start, other));
            });
            if (!known) starts.push_back(start);
        }
    return starts;
}

} // namespace

llvm::PreservedAnalyses RowPrefetchPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    if (loops.empty()) return llvm::PreservedAnalyses::all();
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    llvm::IRBuilder<> b(function.getContext());
    bool changed = false;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || !loop->getParentLoop() || !loop->getLoopPreheader()) continue;
        const unsigned rounds = evolution.getSmallConstantMaxTripCount(loop); // 0: unknown
        if (rounds != 0 && rounds <= kFewRounds) continue;                    // the rest of an unrolled loop
        llvm::Instruction* end = loop->getLoopPreheader()->getTerminator();
        llvm::SCEVExpander expander(evolution, function.getDataLayout(), "row");
        for (const llvm::SCEV* start : starts_of(*loop, evolution)) {
            if (!is_read(start, *loop->getParentLoop()) || !expander.isSafeToExpandAt(start, end)) continue;
            llvm::Value* first = expander.expandCodeFor(start, start->getType(), end);
            b.SetInsertPoint(end);
            fetch_line(b, first, kDistance);
            changed = true;
        }
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
