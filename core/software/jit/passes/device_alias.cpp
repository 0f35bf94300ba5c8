// SPDX-License-Identifier: Apache-2.0
#include "device_alias.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

namespace warplight::jit {

llvm::AnalysisKey DeviceAlias::Key;

namespace {

bool is_of_device(const llvm::MemoryLocation& at) {
    return at.Ptr->getType()->getPointerAddressSpace() == kDeviceSpace;
}

/// A stack slot may be a local array, whose address the kernel uses as one of the device's.
bool may_be_slot(const llvm::MemoryLocation& at) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(at.Ptr, objects);
    return llvm::any_of(objects, [](const llvm::Value* object) {
        return !llvm::isa<llvm::Argument, llvm::LoadInst, llvm::CallInst, llvm::GlobalVariable>(object);
    });
}

} // namespace

llvm::AliasResult DeviceAliasResult::alias(const llvm::MemoryLocation& one, const llvm::MemoryLocation& other,
                                           llvm::AAQueryInfo& /*query*/, const llvm::Instruction* /*context*/) {
    const bool of_device = is_of_device(one);
    if (of_device == is_of_device(other) || may_be_slot(of_device ? other : one)) return llvm::AliasResult::MayAlias;
    return llvm::AliasResult::NoAlias;
}

void register_device_alias(llvm::PassBuilder& builder, llvm::FunctionAnalysisManager& functions) {
    functions.registerPass([] { return DeviceAlias(); });
    functions.registerPass([&builder] {
        llvm::AAManager all = builder.buildDefaultAAPipeline();
        all.registerFunctionAnalysis<DeviceAlias>();
        return all;
    });
}

} // namespace warplight::jit
