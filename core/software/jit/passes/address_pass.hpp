// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// PTX computes addresses as integers. LLVM's analyses want a pointer and an offset: this pass finds the summand that
/// is the pointer (a parameter, a stack slot, a loop's running pointer) and makes getelementptr of the rest.
class AddressPass : public llvm::PassInfoMixin<AddressPass> {
public:
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
    static bool isRequired() { return true; }
};

} // namespace warplight::jit
