// SPDX-License-Identifier: Apache-2.0
// Atomic operations of threads side by side on one element of memory: one for all of them.
#include "software/jit/emit/groups.hpp"

#include <vector>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

bool is_combined(const Instruction& i, const LanePlan& plan) {
    if (i.opcode != Opcode::atom && i.opcode != Opcode::red) return false;
    if (!plan.uniform(i.operands.at(i.opcode == Opcode::atom ? 1 : 0))) return false;
    if (ptx::is_float(i.type()) || ptx::bits(i.type()) < 32 || ptx::bits(i.type()) > 64 || i.vector_width > 1)
        return false;
    for (const Modifier m : {Modifier::and_, Modifier::or_, Modifier::xor_, Modifier::min, Modifier::max})
        if (i.has(m)) return i.opcode == Opcode::red;
    return i.has(Modifier::add); // of sums what each lane finds follows from what the first one does
}

class Emitter::CombinedAtomic {
public:
    CombinedAtomic(Emitter& e, const Instruction& i)
        : e_(e), b_(e.b), i_(i), at_(i.opcode == Opcode::atom ? 1 : 0), word_(b_.getIntNTy(ptx::bits(i.type()))) {}

    void emit() {
        const Operand& where = i_.operands.at(at_);
        const bool own = is_of_block(e_, i_, where);
        e_.check_alignment(where, i_.space, ptx::bits(i_.type()) / 8, true);
        const Operand& operand = i_.operands.at(at_ + 1);
        const bool same = e_.plan_->uniform(operand);
        e_.width = same ? 1 : e_.vector_;
        Value* values = e_.bits_as(e_.read(operand, i_.type()), same ? word_ : e_.integer_type(ptx::bits(i_.type())));
        e_.width = 1;
        Value* total = same ? of_alike(values) : of_all(values);
        Value* old = exchange(e_, i_, e_.pointer(where, i_.space), total, own);
        if (i_.opcode == Opcode::red || i_.operands[0].kind != Operand::Kind::reg) return;
        Value* before = same ? b_.CreateMul(lanes_before(), splat(values)) : sums_before(values);
        e_.width = e_.vector_;
        e_.write(i_.operands[0], i_.type(), e_.bits_as(b_.CreateAdd(splat(old), before), e_.type_of(i_.type())));
        e_.width = 1;
    }

private:
    Value* splat(Value* value) { return b_.CreateVectorSplat(e_.vector_, value); }

    Value* of_alike(Value* value) {
        Value* count =
            b_.CreateZExtOrTrunc(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, e_.lanes_taking_part()), word_);
        if (i_.has(Modifier::add)) return b_.CreateMul(value, count);
        if (i_.has(Modifier::xor_)) return b_.CreateMul(value, b_.CreateAnd(count, 1));
        return value;
    }
    Value* of_all(Value* values) {
        const unsigned bits = word_->getIntegerBitWidth();
        const bool is_signed = ptx::is_signed(i_.type());
        llvm::APInt nothing(bits, 0); // combined with it a value stays what it is
        if (i_.has(Modifier::and_)) nothing = llvm::APInt::getAllOnes(bits);
        if (i_.has(Modifier::min))
            nothing = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
        if (i_.has(Modifier::max)) nothing = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
        values = of_those(values, nothing);
        if (i_.has(Modifier::and_)) return b_.CreateAndReduce(values);
        if (i_.has(Modifier::or_)) return b_.CreateOrReduce(values);
        if (i_.has(Modifier::xor_)) return b_.CreateXorReduce(values);
        if (i_.has(Modifier::min)) return b_.CreateIntMinReduce(values, is_signed);
        if (i_.has(Modifier::max)) return b_.CreateIntMaxReduce(values, is_signed);
        return b_.CreateAddReduce(values);
    }
    Value* of_those(Value* values, const llvm::APInt& otherwise) {
        if (!e_.mask_) return values;
        return b_.CreateSelect(e_.mask_, values, llvm::ConstantInt::get(values->getType(), otherwise));
    }

    /// How many lanes with lower numbers take part, of each lane.
    Value* lanes_before() {
        std::vector<std::uint32_t> lower(e_.vector_);
        for (unsigned lane = 0; lane < e_.vector_; ++lane)
            lower[lane] = (1U << lane) - 1;
        Value* below = b_.CreateAnd(splat(e_.lanes_taking_part()), llvm::ConstantDataVector::get(e_.context, lower));
        Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, below);
        return b_.CreateZExtOrTrunc(count, llvm::FixedVectorType::get(word_, e_.vector_));
    }
    /// The sum of the values of lanes with lower numbers that take part, of each lane.
    Value* sums_before(Value* values) {
        values = of_those(values, llvm::APInt(word_->getIntegerBitWidth(), 0));
        Value* none = llvm::Constant::getNullValue(values->getType());
        Value* sums = values;
        for (unsigned distance = 1; distance < e_.vector_; distance *= 2) {
            std::vector<int> places(e_.vector_); // of zeros, and then of the lanes
            for (unsigned lane = 0; lane < e_.vector_; ++lane)
                places[lane] = static_cast<int>(lane < distance ? lane : e_.vector_ + lane - distance);
            sums = b_.CreateAdd(sums, b_.CreateShuffleVector(none, sums, places));
        }
        return b_.CreateSub(sums, values);
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const Instruction& i_;
    std::size_t at_; ///< of the operand that is the address
    Type* word_;
};

bool Emitter::emit_combined_atomic(const Instruction& i) {
    if (!is_combined(i, *plan_)) return false;
    CombinedAtomic combined(*this, i);
    if (mask_)
        emit_if(b.CreateIsNotNull(lanes_taking_part()), [&] { combined.emit(); });
    else
        combined.emit();
    return true;
}

} // namespace warplight::jit
