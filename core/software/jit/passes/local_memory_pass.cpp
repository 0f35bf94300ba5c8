// SPDX-License-Identifier: Apache-2.0
#include "local_memory_pass.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

namespace warplight::jit {

using llvm::Value;

namespace {

class Mover {
public:
    explicit Mover(llvm::Function& f) : f_(f), module_(*f.getParent()), b_(f.getContext()) {}

    bool run() {
        find_slots();
        if (slots_.empty()) return false;
        Value* memory = f_.isPresplitCoroutine() ? take_for_coroutine() : take_for_call();
        auto* local = llvm::cast<llvm::Instruction>(memory);
        for (const Slot& slot : slots_)
            replace(slot, local);
        return true;
    }

private:
    struct Slot {
        llvm::AllocaInst* alloca;
        std::uint64_t offset;
    };

    /// Whether some pointer to it becomes one into the device's memory.
    static bool is_indexable(const llvm::AllocaInst& slot) {
        std::vector<const Value*> left{&slot};
        llvm::SmallPtrSet<const Value*, 8> seen;
        while (!left.empty()) {
            const Value* pointer = left.back();
            left.pop_back();
            for (const llvm::User* user : pointer->users()) {
                if (llvm::isa<llvm::AddrSpaceCastInst>(user)) return true;
                if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user) &&
                    seen.insert(user).second)
                    left.push_back(user);
            }
        }
        return false;
    }

    void find_slots() {
        const llvm::DataLayout& layout = module_.getDataLayout();
        for (llvm::Instruction& i : llvm::instructions(f_)) {
            auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&i);
            if (!alloca || !is_indexable(*alloca)) continue;
            bytes_ = llvm::alignTo(bytes_, alloca->getAlign());
            slots_.push_back({alloca, bytes_});
            bytes_ += alloca->getAllocationSize(layout)->getFixedValue();
        }
        // The end is the end of the last slot, so that running past that
        // one is noticed.
        bytes_ = llvm::alignTo(bytes_, software::kLocalAlignment);
    }

    llvm::FunctionCallee service(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
        return module_.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
    }
    llvm::PointerType* device_pointer() { return b_.getPtrTy(kDeviceSpace); }
    llvm::DebugLoc place() { return llvm::DILocation::get(f_.getContext(), kNoSiteLine, 0, f_.getSubprogram()); }

    Value* take_for_coroutine() {
        // The first one is the function's own. Others are those of coroutines that were inlined.
        llvm::Instruction* begin = nullptr;
        for (llvm::Instruction& i : llvm::instructions(f_))
            if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
                !begin && call && call->getIntrinsicID() == llvm::Intrinsic::coro_begin)
                begin = call;
        b_.SetInsertPoint(begin->getNextNode());
        b_.SetCurrentDebugLocation(place());
        Value* block = b_.CreateLoad(b_.getPtrTy(), f_.getArg(0)); // ThreadContext::block
        auto* memory = b_.CreateCall(service("wl_rt_local_alloc", device_pointer(), {b_.getPtrTy(), b_.getInt64Ty()}),
                                     {block, b_.getInt64(bytes_)});
        // A kernel's memory goes with its block. A function that is called often gives its own back.
        if (f_.getName() == kThreadSymbol) return memory;
        std::vector<llvm::Instruction*> ends;
        for (llvm::Instruction& i : llvm::instructions(f_))
            if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
                call && call->getIntrinsicID() == llvm::Intrinsic::coro_suspend &&
                llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->isOne())
                ends.push_back(call);
        for (llvm::Instruction* end : ends) {
            b_.SetInsertPoint(end);
            b_.SetCurrentDebugLocation(place());
            Value* again = b_.CreateLoad(b_.getPtrTy(), f_.getArg(0));
            b_.CreateCall(
                service("wl_rt_local_free", b_.getVoidTy(), {b_.getPtrTy(), device_pointer(), b_.getInt64Ty()}),
                {again, memory, b_.getInt64(bytes_)});
        }
        return memory;
    }

    Value* take_for_call() {
        b_.SetInsertPoint(f_.getEntryBlock().getFirstInsertionPt());
        b_.SetCurrentDebugLocation(place());
        Value* memory =
            b_.CreateCall(service("wl_rt_local_enter", device_pointer(), {b_.getInt64Ty()}), {b_.getInt64(bytes_)});
        for (llvm::BasicBlock& block : f_) {
            if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
            b_.SetInsertPoint(block.getTerminator());
            b_.SetCurrentDebugLocation(place());
            b_.CreateCall(service("wl_rt_local_leave", b_.getVoidTy(), {b_.getInt64Ty()}), {b_.getInt64(bytes_)});
        }
        return memory;
    }

    void replace(const Slot& slot, llvm::Instruction* memory) {
        b_.SetInsertPoint(memory->getNextNode());
        b_.SetCurrentDebugLocation(memory->getDebugLoc());
        Value* there = b_.CreateConstGEP1_64(b_.getInt8Ty(), memory, slot.offset);
        std::vector<llvm::Instruction*> gone;
        for (llvm::User* user : slot.alloca->users()) {
            auto* i = llvm::cast<llvm::Instruction>(user);
            const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(i);
            if (call && call->isLifetimeStartOrEnd()) gone.push_back(i);
            if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(i); cast && cast->getType() == there->getType()) {
                cast->replaceAllUsesWith(there);
                gone.push_back(cast);
            }
        }
        for (llvm::Instruction* i : gone)
            i->eraseFromParent();
        // The rest reads and writes whole registers that LLVM found in the slot.
        if (!slot.alloca->use_empty())
            slot.alloca->replaceAllUsesWith(b_.CreateAddrSpaceCast(there, slot.alloca->getType()));
        slot.alloca->eraseFromParent();
    }

    llvm::Function& f_;
    llvm::Module& module_;
    llvm::IRBuilder<> b_;
    std::vector<Slot> slots_;
    std::uint64_t bytes_ = 0;
};

} // namespace

bool LocalMemoryPass::move_slots(llvm::Function& function) { return Mover(function).run(); }

llvm::PreservedAnalyses LocalMemoryPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (!function.isPresplitCoroutine() || !move_slots(function)) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
