// SPDX-License-Identifier: Apache-2.0
//
//     if (each coroutine has a row of its own)
//         while (some coroutines are left, four say) {
//             the part: code that only reads, for the four at once, as long as all go the same way
//             for (each of the four) { the rest: what is behind the part }
//         }
//     the loop as it was, for those that are left, or from the four on that went different ways
#include "rows_in_step.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using software::BlockContext;
using software::LaunchContext;
using software::RoundControl;
using software::ThreadContext;

namespace {

class RowsInStep {
public:
    RowsInStep(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows)
        : round_(round), loop_(loop), rows_(rows), b_(round.getContext()), part_(round, loop, rows),
          head_(loop.blocks.front()) {}

    void run() {
        if (part_.find()) emit();
    }

private:
    [[nodiscard]] unsigned count() const noexcept { return part_.count(); }

    BasicBlock* make(const char* name) { return BasicBlock::Create(round_.getContext(), name, &round_, head_); }
    Value* at(Value* base, std::uint64_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset); }
    Value* behind(Value* frame, Value* bytes) { return b_.CreateGEP(b_.getInt8Ty(), frame, bytes); }
    [[nodiscard]] Value* first() const { return round_.getArg(0); }
    [[nodiscard]] Value* last() const { return round_.getArg(1); }
    [[nodiscard]] Value* stride() const { return round_.getArg(2); }
    Value* thread_of(Value* frame) { return b_.CreateLoad(b_.getPtrTy(), at(frame, rows_.thread_place)); }
    Value* row_of(Value* frame) {
        return b_.CreateLoad(b_.getInt32Ty(), at(thread_of(frame), offsetof(ThreadContext, tid) + 4));
    }

    void emit() {
        before_ = make("rows");
        body_ = make("in_step");
        apart_ = make("apart");
        redirect_entries();
        emit_guard();
        emit_part();
        emit_rest();
        emit_return_to_loop();
    }

    /// All that came to the loop from outside comes to the guard, with the first coroutine.
    void redirect_entries() {
        llvm::SetVector<BasicBlock*> from;
        for (BasicBlock* each : llvm::predecessors(head_))
            if (each != loop_.more) from.insert(each);
        for (BasicBlock* each : from) {
            each->getTerminator()->replaceSuccessorWith(head_, before_);
            for (llvm::PHINode& phi : head_->phis())
                while (phi.getBasicBlockIndex(each) >= 0)
                    phi.removeIncomingValue(each, false);
        }
        const auto enter = [&](BasicBlock* block, Value* frame, Value* index) {
            loop_.frame->addIncoming(frame, block);
            loop_.index->addIncoming(index, block);
        };
        enter(before_, first(), b_.getInt32(0));
        enter(apart_, llvm::UndefValue::get(b_.getPtrTy()), b_.getInt32(0)); // known later
    }

    void emit_guard() {
        b_.SetInsertPoint(before_);
        ahead_ = b_.CreateMul(stride(), b_.getInt64(count() - 1));
        Value* fits =
            b_.CreateAnd(b_.CreateICmpNE(stride(), b_.getInt64(0)), b_.CreateICmpULE(behind(first(), ahead_), last()));
        if (part_.needs_rows()) {
            Value* block = b_.CreateLoad(b_.getPtrTy(), thread_of(first()));
            Value* launch = b_.CreateLoad(b_.getPtrTy(), block);
            static_assert(offsetof(ThreadContext, block) == 0 && offsetof(BlockContext, launch) == 0);
            Value* extent = b_.CreateLoad(b_.getInt32Ty(), at(launch, offsetof(LaunchContext, ntid)));
            fits = b_.CreateAnd(fits, b_.CreateICmpEQ(extent, b_.getInt32(rows_.vectors.lanes)));
        }
        b_.CreateCondBr(fits, body_, head_)->setMetadata(kInStepMetadata, llvm::MDNode::get(round_.getContext(), {}));
    }

    void emit_part() {
        maps_.resize(count());
        b_.SetInsertPoint(body_);
        frame_ = b_.CreatePHI(b_.getPtrTy(), 2, "frame");
        index_ = b_.CreatePHI(b_.getInt32Ty(), 2, "index");
        frame_->addIncoming(first(), before_);
        index_->addIncoming(b_.getInt32(0), before_);
        for (unsigned row = 0; row < count(); ++row) {
            maps_[row][loop_.frame] = row == 0 ? frame_ : behind(frame_, b_.CreateMul(stride(), b_.getInt64(row)));
            maps_[row][loop_.index] = row == 0 ? index_ : b_.CreateAdd(index_, b_.getInt32(row));
        }
        b_.CreateStore(index_, at(round_.getArg(3), offsetof(RoundControl, current)));
        Value* follow = b_.getTrue();
        if (part_.needs_rows()) {
            Value* last_row = row_of(maps_[count() - 1][loop_.frame]);
            follow = b_.CreateICmpEQ(b_.CreateSub(last_row, row_of(frame_)), b_.getInt32(count() - 1));
        }
        for (BasicBlock* block : part_.part())
            copies_[block] = make("part");
        leave_ = make("rest");
        b_.CreateCondBr(follow, copies_[head_], apart_);
        for (BasicBlock* block : part_.part())
            copy_block(*block);
        for (BasicBlock* block : part_.part())
            copy_ways(*block);
        for (BasicBlock* block : part_.part())
            complete_phis(*block);
    }

    Value* of_row(Value* value, unsigned row) {
        if (part_.is_of_function(value)) return value;
        auto& map = maps_[row];
        if (const auto known = map.find(value); known != map.end()) return known->second;
        const KnownStep step = part_.step_of(value);
        if (!step) return value;
        Value* of_first = maps_[0].lookup(value);
        if (step->step == 0) return map[value] = of_first;
        llvm::IRBuilder<>::InsertPointGuard guard(b_);
        auto* made = llvm::cast<Instruction>(of_first);
        if (llvm::isa<llvm::PHINode>(made))
            b_.SetInsertPoint(made->getParent(), made->getParent()->getFirstInsertionPt());
        else
            b_.SetInsertPoint(made->getParent(), std::next(made->getIterator()));
        const std::int64_t more = step->step * static_cast<std::int64_t>(row);
        Value* sum = value->getType()->isPointerTy()
                         ? b_.CreateGEP(b_.getInt8Ty(), of_first, b_.getInt64(static_cast<std::uint64_t>(more)))
                         : b_.CreateAdd(of_first, llvm::ConstantInt::getSigned(value->getType(), more), "",
                                        step->extends_zero && more >= 0, step->extends_sign);
        return map[value] = sum;
    }

    /// An instruction for one row.
    struct Copy {
        Instruction* of;
        unsigned row;
        std::int64_t place; ///< in the order of the copies
    };

    /// Of the first row, which instructions others need that are there once: the frame's addresses.
    llvm::DenseSet<const Instruction*> needed_once(BasicBlock& block) const {
        llvm::DenseSet<const Instruction*> needed;
        for (const Instruction& i : llvm::reverse(block)) {
            if (!part_.step_of(&i) && !needed.contains(&i)) continue;
            for (const Value* operand : i.operands())
                if (const auto* other = llvm::dyn_cast<Instruction>(operand); other && !part_.step_of(other))
                    needed.insert(other);
        }
        return needed;
    }

    /// One instruction for all rows after the other. But where a row reads what another one has read before, as many
    /// instructions later as they are apart: so that is read once, and in no register for long.
    std::vector<Copy> copies_in_order(BasicBlock& block) const {
        const std::int64_t delay = part_.delay_in(block);
        const std::int64_t earliest = std::min<std::int64_t>(0, delay * (count() - 1));
        const auto needed = needed_once(block);
        std::vector<Copy> copies;
        std::int64_t place = 0;
        for (Instruction& i : block) {
            if (i.isTerminator() || &i == loop_.frame || &i == loop_.index) continue;
            const bool once = part_.step_of(&i).has_value();
            const bool is_phi = llvm::isa<llvm::PHINode>(i);
            place += once ? 0 : 1;
            for (unsigned row = 0; row < (once ? 1 : count()); ++row) {
                const bool is_first = once || (row == 0 && needed.contains(&i));
                const std::int64_t later = is_first ? earliest : delay * row;
                copies.push_back({&i, row, is_phi ? std::numeric_limits<std::int64_t>::min() : place + later});
            }
        }
        // Copies with equal places stay as they are.
        std::vector<std::size_t> order(copies.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
            return std::pair(copies[x].place, x) < std::pair(copies[y].place, y);
        });
        std::vector<Copy> sorted;
        sorted.reserve(copies.size());
        for (const std::size_t k : order)
            sorted.push_back(copies[k]);
        return sorted;
    }

    void copy_block(BasicBlock& block) {
        b_.SetInsertPoint(copies_[&block]);
        for (const Copy& copy : copies_in_order(block)) {
            Instruction* made = copy.of->clone();
            b_.Insert(made);
            made->setDebugLoc(copy.of->getDebugLoc());
            maps_[copy.row][copy.of] = made;
            if (auto* phi = llvm::dyn_cast<llvm::PHINode>(made)) {
                while (phi->getNumIncomingValues() > 0)
                    phi->removeIncomingValue(0U, false);
                continue;
            }
            for (llvm::Use& operand : made->operands())
                operand.set(of_row(operand.get(), copy.row));
        }
    }

    BasicBlock* copy_of(BasicBlock* to) {
        if (to == part_.rest()) return leave_;
        const auto known = copies_.find(to);
        return known == copies_.end() || to == head_ ? apart_ : known->second;
    }

    /// A branch that all rows take, or none: the others go on apart.
    void copy_ways(BasicBlock& block) {
        b_.SetInsertPoint(copies_[&block]);
        Instruction* way = block.getTerminator();
        b_.SetCurrentDebugLocation(way->getDebugLoc());
        if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(way)) {
            if (branch->isUnconditional()) {
                b_.CreateBr(copy_of(branch->getSuccessor(0)));
                return;
            }
            BasicBlock *yes = copy_of(branch->getSuccessor(0)), *no = copy_of(branch->getSuccessor(1));
            llvm::MDNode* odds = branch->getMetadata(llvm::LLVMContext::MD_prof);
            const auto decide = [&](Value* condition, BasicBlock* if_true, BasicBlock* if_false) {
                b_.CreateCondBr(condition, if_true, if_false)->setMetadata(llvm::LLVMContext::MD_prof, odds);
            };
            Value *all = of_row(branch->getCondition(), 0), *any = all;
            for (unsigned row = 1; row < count() && !part_.is_shared(branch->getCondition()); ++row) {
                Value* own = of_row(branch->getCondition(), row);
                all = b_.CreateAnd(all, own);
                any = b_.CreateOr(any, own);
            }
            if (all == any || no == apart_)
                decide(all, yes, no);
            else if (yes == apart_)
                decide(any, yes, no);
            else {
                BasicBlock* none = make("none");
                decide(all, yes, none);
                b_.SetInsertPoint(none);
                decide(any, apart_, no);
                between_[none] = copies_[&block];
            }
            return;
        }
        auto* choice = llvm::cast<llvm::SwitchInst>(way);
        // The ways of a choice are few: each is asked for.
        for (const auto& each : choice->cases()) {
            BasicBlock* to = copy_of(each.getCaseSuccessor());
            if (to == apart_) continue;
            Value* all = b_.getTrue();
            for (unsigned row = 0; row < count(); ++row)
                all = b_.CreateAnd(all, b_.CreateICmpEQ(of_row(choice->getCondition(), row), each.getCaseValue()));
            BasicBlock* other = make("other");
            b_.CreateCondBr(all, to, other);
            b_.SetInsertPoint(other);
            between_[other] = copies_[&block];
        }
        b_.CreateBr(apart_);
    }

    /// The block of the part that an edge comes from.
    BasicBlock* origin(BasicBlock* from) {
        const auto known = between_.find(from);
        return known == between_.end() ? from : known->second;
    }

    void complete(llvm::PHINode& phi, unsigned row, llvm::PHINode* made) {
        llvm::DenseMap<BasicBlock*, BasicBlock*> original;
        for (BasicBlock* each : part_.part())
            original[copies_[each]] = each;
        for (BasicBlock* from : llvm::predecessors(made->getParent())) {
            const auto known = original.find(origin(from));
            if (known == original.end()) continue;
            Value* value = phi.getIncomingValueForBlock(known->second);
            made->addIncoming(of_row(value, row), from);
        }
    }

    void complete_phis(BasicBlock& block) {
        for (llvm::PHINode& phi : block.phis()) {
            if (&phi == loop_.frame || &phi == loop_.index) continue;
            const unsigned rows = part_.step_of(&phi) ? 1 : count();
            for (unsigned row = 0; row < rows; ++row)
                complete(phi, row, llvm::cast<llvm::PHINode>(maps_[row].lookup(&phi)));
        }
    }

    /// The code behind the part, a row after the other.
    void emit_rest() {
        // The values that come in, of all rows, before the first row's code.
        std::vector<llvm::DenseMap<Value*, Value*>> first_values(count());
        b_.SetInsertPoint(leave_);
        if (part_.rest() != loop_.next)
            for (llvm::PHINode& phi : part_.rest()->phis())
                for (unsigned row = 0; row < count(); ++row) {
                    llvm::PHINode* made = b_.CreatePHI(phi.getType(), 2);
                    complete(phi, row, made);
                    first_values[row][&phi] = made;
                }
        BasicBlock* from = leave_;
        for (unsigned row = 0; row < count(); ++row) {
            BasicBlock* done = make("done");
            b_.SetInsertPoint(from);
            if (row > 0)
                b_.CreateStore(of_row(loop_.index, row), at(round_.getArg(3), offsetof(RoundControl, current)));
            b_.CreateBr(part_.rest() == loop_.next ? done : copy_rest(row, first_values[row], from, done));
            from = done;
        }
        b_.SetInsertPoint(from);
        finish();
    }

    BasicBlock* copy_rest(unsigned row, const llvm::DenseMap<Value*, Value*>& first_values, BasicBlock* from,
                          BasicBlock* done) {
        llvm::ValueToValueMapTy map;
        std::vector<BasicBlock*> made;
        made.reserve(part_.behind().size());
        for (BasicBlock* block : part_.behind()) {
            BasicBlock* copy = llvm::CloneBasicBlock(block, map, "", &round_);
            map[block] = copy;
            made.push_back(copy);
        }
        map[loop_.next] = done;
        for (BasicBlock* block : part_.part())
            for (Instruction& i : *block)
                if (const bool used = llvm::any_of(i.users(),
                                                   [&](const llvm::User* user) {
                                                       const auto* instruction = llvm::dyn_cast<Instruction>(user);
                                                       return instruction &&
                                                              part_.behind().contains(
                                                                  const_cast<BasicBlock*>(instruction->getParent()));
                                                   });
                    used)
                    map[&i] = of_row(&i, row);
        for (BasicBlock* copy : made)
            for (Instruction& i : *copy)
                llvm::RemapInstruction(&i, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        llvm::DenseSet<BasicBlock*> inside(made.begin(), made.end());
        for (BasicBlock* copy : made)
            for (llvm::PHINode& phi : llvm::make_early_inc_range(copy->phis())) {
                for (unsigned k = phi.getNumIncomingValues(); k-- > 0;)
                    if (!inside.contains(phi.getIncomingBlock(k))) phi.removeIncomingValue(k, false);
            }
        BasicBlock* entry = made.front();
        for (const auto& [phi, value] : first_values)
            llvm::cast<llvm::PHINode>(map.lookup(phi))->addIncoming(value, from);
        return entry;
    }

    void finish() {
        BasicBlock* more = make("rows_more");
        BasicBlock* following = make("rows_left");
        Value* last_frame = of_row(loop_.frame, count() - 1);
        b_.CreateCondBr(b_.CreateICmpEQ(last_frame, last()), loop_.end, more);
        b_.SetInsertPoint(more);
        Value* index = b_.CreateAdd(index_, b_.getInt32(count()));
        Value* frame = behind(last_frame, stride());
        b_.CreateCondBr(b_.CreateICmpULE(behind(frame, ahead_), last()), body_, following);
        frame_->addIncoming(frame, more);
        index_->addIncoming(index, more);
        b_.SetInsertPoint(following);
        b_.CreateBr(apart_);
        left_ = {following, frame, index};
    }

    /// Those that are left, or that went different ways.
    void emit_return_to_loop() {
        b_.SetInsertPoint(apart_);
        llvm::PHINode* frame = b_.CreatePHI(b_.getPtrTy(), 4);
        llvm::PHINode* index = b_.CreatePHI(b_.getInt32Ty(), 4);
        for (BasicBlock* from : llvm::predecessors(apart_)) {
            const bool is_left = from == left_.from;
            frame->addIncoming(is_left ? left_.frame : frame_, from);
            index->addIncoming(is_left ? left_.index : index_, from);
        }
        b_.CreateBr(head_);
        loop_.frame->setIncomingValueForBlock(apart_, frame);
        loop_.index->setIncomingValueForBlock(apart_, index);
    }

    llvm::Function& round_;
    const CoroutineLoop& loop_;
    const CoroutineRows& rows_;
    llvm::IRBuilder<> b_;
    RowPart part_;
    BasicBlock* head_;

    BasicBlock *before_ = nullptr, *body_ = nullptr, *apart_ = nullptr, *leave_ = nullptr;
    llvm::PHINode *frame_ = nullptr, *index_ = nullptr;
    Value* ahead_ = nullptr;                           ///< bytes from the first of the rows to the last one
    std::vector<llvm::DenseMap<Value*, Value*>> maps_; ///< by row
    llvm::DenseMap<BasicBlock*, BasicBlock*> copies_;
    llvm::DenseMap<BasicBlock*, BasicBlock*> between_;
    struct {
        BasicBlock* from = nullptr;
        Value *frame = nullptr, *index = nullptr;
    } left_;
};

} // namespace

void put_rows_in_step(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows) {
    RowsInStep(round, loop, rows).run();
}

} // namespace warplight::jit
