// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace warplight::jit {

/// Writes out loops that take at most a few turns and only read, without branches: CUDA's compilers unroll by four, and
/// how many turns are left over is what a processor cannot foresee. Turns that are not taken read again what the first
/// one has read, and leave nothing. For code that no pass simplifies afterwards.
class ShortLoopPass : public llvm::PassInfoMixin<ShortLoopPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Keeps such loops for it: LLVM would unroll them, with a branch behind each turn.
class KeepShortLoopsPass : public llvm::PassInfoMixin<KeepShortLoopsPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                       llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

} // namespace warplight::jit
