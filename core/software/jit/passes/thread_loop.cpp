// SPDX-License-Identifier: Apache-2.0
#include "thread_loop.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace warplight::jit {

void loop_over_threads(llvm::Module& module) {
    llvm::Function* resume = module.getFunction(std::string(kThreadSymbol) + ".resume");
    if (!resume || resume->isDeclaration()) return;
    llvm::IRBuilder<> b(module.getContext());
    auto* type =
        llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getPtrTy()}, false);
    auto* round = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kRoundSymbol, module);
    for (const llvm::Attribute attribute : resume->getAttributes().getFnAttrs())
        round->addFnAttr(attribute);
    if (resume->hasPersonalityFn()) round->setPersonalityFn(resume->getPersonalityFn());
    round->setSubprogram(resume->getSubprogram());
    resume->setSubprogram(nullptr);
    llvm::Argument* first = round->getArg(0);
    llvm::Argument* last = round->getArg(1);
    llvm::Argument* stride = round->getArg(2);
    llvm::Argument* number = round->getArg(3);

    llvm::BasicBlock* body = &resume->getEntryBlock();
    round->splice(round->begin(), resume);
    auto* entry = llvm::BasicBlock::Create(module.getContext(), "entry", round, body);
    auto* next = llvm::BasicBlock::Create(module.getContext(), "next", round);
    auto* more = llvm::BasicBlock::Create(module.getContext(), "more", round);
    auto* end = llvm::BasicBlock::Create(module.getContext(), "end", round);
    b.SetInsertPoint(entry);
    llvm::BranchInst* to_body = b.CreateBr(body);
    for (llvm::Instruction& i : llvm::make_early_inc_range(*body))
        if (llvm::isa<llvm::AllocaInst>(i)) i.moveBefore(to_body); // not again for each thread

    b.SetInsertPoint(body, body->begin());
    llvm::PHINode* frame = b.CreatePHI(b.getPtrTy(), 2, "frame");
    llvm::PHINode* index = b.CreatePHI(b.getInt32Ty(), 2, "index");
    resume->getArg(0)->replaceAllUsesWith(frame);
    for (llvm::BasicBlock& block : *round) {
        auto* leave = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator());
        if (!leave) continue;
        b.SetInsertPoint(leave);
        b.CreateBr(next);
        leave->eraseFromParent();
    }
    b.SetInsertPoint(end);
    b.CreateRetVoid();
    b.SetInsertPoint(next);
    b.CreateCondBr(b.CreateICmpEQ(frame, last), end, more);
    b.SetInsertPoint(more);
    // The count is kept in a register: a sum in memory would make each thread wait for the one before.
    llvm::Value* following_index = b.CreateAdd(index, b.getInt32(1));
    b.CreateStore(following_index, number);
    llvm::Value* following = b.CreateGEP(b.getInt8Ty(), frame, stride);
    b.CreateBr(body);
    frame->addIncoming(first, entry);
    frame->addIncoming(following, more);
    index->addIncoming(b.getInt32(0), entry);
    index->addIncoming(following_index, more);

    // The thread by itself: a round of one.
    b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", resume));
    llvm::Argument* own = resume->getArg(0);
    b.CreateCall(round, {own, own, b.getInt64(0), llvm::ConstantPointerNull::get(b.getPtrTy())});
    b.CreateRetVoid();
}

} // namespace warplight::jit
