// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Moves stack slots that the kernel can index (FunctionCode::local_slot) into the device's memory. A slot of which
/// LLVM has made registers is gone by then. Of a coroutine the slots lie in memory of the thread's own, so this runs
/// before the coroutine is split; of any other function they are taken at its beginning and given back at its ends.
class LocalMemoryPass : public llvm::PassInfoMixin<LocalMemoryPass> {
public:
    static bool move_slots(llvm::Function& function);
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
    static bool isRequired() { return true; }
};

} // namespace warplight::jit
