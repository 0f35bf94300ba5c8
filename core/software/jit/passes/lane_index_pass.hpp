// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Gathers and scatters whose addresses are a number and an offset of 32 bits for each lane get just these. A processor
/// then handles sixteen lanes at once, where it handles eight addresses of 64 bits. LLVM sees it only where the sum is
/// made in the block of the access. Runs last: other passes know the sums.
class LaneIndexPass : public llvm::PassInfoMixin<LaneIndexPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
