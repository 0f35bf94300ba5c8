// SPDX-License-Identifier: Apache-2.0
#include "segment_ends.hpp"

#include "row_steps.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Value;
using software::Wait;

FrameFacts::FrameFacts(llvm::Function& start, const PointOfFrame& point)
    : point_(point), layout_(start.getParent()->getDataLayout()) {
    // Memory of a thread's stack is given back when a block begins anew.
    restarts_ = !start.getParent()->getFunction("wl_rt_stack_alloc");
    const llvm::Argument* thread = start.getArg(0);
    for (const BasicBlock& block : start)
        for (const llvm::Instruction& i : block) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store) continue;
            const Value* value = store->getValueOperand();
            llvm::APInt offset(64, 0);
            store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
            const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
            if (number && value->getType() == point_.type && offset.getZExtValue() == point_.offset)
                begin_ = number->getZExtValue();
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
            const bool is_block = load && load->getPointerOperand() == thread;
            if (is_block && !block_place_) block_place_ = offset.getZExtValue();
            if (value == thread) thread_place_ = offset.getZExtValue();
            restarts_ &= llvm::isa<llvm::Constant>(value) || value == thread || is_block;
        }
}

bool FrameFacts::stores_point(const llvm::Instruction& i, const Value* frame) const {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
    return store && store->getValueOperand()->getType() == point_.type &&
           bytes_behind(frame, store->getPointerOperand(), layout_) == point_.offset;
}

bool FrameFacts::all_tell_points(llvm::Function& resume) const {
    llvm::SetVector<BasicBlock*> untold;
    untold.insert(&resume.getEntryBlock());
    for (std::size_t k = 0; k < untold.size(); ++k) {
        if (llvm::any_of(*untold[k], [&](auto& i) { return stores_point(i, resume.getArg(0)); })) continue;
        if (llvm::isa<llvm::ReturnInst>(untold[k]->getTerminator())) return false;
        for (BasicBlock* next : llvm::successors(untold[k]))
            untold.insert(next);
    }
    return true;
}

std::vector<SegmentEnd> FrameFacts::ends_of(llvm::ArrayRef<BasicBlock*> blocks, const Value* frame) const {
    std::vector<SegmentEnd> ends;
    for (BasicBlock* block : blocks)
        for (llvm::Instruction& i : *block) {
            if (!stores_point(i, frame)) continue;
            auto one = end_in(*block, llvm::cast<llvm::StoreInst>(i), frame);
            if (!one) return {};
            const auto known = llvm::find_if(ends, [&](const SegmentEnd& e) { return e.point == one->point; });
            if (known == ends.end()) {
                ends.push_back(std::move(*one));
                continue;
            }
            if (known->request != one->request) return {};
            known->stores.insert(known->stores.end(), one->stores.begin(), one->stores.end());
            known->ends.insert(known->ends.end(), one->ends.begin(), one->ends.end());
            known->blocks.push_back(block);
        }
    return ends;
}

/// From the block that stores the point. Behind it comes nothing but the return.
std::optional<SegmentEnd> FrameFacts::end_in(BasicBlock& block, llvm::StoreInst& point, const Value* frame) const {
    SegmentEnd end;
    end.point = llvm::dyn_cast<llvm::ConstantInt>(point.getValueOperand());
    if (!end.point) return std::nullopt;
    const BasicBlock* behind = &block;
    while (const BasicBlock* next = behind->getSingleSuccessor()) {
        if (next->sizeWithoutDebug() != 1) return std::nullopt;
        behind = next;
    }
    if (!llvm::isa<llvm::ReturnInst>(behind->getTerminator())) return std::nullopt;
    end.stores.push_back(&point);
    end.blocks.push_back(&block);
    for (llvm::Instruction& i : block) {
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i); call && !call->doesNotAccessMemory()) {
            const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(call);
            if (!known || !known->isLifetimeStartOrEnd()) {
                end.request = {};
                end.stores.assign(1, &point);
                end.ends.clear();
            }
        }
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
        if (!store || store == &point) continue;
        if (llvm::isa<llvm::ConstantPointerNull>(store->getValueOperand()) &&
            bytes_behind(frame, store->getPointerOperand(), layout_) == 0) {
            end.ends.push_back(store);
            continue;
        }
        const auto which = field_of_request(*store, frame);
        if (!which) continue;
        end.request[*which] = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
        if (!end.request[*which]) return std::nullopt;
        end.stores.push_back(store);
    }
    if (!end.request[0]) return std::nullopt;
    if (end.is(Wait::done) || end.is(Wait::grid_stride)) {
        for (llvm::ConstantInt*& each : llvm::MutableArrayRef(end.request).drop_front())
            if (!each || end.is(Wait::done))
                each = llvm::ConstantInt::get(end.request[0]->getContext(), llvm::APInt(32, 0));
        return end;
    }
    if (!end.is(Wait::barrier) || llvm::is_contained(end.request, nullptr)) return std::nullopt;
    return end;
}

std::optional<std::size_t> FrameFacts::field_of_request(const llvm::StoreInst& store, const Value* frame) const {
    if (!store.getValueOperand()->getType()->isIntegerTy(32)) return std::nullopt;
    llvm::APInt offset(64, 0);
    const auto* thread = llvm::dyn_cast<llvm::LoadInst>(
        store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true));
    if (!thread || store.getPointerAddressSpace() != 0) return std::nullopt;
    const auto place = bytes_behind(frame, thread->getPointerOperand(), layout_);
    if (!place || *place != thread_place_) return std::nullopt;
    const auto* found = llvm::find(kRequestFields, offset.getZExtValue());
    if (found == kRequestFields.end()) return std::nullopt;
    return static_cast<std::size_t>(found - kRequestFields.begin());
}

} // namespace warplight::jit
