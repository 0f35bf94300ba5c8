// SPDX-License-Identifier: Apache-2.0
#include "idle_threads.hpp"

#include "row_steps.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Value;
using software::ThreadContext;
using Predicate = llvm::CmpInst::Predicate;

namespace {

constexpr std::size_t kIndexBytes = sizeof(ThreadContext::tid[0]);

bool is_host_memory(const Value* pointer) { return pointer->getType()->getPointerAddressSpace() != kDeviceSpace; }

/// Whether it reads nothing but frames and contexts, and changes nothing.
bool only_computes(const llvm::Instruction& i) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
        return load->isSimple() && is_host_memory(load->getPointerOperand());
    return !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
}

/// Nor does this, but for frames.
bool is_quiet(const llvm::Instruction& i) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
    return only_computes(i) || (store && store->isSimple() && is_host_memory(store->getPointerOperand()));
}

bool computes_only(const BasicBlock& block) { return llvm::all_of(block, only_computes); }

/// The last block of a way on which nothing but computing lies, and which does not part. Null: it is none.
BasicBlock* last_on_way(BasicBlock* before, BasicBlock* from, const BasicBlock* to) {
    constexpr int kMostBlocks = 8;
    for (int k = 0; k < kMostBlocks && from; ++k) {
        if (from == to) return before;
        if (!computes_only(*from)) return nullptr;
        before = std::exchange(from, from->getSingleSuccessor());
    }
    return nullptr;
}

bool is_inside(const Value* value, llvm::ArrayRef<BasicBlock*> blocks) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    return i && llvm::is_contained(blocks, i->getParent());
}

/// The bits of an index, but for low ones. Indices in x are less than the largest extent of a block.
bool keeps_order(const llvm::APInt& mask) {
    constexpr unsigned kIndexBits = 10;
    const unsigned low = mask.countr_zero();
    return low < kIndexBits && mask.extractBits(kIndexBits - low, low).isAllOnes();
}

} // namespace

void tell_number_when_needed(const FrameLoop& loop, const BasicBlock* end, Value* where) {
    const auto tell = [&](llvm::Instruction* before) { new llvm::StoreInst(loop.index, where, before->getIterator()); };
    const auto is_quiet_block = [](const BasicBlock& block) { return llvm::all_of(block, is_quiet); };
    if (!is_quiet_block(*loop.head)) return tell(&*loop.head->getFirstInsertionPt());
    llvm::SetVector<BasicBlock*> quiet; // reached without having told
    std::vector<std::pair<BasicBlock*, BasicBlock*>> ways;
    quiet.insert(loop.head);
    for (std::size_t k = 0; k < quiet.size(); ++k)
        for (BasicBlock* to : llvm::successors(quiet[k])) {
            if (to == loop.next || to == end) continue;
            if (is_quiet_block(*to))
                quiet.insert(to);
            else
                ways.emplace_back(quiet[k], to);
        }
    llvm::SetVector<BasicBlock*> told;
    for (const auto& [from, to] : ways) {
        const bool is_reached_by_others =
            llvm::any_of(llvm::predecessors(to), [&](BasicBlock* other) { return !quiet.contains(other); });
        if (is_reached_by_others)
            tell(llvm::SplitEdge(from, to)->getTerminator());
        else if (told.insert(to))
            tell(&*to->getFirstInsertionPt());
    }
}

IdleThreads::IdleThreads(const llvm::Function& resume, std::uint64_t thread_place)
    : layout_(resume.getParent()->getDataLayout()), thread_place_(thread_place) {
    const Value* frame = resume.getArg(0);
    std::vector<std::uint64_t> indices;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> others; // from, to
    for (const BasicBlock& block : resume)
        for (const llvm::Instruction& i : block) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store) continue;
            const auto place = bytes_behind(frame, store->getPointerOperand(), layout_);
            if (!place) continue;
            const Value* value = store->getValueOperand();
            if (is_index_of_thread(value, frame)) // from its context, as no place is known yet
                indices.push_back(*place);
            else
                others.emplace_back(*place, *place + layout_.getTypeStoreSize(value->getType()).getFixedValue());
        }
    for (const std::uint64_t place : indices)
        if (llvm::all_of(others, [&](const auto& o) { return o.second <= place || place + kIndexBytes <= o.first; }))
            places_.insert(place);
}

bool IdleThreads::is_index_of_thread(const Value* value, const Value* frame) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (!load || !load->getType()->isIntegerTy(8 * kIndexBytes)) return false;
    const Value* pointer = load->getPointerOperand();
    if (const auto place = bytes_behind(frame, pointer, layout_)) return places_.contains(*place);
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const auto* thread =
        llvm::dyn_cast<llvm::LoadInst>(pointer->stripAndAccumulateConstantOffsets(layout_, offset, true));
    return thread && offset == offsetof(ThreadContext, tid) &&
           bytes_behind(frame, thread->getPointerOperand(), layout_) == thread_place_;
}

bool IdleThreads::grows(const Value* value, const Value* frame) const {
    if (const auto* cast = llvm::dyn_cast<llvm::ZExtInst>(value)) return grows(cast->getOperand(0), frame);
    if (const auto* shift = llvm::dyn_cast<llvm::BinaryOperator>(value);
        shift && shift->getOpcode() == llvm::Instruction::LShr && llvm::isa<llvm::ConstantInt>(shift->getOperand(1)))
        return grows(shift->getOperand(0), frame);
    if (const auto* bits = llvm::dyn_cast<llvm::BinaryOperator>(value);
        bits && bits->getOpcode() == llvm::Instruction::And)
        if (const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(bits->getOperand(1)))
            return keeps_order(mask->getValue()) && grows(bits->getOperand(0), frame);
    return is_index_of_thread(value, frame);
}

/// Whether the condition, if it holds, holds for all further coroutines: it compares a number that grows from one to
/// the next, and is never negative, with one that is the same for all.
bool IdleThreads::remains_true(const llvm::ICmpInst& compare, bool holds, const FrameLoop& loop) const {
    const bool swapped = !grows(compare.getOperand(0), loop.frame);
    const Value* than = compare.getOperand(swapped ? 0 : 1);
    if (is_inside(than, loop.blocks) || (swapped && !grows(compare.getOperand(1), loop.frame))) return false;
    Predicate predicate = holds ? compare.getPredicate() : compare.getInversePredicate();
    if (swapped) predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    switch (predicate) {
    case Predicate::ICMP_UGT:
    case Predicate::ICMP_UGE:
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_SGE: return true;
    case Predicate::ICMP_NE: return llvm::isa<llvm::ConstantInt>(than) && llvm::cast<llvm::ConstantInt>(than)->isZero();
    default: return false;
    }
}

/// The number that all lanes of a vector are.
Value* number_of_splat(Value* vector) {
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(vector)) return constant->getSplatValue();
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
    auto* insert = shuffle ? llvm::dyn_cast<llvm::InsertElementInst>(shuffle->getOperand(0)) : nullptr;
    return insert && shuffle->isZeroEltSplat() ? insert->getOperand(1) : nullptr;
}

/// The index of each lane: that of the first one, and numbers that are always the same.
bool IdleThreads::grows_in_lanes(const Value* value, const Value* frame) const {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!sum || !llvm::isa<llvm::ConstantDataVector>(sum->getOperand(1))) return false;
    const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(sum);
    if (!disjoint || !disjoint->isDisjoint()) return false;
    const Value* first = number_of_splat(sum->getOperand(0));
    return first && grows(first, frame);
}

/// Where all lanes compare their index, times a factor that is the same for all of them, with one number.
std::optional<IdleThreads::Way> IdleThreads::find_vector(llvm::SwitchInst& cases, const FrameLoop& loop) const {
    const auto* mask = llvm::dyn_cast<llvm::BitCastInst>(cases.getCondition());
    const auto* compare = mask ? llvm::dyn_cast<llvm::ICmpInst>(mask->getOperand(0)) : nullptr;
    const Value* than = compare ? number_of_splat(compare->getOperand(1)) : nullptr;
    if (!than || is_inside(than, loop.blocks)) return std::nullopt;
    const Predicate predicate = compare->getPredicate();
    if (!llvm::ICmpInst::isGT(predicate) && !llvm::ICmpInst::isGE(predicate)) return std::nullopt;
    const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(compare->getOperand(0));
    if (!product || product->getOpcode() != llvm::Instruction::Mul) return std::nullopt;
    const unsigned index = grows_in_lanes(product->getOperand(0), loop.frame) ? 0 : 1;
    Value* factor = number_of_splat(product->getOperand(1 - index));
    if (!factor || is_inside(factor, loop.blocks) || !factor->getType()->isIntegerTy(8 * kIndexBytes) ||
        !grows_in_lanes(product->getOperand(index), loop.frame))
        return std::nullopt;
    for (const auto& each : cases.cases()) {
        BasicBlock* to = each.getCaseSuccessor();
        if (!each.getCaseValue()->isMinusOne() || llvm::count(llvm::successors(&cases), to) != 1) continue;
        if (BasicBlock* last = last_on_way(cases.getParent(), to, loop.next))
            return Way{&cases, each.getSuccessorIndex(), last, factor};
    }
    return std::nullopt;
}

/// Branches that go the same way for all coroutines may come before.
std::vector<IdleThreads::Way> IdleThreads::find(const FrameLoop& loop) const {
    std::vector<Way> ways;
    llvm::SetVector<BasicBlock*> blocks;
    blocks.insert(loop.head);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        BasicBlock* block = blocks[k];
        if (!computes_only(*block)) continue;
        const auto go = [&](BasicBlock* to) {
            if (to != loop.next && to->getSinglePredecessor() == block) blocks.insert(to);
        };
        if (BasicBlock* only = block->getSingleSuccessor()) go(only);
        if (auto* cases = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator()))
            if (auto way = find_vector(*cases, loop)) ways.push_back(*way);
        auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
        if (!is_inside(branch->getCondition(), loop.blocks)) {
            go(branch->getSuccessor(0));
            go(branch->getSuccessor(1));
            continue;
        }
        const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
        for (unsigned way : {0U, 1U}) {
            if (!compare || !remains_true(*compare, way == 0, loop)) continue;
            if (BasicBlock* last = last_on_way(block, branch->getSuccessor(way), loop.next))
                ways.push_back({branch, way, last});
        }
    }
    return ways;
}

Value* IdleThreads::has_one_row(llvm::IRBuilderBase& b, Value* last_frame) const {
    const auto load = [&](Value* base, std::uint64_t offset, llvm::Type* type) {
        return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset));
    };
    Value* thread = load(last_frame, thread_place_, b.getPtrTy());
    Value* y = load(thread, offsetof(ThreadContext, tid) + kIndexBytes, b.getInt32Ty());
    Value* z = load(thread, offsetof(ThreadContext, tid) + 2 * kIndexBytes, b.getInt32Ty());
    return b.CreateIsNull(b.CreateOr(y, z));
}

} // namespace warplight::jit
