// SPDX-License-Identifier: Apache-2.0
#include "confine_pass.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace warplight::jit {

using llvm::Value;
using software::kWindowEnd;
using software::kWindowSlack;

namespace {

/// The largest magnitude of a value; nothing: too large to be an offset.
using Bound = std::optional<std::uint64_t>;

Bound limited(std::uint64_t magnitude) { return magnitude < kWindowSlack ? Bound(magnitude) : std::nullopt; }
Bound sum(Bound x, Bound y) { return x && y ? limited(*x + *y) : std::nullopt; }
Bound product(Bound x, std::uint64_t factor) {
    if (!x || (factor != 0 && *x > kWindowSlack / factor)) return std::nullopt;
    return limited(*x * factor);
}

const llvm::APInt* constant_in_each_lane(const Value* v) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(v);
    if (!constant) return nullptr;
    if (constant->getType()->isVectorTy()) constant = constant->getSplatValue();
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
    return number ? &number->getValue() : nullptr;
}

std::uint64_t magnitude(const llvm::APInt& value) { return value.abs().getLimitedValue(); }

/// The magnitude of an integer that is taken for a signed one, from its operations alone: flags and metadata tell what
/// the program promised.
Bound bound_of(const Value* v, unsigned depth = 0) {
    constexpr unsigned kDeepest = 8;
    const unsigned bits = v->getType()->getScalarSizeInBits();
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataVector>(v)) {
        std::uint64_t most = 0;
        for (unsigned k = 0; k < data->getNumElements(); ++k)
            most = std::max(most, magnitude(data->getElementAsAPInt(k)));
        return limited(most);
    }
    if (const llvm::APInt* number = constant_in_each_lane(v)) return limited(magnitude(*number));
    if (llvm::isa<llvm::ConstantAggregateZero>(v)) return 0;
    const Bound by_width = bits < 64 ? limited(std::uint64_t{1} << (bits - 1)) : std::nullopt;
    const auto* i = llvm::dyn_cast<llvm::Instruction>(v);
    if (!i || depth > kDeepest) return by_width;
    const auto operand = [&](unsigned k) { return bound_of(i->getOperand(k), depth + 1); };
    Bound found;
    switch (i->getOpcode()) {
    case llvm::Instruction::ZExt:
        found = limited(std::uint64_t{1} << std::min(i->getOperand(0)->getType()->getScalarSizeInBits(), 63U));
        break;
    case llvm::Instruction::SExt: found = operand(0); break;
    case llvm::Instruction::And:
        for (unsigned k = 0; k < 2; ++k)
            if (const llvm::APInt* mask = constant_in_each_lane(i->getOperand(k)); mask && mask->isNonNegative())
                found = limited(mask->getLimitedValue());
        break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: found = sum(operand(0), operand(1)); break;
    case llvm::Instruction::Or: // less than the sum where no bits overlap, and never more than both with all bits below
        if (const Bound x = operand(0), y = operand(1); x && y) found = limited(2 * std::max(*x, *y) + 1);
        break;
    case llvm::Instruction::Mul:
        if (const llvm::APInt* factor = constant_in_each_lane(i->getOperand(1)))
            found = product(operand(0), magnitude(*factor));
        else if (const Bound y = operand(1))
            found = product(operand(0), *y);
        break;
    case llvm::Instruction::Shl:
        if (const llvm::APInt* by = constant_in_each_lane(i->getOperand(1)); by && by->ult(44))
            found = product(operand(0), std::uint64_t{1} << by->getZExtValue());
        break;
    case llvm::Instruction::LShr:
        if (const llvm::APInt* by = constant_in_each_lane(i->getOperand(1)); by && by->ult(bits) && !by->isZero())
            found = limited(std::uint64_t{1} << std::min<std::uint64_t>(bits - by->getZExtValue(), 63));
        break;
    case llvm::Instruction::AShr: found = operand(0); break;
    case llvm::Instruction::Select:
        if (const Bound x = operand(1), y = operand(2); x && y) found = std::max(*x, *y);
        break;
    default: break;
    }
    // A sum of a narrow type may wrap, so that only the width bounds it.
    if (by_width && (!found || *found > *by_width)) return by_width;
    return found;
}

/// The scalar that all lanes of a vector have.
Value* scalar_of(Value* vector) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(vector)) return constant->getSplatValue();
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
    if (!shuffle || !shuffle->isZeroEltSplat()) return nullptr;
    auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(shuffle->getOperand(0));
    const auto* place = insert ? llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)) : nullptr;
    return place && place->isZero() ? insert->getOperand(1) : nullptr;
}

bool is_addition(const Value* v) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(v);
    if (!i) return false;
    const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(i);
    return i->getOpcode() == llvm::Instruction::Add || (disjoint && disjoint->isDisjoint());
}

/// Follows a value of a loop's one block through what the block computes of it, and ends at phis. True when `found` is
/// true of a user on the way.
template <class Found>
bool leads_to(const llvm::Instruction& value, Found found) {
    std::vector<const llvm::Instruction*> left{&value};
    llvm::SmallPtrSet<const llvm::Instruction*, 16> seen{&value};
    while (!left.empty()) {
        const llvm::Instruction* i = left.back();
        left.pop_back();
        for (const llvm::User* user : i->users()) {
            const auto* next = llvm::cast<llvm::Instruction>(user);
            if (found(*next)) return true;
            const bool goes_on = next->getParent() == value.getParent() && !llvm::isa<llvm::PHINode>(next);
            if (goes_on && seen.insert(next).second) left.push_back(next);
        }
    }
    return false;
}

bool is_used_behind(const llvm::Instruction& value) {
    return leads_to(value, [&](const llvm::Instruction& user) { return user.getParent() != value.getParent(); });
}

/// Whether each round of a loop of one block needs a value of that block: for memory, for the decision to go on, or for
/// what the loop carries to its end. So no part of LLVM may remove the value or move it out of the loop.
bool is_needed_in_each_round(const llvm::Instruction& value) {
    return leads_to(value, [&](const llvm::Instruction& user) {
        if (user.getParent() != value.getParent()) return false;
        if (user.isTerminator() || user.mayWriteToMemory()) return true;
        return llvm::isa<llvm::PHINode>(user) && is_used_behind(user);
    });
}

class Confiner {
public:
    Confiner(llvm::Function& f, llvm::FunctionAnalysisManager& analyses, Walls walls)
        : f_(f), analyses_(analyses), layout_(f.getParent()->getDataLayout()), b_(f.getContext()),
          begin_(walls == Walls::high ? software::kHighWindowBegin : 0) {}

    void run() {
        std::vector<llvm::Use*> pointers;
        std::vector<llvm::MemIntrinsic*> copies;
        for (llvm::Instruction& i : llvm::instructions(f_)) {
            if (!is_access(i)) continue;
            for (llvm::Use& operand : i.operands())
                if (is_device_pointer(operand->getType())) pointers.push_back(&operand);
            if (auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) copies.push_back(copy);
        }
        for (llvm::Use* use : pointers) {
            Confined made = confined(use->get());
            if (is_kept(*use) && made.reach > kStoredReach) made.pointer = limit(use->get());
            use->set(made.pointer);
        }
        for (llvm::MemIntrinsic* copy : copies)
            shorten(*copy);
    }

private:
    static bool is_device_pointer(const llvm::Type* type) {
        return type->isPtrOrPtrVectorTy() && type->getPointerAddressSpace() == kDeviceSpace;
    }

    /// Pointers to the device's memory that lie in the host's memory are confined: those of the contexts, and those
    /// that a coroutine keeps in its frame, as they are when they are stored.
    static constexpr std::uint64_t kStoredReach = kWindowSlack / 2;
    static bool is_kept(const llvm::Use& use) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
        return store && store->getValueOperand() == use.get();
    }

    /// Whether an instruction touches the memory that its operands point to, or stores a pointer. Functions of the
    /// module confine the addresses that they get, and so do services of the runtime.
    static bool is_access(const llvm::Instruction& i) {
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(i)) return true;
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        return call && !call->isLifetimeStartOrEnd() && !llvm::isa<llvm::DbgInfoIntrinsic>(call) &&
               call->getIntrinsicID() != llvm::Intrinsic::prefetch;
    }

    /// A pointer with the same value as another one, as far as that is in the window, and at most `reach` bytes away
    /// from the window else.
    struct Confined {
        Value* pointer;
        std::uint64_t reach;
    };

    Confined confined(Value* pointer) {
        if (const auto known = known_.find(pointer); known != known_.end()) return known->second;
        // Beyond, and where a cycle that is no loop comes back to its phi.
        constexpr std::size_t kDeepest = 500;
        const bool goes_on = open_.size() < kDeepest && open_.insert(pointer).second;
        const Confined made = goes_on ? make(pointer) : Confined{limit(pointer), 0};
        if (goes_on) open_.erase(pointer);
        known_[pointer] = made;
        return made;
    }

    Confined make(Value* pointer) {
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(pointer)) return confined_constant(constant);
        if (pointer->getType()->isVectorTy()) return confined_vector(pointer);
        if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) return confined_element(element);
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer))
            if (const auto made = confined_phi(phi)) return *made;
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer); load && load->getPointerAddressSpace() == 0)
            return {load, kStoredReach};
        if (auto* select = llvm::dyn_cast<llvm::SelectInst>(pointer)) return confined_select(select);
        if (const auto made = confined_lane(pointer)) return *made;
        return {limit(pointer), 0};
    }

    // --- scalars

    Confined confined_constant(llvm::Constant* constant) {
        if (constant->getType()->isVectorTy()) {
            if (llvm::Constant* each = constant->getSplatValue(); each && !llvm::isa<llvm::UndefValue>(each)) {
                const Confined one = confined_constant(each);
                if (auto* made = llvm::dyn_cast<llvm::Constant>(one.pointer))
                    return {llvm::ConstantVector::getSplat(
                                llvm::cast<llvm::VectorType>(constant->getType())->getElementCount(), made),
                            one.reach};
            }
            return {limit_at_entry(constant), 0};
        }
        llvm::APInt offset(64, 0);
        const Value* base = constant->stripAndAccumulateConstantOffsets(layout_, offset, true);
        // The module's variables lie in the window.
        if (llvm::isa<llvm::GlobalVariable>(base))
            if (const Bound bound = limited(magnitude(offset))) return {constant, *bound};
        if (llvm::isa<llvm::ConstantPointerNull>(base) && begin_ == 0 && offset.ult(kWindowEnd)) return {constant, 0};
        // Address 0 is in no window that begins higher.
        if (llvm::isa<llvm::UndefValue>(base) && begin_ == 0)
            return {llvm::Constant::getNullValue(constant->getType()), 0};
        return {limit_at_entry(constant), 0};
    }
    Value* limit_at_entry(llvm::Constant* constant) {
        b_.SetInsertPoint(f_.getEntryBlock().getFirstInsertionPt());
        b_.SetCurrentDebugLocation({});
        return limit_here(constant);
    }

    Confined confined_element(llvm::GetElementPtrInst* element) {
        element->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
        const Bound bound = bound_of_offset(*element);
        if (!bound) return {limit(element), 0};
        const Confined base = confined(element->getPointerOperand());
        if (base.reach + *bound >= kWindowSlack) return {limit(element), 0};
        if (base.pointer == element->getPointerOperand()) return {element, base.reach + *bound};
        auto* moved = llvm::cast<llvm::GetElementPtrInst>(element->clone());
        moved->setOperand(0, base.pointer);
        moved->insertAfter(element);
        return {moved, base.reach + *bound};
    }

    Bound bound_of_offset(const llvm::GetElementPtrInst& element) {
        llvm::MapVector<Value*, llvm::APInt> variable;
        llvm::APInt fixed(64, 0);
        if (!llvm::cast<llvm::GEPOperator>(element).collectOffset(layout_, 64, variable, fixed)) return std::nullopt;
        Bound bound = limited(magnitude(fixed));
        for (const auto& [index, scale] : variable) {
            Bound of_index = bound_of(index);
            if (!of_index) of_index = bound_in_loop(index);
            bound = sum(bound, product(of_index, magnitude(scale)));
        }
        return bound;
    }

    /// Of a loop's counter, and what is computed of it.
    Bound bound_in_loop(Value* index) {
        if (!index->getType()->isIntegerTy()) return std::nullopt;
        auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(f_);
        const llvm::ConstantRange range = evolution.getSignedRange(evolution.getSCEV(index));
        return limited(std::max(magnitude(range.getSignedMin()), magnitude(range.getSignedMax())));
    }

    /// A pointer that a loop moves by a number of bytes that is bounded in all rounds together: it is confined before
    /// the loop.
    std::optional<Confined> confined_in_loop(llvm::PHINode* phi, llvm::Loop* loop) {
        if (phi->getNumIncomingValues() != 2) return std::nullopt;
        const llvm::BasicBlock* before = loop->getLoopPredecessor();
        if (!before) return std::nullopt;
        auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(f_);
        const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(phi));
        if (!moving || moving->getLoop() != loop || !moving->isAffine()) return std::nullopt;
        const llvm::SCEV* way =
            evolution.getAddRecExpr(evolution.getZero(moving->getStepRecurrence(evolution)->getType()),
                                    moving->getStepRecurrence(evolution), loop, llvm::SCEV::FlagAnyWrap);
        const llvm::ConstantRange range = evolution.getSignedRange(way);
        const Bound most = limited(std::max(magnitude(range.getSignedMin()), magnitude(range.getSignedMax())));
        if (!most) return std::nullopt;
        Value* start = phi->getIncomingValueForBlock(before);
        const Confined from = confined(start);
        if (from.reach + *most >= kWindowSlack) return std::nullopt;
        phi->setIncomingValueForBlock(before, from.pointer);
        return Confined{phi, from.reach + *most};
    }

    /// How far a pointer is from a phi that it is computed of.
    Bound distance(const Value* pointer, const llvm::PHINode* phi) {
        constexpr unsigned kMost = 32;
        Bound sum_of_offsets = 0;
        for (unsigned steps = 0; pointer != phi; ++steps) {
            const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
            if (!element || steps == kMost) return std::nullopt;
            sum_of_offsets = sum(sum_of_offsets, bound_of_offset(*element));
            pointer = element->getPointerOperand();
        }
        return sum_of_offsets;
    }

    /// The farthest that a round of a loop of one block lets a phi be from memory that this round surely touches.
    Bound distance_to_touched(const llvm::PHINode* phi) {
        for (const llvm::Instruction& i : *phi->getParent()) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
            if (!store && !load) continue;
            const Value* touched = store ? store->getPointerOperand() : load->getPointerOperand();
            if (!is_device_pointer(touched->getType())) continue;
            const Bound from_phi = distance(touched, phi);
            if (from_phi && (store || is_needed_in_each_round(i))) return from_phi;
        }
        return std::nullopt;
    }

    /// A pointer that a loop of one block moves, by a bounded number of bytes in a round, when each round touches
    /// memory near to it. Before the pointer is beyond the slack at the window's ends, a round touches the slack and
    /// faults. So nothing but the start is confined.
    std::optional<Confined> confined_by_touch(llvm::PHINode* phi, const llvm::Loop* loop) {
        if (phi->getNumIncomingValues() != 2 || loop->getLoopLatch() != phi->getParent()) return std::nullopt;
        const llvm::BasicBlock* before = loop->getLoopPredecessor();
        if (!before) return std::nullopt;
        const Bound left =
            sum(distance(phi->getIncomingValueForBlock(phi->getParent()), phi), distance_to_touched(phi));
        if (!left) return std::nullopt;
        const Confined from = confined(phi->getIncomingValueForBlock(before));
        phi->setIncomingValueForBlock(before, from.pointer);
        return Confined{phi, std::max(from.reach, *left)};
    }

    std::optional<Confined> confined_phi(llvm::PHINode* phi) {
        auto& loops = analyses_.getResult<llvm::LoopAnalysis>(f_);
        if (llvm::Loop* loop = loops.getLoopFor(phi->getParent()); loop && loop->getHeader() == phi->getParent()) {
            if (const auto made = confined_in_loop(phi, loop)) return made;
            return confined_by_touch(phi, loop);
        }
        std::uint64_t reach = 0;
        std::vector<Value*> pointers;
        for (Value* incoming : phi->incoming_values()) {
            const Confined from = confined(incoming);
            reach = std::max(reach, from.reach);
            pointers.push_back(from.pointer);
        }
        auto* moved = llvm::cast<llvm::PHINode>(phi->clone());
        for (unsigned k = 0; k < pointers.size(); ++k)
            moved->setIncomingValue(k, pointers[k]);
        moved->insertBefore(phi);
        return Confined{moved, reach};
    }

    Confined confined_select(llvm::SelectInst* select) {
        const Confined yes = confined(select->getTrueValue()), no = confined(select->getFalseValue());
        const std::uint64_t reach = std::max(yes.reach, no.reach);
        if (yes.pointer == select->getTrueValue() && no.pointer == select->getFalseValue()) return {select, reach};
        auto* moved = llvm::cast<llvm::SelectInst>(select->clone()); // with what it tells of its condition
        moved->setTrueValue(yes.pointer);
        moved->setFalseValue(no.pointer);
        moved->insertAfter(select);
        return {moved, reach};
    }

    // --- vectors

    Confined confined_vector(Value* pointers) {
        if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(pointers)) return confined_element(element);
        if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointers))
            if (Value* rebased = rebased_sum(cast)) return {rebased, 0};
        return {limit(pointers), 0};
    }

    /// A sum of scalars, the same in all lanes, and bounded offsets.
    struct Terms {
        std::vector<Value*> scalars, bounded;
        std::uint64_t reach = 0; ///< of the offsets
    };
    static std::optional<Terms> terms_of(Value* addresses) {
        std::vector<Value*> left{addresses};
        Terms terms;
        Bound reach = 0;
        for (unsigned steps = 0; !left.empty(); ++steps) {
            Value* term = left.back();
            left.pop_back();
            if (const Bound bound = bound_of(term)) {
                reach = sum(reach, bound);
                terms.bounded.push_back(term);
            } else if (Value* scalar = scalar_of(term)) {
                terms.scalars.push_back(scalar);
            } else if (is_addition(term) && steps < 16) {
                left.push_back(llvm::cast<llvm::Instruction>(term)->getOperand(0));
                left.push_back(llvm::cast<llvm::Instruction>(term)->getOperand(1));
            } else {
                return std::nullopt;
            }
        }
        if (!reach || terms.scalars.empty()) return std::nullopt;
        terms.reach = *reach;
        return terms;
    }
    Value* limited_base(const Terms& terms) {
        Value* base = terms.scalars[0];
        for (std::size_t k = 1; k < terms.scalars.size(); ++k)
            base = b_.CreateAdd(base, terms.scalars[k]);
        return terms.scalars.size() == 1 ? limited_scalar(base) : limit_integer(base);
    }

    /// Addresses that are a scalar and bounded offsets: the scalar is confined.
    Value* rebased_sum(llvm::IntToPtrInst* cast) {
        const auto terms = terms_of(cast->getOperand(0));
        if (!terms) return nullptr;
        go_behind(cast);
        const auto count = llvm::cast<llvm::VectorType>(cast->getType())->getElementCount();
        Value* all = b_.CreateVectorSplat(count, limited_base(*terms));
        for (Value* term : terms->bounded)
            all = b_.CreateAdd(all, term);
        return b_.CreateIntToPtr(all, cast->getType());
    }

    /// A lane's address, of several that are taken out of a vector: they are confined together. What does not change in
    /// a loop is taken out of its vector in front of the loop.
    std::optional<Confined> confined_lane(llvm::Value* pointer) {
        constexpr unsigned kSeveral = 4;
        auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer);
        auto* lane = cast ? llvm::dyn_cast<llvm::ExtractElementInst>(cast->getOperand(0)) : nullptr;
        if (!lane || !llvm::isa<llvm::ConstantInt>(lane->getIndexOperand())) return std::nullopt;
        Value* all = lane->getVectorOperand();
        if (!llvm::isa<llvm::Instruction>(all) || !all->hasNUsesOrMore(kSeveral)) return std::nullopt;
        const auto terms = terms_of(all);
        if (!terms) {
            Value*& known = limited_scalars_[all];
            if (!known) {
                go_behind(all);
                known = limit_integer(all);
            }
            go_behind(cast);
            return Confined{b_.CreateIntToPtr(b_.CreateExtractElement(known, lane->getIndexOperand()), cast->getType()),
                            0};
        }
        std::vector<Value*> offsets;
        for (Value* term : terms->bounded) {
            go_behind(term);
            offsets.push_back(b_.CreateExtractElement(term, lane->getIndexOperand()));
        }
        go_behind(cast);
        Value* address = limited_base(*terms);
        for (Value* offset : offsets)
            address = b_.CreateAdd(address, offset);
        return Confined{b_.CreateIntToPtr(address, cast->getType()), terms->reach};
    }
    /// The scalar is confined where it is computed, which may be outside of a loop.
    Value* limited_scalar(Value* scalar) {
        Value*& known = limited_scalars_[scalar];
        if (!known) {
            const llvm::IRBuilderBase::InsertPointGuard guard(b_);
            go_behind(scalar);
            known = limit_integer(scalar);
        }
        return known;
    }

    // --- limits

    void go_behind(Value* v) {
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(v))
            b_.SetInsertPoint(phi->getParent()->getFirstInsertionPt());
        else if (auto* i = llvm::dyn_cast<llvm::Instruction>(v))
            b_.SetInsertPoint(i->getNextNode());
        else
            b_.SetInsertPoint(f_.getEntryBlock().getFirstInsertionPt());
        const auto* i = llvm::dyn_cast<llvm::Instruction>(v);
        b_.SetCurrentDebugLocation(i ? i->getDebugLoc() : llvm::DebugLoc());
    }

    Value* limit(Value* pointer) {
        go_behind(pointer);
        return limit_here(pointer);
    }
    Value* limit_here(Value* pointer) {
        auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer);
        Value* address = cast && cast->getOperand(0)->getType()->getScalarSizeInBits() == 64
                             ? cast->getOperand(0)
                             : b_.CreatePtrToInt(pointer, layout_.getIntPtrType(pointer->getType()));
        return b_.CreateIntToPtr(limit_integer(address), pointer->getType());
    }

    /// The address, or the window's end. Addresses beyond 2^63 are never memory of a process, so that a vector may be
    /// compared as signed numbers, for which more processors have an instruction.
    Value* limit_integer(Value* address) {
        llvm::Type* type = address->getType();
        // Both uses have to see one value.
        Value* one = b_.CreateFreeze(address);
        if (begin_ != 0) {
            Value* offset = b_.CreateSub(one, llvm::ConstantInt::get(type, begin_));
            offset = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, offset,
                                              llvm::ConstantInt::get(type, kWindowEnd - begin_));
            return b_.CreateAdd(offset, llvm::ConstantInt::get(type, begin_));
        }
        return b_.CreateBinaryIntrinsic(type->isVectorTy() ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, one,
                                        llvm::ConstantInt::get(type, kWindowEnd));
    }

    /// Copies and fills go over their memory in any order, so their length must be in the slack too.
    void shorten(llvm::MemIntrinsic& copy) {
        Value* length = copy.getLength();
        const bool is_device = is_device_pointer(copy.getDest()->getType()) ||
                               (llvm::isa<llvm::MemTransferInst>(copy) &&
                                is_device_pointer(llvm::cast<llvm::MemTransferInst>(copy).getSource()->getType()));
        if (!is_device || bound_of(length)) return;
        b_.SetInsertPoint(&copy);
        b_.SetCurrentDebugLocation(copy.getDebugLoc());
        copy.setLength(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateFreeze(length),
                                                llvm::ConstantInt::get(length->getType(), kWindowSlack / 2)));
    }

    llvm::Function& f_;
    llvm::FunctionAnalysisManager& analyses_;
    const llvm::DataLayout& layout_;
    llvm::IRBuilder<> b_;
    const std::uint64_t begin_;
    llvm::DenseMap<Value*, Confined> known_;
    llvm::SmallPtrSet<Value*, 16> open_; ///< being confined
    llvm::DenseMap<Value*, Value*> limited_scalars_;
};

} // namespace

void ConfinePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Walls walls) {
    Confiner(function, analyses, walls).run();
}

} // namespace warplight::jit
