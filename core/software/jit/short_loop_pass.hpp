// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Writes out loops that take at most a few turns and only read, without branches: CUDA's compilers unroll by four, and
/// how many turns are left over is what a processor cannot foresee. Turns that are not taken read again what the first
/// one has read, and leave nothing. For code that no pass simplifies afterwards.
class ShortLoopPass : public llvm::PassInfoMixin<ShortLoopPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
