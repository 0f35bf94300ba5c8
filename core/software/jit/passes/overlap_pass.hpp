// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Makes a vector of one that was stored just before some elements in front of it or behind it, and of a short load for
/// the rest. A processor that reads part of what it has just written, and other bytes too, waits until that is in the
/// cache. Example, a warp takes the last steps of a tree without barriers:
///
///     s[t] += s[t + 8];     the first 24 of what is read were just stored
///     s[t] += s[t + 4];
///
/// To run before coroutines are split.
class OverlapPass : public llvm::PassInfoMixin<OverlapPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
