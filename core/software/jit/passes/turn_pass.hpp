// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Names the metadata of suspensions that a loop comes to only now and then.
inline constexpr const char* kSeldomMetadata = "warplight.seldom";

/// What is kept across a suspension is written to the coroutine's frame where it is computed: in a loop that gives way
/// now and then, every time round. With copies made where it gives way, only there. To run before coroutines are split.
class TurnPass : public llvm::PassInfoMixin<TurnPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
