// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic.
#include "arithmetic.hpp"
#include "host_float.hpp"
#include "software/jit/emit/groups.hpp"

#include <llvm/Analysis/VectorUtils.h>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

bool is_integer(PtxType type) { return type != PtxType::pred && type != PtxType::none && !ptx::is_float(type); }

/// Both halves of a product: low and high.
struct Product {
    Value* low;
    Value* high;
};

Product multiply(Emitter& e, PtxType type, Value* x, Value* y) {
    auto& b = e.b;
    const unsigned bits = ptx::bits(type);
    llvm::Type* wide = e.integer_type(2 * bits);
    Value* product = b.CreateMul(resize(e, x, wide, ptx::is_signed(type)), resize(e, y, wide, ptx::is_signed(type)));
    Value* high = b.CreateLShr(product, e.integer(2 * bits, bits));
    return {b.CreateMul(x, y), b.CreateTrunc(high, x->getType())};
}

/// x + y + carry in, and the carry out for .cc. Of a difference the carry is a borrow.
Value* add_with_carry(Emitter& e, const ptx::Instruction& i, Value* x, Value* y, bool carry_in, bool difference) {
    auto& b = e.b;
    Value* sum = difference ? b.CreateSub(x, y) : b.CreateAdd(x, y);
    Value* out = difference ? b.CreateICmpULT(x, y) : b.CreateICmpULT(sum, x);
    if (carry_in) {
        Value* in = b.CreateZExt(e.registers.carry(), x->getType());
        Value* whole = difference ? b.CreateSub(sum, in) : b.CreateAdd(sum, in);
        out = b.CreateOr(out, difference ? b.CreateICmpULT(sum, in) : b.CreateICmpULT(whole, sum));
        sum = whole;
    }
    if (i.has(Modifier::cc)) e.registers.set_carry(out);
    return sum;
}

void emit_add_sub(Emitter& e, const ptx::Instruction& i) {
    const PtxType type = i.type();
    const bool difference = i.opcode == Opcode::sub || i.opcode == Opcode::subc;
    const bool carry_in = i.opcode == Opcode::addc || i.opcode == Opcode::subc;
    Value* x = e.read(i, 1, type);
    Value* y = e.read(i, 2, type);
    Value* result;
    if (i.has(Modifier::sat))
        result = e.intrinsic(difference ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, {x, y});
    else if (carry_in || i.has(Modifier::cc))
        result = add_with_carry(e, i, x, y, carry_in, difference);
    else
        result = difference ? e.b.CreateSub(x, y) : e.b.CreateAdd(x, y);
    e.write(i.operands[0], type, result);
}

PtxType doubled(PtxType type) {
    switch (type) {
    case PtxType::u16: return PtxType::u32;
    case PtxType::s16: return PtxType::s32;
    case PtxType::u32: return PtxType::u64;
    default: return PtxType::s64;
    }
}

/// mul, mad, madc
void emit_mul(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    Value* x = e.read(i, 1, type);
    Value* y = e.read(i, 2, type);
    const bool adds = i.opcode != Opcode::mul;
    if (i.has(Modifier::wide)) {
        const PtxType wide = doubled(type);
        llvm::Type* wide_type = e.type_of(wide);
        const bool is_signed = ptx::is_signed(type);
        Value* result = b.CreateMul(resize(e, x, wide_type, is_signed), resize(e, y, wide_type, is_signed));
        if (adds) result = b.CreateAdd(result, e.read(i, 3, wide));
        return e.write(i.operands[0], wide, result);
    }
    Value* part = i.has(Modifier::hi) ? multiply(e, type, x, y).high : b.CreateMul(x, y);
    if (adds) {
        Value* c = e.read(i, 3, type);
        if (i.has(Modifier::sat))
            part = e.intrinsic(Intrinsic::sadd_sat, {part, c});
        else if (i.opcode == Opcode::madc || i.has(Modifier::cc))
            part = add_with_carry(e, i, part, c, i.opcode == Opcode::madc, false);
        else
            part = b.CreateAdd(part, c);
    }
    e.write(i.operands[0], type, part);
}

/// mul24, mad24: the 48-bit product of the low 24 bits.
void emit_mul24(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    const auto operand = [&](std::size_t k) {
        Value* low = b.CreateShl(e.read(i, k, type), e.integer(32, 8));
        low = ptx::is_signed(type) ? b.CreateAShr(low, e.integer(32, 8)) : b.CreateLShr(low, e.integer(32, 8));
        return resize(e, low, e.integer_type(64), ptx::is_signed(type));
    };
    Value* product = b.CreateMul(operand(1), operand(2));
    if (i.has(Modifier::hi)) product = b.CreateLShr(product, e.integer(64, 16));
    Value* result = b.CreateTrunc(product, e.integer_type(32));
    if (i.opcode == Opcode::mad24) {
        Value* c = e.read(i, 3, type);
        result = i.has(Modifier::sat) ? e.intrinsic(Intrinsic::sadd_sat, {result, c}) : b.CreateAdd(result, c);
    }
    e.write(i.operands[0], type, result);
}

/// A little more than 1, so that no product of a 32-bit number with a reciprocal is less than the exact quotient. It is
/// larger by less than 2^-16 / divisor, however products are rounded, and so its whole part is the quotient.
constexpr double kAboveOne = 1 + 0x1p-49;

/// Division of vectors, as f64, for no host divides vectors of integers. An inexact quotient of 32-bit numbers is
/// farther from the next whole number than the rounding error.
Value* quotient(Emitter& e, Value* x, Value* y, bool is_signed) {
    auto& b = e.b;
    llvm::Type* type = e.types.per_lane(b.getDoubleTy());
    const auto widened = [&](Value* v) { return is_signed ? b.CreateSIToFP(v, type) : b.CreateUIToFP(v, type); };
    Value* exact = b.CreateFDiv(widened(x), widened(y));
    return is_signed ? b.CreateFPToSI(exact, x->getType()) : b.CreateFPToUI(exact, x->getType());
}

/// Division of vectors by one power of two, which is positive: a shift or a mask.
Value* divide_by_power(Emitter& e, Value* x, Value* power, bool is_signed, bool remainder) {
    auto& b = e.b;
    const auto all_lanes = [&](Value* number) {
        return b.CreateVectorSplat(llvm::cast<llvm::FixedVectorType>(x->getType())->getElementCount(), number);
    };
    Value* low = all_lanes(b.CreateSub(power, llvm::ConstantInt::get(power->getType(), 1)));
    Value* more = nullptr; // so that quotients are rounded to zero
    if (is_signed) {
        more = b.CreateAnd(b.CreateAShr(x, like_integer(x, x->getType()->getScalarSizeInBits() - 1)), low);
        x = b.CreateAdd(x, more);
    }
    if (remainder) {
        Value* rest = b.CreateAnd(x, low);
        return more ? b.CreateSub(rest, more) : rest;
    }
    Value* shift = all_lanes(b.CreateIntrinsic(Intrinsic::cttz, {power->getType()}, {power, b.getTrue()}));
    return is_signed ? b.CreateAShr(x, shift) : b.CreateLShr(x, shift);
}

/// A divisor that is the same in all lanes is often a power of two: a stride that doubles, or the extent of a block or
/// an array. Only the running code can tell.
template <class General>
Value* divide_by_same(Emitter& e, Value* x, Value* y, bool is_signed, bool remainder, General general) {
    auto& b = e.b;
    Value* divisor = x->getType()->isVectorTy() && !llvm::isa<llvm::Constant>(y) ? llvm::getSplatValue(y) : nullptr;
    if (!divisor) return general();
    llvm::BasicBlock *power = e.new_block("power"), *other = e.new_block("other"), *rest = e.new_block("rest");
    Value* is_power = b.CreateICmpEQ(b.CreateUnaryIntrinsic(Intrinsic::ctpop, divisor),
                                     llvm::ConstantInt::get(divisor->getType(), 1));
    if (is_signed) is_power = b.CreateAnd(is_power, b.CreateIsNotNeg(divisor));
    b.CreateCondBr(is_power, power, other);
    b.SetInsertPoint(power);
    Value* quick = divide_by_power(e, x, divisor, is_signed, remainder);
    b.CreateBr(rest);
    b.SetInsertPoint(other);
    Value* slow = general();
    llvm::BasicBlock* other_end = b.GetInsertBlock();
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
    llvm::PHINode* result = b.CreatePHI(x->getType(), 2);
    result->addIncoming(quick, power);
    result->addIncoming(slow, other_end);
    return result;
}

/// Division of vectors of 32 bits or fewer by one number. Its reciprocal is computed once, in front of a loop.
Value* divide_by_reciprocal(Emitter& e, Value* x, Value* y, bool is_signed, bool remainder) {
    auto& b = e.b;
    llvm::Type* one_type = y->getType();
    const auto all_lanes = [&](Value* number) {
        return b.CreateVectorSplat(llvm::cast<llvm::FixedVectorType>(x->getType())->getElementCount(), number);
    };
    const auto widened = [&](Value* v, llvm::Type* type) {
        return is_signed ? b.CreateSIToFP(v, type) : b.CreateUIToFP(v, type);
    };
    Value* none = llvm::ConstantInt::getAllOnesValue(one_type);
    Value* by_zero = b.CreateIsNull(y);
    // The most negative number divided by -1 is no 32-bit number. So that division is a negation.
    Value* negates = is_signed ? b.CreateICmpEQ(y, none) : b.getFalse();
    Value* divisor = b.CreateSelect(b.CreateOr(by_zero, negates), llvm::ConstantInt::get(one_type, 1), y);
    Value* reciprocal =
        b.CreateFDiv(llvm::ConstantFP::get(b.getDoubleTy(), kAboveOne), widened(divisor, b.getDoubleTy()));
    Value* product = b.CreateFMul(widened(x, e.types.per_lane(b.getDoubleTy())), all_lanes(reciprocal));
    Value* result = is_signed ? b.CreateFPToSI(product, x->getType()) : b.CreateFPToUI(product, x->getType());
    if (is_signed) {
        Value* flip = all_lanes(b.CreateSExt(negates, one_type));
        result = b.CreateSub(b.CreateXor(result, flip), flip);
    }
    if (remainder) result = b.CreateSub(x, b.CreateMul(result, all_lanes(y)));
    return b.CreateSelect(by_zero, all_lanes(none), result);
}

/// Any division: by zero it yields all ones.
Value* divide(Emitter& e, Value* x, Value* y, bool is_signed, bool remainder) {
    auto& b = e.b;
    const unsigned bits = x->getType()->getScalarSizeInBits();
    const bool is_vector = x->getType()->isVectorTy() && bits <= 32 && !llvm::isa<llvm::Constant>(y);
    if (is_vector)
        if (Value* same = llvm::getSplatValue(y)) return divide_by_reciprocal(e, x, same, is_signed, remainder);
    Value* by_zero = b.CreateICmpEQ(y, e.integer(bits, 0));
    Value* avoid = by_zero;
    if (is_signed) {
        // The most negative number divided by -1 traps on the host. Divided by 1 it is the wrapped quotient.
        Value* overflow = b.CreateAnd(b.CreateICmpEQ(x, e.integer(bits, std::uint64_t{1} << (bits - 1))),
                                      b.CreateICmpEQ(y, e.integer(bits, ~std::uint64_t{0})));
        avoid = b.CreateOr(avoid, overflow);
    }
    Value* divisor = b.CreateSelect(avoid, e.integer(bits, 1), y);
    Value* result;
    if (is_vector) {
        result = quotient(e, x, divisor, is_signed);
        if (remainder) result = b.CreateSub(x, b.CreateMul(result, divisor));
    } else if (remainder) {
        result = is_signed ? b.CreateSRem(x, divisor) : b.CreateURem(x, divisor);
    } else {
        result = is_signed ? b.CreateSDiv(x, divisor) : b.CreateUDiv(x, divisor);
    }
    return b.CreateSelect(by_zero, e.integer(bits, ~std::uint64_t{0}), result);
}

/// As GPUs do: division by zero yields all ones, and so does its remainder.
void emit_div_rem(Emitter& e, const ptx::Instruction& i) {
    const PtxType type = i.type();
    const bool is_signed = ptx::is_signed(type), remainder = i.opcode == Opcode::rem;
    Value* x = e.read(i, 1, type);
    Value* y = e.read(i, 2, type);
    const auto any = [&] { return divide(e, x, y, is_signed, remainder); };
    e.write(i.operands[0], type, divide_by_same(e, x, y, is_signed, remainder, any));
}

void emit_min_max(Emitter& e, const ptx::Instruction& i) {
    const PtxType type = i.type();
    const bool maximum = i.opcode == Opcode::max, is_signed = ptx::is_signed(type);
    Value* result = e.intrinsic(maximum ? (is_signed ? Intrinsic::smax : Intrinsic::umax)
                                        : (is_signed ? Intrinsic::smin : Intrinsic::umin),
                                {e.read(i, 1, type), e.read(i, 2, type)});
    if (i.has(Modifier::relu)) result = e.intrinsic(Intrinsic::smax, {result, like_integer(result, 0)});
    e.write(i.operands[0], type, result);
}

Value* absolute_difference(Emitter& e, Value* x, Value* y, bool is_signed) {
    Value* less = is_signed ? e.b.CreateICmpSLT(x, y) : e.b.CreateICmpULT(x, y);
    return e.b.CreateSelect(less, e.b.CreateSub(y, x), e.b.CreateSub(x, y));
}

void emit_sad(Emitter& e, const ptx::Instruction& i) {
    const PtxType type = i.type();
    Value* difference = absolute_difference(e, e.read(i, 1, type), e.read(i, 2, type), ptx::is_signed(type));
    e.write(i.operands[0], type, e.b.CreateAdd(e.read(i, 3, type), difference));
}

/// Lane `index` of `unit_bits` bits, as 32 bits.
Value* lane(Emitter& e, Value* word, unsigned index, unsigned unit_bits, bool is_signed) {
    auto& b = e.b;
    const unsigned top = 32 - unit_bits;
    Value* high = b.CreateShl(word, e.integer(32, top - index * unit_bits));
    return is_signed ? b.CreateAShr(high, e.integer(32, top)) : b.CreateLShr(high, e.integer(32, top));
}

/// The bytes 0 and 2 of words, or 1 and 3, as two numbers of 16 bits each. No product of such numbers and no sum of two
/// products leaves 32 bits.
Value* every_second_byte(Emitter& e, Value* words, bool odd, bool is_signed) {
    auto& b = e.b;
    const unsigned count = 2 * llvm::cast<llvm::FixedVectorType>(words->getType())->getNumElements();
    auto* halves = llvm::FixedVectorType::get(b.getInt16Ty(), count);
    Value* all = b.CreateBitCast(words, halves);
    Value* eight = llvm::ConstantInt::get(halves, 8);
    if (!odd) all = b.CreateShl(all, eight);
    return b.CreateBitCast(is_signed ? b.CreateAShr(all, eight) : b.CreateLShr(all, eight), words->getType());
}

/// The same by products of bytes, of which x has no sign and y has one. With 128 added to each byte of x, or subtracted
/// from each byte of y, there are 128 times the other's bytes too much or too little.
Value* host_dot_of_bytes(Emitter& e, Value* x, Value* y, bool x_signed, bool y_signed) {
    auto& b = e.b;
    if (x_signed && !y_signed) return host_byte_products(e, y, x);
    if (!x_signed && y_signed) return host_byte_products(e, x, y);
    Value* tops = e.splat(b.getInt32(0x80808080U));
    Value* others = x_signed ? host_byte_products(e, tops, y) : host_byte_products(e, x, tops);
    if (!others) return nullptr;
    Value* all =
        x_signed ? host_byte_products(e, b.CreateXor(x, tops), y) : host_byte_products(e, x, b.CreateXor(y, tops));
    return b.CreateSub(all, others);
}

/// dp4a of vectors by the host's sums of products. Null where it has none.
Value* host_dot(Emitter& e, Value* x, Value* y, Value* sum, bool x_signed, bool y_signed) {
    if (!x->getType()->isVectorTy()) return nullptr;
    if (Value* all = host_dot_of_bytes(e, x, y, x_signed, y_signed)) return e.b.CreateAdd(sum, all);
    for (const bool odd : {false, true}) {
        Value* products =
            host_pair_products(e, every_second_byte(e, x, odd, x_signed), every_second_byte(e, y, odd, y_signed));
        if (!products) return nullptr;
        sum = e.b.CreateAdd(sum, products);
    }
    return sum;
}

/// dp4a and dp2a: products of lanes, summed.
void emit_dot(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool four = i.opcode == Opcode::dp4a;
    const bool x_signed = ptx::is_signed(i.types[0]), y_signed = ptx::is_signed(i.types[1]);
    Value* x = e.read(i, 1, PtxType::b32);
    Value* y = e.read(i, 2, PtxType::b32);
    Value* sum = e.read(i, 3, PtxType::b32);
    if (Value* all = four ? host_dot(e, x, y, sum, x_signed, y_signed) : nullptr)
        return e.write(i.operands[0], PtxType::b32, all);
    const unsigned first = !four && i.has(Modifier::hi) ? 2 : 0;
    for (unsigned k = 0; k < (four ? 4u : 2u); ++k)
        sum = b.CreateAdd(sum, b.CreateMul(lane(e, x, k, four ? 8 : 16, x_signed), lane(e, y, first + k, 8, y_signed)));
    e.write(i.operands[0], PtxType::b32, sum);
}

} // namespace

bool emit_integer(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case Opcode::dp4a:
    case Opcode::dp2a: emit_dot(e, i); return true;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
        if (!is_integer(i.type())) return false;
        break;
    default: break;
    }
    const PtxType type = i.type();
    switch (i.opcode) {
    case Opcode::add:
    case Opcode::addc:
    case Opcode::sub:
    case Opcode::subc: emit_add_sub(e, i); return true;
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::madc: emit_mul(e, i); return true;
    case Opcode::mul24:
    case Opcode::mad24: emit_mul24(e, i); return true;
    case Opcode::div:
    case Opcode::rem: emit_div_rem(e, i); return true;
    case Opcode::abs:
        // The most negative number is its own magnitude.
        e.write(i.operands[0], type, e.b.CreateBinaryIntrinsic(Intrinsic::abs, e.read(i, 1, type), e.b.getFalse()));
        return true;
    case Opcode::neg: e.write(i.operands[0], type, e.b.CreateNeg(e.read(i, 1, type))); return true;
    case Opcode::min:
    case Opcode::max: emit_min_max(e, i); return true;
    case Opcode::sad: emit_sad(e, i); return true;
    default: return emit_video(e, i);
    }
}

} // namespace warplight::jit
