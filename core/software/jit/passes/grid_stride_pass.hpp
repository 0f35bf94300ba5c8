// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// LLVM stores each value that is live across a suspension to the coroutine's frame where the value is computed: in
/// such a loop every round. This pass copies these values at the suspension, so that only the copies are stored, and
/// only when the loop yields. To run before coroutines are split.
class GridStridePass : public llvm::PassInfoMixin<GridStridePass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
