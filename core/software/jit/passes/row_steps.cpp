// SPDX-License-Identifier: Apache-2.0
#include "row_steps.hpp"

#include "software/jit/abi/abi.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstddef>
#include <vector>

namespace warplight::jit {

using llvm::Instruction;
using llvm::Value;
using software::ThreadContext;

std::optional<std::uint64_t> bytes_behind(const Value* base, const Value* pointer, const llvm::DataLayout& layout) {
    llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    if (pointer->stripAndAccumulateConstantOffsets(layout, offset, true) != base) return std::nullopt;
    return offset.getZExtValue();
}

namespace {

constexpr std::uint64_t kRowOffset = offsetof(ThreadContext, tid) + sizeof(std::uint32_t);

RowStep sum(const RowStep& a, const RowStep& b, std::int64_t sign) {
    return {a.step + sign * b.step, a.needs_rows || b.needs_rows, a.extends_zero && b.extends_zero,
            a.extends_sign && b.extends_sign};
}

/// The flags of an operation that may wrap.
RowStep wrapping(RowStep result, const Instruction& i) {
    result.extends_zero &= i.hasNoUnsignedWrap();
    result.extends_sign &= i.hasNoSignedWrap();
    if (result.step == 0) result.extends_zero = result.extends_sign = true;
    return result;
}

KnownStep times(const KnownStep& value, const Value* factor, const Instruction& i, bool is_shift) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(factor);
    if (!value || !number || number->getValue().getSignificantBits() > 32) return std::nullopt;
    const std::int64_t by = number->getSExtValue();
    if (is_shift && (by < 0 || by > 30)) return std::nullopt;
    RowStep result = *value;
    result.step *= is_shift ? std::int64_t{1} << by : by;
    return wrapping(result, i);
}

KnownStep of_arithmetic(const llvm::BinaryOperator& i, llvm::ArrayRef<KnownStep> operands) {
    if (!i.getType()->isIntegerTy()) return std::nullopt;
    const KnownStep &a = operands[0], &b = operands[1];
    switch (i.getOpcode()) {
    case Instruction::Add: return a && b ? KnownStep(wrapping(sum(*a, *b, 1), i)) : std::nullopt;
    case Instruction::Sub: return a && b ? KnownStep(wrapping(sum(*a, *b, -1), i)) : std::nullopt;
    case Instruction::Mul: return times(a, i.getOperand(1), i, false);
    case Instruction::Shl: return times(a, i.getOperand(1), i, true);
    default: return std::nullopt;
    }
}

KnownStep of_cast(const llvm::CastInst& i, const RowStep& operand) {
    RowStep result = operand;
    switch (i.getOpcode()) {
    case Instruction::ZExt:
        if (!operand.extends_zero && !(i.hasNonNeg() && operand.extends_sign)) return std::nullopt;
        break;
    case Instruction::SExt:
        if (!operand.extends_sign) return std::nullopt;
        break;
    case Instruction::Trunc: result.extends_zero = result.extends_sign = false; return result;
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
        if (!i.getType()->isIntOrPtrTy() || !operand.extends_zero) return std::nullopt;
        return result;
    default: return std::nullopt;
    }
    result.extends_zero = result.extends_sign = true;
    return result;
}

KnownStep of_address(const llvm::GEPOperator& i, llvm::ArrayRef<KnownStep> operands, const llvm::DataLayout& layout) {
    const unsigned bits = layout.getIndexTypeSizeInBits(i.getType());
    llvm::MapVector<Value*, llvm::APInt> parts;
    llvm::APInt fixed(bits, 0);
    if (i.getType()->isVectorTy() || !i.collectOffset(layout, bits, parts, fixed)) return std::nullopt;
    RowStep result = *operands[0];
    for (unsigned k = 1; k < operands.size(); ++k) {
        const auto part = parts.find(i.getOperand(k));
        if (part == parts.end()) continue; // a constant
        if (i.getOperand(k)->getType()->getIntegerBitWidth() != bits && operands[k]->step != 0) return std::nullopt;
        RowStep scaled = *operands[k];
        scaled.step *= part->second.getSExtValue();
        result = sum(result, scaled, 1);
    }
    return result;
}

bool is_pure(const Instruction& i) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
        return llvm::isa<llvm::IntrinsicInst>(call) && call->doesNotAccessMemory() && !call->isConvergent() &&
               call->willReturn();
    return !i.mayReadOrWriteMemory() && !llvm::isa<llvm::PHINode, llvm::AllocaInst>(i) && !i.isTerminator();
}

} // namespace

KnownStep RowSteps::loaded(const llvm::LoadInst& load, bool lasting, const KnownStep& address) const {
    if (!load.isSimple()) return std::nullopt;
    if (const auto place = bytes_behind(frame_, load.getPointerOperand(), layout_)) {
        const auto slot = slots_.known.find(*place);
        if (slot == slots_.known.end() || slot->second.type != load.getType()) return std::nullopt;
        return slot->second.step;
    }
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const auto* thread = llvm::dyn_cast<llvm::LoadInst>(
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true));
    if (thread && bytes_behind(frame_, thread->getPointerOperand(), layout_) == thread_place_) {
        if (!slots_.has_rows && offset != offsetof(ThreadContext, block)) return std::nullopt;
        switch (offset.getZExtValue()) {
        case offsetof(ThreadContext, block): return RowStep{};
        case offsetof(ThreadContext, tid): return RowStep{.needs_rows = true};
        case kRowOffset: return RowStep{.step = 1, .needs_rows = true};
        default: return std::nullopt;
        }
    }
    const auto* frame_slot = thread ? thread->getPointerOperand() : nullptr;
    const bool of_block = frame_slot && slots_.block && bytes_behind(frame_, frame_slot, layout_) == slots_.block;
    const bool keeps = lasting || of_block || load.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    if (!keeps || !address || address->step != 0) return std::nullopt;
    return RowStep{.needs_rows = address->needs_rows};
}

KnownStep RowSteps::combined(const Instruction& i, bool lasting, llvm::ArrayRef<KnownStep> operands) const {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return loaded(*load, lasting, operands[0]);
    bool same = true, needs_rows = false;
    for (const KnownStep& each : operands) {
        if (!each) return std::nullopt;
        same &= each->step == 0;
        needs_rows |= each->needs_rows;
    }
    if (same) {
        if (is_pure(i)) return RowStep{.needs_rows = needs_rows};
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        return lasting && call && call->onlyReadsMemory() && call->willReturn() && !call->isConvergent()
                   ? KnownStep(RowStep{.needs_rows = needs_rows})
                   : std::nullopt;
    }
    if (const auto* arithmetic = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return of_arithmetic(*arithmetic, operands);
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return of_cast(*cast, *operands[0]);
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&i)) return of_address(*gep, operands, layout_);
    return std::nullopt;
}

namespace {

class SlotFinder {
public:
    SlotFinder(const llvm::Function& resume, const llvm::Function& start, std::uint64_t thread_place)
        : frame_(resume.getArg(0)), layout_(resume.getParent()->getDataLayout()),
          steps_(frame_, thread_place, slots_, layout_) {
        for (const Instruction& i : llvm::instructions(resume)) {
            if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
                slots_.has_rows |= reads_row(*load, thread_place);
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store) continue;
            if (const auto place = bytes_behind(frame_, store->getPointerOperand(), layout_))
                stores_[*place].push_back(store);
        }
        for (const Instruction& i : llvm::instructions(start)) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store) continue;
            llvm::APInt offset(64, 0);
            store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
            const bool known = !stores_.contains(offset.getZExtValue());
            stores_[offset.getZExtValue()].clear();
            const auto* load = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
            if (known && load && load->getPointerOperand() == start.getArg(0)) {
                slots_.known.insert({offset.getZExtValue(), {load->getType(), {}}});
                slots_.block = offset.getZExtValue();
            }
        }
    }

    FrameSlots find() {
        // A slot may be made of others. So it takes a turn for each slot in such a row at most; few are enough.
        constexpr int kTurns = 4;
        std::size_t found = 0;
        for (int turn = 0; turn < kTurns; ++turn) {
            known_.clear();
            for (const auto& [place, stores] : stores_) {
                if (stores.size() != 1 || slots_.known.contains(place)) continue;
                const Value* value = stores.front()->getValueOperand();
                const KnownStep step = step_of(value, 0);
                if (step) slots_.known.insert({place, {value->getType(), *step}});
            }
            if (std::exchange(found, slots_.known.size()) == slots_.known.size()) break;
        }
        return slots_;
    }

private:
    bool reads_row(const llvm::LoadInst& load, std::uint64_t thread_place) const {
        llvm::APInt offset(layout_.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
        const auto* thread = llvm::dyn_cast<llvm::LoadInst>(
            load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true));
        return thread && offset == kRowOffset &&
               bytes_behind(frame_, thread->getPointerOperand(), layout_) == thread_place;
    }

    KnownStep step_of(const Value* value, unsigned depth) {
        constexpr unsigned kDeepest = 24;
        const auto* i = llvm::dyn_cast<Instruction>(value);
        if (llvm::isa<llvm::Constant>(value)) return RowStep{};
        if (!i || llvm::isa<llvm::PHINode>(i) || depth > kDeepest) return std::nullopt;
        if (const auto known = known_.find(i); known != known_.end()) return known->second;
        const KnownStep step = steps_.of(*i, false, [&](const Value* operand) { return step_of(operand, depth + 1); });
        return known_[i] = step;
    }

    const Value* frame_;
    const llvm::DataLayout& layout_;
    FrameSlots slots_;
    RowSteps steps_;
    std::map<std::uint64_t, std::vector<const llvm::StoreInst*>> stores_;
    llvm::DenseMap<const Value*, KnownStep> known_;
};

} // namespace

FrameSlots find_row_slots(const llvm::Function& resume, const llvm::Function& start, std::uint64_t thread_place) {
    return SlotFinder(resume, start, thread_place).find();
}

} // namespace warplight::jit
