// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Of most addresses the kernel's parameter alone decides whether they are aligned. Such tests leave the code: a
/// parameter that is not aligned becomes an address without memory, so that the access itself faults.
class PointerTestPass : public llvm::PassInfoMixin<PointerTestPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
