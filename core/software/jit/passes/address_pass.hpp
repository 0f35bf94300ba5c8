// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// PTX computes addresses as integers, and LLVM's analyses want a pointer and an offset. This pass finds the summand
/// that is the pointer (a parameter, a stack slot, a loop's running pointer). The other summands become a
/// getelementptr.
class AddressPass : public llvm::PassInfoMixin<AddressPass> {
public:
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
    static bool isRequired() { return true; }
};

} // namespace warplight::jit
