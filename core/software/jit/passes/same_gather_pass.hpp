// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Takes the result of a gather for a later one of the same addresses, where nothing is written between them: LLVM does
/// so only if the masks are the same. Example, the leaders of a warp count what all its lanes have read:
///
///     rank = places[digit] + before;
///     __syncwarp();
///     if (before == 0) places[digit] += __popc(same);
///
/// A barrier of a warp is no code where the warp is one vector. To run before coroutines are split.
class SameGatherPass : public llvm::PassInfoMixin<SameGatherPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
