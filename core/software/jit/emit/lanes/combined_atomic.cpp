// SPDX-License-Identifier: Apache-2.0
#include "combined_atomic.hpp"

#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/lanes/joint_access.hpp"

#include <vector>

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

CombinedAtomic::CombinedAtomic(Emitter& e, const Instruction& i)
    : e_(e), b_(e.b), i_(i), operand_(i.operands.at(i.opcode == Opcode::atom ? 2 : 1)), width_(e.lanes.full_width()),
      word_(b_.getIntNTy(ptx::bits(i.type()))) {}

Value* CombinedAtomic::exchange_all(Value* pointer, bool own) {
    if (adds_floats(i_)) return add_floats(pointer, own);
    const bool same = e_.plan->uniform(operand_);
    Value* values = read(same);
    Value* total = same ? total_of_same(values) : total_of(values);
    Value* old = exchange(e_, i_, pointer, total, own);
    if (!answers(e_.function, i_)) return nullptr;
    return b_.CreateAdd(splat(old), same ? b_.CreateMul(lanes_before(), splat(values)) : sums_before(values));
}

Value* CombinedAtomic::add_floats(Value* pointer, bool own) {
    llvm::Type* real = word_->getIntegerBitWidth() == 32 ? b_.getFloatTy() : b_.getDoubleTy();
    auto* vector = llvm::FixedVectorType::get(real, width_);
    Value* values = nullptr;
    {
        const auto width = e_.lanes.with_width(width_);
        values = b_.CreateBitCast(e_.read(operand_, i_.type()), vector);
    }
    // -0 changes no sum.
    if (Value* mask = e_.lanes.active_mask())
        values = b_.CreateSelect(mask, values, llvm::ConstantFP::getNegativeZero(vector));
    Value* before = nullptr;
    const auto add_all = [&](Value* sum) { // also twice: to a copy or to memory
        before = llvm::PoisonValue::get(vector);
        for (unsigned lane = 0; lane < width_; ++lane) {
            before = b_.CreateInsertElement(before, sum, lane);
            sum = b_.CreateFAdd(sum, b_.CreateExtractElement(values, lane));
        }
        return sum;
    };
    const llvm::Align align(word_->getIntegerBitWidth() / 8);
    const auto combined = [&](Value* old) { return b_.CreateBitCast(add_all(b_.CreateBitCast(old, real)), word_); };
    const auto in_memory = [&] { exchange_by(e_, i_, pointer, word_, combined); };
    if (own)
        b_.CreateAlignedStore(add_all(b_.CreateAlignedLoad(real, pointer, align)), pointer, align);
    else if (const auto sum = e_.unit.sums.memory_of(e_.instruction()))
        update_sum(e_, i_, pointer, word_, *sum, combined, in_memory);
    else
        in_memory();
    if (!answers(e_.function, i_)) return nullptr;
    return b_.CreateBitCast(before, llvm::FixedVectorType::get(word_, width_));
}

Value* CombinedAtomic::active_values() { return active_or(read(false), neutral()); }

Value* CombinedAtomic::read(bool same) {
    const auto width = e_.lanes.with_width(same ? 1 : width_);
    return e_.bits_as(e_.read(operand_, i_.type()), e_.integer_type(ptx::bits(i_.type())));
}

llvm::APInt CombinedAtomic::neutral() const {
    const unsigned bits = word_->getIntegerBitWidth();
    const bool is_signed = ptx::is_signed(i_.type());
    if (i_.has(Modifier::and_)) return llvm::APInt::getAllOnes(bits);
    if (i_.has(Modifier::min)) return is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    if (i_.has(Modifier::max) && is_signed) return llvm::APInt::getSignedMinValue(bits);
    return {bits, 0};
}

Value* CombinedAtomic::total_of_same(Value* value) {
    Value* count = b_.CreateZExtOrTrunc(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, e_.active_bits()), word_);
    if (i_.has(Modifier::add)) return b_.CreateMul(value, count);
    if (i_.has(Modifier::xor_)) return b_.CreateMul(value, b_.CreateAnd(count, 1));
    return value;
}

Value* CombinedAtomic::total_of(Value* values) {
    const bool is_signed = ptx::is_signed(i_.type());
    values = active_or(values, neutral());
    if (i_.has(Modifier::and_)) return b_.CreateAndReduce(values);
    if (i_.has(Modifier::or_)) return b_.CreateOrReduce(values);
    if (i_.has(Modifier::xor_)) return b_.CreateXorReduce(values);
    if (i_.has(Modifier::min)) return b_.CreateIntMinReduce(values, is_signed);
    if (i_.has(Modifier::max)) return b_.CreateIntMaxReduce(values, is_signed);
    return b_.CreateAddReduce(values);
}

Value* CombinedAtomic::active_or(Value* values, const llvm::APInt& otherwise) {
    Value* mask = e_.lanes.active_mask();
    return mask ? b_.CreateSelect(mask, values, llvm::ConstantInt::get(values->getType(), otherwise)) : values;
}

/// For each lane, how many active lanes have lower numbers.
Value* CombinedAtomic::lanes_before() {
    std::vector<std::uint32_t> lower(width_);
    for (unsigned lane = 0; lane < width_; ++lane)
        lower[lane] = (1U << lane) - 1;
    Value* below = b_.CreateAnd(splat(e_.active_bits()), llvm::ConstantDataVector::get(e_.context, lower));
    Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, below);
    return b_.CreateZExtOrTrunc(count, llvm::FixedVectorType::get(word_, width_));
}
/// For each lane, the sum of the values of active lanes with lower numbers.
Value* CombinedAtomic::sums_before(Value* values) {
    values = active_or(values, llvm::APInt(word_->getIntegerBitWidth(), 0));
    Value* none = llvm::Constant::getNullValue(values->getType());
    Value* sums = values;
    for (unsigned distance = 1; distance < width_; distance *= 2) {
        std::vector<int> places(width_); // zeros first, then the lanes
        for (unsigned lane = 0; lane < width_; ++lane)
            places[lane] = static_cast<int>(lane < distance ? lane : width_ + lane - distance);
        sums = b_.CreateAdd(sums, b_.CreateShuffleVector(none, sums, places));
    }
    return b_.CreateSub(sums, values);
}

bool emit_combined_atomic(Emitter& e, const Instruction& i) {
    if (!is_combined(e.function, i, *e.plan)) return false;
    const auto emit = [&] {
        const Operand& where = i.operands.at(i.opcode == Opcode::atom ? 1 : 0);
        e.checks.check_alignment(where, i.space, ptx::bits(i.type()) / 8, true);
        Value* old = CombinedAtomic(e, i).exchange_all(e.addresses.pointer(where, i.space), is_of_block(e, i, where));
        if (!old) return;
        const auto vectors = e.lanes.with_full_width();
        e.write(i.operands[0], i.type(), e.bits_as(old, e.type_of(i.type())));
    };
    if (e.lanes.active_mask())
        e.emit_if(e.b.CreateIsNotNull(e.active_bits()), emit);
    else
        emit();
    return true;
}

} // namespace warplight::jit
