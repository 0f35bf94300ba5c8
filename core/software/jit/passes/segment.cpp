// SPDX-License-Identifier: Apache-2.0
#include "segment.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <utility>

namespace warplight::jit {

using llvm::BasicBlock;

namespace {

/// Those from other segments, and from the head to them.
void drop_other_ways(llvm::PHINode& phi, const llvm::Function& resume, const BasicBlock* head, bool comes_from_head) {
    for (unsigned k = phi.getNumIncomingValues(); k-- > 0;) {
        const BasicBlock* from = phi.getIncomingBlock(k);
        const bool goes = from == head ? !std::exchange(comes_from_head, false) : from->getParent() == &resume;
        if (goes) phi.removeIncomingValue(k, false);
    }
}

} // namespace

std::vector<Segment> find_segments(llvm::Function& resume) {
    auto* way = llvm::cast<llvm::SwitchInst>(resume.getEntryBlock().getTerminator());
    std::vector<Segment> segments;
    for (const auto& each : way->cases()) {
        Segment s;
        s.point = each.getCaseValue()->getZExtValue();
        s.target = each.getCaseSuccessor();
        s.originals.insert(s.target);
        for (std::size_t k = 0; k < s.originals.size(); ++k)
            for (BasicBlock* next : llvm::successors(s.originals[k]))
                s.originals.insert(next);
        segments.push_back(std::move(s));
    }
    return segments;
}

void copy_segment(Segment& s, llvm::Function& round, llvm::Function& resume) {
    llvm::IRBuilder<> b(round.getContext());
    const auto make = [&](const char* name) { return BasicBlock::Create(round.getContext(), name, &round); };
    llvm::ValueToValueMapTy map;
    BasicBlock* head = &resume.getEntryBlock();
    const auto copy_block = [&](BasicBlock* original) {
        BasicBlock* made = llvm::CloneBasicBlock(original, map, "", &round);
        map[original] = made;
        s.blocks.push_back(made);
    };
    // The frame is a phi in front of the head's copy.
    BasicBlock* loop = make("segment");
    s.head = make("head");
    b.SetInsertPoint(s.head);
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    s.frame = b.CreatePHI(b.getPtrTy(), 2, "frame");
    s.index = b.CreatePHI(b.getInt32Ty(), 2, "index");
    s.frame->addIncoming(round.getArg(0), s.head);
    s.index->addIncoming(b.getInt32(0), s.head);
    map[resume.getArg(0)] = s.frame;
    s.blocks.push_back(loop);
    copy_block(head);
    b.CreateBr(s.blocks.back());
    for (llvm::Instruction& i : *head) {
        if (!llvm::isa<llvm::AllocaInst>(i)) continue;
        llvm::cast<llvm::Instruction>(map[&i])->eraseFromParent();
        map[&i] = &i; // of the round, not of each thread
    }
    for (BasicBlock* original : s.originals)
        copy_block(original);
    const auto blocks = llvm::ArrayRef(s.blocks).drop_front();
    for (BasicBlock* made : blocks)
        for (llvm::Instruction& i : *made)
            llvm::RemapInstruction(&i, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    auto* target = llvm::cast<BasicBlock>(map[s.target]);
    for (BasicBlock* made : blocks.drop_front())
        for (llvm::PHINode& phi : made->phis())
            drop_other_ways(phi, resume, blocks.front(), made == target);
    blocks.front()->getTerminator()->eraseFromParent();
    b.SetInsertPoint(blocks.front());
    b.CreateBr(target);
}

} // namespace warplight::jit
