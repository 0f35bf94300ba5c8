// SPDX-License-Identifier: Apache-2.0
#include "thread_loop.hpp"

#include "round_segments.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplight::jit {

namespace {

/// From the switch by which a coroutine is resumed. A thread that is done gets a number that no other thread has.
PointOfFrame find_point(llvm::Function& resume) {
    const llvm::Module& module = *resume.getParent();
    // One point may stand for several barriers, or for a point of a called coroutine.
    if (module.getNamedMetadata(kVaryingBarriersMetadata)) return {};
    if (llvm::count_if(module, [](const llvm::Function& f) { return f.getName().ends_with(".resume"); }) > 1) return {};
    const auto* way = llvm::dyn_cast<llvm::SwitchInst>(resume.getEntryBlock().getTerminator());
    if (!way) return {};
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(way->getCondition());
    if (!load || !load->getType()->isIntegerTy()) return {};
    auto* type = llvm::cast<llvm::IntegerType>(load->getType());
    const llvm::DataLayout& layout = module.getDataLayout();
    const auto of_frame = [&](const llvm::Value* pointer) -> std::optional<std::uint64_t> {
        llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
        if (pointer->stripAndAccumulateConstantOffsets(layout, offset, true) != resume.getArg(0)) return std::nullopt;
        return offset.getZExtValue();
    };
    const auto offset = of_frame(load->getPointerOperand());
    std::set<std::uint64_t> taken;
    for (const auto& each : way->cases())
        taken.insert(each.getCaseValue()->getZExtValue());
    std::uint64_t done = 0;
    while (taken.contains(done))
        ++done;
    if (!offset || done > type->getBitMask()) return {};
    // LLVM marks the end by a null in place of the function that resumes.
    std::vector<llvm::StoreInst*> ends;
    for (llvm::BasicBlock& block : resume)
        for (llvm::Instruction& i : block)
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
                store && llvm::isa<llvm::ConstantPointerNull>(store->getValueOperand()) &&
                of_frame(store->getPointerOperand()) == 0)
                ends.push_back(store);
    if (ends.empty()) return {};
    for (llvm::StoreInst* end : ends) {
        llvm::IRBuilder<> b(end);
        b.CreateStore(llvm::ConstantInt::get(type, done),
                      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), resume.getArg(0), *offset));
    }
    return {type, *offset};
}

/// One loop over the coroutines around the code of all suspension points.
void loop_over_all(llvm::Function& round, llvm::Function& resume, const PointOfFrame& point) {
    llvm::IRBuilder<> b(round.getContext());
    llvm::Argument* first = round.getArg(0);
    llvm::Argument* last = round.getArg(1);
    llvm::Argument* stride = round.getArg(2);
    llvm::Argument* number = round.getArg(3);
    static_assert(offsetof(software::RoundControl, current) == 0);

    llvm::BasicBlock* body = &resume.getEntryBlock();
    round.splice(round.begin(), &resume);
    auto* entry = llvm::BasicBlock::Create(round.getContext(), "entry", &round, body);
    auto* next = llvm::BasicBlock::Create(round.getContext(), "next", &round);
    auto* more = llvm::BasicBlock::Create(round.getContext(), "more", &round);
    auto* end = llvm::BasicBlock::Create(round.getContext(), "end", &round);
    b.SetInsertPoint(entry);
    llvm::BranchInst* to_body = b.CreateBr(body);
    for (llvm::Instruction& i : llvm::make_early_inc_range(*body))
        if (llvm::isa<llvm::AllocaInst>(i)) i.moveBefore(to_body); // not again for each thread

    b.SetInsertPoint(body, body->begin());
    llvm::PHINode* frame = b.CreatePHI(b.getPtrTy(), 2, "frame");
    llvm::PHINode* index = b.CreatePHI(b.getInt32Ty(), 2, "index");
    llvm::PHINode* differences = point.type ? b.CreatePHI(point.type, 2, "differences") : nullptr;
    resume.getArg(0)->replaceAllUsesWith(frame);
    for (llvm::BasicBlock& block : round) {
        auto* leave = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator());
        if (!leave) continue;
        b.SetInsertPoint(leave);
        b.CreateBr(next);
        leave->eraseFromParent();
    }
    b.SetInsertPoint(next);
    llvm::Value* all_differences = nullptr;
    if (point.type) {
        const auto waits_at = [&](llvm::Value* of) {
            return b.CreateLoad(point.type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), of, point.offset));
        };
        all_differences = b.CreateOr(differences, b.CreateXor(waits_at(frame), waits_at(first)));
        differences->addIncoming(llvm::ConstantInt::get(point.type, 0), entry);
        differences->addIncoming(all_differences, more);
    }
    b.SetInsertPoint(end);
    b.CreateRet(all_differences ? b.CreateZExt(b.CreateIsNull(all_differences), b.getInt32Ty()) : b.getInt32(0));
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
}

} // namespace

void loop_over_threads(llvm::Module& module, const RowVectors* vectors) {
    llvm::Function* resume = module.getFunction(std::string(kThreadSymbol) + ".resume");
    if (!resume || resume->isDeclaration()) return;
    const PointOfFrame point = find_point(*resume);
    llvm::IRBuilder<> b(module.getContext());
    auto* type =
        llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getPtrTy()}, false);
    auto* round = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kRoundSymbol, module);
    for (const llvm::Attribute attribute : resume->getAttributes().getFnAttrs())
        round->addFnAttr(attribute);
    if (resume->hasPersonalityFn()) round->setPersonalityFn(resume->getPersonalityFn());
    round->setSubprogram(resume->getSubprogram());
    resume->setSubprogram(nullptr);
    llvm::Function* start = module.getFunction(kThreadSymbol);
    if (!start || !loop_by_segments(*round, *resume, *start, point, vectors)) loop_over_all(*round, *resume, point);

    // The thread by itself: a round of one.
    b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", resume));
    llvm::Argument* own = resume->getArg(0);
    auto* control_type = llvm::ArrayType::get(b.getInt64Ty(), sizeof(software::RoundControl) / 8);
    llvm::AllocaInst* control = b.CreateAlloca(control_type);
    b.CreateStore(llvm::Constant::getNullValue(control_type), control);
    b.CreateCall(round, {own, own, b.getInt64(0), control});
    b.CreateRetVoid();
}

} // namespace warplight::jit
