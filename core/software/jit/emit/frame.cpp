// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include "software/jit/emit/emit_error.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warplight::jit {

using llvm::Value;

void Frame::describe_as_kernel(llvm::Function* f) {
    llvm::Function* body = unit_.functions.at(unit_.kernel).plain;
    llvm::DISubprogram* subprogram = body->getSubprogram();
    body->setSubprogram(nullptr);
    f->setSubprogram(subprogram);
    b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, 0, 0, subprogram));
}

llvm::LoadInst* Frame::load_field(Value* base, std::size_t offset, llvm::Type* type) {
    llvm::LoadInst* load = b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return load;
}

void Frame::move_body_to(llvm::CallInst* call) {
    llvm::Function* body = call->getCalledFunction();
    llvm::Function* f = call->getFunction();
    if (!body->hasOneUse()) throw EmitError("internal: the kernel is called elsewhere too");
    llvm::BasicBlock* here = call->getParent();
    llvm::BasicBlock* rest = here->splitBasicBlock(call);
    llvm::BasicBlock* start = &body->getEntryBlock();
    for (llvm::Argument& argument : body->args())
        argument.replaceAllUsesWith(call->getArgOperand(argument.getArgNo()));
    std::vector<llvm::ReturnInst*> ends;
    for (llvm::BasicBlock& block : *body)
        if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) ends.push_back(end);
    std::vector<llvm::AllocaInst*> slots;
    for (llvm::Instruction& i : *start)
        if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&i); slot && slot->isStaticAlloca()) slots.push_back(slot);
    f->splice(rest->getIterator(), body);
    here->getTerminator()->setSuccessor(0, start);
    llvm::Instruction* first = &*f->getEntryBlock().getFirstInsertionPt();
    for (llvm::AllocaInst* slot : slots)
        slot->moveBefore(first);
    limit_to_call(slots, start, ends);

    b_.SetInsertPoint(rest, rest->begin());
    llvm::PHINode* result = b_.CreatePHI(call->getType(), static_cast<unsigned>(ends.size()));
    for (llvm::ReturnInst* end : ends) {
        b_.SetInsertPoint(end);
        b_.CreateBr(rest);
        result->addIncoming(end->getReturnValue(), end->getParent());
        end->eraseFromParent();
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    if (!ends.empty()) return;
    result->replaceAllUsesWith(llvm::PoisonValue::get(result->getType()));
    result->eraseFromParent();
}

/// Every thread starts with new variables: the lifetime of a slot is one run of the body.
void Frame::limit_to_call(const std::vector<llvm::AllocaInst*>& slots, llvm::BasicBlock* start,
                          const std::vector<llvm::ReturnInst*>& ends) {
    const auto has_lifetime = [](const llvm::AllocaInst* slot) {
        return llvm::any_of(slot->users(), [](const llvm::User* u) {
            const auto* i = llvm::dyn_cast<llvm::IntrinsicInst>(u);
            return i && i->isLifetimeStartOrEnd();
        });
    };
    const auto size_of = [&](llvm::AllocaInst* slot) {
        return b_.getInt64(slot->getAllocationSize(unit_.ir->getDataLayout())->getFixedValue());
    };
    std::vector<llvm::AllocaInst*> limited;
    for (llvm::AllocaInst* slot : slots)
        if (!has_lifetime(slot)) limited.push_back(slot);
    b_.SetInsertPoint(start, start->getFirstInsertionPt());
    for (llvm::AllocaInst* slot : limited)
        b_.CreateLifetimeStart(slot, size_of(slot));
    for (llvm::ReturnInst* end : ends) {
        b_.SetInsertPoint(end);
        for (llvm::AllocaInst* slot : limited)
            b_.CreateLifetimeEnd(slot, size_of(slot));
    }
}

} // namespace warplight::jit
