// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// For loops that start at a place read from memory and go on evenly, as over the rows of a sparse matrix. Before such
/// a loop begins, it prefetches memory a little behind its start, where the rows of the next threads mostly are.
class RowPrefetchPass : public llvm::PassInfoMixin<RowPrefetchPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
