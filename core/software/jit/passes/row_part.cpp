// SPDX-License-Identifier: Apache-2.0
#include "row_part.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

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

std::uint64_t reads_of(const BasicBlock& block) {
    return static_cast<std::uint64_t>(llvm::count_if(block, [](const Instruction& i) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        return load && load->getPointerAddressSpace() != 0;
    }));
}

/// It is worth it only where loads are.
bool may_part(const BasicBlock& block) { return reads_of(block) > 0; }

bool begins_with_write(const BasicBlock& block) {
    return llvm::any_of(block, [](const Instruction& i) {
        return !i.isTerminator() && !llvm::isa<llvm::PHINode>(i) && !only_reads(i);
    });
}

bool can_go_in_step(const BasicBlock& block) {
    return !begins_with_write(block) && llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block.getTerminator());
}

bool is_like(const KnownStep& a, const RowStep& b) { return a && a->step == b.step; }

} // namespace

RowPart::RowPart(llvm::Function& round, const CoroutineLoop& loop, const CoroutineRows& rows)
    : round_(round), loop_(loop), rows_(rows), layout_(round.getParent()->getDataLayout()),
      steps_(loop.frame, rows.thread_place, rows.slots, layout_), head_(loop.blocks.front()),
      blocks_(loop.blocks.begin(), loop.blocks.end()) {}

bool RowPart::find() {
    if (llvm::none_of(loop_.blocks, [](const BasicBlock* b) { return reads_of(*b) >= 2; })) return false;
    split_at_writes();
    if (!find_part() || !find_rest()) return false;
    know_steps();
    if (saved() < kFewestSaved) return false;
    count_ = rows_that_fit();
    return count_ >= 2;
}

// --- what goes in step

/// So that a block only reads, or writes from its beginning on.
void RowPart::split_at_writes() {
    for (BasicBlock* block : loop_.blocks) {
        const auto write = llvm::find_if(*block, [](const Instruction& i) {
            return !i.isTerminator() && !llvm::isa<llvm::PHINode>(i) && !only_reads(i);
        });
        if (write == block->end() || !may_part(*block)) continue;
        BasicBlock* rest = llvm::SplitBlock(block, &*write);
        blocks_.insert(rest);
    }
}

/// The way from the head on which most is read.
bool RowPart::find_part() {
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
BasicBlock* RowPart::rest_of_loop(BasicBlock& block, const llvm::LoopInfo& loops) const {
    if (loops.getLoopDepth(&block) <= loops.getLoopDepth(head_)) return nullptr;
    for (BasicBlock* next : llvm::successors(&block))
        if (!part_.contains(next) && loops.getLoopFor(next) == loops.getLoopFor(&block) && can_go_in_step(*next))
            return next;
    return nullptr;
}

/// The part ends with this block. Where it goes then: not back.
BasicBlock* RowPart::after(BasicBlock* last, const llvm::LoopInfo& loops) const {
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
bool RowPart::find_rest() {
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

bool RowPart::is_of_function(const Value* value) const {
    if (llvm::isa<llvm::Constant, llvm::Argument>(value)) return true;
    const auto* made = llvm::dyn_cast<Instruction>(value);
    return made && !blocks_.contains(const_cast<BasicBlock*>(made->getParent()));
}

KnownStep RowPart::step_of(const Value* value) const {
    if (is_of_function(value)) return RowStep{};
    const auto known = known_.find(value);
    return known == known_.end() ? std::nullopt : known->second;
}

/// All rows go the same way through the part. So a phi has the step of what comes in.
void RowPart::know_steps() {
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

void RowPart::know(Instruction& i) {
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

bool RowPart::is_shared(const Value* value) const {
    const KnownStep step = step_of(value);
    return step && step->step == 0;
}

std::uint64_t RowPart::saved() const {
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

RowPart::Place RowPart::place_of(const Value* pointer) const {
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

std::int64_t RowPart::delay_in(const BasicBlock& block) const {
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
            if (const auto next = loads.find(bytes + where.second); next != loads.end()) ++delays[next->second - at];
    const auto most = std::max_element(delays.begin(), delays.end(),
                                       [](const auto& x, const auto& y) { return x.second < y.second; });
    return most == delays.end() ? 0 : most->first;
}

/// Vector registers that a value takes.
unsigned RowPart::registers_of(const Value* value) const {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    if (!type || type->getScalarSizeInBits() == 1) return 0;
    const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(value->getType()));
    return (bits + rows_.vectors.register_bits - 1) / rows_.vectors.register_bits;
}

/// So that the vectors that are in use at one time lie in registers.
unsigned RowPart::rows_that_fit() const {
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

} // namespace warplight::jit
