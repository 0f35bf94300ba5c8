// SPDX-License-Identifier: Apache-2.0
// Around the loop over rows, "one", whose latch counts to `extent`:
//
//     choose:  row = …; extent - row >= rows ? step : begin(extent)
//     step:    a copy of the loop's body, in which what depends on the row is there for each of the rows
//              all have written: row + rows < extent ? choose : exit
//              they part:        begin(row + rows)
//     begin:   one: the loop as it was, up to the given row. Then: row < extent ? choose : exit
#include "block_rows.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr unsigned kChains = 8;          ///< that hide the latency of a sum
constexpr unsigned kMostRows = 8;        ///< in step
constexpr std::size_t kMostCode = 600;   ///< instructions of all rows
constexpr unsigned kPartOfRegisters = 2; ///< that hold the sums: half of them

/// A loop of the frame over an axis of the block: `index` goes from a start by a constant up to an extent.
struct AxisLoop {
    llvm::Loop* loop;
    llvm::PHINode* index;
    Value* start;
    std::uint64_t step;
    llvm::ICmpInst* goes_on; ///< next < extent
    BasicBlock* from;        ///< outside of the loop
    BasicBlock* exit;

    [[nodiscard]] BasicBlock* head() const { return loop->getHeader(); }
    [[nodiscard]] BasicBlock* latch() const { return loop->getLoopLatch(); }
    [[nodiscard]] Value* next() const { return goes_on->getOperand(0); }
    [[nodiscard]] Value* extent() const { return goes_on->getOperand(1); }
};

std::optional<AxisLoop> axis_loop(llvm::Loop& loop, unsigned axis) {
    using namespace llvm::PatternMatch;
    BasicBlock* latch = loop.getLoopLatch();
    BasicBlock* from = loop.getLoopPredecessor();
    auto* back = latch && from ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
    const llvm::MDNode* mark = back && back->isConditional() ? back->getMetadata(kAxisMetadata) : nullptr;
    if (!mark || !llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->equalsInt(axis)) return std::nullopt;
    auto* goes_on = llvm::dyn_cast<llvm::ICmpInst>(back->getCondition());
    if (!goes_on || goes_on->getPredicate() != llvm::ICmpInst::ICMP_ULT || !goes_on->hasOneUse()) return std::nullopt;
    if (back->getSuccessor(0) != loop.getHeader() || loop.contains(back->getSuccessor(1))) return std::nullopt;
    Value* index = nullptr;
    const llvm::APInt* step = nullptr;
    if (!match(goes_on->getOperand(0), m_Add(m_Value(index), m_APInt(step)))) return std::nullopt;
    auto* phi = llvm::dyn_cast<llvm::PHINode>(index);
    if (!phi || phi->getParent() != loop.getHeader() || phi->getIncomingValueForBlock(latch) != goes_on->getOperand(0))
        return std::nullopt;
    if (!loop.isLoopInvariant(goes_on->getOperand(1))) return std::nullopt;
    return AxisLoop{
        &loop, phi, phi->getIncomingValueForBlock(from), step->getZExtValue(), goes_on, from, back->getSuccessor(1)};
}

/// A vector load or store by an intrinsic that leaves out no lane. Where lanes have parted, rows do not go in step.
bool is_for_all_lanes(const llvm::IntrinsicInst& call) {
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather: return llvm::isa<llvm::Constant>(call.getArgOperand(2));
    case llvm::Intrinsic::masked_store: return llvm::isa<llvm::Constant>(call.getArgOperand(3));
    default: return false;
    }
}

/// Whether a block's instructions may be done for several rows at once.
bool is_plain(const BasicBlock& block) {
    return std::all_of(block.begin(), block.end(), [](const llvm::Instruction& i) {
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return load->isSimple();
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
            return store->isSimple() && store->getPointerAddressSpace() == kDeviceSpace;
        if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
            const llvm::Intrinsic::ID id = call->getIntrinsicID();
            return (!call->mayReadOrWriteMemory() && !call->mayHaveSideEffects()) || id == llvm::Intrinsic::prefetch ||
                   is_for_all_lanes(*call);
        }
        if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i))
            return branch->isUnconditional() || branch->getSuccessor(0) != branch->getSuccessor(1);
        // By the mask of the lanes that go one way. Its default is for lanes that part.
        if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&i))
            return std::none_of(choice->case_begin(), choice->case_end(),
                                [&](const auto& each) { return each.getCaseSuccessor() == choice->getDefaultDest(); });
        return !i.isTerminator() && !i.mayReadOrWriteMemory() && !llvm::isa<llvm::CallBase, llvm::AllocaInst>(i);
    });
}

bool writes(const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    return llvm::isa<llvm::StoreInst>(i) || (call && call->getIntrinsicID() == llvm::Intrinsic::masked_store);
}
bool writes(const BasicBlock& block) {
    return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& i) { return writes(i); });
}

class BlockRows {
public:
    BlockRows(llvm::Function& f, const llvm::TargetTransformInfo& target, const AxisLoop& rows,
              std::optional<AxisLoop> inner)
        : f_(f), target_(target), rows_(rows), inner_(inner) {}

    bool run() {
        if (!is_simple()) return false;
        find_blocks();
        find_differing();
        if (!blocks_.contains(rows_.latch()) || !may_begin_again()) return false;
        count_ = rows_that_pay();
        if (count_ < 2) return false;
        put_in_front();
        copy();
        return true;
    }

private:
    // --- whether it can be done

    [[nodiscard]] bool is_simple() const {
        if (rows_.step != 1 || rows_.exit->phis().begin() != rows_.exit->phis().end()) return false;
        if (std::next(rows_.head()->phis().begin()) != rows_.head()->phis().end()) return false;
        if (inner_ && (!rows_.loop->isLoopInvariant(inner_->extent()) ||
                       !llvm::PatternMatch::match(inner_->start, llvm::PatternMatch::m_Zero())))
            return false;
        for (BasicBlock* block : rows_.loop->blocks())
            for (llvm::Instruction& i : *block) {
                for (const llvm::User* user : i.users())
                    if (!rows_.loop->contains(llvm::cast<llvm::Instruction>(user))) return false;
                // Each row would need a slot of its own.
                if (llvm::any_of(i.operands(), llvm::IsaPred<llvm::AllocaInst>) && is_plain(*block)) return false;
            }
        return true;
    }

    [[nodiscard]] bool is_back(const BasicBlock* from, const BasicBlock* to) const {
        return (from == rows_.latch() && to == rows_.head()) ||
               (inner_ && from == inner_->latch() && to == inner_->head());
    }

    /// Ways on that rows may go in step.
    [[nodiscard]] llvm::SmallVector<BasicBlock*, 4> ways_from(BasicBlock* block) const {
        llvm::SmallVector<BasicBlock*, 4> ways;
        const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator());
        for (BasicBlock* to : llvm::successors(block))
            if (!is_back(block, to) && !(choice && to == choice->getDefaultDest())) ways.push_back(to);
        return ways;
    }

    /// Blocks of the loop that rows go through in step. A row has one vector, so the loop over x has one round.
    void find_blocks() {
        llvm::SmallVector<BasicBlock*, 16> todo{rows_.head()};
        while (!todo.empty()) {
            BasicBlock* block = todo.pop_back_val();
            if (!rows_.loop->contains(block) || !is_plain(*block) || !blocks_.insert(block)) continue;
            todo.append(ways_from(block));
        }
    }

    /// Rows may part at a block's end, but for a fault.
    [[nodiscard]] bool parts(BasicBlock* block) const {
        const llvm::Instruction* last = block->getTerminator();
        if (block == rows_.latch() || (inner_ && block == inner_->latch()) || last->getNumSuccessors() < 2)
            return false;
        unsigned ways = 0;
        for (BasicBlock* to : llvm::successors(block)) {
            if (!blocks_.contains(to) && !llvm::isa<llvm::UnreachableInst>(to->getTerminator())) return true;
            ways += blocks_.contains(to);
        }
        return ways > 1 && differs(last->getOperand(0));
    }

    /// No such block comes behind a store.
    [[nodiscard]] bool may_begin_again() const {
        llvm::SmallVector<BasicBlock*, 16> todo;
        llvm::DenseSet<const BasicBlock*> behind;
        for (BasicBlock* block : blocks_)
            if (writes(*block)) todo.push_back(block);
        while (!todo.empty()) {
            BasicBlock* block = todo.pop_back_val();
            if (!behind.insert(block).second) continue;
            for (BasicBlock* to : ways_from(block))
                if (blocks_.contains(to)) todo.push_back(to);
        }
        return std::none_of(blocks_.begin(), blocks_.end(),
                            [&](BasicBlock* block) { return behind.contains(block) && parts(block); });
    }

    void find_differing() {
        llvm::SmallVector<Value*, 32> todo{rows_.index};
        while (!todo.empty()) {
            Value* value = todo.pop_back_val();
            for (llvm::User* user : value->users()) {
                auto* i = llvm::cast<llvm::Instruction>(user);
                if (blocks_.contains(i->getParent()) && differing_.insert(i).second) todo.push_back(i);
            }
        }
    }

    [[nodiscard]] bool differs(const Value* value) const { return value == rows_.index || differing_.contains(value); }

    // --- whether it pays

    [[nodiscard]] unsigned registers_of(const llvm::Type* type) const {
        const auto bits = target_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
        return std::max<unsigned>(1, static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue() / bits));
    }

    /// Chains of a row in an inner loop that all rows go through together. 0: there are none, or they are no use.
    [[nodiscard]] unsigned chains_of(const llvm::Loop& loop) const {
        unsigned chains = 0;
        if (!loop.getLoopLatch() || !blocks_.contains(loop.getLoopLatch())) return 0;
        for (BasicBlock* block : loop.blocks()) {
            if (!blocks_.contains(block)) continue;
            const llvm::Instruction* last = block->getTerminator();
            const auto ways =
                llvm::count_if(llvm::successors(block), [&](BasicBlock* to) { return blocks_.contains(to); });
            if (writes(*block) || (ways > 1 && differs(last->getOperand(0)))) return 0;
        }
        for (const llvm::PHINode& phi : loop.getHeader()->phis())
            if (differs(&phi) && phi.getType()->isVectorTy()) chains += registers_of(phi.getType());
        return chains;
    }

    [[nodiscard]] unsigned rows_that_pay() const {
        unsigned chains = 0;
        for (llvm::Loop* loop : rows_.loop->getLoopsInPreorder())
            if (loop != rows_.loop && loop->isInnermost() && !(inner_ && loop == inner_->loop))
                chains = std::max(chains, chains_of(*loop));
        if (chains == 0) return 0;
        const unsigned registers = target_.getNumberOfRegisters(1);
        unsigned count = std::min(kMostRows, kChains / chains);
        count = std::min(count, registers / kPartOfRegisters / chains);
        std::size_t once = 0, each = 0;
        for (BasicBlock* block : blocks_)
            for (const llvm::Instruction& i : *block)
                (differs(&i) ? each : once) += 1;
        while (count > 1 && once + each * count > kMostCode)
            count /= 2;
        return count;
    }

    // --- the copy

    void put_in_front() {
        llvm::LLVMContext& context = f_.getContext();
        const auto make = [&](const char* name) { return BasicBlock::Create(context, name, &f_, rows_.head()); };
        choose_ = make("choose");
        part_ = make("part");
        BasicBlock* begin = make("begin");
        BasicBlock* behind = make("behind");
        for (BasicBlock* block : blocks_)
            copies_[block] = make("step");
        Value* extent = rows_.extent();
        llvm::Type* type = extent->getType();
        rows_.from->getTerminator()->replaceSuccessorWith(rows_.head(), choose_);
        llvm::IRBuilder<> b(choose_);
        b.SetCurrentDebugLocation(rows_.latch()->getTerminator()->getDebugLoc());
        row_ = b.CreatePHI(type, 3);
        Value* enough = b.CreateICmpUGE(b.CreateSub(extent, row_), llvm::ConstantInt::get(type, count_));
        if (inner_)
            enough =
                b.CreateAnd(enough, b.CreateICmpULE(inner_->extent(),
                                                    llvm::ConstantInt::get(inner_->extent()->getType(), inner_->step)));
        b.CreateCondBr(enough, copies_[rows_.head()], begin);
        b.SetInsertPoint(part_);
        Value* behind_these = b.CreateAdd(row_, llvm::ConstantInt::get(type, count_));
        b.CreateBr(begin);
        b.SetInsertPoint(begin);
        llvm::PHINode* until = b.CreatePHI(type, 2);
        until->addIncoming(extent, choose_);
        until->addIncoming(behind_these, part_);
        b.CreateBr(rows_.head());
        rows_.index->setIncomingValueForBlock(rows_.from, row_);
        rows_.index->replaceIncomingBlockWith(rows_.from, begin);
        rows_.goes_on->setOperand(1, until);
        until_ = until;
        rows_.latch()->getTerminator()->replaceSuccessorWith(rows_.exit, behind);
        b.SetInsertPoint(behind);
        b.CreateCondBr(b.CreateICmpULT(rows_.next(), extent), choose_, rows_.exit);
        row_->addIncoming(rows_.start, rows_.from);
        row_->addIncoming(rows_.next(), behind);
        extent_ = extent;
    }

    [[nodiscard]] Value* of(Value* value, unsigned row) const {
        if (value == until_) return extent_;
        const auto found = values_.find(value);
        return found == values_.end() ? value : found->second[differs(value) ? row : 0];
    }

    void copy() {
        llvm::IRBuilder<> b(copies_[rows_.head()]);
        auto& indices = values_[rows_.index];
        for (unsigned row = 0; row < count_; ++row)
            indices.push_back(b.CreateAdd(row_, llvm::ConstantInt::get(row_->getType(), row)));
        for (BasicBlock* block : blocks_)
            copy_instructions(*block);
        for (BasicBlock* block : blocks_)
            copy_branch(*block);
        for (const auto& [of_value, all] : values_)
            if (of_value != rows_.index)
                for (unsigned row = 0; row < all.size(); ++row)
                    connect(*llvm::cast<llvm::Instruction>(of_value), *llvm::cast<llvm::Instruction>(all[row]), row);
    }

    void copy_instructions(BasicBlock& block) {
        BasicBlock* to = copies_[&block];
        for (llvm::Instruction& i : block) {
            if (&i == rows_.index || i.isTerminator()) continue;
            auto& all = values_[&i];
            const unsigned count = differs(&i) ? count_ : 1;
            for (unsigned row = 0; row < count; ++row) {
                llvm::Instruction* copied = i.clone();
                copied->insertInto(to, to->end());
                all.push_back(copied);
            }
        }
    }

    /// Operands, once everything is copied. Phis have the ways that are there.
    void connect(llvm::Instruction& i, llvm::Instruction& copied, unsigned row) {
        auto* phi = llvm::dyn_cast<llvm::PHINode>(&copied);
        if (!phi) {
            for (llvm::Use& operand : copied.operands())
                operand.set(of(operand, row));
            return;
        }
        while (phi->getNumIncomingValues() > 0)
            phi->removeIncomingValue(0U, false);
        auto& old = llvm::cast<llvm::PHINode>(i);
        for (unsigned k = 0; k < old.getNumIncomingValues(); ++k) {
            const auto way = ways_.find({old.getIncomingBlock(k), old.getParent()});
            if (way != ways_.end()) phi->addIncoming(of(old.getIncomingValue(k), row), way->second);
        }
    }

    void copy_branch(BasicBlock& block) {
        llvm::IRBuilder<> b(copies_[&block]);
        if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
            return copy_choice(b, block, *choice);
        auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
        b.SetCurrentDebugLocation(branch->getDebugLoc());
        if (&block == rows_.latch()) {
            Value* next = b.CreateAdd(row_, llvm::ConstantInt::get(row_->getType(), count_));
            row_->addIncoming(next, b.GetInsertBlock());
            b.CreateCondBr(b.CreateICmpULT(next, extent_), choose_, rows_.exit);
            return;
        }
        if (inner_ && &block == inner_->latch()) return go(b, block, inner_->exit);
        if (branch->isUnconditional()) return go(b, block, branch->getSuccessor(0));
        BasicBlock* one = branch->getSuccessor(0);
        BasicBlock* other = branch->getSuccessor(1);
        Value* condition = branch->getCondition();
        Value* all = of(condition, 0);
        Value* any = all;
        if (differs(condition))
            for (unsigned row = 1; row < count_; ++row) {
                all = b.CreateAnd(all, of(condition, row));
                any = b.CreateOr(any, of(condition, row));
            }
        const bool is_same = !differs(condition);
        if (is_same || !blocks_.contains(other)) return leave(b, block, *branch, all, one, other);
        if (!blocks_.contains(one)) return leave(b, block, *branch, any, one, other);
        BasicBlock* not_all = BasicBlock::Create(f_.getContext(), "not_all", &f_, nullptr);
        ways_[{&block, one}] = b.GetInsertBlock();
        b.CreateCondBr(all, copies_[one], not_all);
        b.SetInsertPoint(not_all);
        ways_[{&block, other}] = not_all;
        b.CreateCondBr(any, part_, copies_[other]);
    }

    void copy_choice(llvm::IRBuilder<>& b, BasicBlock& block, llvm::SwitchInst& choice) {
        b.SetCurrentDebugLocation(choice.getDebugLoc());
        Value* first = of(choice.getCondition(), 0);
        if (differs(choice.getCondition())) {
            Value* same = b.getTrue();
            for (unsigned row = 1; row < count_; ++row)
                same = b.CreateAnd(same, b.CreateICmpEQ(of(choice.getCondition(), row), first));
            BasicBlock* all = BasicBlock::Create(f_.getContext(), "same", &f_);
            b.CreateCondBr(same, all, part_);
            b.SetInsertPoint(all);
        }
        llvm::SwitchInst* made = b.CreateSwitch(first, part_, choice.getNumCases());
        for (const auto& each : choice.cases()) {
            BasicBlock* to = each.getCaseSuccessor();
            const bool goes = blocks_.contains(to);
            if (goes) ways_[{&block, to}] = b.GetInsertBlock();
            made->addCase(each.getCaseValue(), goes ? copies_[to] : part_);
        }
    }

    void go(llvm::IRBuilder<>& b, BasicBlock& block, BasicBlock* to) {
        if (blocks_.contains(to)) ways_[{&block, to}] = b.GetInsertBlock();
        b.CreateBr(blocks_.contains(to) ? copies_[to] : part_);
    }
    void leave(llvm::IRBuilder<>& b, BasicBlock& block, const llvm::Instruction& as, Value* condition, BasicBlock* one,
               BasicBlock* other) {
        for (BasicBlock* to : {one, other})
            if (blocks_.contains(to)) ways_[{&block, to}] = b.GetInsertBlock();
        llvm::BranchInst* made = b.CreateCondBr(condition, blocks_.contains(one) ? copies_[one] : part_,
                                                blocks_.contains(other) ? copies_[other] : part_);
        made->copyMetadata(as, {llvm::LLVMContext::MD_prof});
    }

    llvm::Function& f_;
    const llvm::TargetTransformInfo& target_;
    const AxisLoop rows_;
    const std::optional<AxisLoop> inner_; ///< the loop over x
    unsigned count_ = 0;                  ///< rows in step
    llvm::SetVector<BasicBlock*> blocks_;
    llvm::DenseSet<const Value*> differing_; ///< from row to row
    Value* extent_ = nullptr;
    Value* until_ = nullptr;       ///< in place of the extent, where rows go one by one
    llvm::PHINode* row_ = nullptr; ///< the first one of a step
    BasicBlock* choose_ = nullptr;
    BasicBlock* part_ = nullptr;
    llvm::DenseMap<BasicBlock*, BasicBlock*> copies_;
    llvm::MapVector<Value*, std::vector<Value*>> values_;                               ///< by row
    llvm::DenseMap<std::pair<const BasicBlock*, const BasicBlock*>, BasicBlock*> ways_; ///< where a way comes from now
};

} // namespace

bool put_block_rows_in_step(llvm::Function& block, const llvm::TargetTransformInfo& target) {
    const llvm::DominatorTree dominators(block);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
        const auto rows = axis_loop(*loop, 1);
        if (!rows) continue;
        std::optional<AxisLoop> inner;
        for (llvm::Loop* child : loop->getSubLoops())
            if (!inner) inner = axis_loop(*child, 0);
        return BlockRows(block, target, *rows, inner).run();
    }
    return false;
}

} // namespace warplight::jit
