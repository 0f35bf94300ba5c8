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
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
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

constexpr unsigned kRoundsOfLoop = 8;     ///< a guess
constexpr std::uint64_t kFewestSaved = 8; ///< loads, in a row
constexpr std::size_t kMostOfPart = 800;  ///< of the part
constexpr std::size_t kMostOfRest = 120;

bool only_reads(const Instruction& i) {
    if (llvm::isa<llvm::AllocaInst>(i) || i.mayThrow() || !i.willReturn()) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return load->isSimple();
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
        return llvm::isa<llvm::IntrinsicInst>(call) && call->onlyReadsMemory() && !call->isConvergent();
    return !i.mayReadOrWriteMemory();
}

class RowsInStep {
public:
    RowsInStep(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows)
        : round_(round), loop_(loop), rows_(rows), layout_(round.getParent()->getDataLayout()), b_(round.getContext()),
          steps_(loop.frame, rows.thread_place, rows.slots, layout_), head_(loop.blocks.front()),
          blocks_(loop.blocks.begin(), loop.blocks.end()) {}

    void run() {
        if (llvm::none_of(loop_.blocks, [](const BasicBlock* b) { return reads_of(*b) >= 2; })) return;
        split_at_writes();
        if (!find_part() || !find_rest()) return;
        know_steps();
        if (saved() < kFewestSaved) return;
        count_ = rows_that_fit();
        if (count_ < 2) return;
        emit();
    }

private:
    // --- what goes in step

    static std::uint64_t reads_of(const BasicBlock& block) {
        return static_cast<std::uint64_t>(llvm::count_if(block, [](const Instruction& i) {
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
            return load && load->getPointerAddressSpace() != 0;
        }));
    }

    /// So that a block only reads, or writes from its beginning on.
    void split_at_writes() {
        for (BasicBlock* block : loop_.blocks) {
            const auto write = llvm::find_if(*block, [](const Instruction& i) {
                return !i.isTerminator() && !llvm::isa<llvm::PHINode>(i) && !only_reads(i);
            });
            if (write == block->end() || !may_part(*block)) continue;
            BasicBlock* rest = llvm::SplitBlock(block, &*write);
            blocks_.insert(rest);
        }
    }

    /// It is worth it only where loads are.
    static bool may_part(const BasicBlock& block) { return reads_of(block) > 0; }

    static bool begins_with_write(const BasicBlock& block) {
        return llvm::any_of(block, [](const Instruction& i) {
            return !i.isTerminator() && !llvm::isa<llvm::PHINode>(i) && !only_reads(i);
        });
    }
    static bool can_go_in_step(const BasicBlock& block) {
        return !begins_with_write(block) && llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block.getTerminator());
    }

    /// The way from the head on which most is read.
    bool find_part() {
        llvm::DominatorTree dominators(round_);
        const llvm::LoopInfo loops(dominators);
        const unsigned outside = loops.getLoopDepth(head_);
        struct Best {
            std::uint64_t reads = 0;
            BasicBlock* next = nullptr;
        };
        llvm::DenseMap<BasicBlock*, Best> best;
        llvm::DenseSet<BasicBlock*> open;
        const auto look = [&](auto&& self, BasicBlock* block) -> std::uint64_t {
            if (!blocks_.contains(block) || open.contains(block) || !can_go_in_step(*block)) return 0;
            if (const auto known = best.find(block); known != best.end()) return known->second.reads;
            open.insert(block);
            Best found;
            for (BasicBlock* next : llvm::successors(block)) {
                const std::uint64_t reads = self(self, next);
                if (reads > found.reads) found = {reads, next};
            }
            std::uint64_t own = reads_of(*block);
            for (unsigned depth = loops.getLoopDepth(block); depth > outside; --depth)
                own *= kRoundsOfLoop;
            found.reads += own;
            open.erase(block);
            best[block] = found;
            return found.reads;
        };
        if (look(look, head_) < kFewestSaved) return false;
        std::size_t size = 0;
        for (BasicBlock* block = head_; block != nullptr;) {
            part_.insert(block);
            size += block->size();
            BasicBlock* next = best[block].next;
            if (!next) next = rest_of_loop(*block, loops);
            if (!next) rest_ = after(block, loops);
            block = next;
        }
        return rest_ && size <= kMostOfPart;
    }

    /// Nothing more is read. But the part has whole rounds of a loop.
    BasicBlock* rest_of_loop(BasicBlock& block, const llvm::LoopInfo& loops) const {
        if (loops.getLoopDepth(&block) <= loops.getLoopDepth(head_)) return nullptr;
        for (BasicBlock* next : llvm::successors(&block))
            if (!part_.contains(next) && loops.getLoopFor(next) == loops.getLoopFor(&block) && can_go_in_step(*next))
                return next;
        return nullptr;
    }

    /// The part ends with this block. Where it goes then: not back.
    BasicBlock* after(BasicBlock* last, const llvm::LoopInfo& loops) const {
        BasicBlock* found = nullptr;
        for (BasicBlock* next : llvm::successors(last)) {
            if (part_.contains(next) || llvm::isa<llvm::UnreachableInst>(next->getTerminator())) continue;
            if (next != loop_.next && loops.getLoopDepth(next) > loops.getLoopDepth(head_)) return nullptr;
            const auto* way = llvm::dyn_cast<llvm::BranchInst>(last->getTerminator());
            if (!found || (way && way->hasMetadata(llvm::LLVMContext::MD_prof) && next == way->getSuccessor(0)))
                found = next;
        }
        return found;
    }

    /// What is reached behind the part.
    bool find_rest() {
        std::size_t size = 0;
        if (rest_ != loop_.next) behind_.insert(rest_);
        for (std::size_t k = 0; k < behind_.size(); ++k) {
            if (part_.contains(behind_[k]) || behind_[k] == head_) return false;
            size += behind_[k]->size();
            for (BasicBlock* next : llvm::successors(behind_[k])) {
                if (next == loop_.next) continue;
                if (!blocks_.contains(next)) return false;
                behind_.insert(next);
            }
        }
        return size <= kMostOfRest;
    }

    // --- how much that saves

    /// Known before the loop.
    [[nodiscard]] bool is_of_function(const Value* value) const {
        if (llvm::isa<llvm::Constant, llvm::Argument>(value)) return true;
        const auto* made = llvm::dyn_cast<Instruction>(value);
        return made && !blocks_.contains(const_cast<BasicBlock*>(made->getParent()));
    }

    [[nodiscard]] KnownStep step_of(const Value* value) const {
        if (is_of_function(value)) return RowStep{};
        const auto known = known_.find(value);
        return known == known_.end() ? std::nullopt : known->second;
    }

    /// All rows go the same way through the part. So a phi has the step of what comes in.
    void know_steps() {
        for (bool again = true; std::exchange(again, false);) {
            known_.clear();
            needs_rows_ = false;
            for (BasicBlock* block : part_)
                for (Instruction& i : *block)
                    if (!i.isTerminator()) know(i);
            for (const llvm::PHINode* phi : phis_)
                for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
                    if (part_.contains(phi->getIncomingBlock(k)) && !unknown_phis_.contains(phi) &&
                        !is_like(step_of(phi->getIncomingValue(k)), *known_[phi])) {
                        unknown_phis_.insert(phi);
                        again = true;
                    }
        }
    }
    static bool is_like(const KnownStep& a, const RowStep& b) { return a && a->step == b.step; }

    void know(Instruction& i) {
        KnownStep step;
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
            if (phi == loop_.frame || phi == loop_.index || unknown_phis_.contains(phi)) return;
            for (unsigned k = 0; k < phi->getNumIncomingValues() && !step; ++k)
                if (part_.contains(phi->getIncomingBlock(k))) step = step_of(phi->getIncomingValue(k));
            if (step && step->step != 0) step->extends_zero = step->extends_sign = false;
            phis_.insert(phi);
            if (!step) unknown_phis_.insert(phi);
        } else {
            step = steps_.of(i, true, [this](const Value* v) { return step_of(v); });
        }
        // Only numbers and addresses can be had by a sum.
        if (step && step->step != 0 && !i.getType()->isIntOrPtrTy()) step = std::nullopt;
        if (!step) return;
        known_[&i] = step;
        needs_rows_ |= step->needs_rows;
    }

    [[nodiscard]] bool is_shared(const Value* value) const {
        const KnownStep step = step_of(value);
        return step && step->step == 0;
    }

    [[nodiscard]] std::uint64_t saved() const {
        const llvm::DominatorTree dominators(round_);
        const llvm::LoopInfo loops(dominators);
        std::uint64_t sum = 0;
        for (const BasicBlock* block : part_) {
            std::uint64_t own = 0;
            for (const Instruction& i : *block) {
                const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
                own += load && load->getPointerAddressSpace() != 0 && is_shared(load) ? 1 : 0;
            }
            for (unsigned depth = loops.getLoopDepth(block); depth > loops.getLoopDepth(head_); --depth)
                own *= kRoundsOfLoop;
            sum += own;
        }
        return sum;
    }

    struct Place {
        llvm::SmallVector<const Value*, 4> parts; ///< a sum of those, and of
        std::int64_t bytes = 0;
    };
    [[nodiscard]] Place place_of(const Value* pointer) const {
        Place place;
        while (const auto* sum = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
            llvm::APInt bytes(layout_.getIndexTypeSizeInBits(sum->getType()), 0);
            if (sum->accumulateConstantOffset(layout_, bytes))
                place.bytes += bytes.getSExtValue();
            else if (sum->getNumIndices() == 1 && sum->getSourceElementType()->isIntegerTy(8))
                place.parts.push_back(sum->getOperand(1));
            else
                break;
            pointer = sum->getPointerOperand();
        }
        place.parts.push_back(pointer);
        llvm::sort(place.parts);
        return place;
    }

    /// In stencils a row reads what the next row reads at another place of the code: so many instructions of a row
    /// earlier, or later where it is negative. 0: nowhere.
    [[nodiscard]] std::int64_t delay_in(const BasicBlock& block) const {
        using Parts = llvm::SmallVector<const Value*, 4>;
        std::map<std::pair<Parts, std::int64_t>, std::map<std::int64_t, std::int64_t>> found;
        std::int64_t position = 0;
        for (const Instruction& i : block) {
            position += step_of(&i) ? 0 : 1;
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
            if (!load || !load->getType()->isVectorTy()) continue;
            const KnownStep step = step_of(load->getPointerOperand());
            if (!step || step->step == 0) continue;
            const Place place = place_of(load->getPointerOperand());
            found[{place.parts, step->step}].insert({place.bytes, position});
        }
        std::map<std::int64_t, unsigned> delays;
        for (const auto& [where, loads] : found)
            for (const auto& [bytes, at] : loads)
                if (const auto next = loads.find(bytes + where.second); next != loads.end())
                    ++delays[next->second - at];
        const auto most = std::max_element(delays.begin(), delays.end(),
                                           [](const auto& x, const auto& y) { return x.second < y.second; });
        return most == delays.end() ? 0 : most->first;
    }

    /// Vector registers that a value takes.
    [[nodiscard]] unsigned registers_of(const Value* value) const {
        const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
        if (!type || type->getScalarSizeInBits() == 1) return 0;
        const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(value->getType()));
        return (bits + rows_.vectors.register_bits - 1) / rows_.vectors.register_bits;
    }

    /// So that the vectors that are in use at one time lie in registers.
    [[nodiscard]] unsigned rows_that_fit() const {
        std::vector<const Instruction*> order;
        llvm::DenseMap<const Value*, std::size_t> place;
        llvm::DenseMap<const BasicBlock*, std::size_t> first;
        for (const BasicBlock* block : part_) {
            first[block] = order.size();
            for (const Instruction& i : *block) {
                place[&i] = order.size();
                order.push_back(&i);
            }
        }
        std::vector<int> own(order.size() + 1), shared(order.size() + 1);
        for (std::size_t k = 0; k < order.size(); ++k) {
            const auto registers = static_cast<int>(registers_of(order[k]));
            if (registers == 0) continue;
            std::size_t last = k;
            for (const llvm::User* user : order[k]->users()) {
                const auto used = place.find(user);
                std::size_t until = used == place.end() ? order.size() - 1 : used->second;
                if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user); phi && used != place.end() && until <= k)
                    until = k; // at the end of a round, where the phi's own register is
                last = std::max(last, until);
            }
            auto& in_use = is_shared(order[k]) ? shared : own;
            in_use[k] += registers;
            in_use[last] -= last == k ? 0 : registers;
            if (last == k) in_use[k + 1] -= registers;
        }
        int most_own = 0, most_shared = 0, now_own = 0, now_shared = 0;
        for (std::size_t k = 0; k < order.size(); ++k) {
            now_own += own[k];
            now_shared += shared[k];
            most_own = std::max(most_own, now_own);
            most_shared = std::max(most_shared, now_shared);
        }
        const int free = static_cast<int>(rows_.vectors.registers) - most_shared;
        // What is the same in all rows is in use from the first row to the last one, if those are apart.
        const bool are_apart = llvm::any_of(part_, [this](const BasicBlock* block) { return delay_in(*block) != 0; });
        for (const int count : {4, 2})
            if (count * most_own <= free && (count == 2 || !are_apart)) return static_cast<unsigned>(count);
        return 0;
    }

    // --- the code

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
        ahead_ = b_.CreateMul(stride(), b_.getInt64(count_ - 1));
        Value* fits =
            b_.CreateAnd(b_.CreateICmpNE(stride(), b_.getInt64(0)), b_.CreateICmpULE(behind(first(), ahead_), last()));
        if (needs_rows_) {
            Value* block = b_.CreateLoad(b_.getPtrTy(), thread_of(first()));
            Value* launch = b_.CreateLoad(b_.getPtrTy(), block);
            static_assert(offsetof(ThreadContext, block) == 0 && offsetof(BlockContext, launch) == 0);
            Value* extent = b_.CreateLoad(b_.getInt32Ty(), at(launch, offsetof(LaunchContext, ntid)));
            fits = b_.CreateAnd(fits, b_.CreateICmpEQ(extent, b_.getInt32(rows_.vectors.lanes)));
        }
        b_.CreateCondBr(fits, body_, head_)->setMetadata(kInStepMetadata, llvm::MDNode::get(round_.getContext(), {}));
    }

    void emit_part() {
        maps_.resize(count_);
        b_.SetInsertPoint(body_);
        frame_ = b_.CreatePHI(b_.getPtrTy(), 2, "frame");
        index_ = b_.CreatePHI(b_.getInt32Ty(), 2, "index");
        frame_->addIncoming(first(), before_);
        index_->addIncoming(b_.getInt32(0), before_);
        for (unsigned row = 0; row < count_; ++row) {
            maps_[row][loop_.frame] = row == 0 ? frame_ : behind(frame_, b_.CreateMul(stride(), b_.getInt64(row)));
            maps_[row][loop_.index] = row == 0 ? index_ : b_.CreateAdd(index_, b_.getInt32(row));
        }
        b_.CreateStore(index_, at(round_.getArg(3), offsetof(RoundControl, current)));
        Value* follow = b_.getTrue();
        if (needs_rows_) {
            Value* last_row = row_of(maps_[count_ - 1][loop_.frame]);
            follow = b_.CreateICmpEQ(b_.CreateSub(last_row, row_of(frame_)), b_.getInt32(count_ - 1));
        }
        for (BasicBlock* block : part_)
            copies_[block] = make("part");
        leave_ = make("rest");
        b_.CreateCondBr(follow, copies_[head_], apart_);
        for (BasicBlock* block : part_)
            copy_block(*block);
        for (BasicBlock* block : part_)
            copy_ways(*block);
        for (BasicBlock* block : part_)
            complete_phis(*block);
    }

    Value* of_row(Value* value, unsigned row) {
        if (is_of_function(value)) return value;
        auto& map = maps_[row];
        if (const auto known = map.find(value); known != map.end()) return known->second;
        const KnownStep step = step_of(value);
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
            if (!step_of(&i) && !needed.contains(&i)) continue;
            for (const Value* operand : i.operands())
                if (const auto* other = llvm::dyn_cast<Instruction>(operand); other && !step_of(other))
                    needed.insert(other);
        }
        return needed;
    }

    /// One instruction for all rows after the other. But where a row reads what another one has read before, as many
    /// instructions later as they are apart: so that is read once, and in no register for long.
    std::vector<Copy> copies_in_order(BasicBlock& block) const {
        const std::int64_t delay = delay_in(block);
        const std::int64_t earliest = std::min<std::int64_t>(0, delay * (count_ - 1));
        const auto needed = needed_once(block);
        std::vector<Copy> copies;
        std::int64_t place = 0;
        for (Instruction& i : block) {
            if (i.isTerminator() || &i == loop_.frame || &i == loop_.index) continue;
            const bool once = step_of(&i).has_value();
            const bool is_phi = llvm::isa<llvm::PHINode>(i);
            place += once ? 0 : 1;
            for (unsigned row = 0; row < (once ? 1 : count_); ++row) {
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
        if (to == rest_) return leave_;
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
            for (unsigned row = 1; row < count_ && !is_shared(branch->getCondition()); ++row) {
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
            for (unsigned row = 0; row < count_; ++row)
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
        for (BasicBlock* each : part_)
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
            const unsigned rows = step_of(&phi) ? 1 : count_;
            for (unsigned row = 0; row < rows; ++row)
                complete(phi, row, llvm::cast<llvm::PHINode>(maps_[row].lookup(&phi)));
        }
    }

    /// The code behind the part, a row after the other.
    void emit_rest() {
        // The values that come in, of all rows, before the first row's code.
        std::vector<llvm::DenseMap<Value*, Value*>> first_values(count_);
        b_.SetInsertPoint(leave_);
        if (rest_ != loop_.next)
            for (llvm::PHINode& phi : rest_->phis())
                for (unsigned row = 0; row < count_; ++row) {
                    llvm::PHINode* made = b_.CreatePHI(phi.getType(), 2);
                    complete(phi, row, made);
                    first_values[row][&phi] = made;
                }
        BasicBlock* from = leave_;
        for (unsigned row = 0; row < count_; ++row) {
            BasicBlock* done = make("done");
            b_.SetInsertPoint(from);
            if (row > 0)
                b_.CreateStore(of_row(loop_.index, row), at(round_.getArg(3), offsetof(RoundControl, current)));
            b_.CreateBr(rest_ == loop_.next ? done : copy_rest(row, first_values[row], from, done));
            from = done;
        }
        b_.SetInsertPoint(from);
        finish();
    }

    BasicBlock* copy_rest(unsigned row, const llvm::DenseMap<Value*, Value*>& first_values, BasicBlock* from,
                          BasicBlock* done) {
        llvm::ValueToValueMapTy map;
        std::vector<BasicBlock*> made;
        made.reserve(behind_.size());
        for (BasicBlock* block : behind_) {
            BasicBlock* copy = llvm::CloneBasicBlock(block, map, "", &round_);
            map[block] = copy;
            made.push_back(copy);
        }
        map[loop_.next] = done;
        for (BasicBlock* block : part_)
            for (Instruction& i : *block)
                if (const bool used = llvm::any_of(i.users(),
                                                   [&](const llvm::User* user) {
                                                       const auto* instruction = llvm::dyn_cast<Instruction>(user);
                                                       return instruction && behind_.contains(const_cast<BasicBlock*>(
                                                                                 instruction->getParent()));
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
        Value* last_frame = of_row(loop_.frame, count_ - 1);
        b_.CreateCondBr(b_.CreateICmpEQ(last_frame, last()), loop_.end, more);
        b_.SetInsertPoint(more);
        Value* index = b_.CreateAdd(index_, b_.getInt32(count_));
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
    const llvm::DataLayout& layout_;
    llvm::IRBuilder<> b_;
    RowSteps steps_;
    BasicBlock* head_;
    llvm::DenseSet<BasicBlock*> blocks_;
    llvm::SetVector<BasicBlock*> part_, behind_; ///< in the order of execution
    BasicBlock* rest_ = nullptr;                 ///< where the part ends
    llvm::DenseMap<const Value*, KnownStep> known_;
    llvm::SetVector<const llvm::PHINode*> phis_;
    llvm::DenseSet<const llvm::PHINode*> unknown_phis_;
    bool needs_rows_ = false;
    unsigned count_ = 0;

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
