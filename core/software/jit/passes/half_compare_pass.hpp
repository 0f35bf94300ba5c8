// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Compares vectors of halves as floats, which is exact. InstCombine narrows such compares to halves. With avx512fp16
/// LLVM 19 then exchanges the operands of a masked compare without its condition: `x <= y` becomes `y <= x`
/// (llvm/llvm-project issue 159723). Without avx512fp16 it compares halves one lane at a time. Runs after InstCombine.
class HalfComparePass : public llvm::PassInfoMixin<HalfComparePass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
