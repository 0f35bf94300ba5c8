// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Reads the fields of plain textures and surfaces (abi/texture_abi.hpp) at the start of the function, where the handle
/// is a parameter. LLVM's own passes hoist them out of one loop only, and forget on the way that they do not change.
class LaunchFactsPass : public llvm::PassInfoMixin<LaunchFactsPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
