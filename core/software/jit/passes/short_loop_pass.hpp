// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace warplight::jit {

/// Unrolls loops with at most a few rounds that only read, without branches. CUDA's compilers unroll by four, and no
/// processor predicts the number of rounds that are left over. A round that is not taken reads the first round's memory
/// again, and its results are dropped. For code that no pass simplifies afterwards.
class ShortLoopPass : public llvm::PassInfoMixin<ShortLoopPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Keeps such loops for ShortLoopPass: LLVM would unroll them with a branch behind each round.
class KeepShortLoopsPass : public llvm::PassInfoMixin<KeepShortLoopsPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                       llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

} // namespace warplight::jit
