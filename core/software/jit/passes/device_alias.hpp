// SPDX-License-Identifier: Apache-2.0
// What LLVM may know of the device's memory: it is never the host's. So a store of the kernel leaves a coroutine's
// frame and the runtime's structs as they are, and what is read from them need not be read again in each turn of a
// loop.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>

namespace llvm {
class PassBuilder;
}

namespace warplight::jit {

class DeviceAliasResult : public llvm::AAResultBase {
public:
    llvm::AliasResult alias(const llvm::MemoryLocation& one, const llvm::MemoryLocation& other,
                            llvm::AAQueryInfo& query, const llvm::Instruction* context);
    static bool invalidate(llvm::Function&, const llvm::PreservedAnalyses&,
                           llvm::FunctionAnalysisManager::Invalidator&) {
        return false;
    }
};

class DeviceAlias : public llvm::AnalysisInfoMixin<DeviceAlias> {
public:
    using Result = DeviceAliasResult;
    static Result run(llvm::Function&, llvm::FunctionAnalysisManager&) { return Result(); }

private:
    friend llvm::AnalysisInfoMixin<DeviceAlias>;
    static llvm::AnalysisKey Key;
};

/// Adds it to the analyses that LLVM asks. Before PassBuilder::registerFunctionAnalyses(), which leaves what is there.
void register_device_alias(llvm::PassBuilder& builder, llvm::FunctionAnalysisManager& functions);

} // namespace warplight::jit
