// SPDX-License-Identifier: Apache-2.0
// Atomic operations of all lanes on one element of memory, combined into one operation.
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/lanes/joint_access.hpp"

#include <vector>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

class CombinedAtomic {
public:
    CombinedAtomic(Emitter& e, const Instruction& i)
        : e_(e), b_(e.b), i_(i), at_(i.opcode == Opcode::atom ? 1 : 0), width_(e.lanes.full_width()),
          word_(b_.getIntNTy(ptx::bits(i.type()))) {}

    void emit() {
        const Operand& where = i_.operands.at(at_);
        const bool own = is_of_block(e_, i_, where);
        e_.checks.check_alignment(where, i_.space, ptx::bits(i_.type()) / 8, true);
        const Operand& operand = i_.operands.at(at_ + 1);
        const bool same = e_.plan->uniform(operand);
        Value* values = read(operand, same);
        Value* total = same ? total_of_same(values) : total_of(values);
        Value* old = exchange(e_, i_, e_.addresses.pointer(where, i_.space), total, own);
        if (i_.opcode == Opcode::red || i_.operands[0].kind != Operand::Kind::reg) return;
        Value* before = same ? b_.CreateMul(lanes_before(), splat(values)) : sums_before(values);
        const auto vectors = e_.lanes.with_full_width();
        e_.write(i_.operands[0], i_.type(), e_.bits_as(b_.CreateAdd(splat(old), before), e_.type_of(i_.type())));
    }

private:
    Value* splat(Value* value) { return b_.CreateVectorSplat(width_, value); }
    Value* read(const Operand& operand, bool same) {
        const auto width = e_.lanes.with_width(same ? 1 : width_);
        return e_.bits_as(e_.read(operand, i_.type()), e_.integer_type(ptx::bits(i_.type())));
    }

    Value* total_of_same(Value* value) {
        Value* count = b_.CreateZExtOrTrunc(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, e_.active_bits()), word_);
        if (i_.has(Modifier::add)) return b_.CreateMul(value, count);
        if (i_.has(Modifier::xor_)) return b_.CreateMul(value, b_.CreateAnd(count, 1));
        return value;
    }
    Value* total_of(Value* values) {
        const unsigned bits = word_->getIntegerBitWidth();
        const bool is_signed = ptx::is_signed(i_.type());
        llvm::APInt neutral(bits, 0);
        if (i_.has(Modifier::and_)) neutral = llvm::APInt::getAllOnes(bits);
        if (i_.has(Modifier::min))
            neutral = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
        if (i_.has(Modifier::max)) neutral = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
        values = active_or(values, neutral);
        if (i_.has(Modifier::and_)) return b_.CreateAndReduce(values);
        if (i_.has(Modifier::or_)) return b_.CreateOrReduce(values);
        if (i_.has(Modifier::xor_)) return b_.CreateXorReduce(values);
        if (i_.has(Modifier::min)) return b_.CreateIntMinReduce(values, is_signed);
        if (i_.has(Modifier::max)) return b_.CreateIntMaxReduce(values, is_signed);
        return b_.CreateAddReduce(values);
    }
    Value* active_or(Value* values, const llvm::APInt& otherwise) {
        Value* mask = e_.lanes.active_mask();
        return mask ? b_.CreateSelect(mask, values, llvm::ConstantInt::get(values->getType(), otherwise)) : values;
    }

    /// For each lane, how many active lanes have lower numbers.
    Value* lanes_before() {
        std::vector<std::uint32_t> lower(width_);
        for (unsigned lane = 0; lane < width_; ++lane)
            lower[lane] = (1U << lane) - 1;
        Value* below = b_.CreateAnd(splat(e_.active_bits()), llvm::ConstantDataVector::get(e_.context, lower));
        Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, below);
        return b_.CreateZExtOrTrunc(count, llvm::FixedVectorType::get(word_, width_));
    }
    /// For each lane, the sum of the values of active lanes with lower numbers.
    Value* sums_before(Value* values) {
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

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const Instruction& i_;
    std::size_t at_; ///< number of the address operand
    const unsigned width_;
    Type* word_;
};

} // namespace

bool emit_combined_atomic(Emitter& e, const Instruction& i) {
    if (!is_combined(i, *e.plan)) return false;
    CombinedAtomic combined(e, i);
    if (e.lanes.active_mask())
        e.emit_if(e.b.CreateIsNotNull(e.active_bits()), [&] { combined.emit(); });
    else
        combined.emit();
    return true;
}

} // namespace warplight::jit
