// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Each access tests whether its address is aligned. Where a loop adds multiples of the alignment to the address, this
/// pass tests the value that the loop started with. LLVM then hoists the test out of the loop.
class LowBitsPass : public llvm::PassInfoMixin<LowBitsPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
