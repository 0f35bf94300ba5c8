// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Of branches with kAllNearMetadata that follow one another, makes one: if all of them go the first way, the code of
/// these ways follows without a branch. The same where all go the second way and there the first way of a branch with
/// kAllPickedMetadata. Otherwise the code is as it was. So each condition is computed before the first branch. Those
/// that need more than the code before it knows end the row.
class NearPass : public llvm::PassInfoMixin<NearPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// In functions that have such rows: moves what only the other ways use to them, out of loops too. Other passes hoist
/// it.
class SinkPass : public llvm::PassInfoMixin<SinkPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
