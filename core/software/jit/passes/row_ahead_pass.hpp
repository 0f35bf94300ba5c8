// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Of a loop that reads on from where its thread's row begins, as sparse matrices have them: what the rows of threads
/// to come have, mostly a little further on, is fetched into the cache before the loop is entered.
class RowAheadPass : public llvm::PassInfoMixin<RowAheadPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
