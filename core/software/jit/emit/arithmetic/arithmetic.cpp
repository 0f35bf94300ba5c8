// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

#include <cmath>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Modifier;

Rounding rounding_of(const ptx::Instruction& i) {
    if (i.has(Modifier::rz)) return Rounding::zero;
    if (i.has(Modifier::rm)) return Rounding::down;
    if (i.has(Modifier::rp)) return Rounding::up;
    return Rounding::nearest;
}

const char* suffix(Rounding rounding) {
    switch (rounding) {
    case Rounding::zero: return "_rz";
    case Rounding::down: return "_rm";
    case Rounding::up: return "_rp";
    case Rounding::nearest: break;
    }
    return "_rn";
}

llvm::Constant* like(Value* value, double constant) { return llvm::ConstantFP::get(value->getType(), constant); }

llvm::Constant* like_integer(Value* value, std::uint64_t constant) {
    return llvm::ConstantInt::get(
        value->getType(),
        llvm::APInt(64, constant).zextOrTrunc(value->getType()->getScalarType()->getIntegerBitWidth()));
}

Type* bits_type(Type* type) {
    Type* scalar = llvm::IntegerType::get(type->getContext(), type->getScalarSizeInBits());
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
        return llvm::VectorType::get(scalar, vector->getElementCount());
    return scalar;
}

std::uint64_t sign_mask(const Type* type) {
    return std::uint64_t{1} << (const_cast<Type*>(type)->getScalarSizeInBits() - 1);
}

namespace {

/// Mask of the exponent field.
std::uint64_t exponent_mask(const Type* type) {
    if (type->getScalarType()->isDoubleTy()) return 0x7FF0000000000000u;
    return type->getScalarType()->isHalfTy() ? 0x7C00u : 0x7F800000u;
}

Type* float_like(Emitter& e, Type* type) {
    Type* scalar = Type::getFloatTy(e.context);
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
        return llvm::VectorType::get(scalar, vector->getElementCount());
    return scalar;
}

} // namespace

Value* saturated_integer(Emitter& e, Value* x, llvm::Type* type, bool is_signed) {
    auto& b = e.b;
    if (!type->isVectorTy())
        return e.intrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat, {type, x->getType()},
                           {x});
    // LLVM would convert the elements of a vector one by one.
    const unsigned bits = type->getScalarSizeInBits();
    const double above = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
    Value* least = like(x, is_signed ? -above : 0);
    Value* inside = b.CreateAnd(b.CreateFCmpOGE(x, least), b.CreateFCmpOLT(x, like(x, above)));
    Value* taken = b.CreateSelect(inside, x, like(x, 0));
    Value* result = is_signed ? b.CreateFPToSI(taken, type) : b.CreateFPToUI(taken, type);
    const llvm::APInt most = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    result = b.CreateSelect(b.CreateFCmpOGE(x, like(x, above)), llvm::ConstantInt::get(type, most), result);
    if (!is_signed) return result;
    return b.CreateSelect(b.CreateFCmpOLT(x, least), llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits)),
                          result);
}

Value* flush(Emitter& e, Value* value) {
    auto& b = e.b;
    Value* bits = b.CreateBitCast(value, bits_type(value->getType()));
    Value* small =
        b.CreateICmpEQ(b.CreateAnd(bits, like_integer(bits, exponent_mask(value->getType()))), like_integer(bits, 0));
    Value* zero = b.CreateAnd(bits, like_integer(bits, sign_mask(value->getType())));
    return b.CreateBitCast(b.CreateSelect(small, zero, bits), value->getType());
}

Value* flush_if(Emitter& e, bool ftz, Value* value) { return ftz ? flush(e, value) : value; }

Value* saturate(Emitter& e, Value* value) {
    auto& b = e.b;
    Value* above = b.CreateSelect(b.CreateFCmpOGT(value, like(value, 0)), value, like(value, 0));
    return b.CreateSelect(b.CreateFCmpOLT(above, like(value, 1)), above, like(value, 1));
}

llvm::Constant* canonical_nan_like(Value* value) {
    Type* bits = bits_type(value->getType());
    const std::uint64_t pattern =
        value->getType()->getScalarType()->isDoubleTy() ? 0x7FF8000000000000u : sign_mask(value->getType()) - 1;
    return llvm::ConstantExpr::getBitCast(
        llvm::ConstantInt::get(bits, llvm::APInt(64, pattern).trunc(bits->getScalarSizeInBits())), value->getType());
}

namespace {

bool are_halves(const Value* value) {
    return value->getType()->isVectorTy() && value->getType()->getScalarType()->isHalfTy();
}

} // namespace

Value* compare_floats(Emitter& e, llvm::CmpInst::Predicate predicate, Value* x, Value* y) {
    using llvm::CmpInst;
    auto& b = e.b;
    // LLVM compares vectors of halves element by element. As integers they take a few instructions.
    if (!are_halves(x)) return b.CreateFCmp(predicate, x, y);
    Value* const bits[] = {b.CreateBitCast(x, bits_type(x->getType())), b.CreateBitCast(y, bits_type(y->getType()))};
    Value* nan = nullptr;
    Value* ordered[2];
    for (unsigned k = 0; k < 2; ++k) {
        Value* magnitude = b.CreateAnd(bits[k], like_integer(bits[k], sign_mask(x->getType()) - 1));
        Value* none = b.CreateICmpUGT(magnitude, like_integer(bits[k], exponent_mask(x->getType())));
        nan = nan && x != y ? b.CreateOr(nan, none) : none;
        Value* negative = b.CreateICmpSLT(bits[k], like_integer(bits[k], 0));
        ordered[k] = b.CreateSelect(negative, b.CreateNeg(magnitude), magnitude); // -0 is 0
    }
    if (predicate == CmpInst::FCMP_UNO) return nan;
    if (predicate == CmpInst::FCMP_ORD) return b.CreateNot(nan);
    const bool unordered = CmpInst::isUnordered(predicate);
    CmpInst::Predicate of_integers = CmpInst::ICMP_EQ;
    switch (CmpInst::getOrderedPredicate(predicate)) {
    case CmpInst::FCMP_ONE: of_integers = CmpInst::ICMP_NE; break;
    case CmpInst::FCMP_OLT: of_integers = CmpInst::ICMP_SLT; break;
    case CmpInst::FCMP_OLE: of_integers = CmpInst::ICMP_SLE; break;
    case CmpInst::FCMP_OGT: of_integers = CmpInst::ICMP_SGT; break;
    case CmpInst::FCMP_OGE: of_integers = CmpInst::ICMP_SGE; break;
    default: break;
    }
    Value* result = b.CreateICmp(of_integers, ordered[0], ordered[1]);
    return unordered ? b.CreateOr(result, nan) : b.CreateAnd(result, b.CreateNot(nan));
}

Value* canonical_nan(Emitter& e, Value* value) {
    Value* nan = compare_floats(e, llvm::CmpInst::FCMP_UNO, value, value);
    return e.b.CreateSelect(nan, canonical_nan_like(value), value);
}

Value* relu(Emitter& e, Value* value) {
    // Ordered less-or-equal: NaN stays, and -0 becomes +0.
    return e.b.CreateSelect(e.b.CreateFCmpOLE(value, like(value, 0)), like(value, 0), value);
}

bool is_bfloat(ptx::Type type) { return type == ptx::Type::bf16 || type == ptx::Type::bf16x2; }

bool is_half(ptx::Type type) { return is_bfloat(type) || type == ptx::Type::f16 || type == ptx::Type::f16x2; }

namespace {

/// Splits b32 values into pairs of 16-bit ones.
Type* halves_type(Emitter& e, Value* value, ptx::Type type) {
    Type* half = Type::getInt16Ty(e.context);
    if (type != ptx::Type::bf16x2 && type != ptx::Type::f16x2)
        return value->getType()->isVectorTy() ? static_cast<Type*>(llvm::FixedVectorType::get(half, e.lanes.width()))
                                              : half;
    return llvm::FixedVectorType::get(half, 2 * e.lanes.width());
}

Type* int32_like(Type* type) {
    Type* scalar = Type::getInt32Ty(type->getContext());
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
        return llvm::VectorType::get(scalar, vector->getElementCount());
    return scalar;
}

} // namespace

Value* widen(Emitter& e, Value* value, ptx::Type type) {
    auto& b = e.b;
    if (!is_bfloat(type)) return b.CreateFPExt(value, float_like(e, value->getType()));
    Value* halves = b.CreateBitCast(value, halves_type(e, value, type));
    Value* bits = b.CreateZExt(halves, int32_like(halves->getType()));
    return b.CreateBitCast(b.CreateShl(bits, like_integer(bits, 16)), float_like(e, halves->getType()));
}

Value* narrow(Emitter& e, Value* value, ptx::Type type) {
    auto& b = e.b;
    if (!is_bfloat(type)) {
        Type* half = Type::getHalfTy(e.context);
        if (auto* vector = llvm::dyn_cast<llvm::VectorType>(value->getType()))
            half = llvm::VectorType::get(half, vector->getElementCount());
        return canonical_nan(e, b.CreateFPTrunc(value, half));
    }
    Value* bits = b.CreateBitCast(value, bits_type(value->getType()));
    Value* last = b.CreateAnd(b.CreateLShr(bits, like_integer(bits, 16)), like_integer(bits, 1));
    Value* rounded = b.CreateAdd(b.CreateAdd(bits, like_integer(bits, 0x7FFF)), last);
    rounded = b.CreateLShr(rounded, like_integer(bits, 16));
    rounded = b.CreateSelect(b.CreateFCmpUNO(value, value), like_integer(bits, 0x7FFF), rounded);
    Type* half = Type::getInt16Ty(e.context);
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(bits->getType()))
        half = llvm::VectorType::get(half, vector->getElementCount());
    return b.CreateBitCast(b.CreateTrunc(rounded, half), e.type_of(type));
}

Value* adjust_to_odd(Emitter& e, Value* sum, Value* error) {
    auto& b = e.b;
    Value* zero = like(sum, 0);
    Value* bits = b.CreateBitCast(sum, bits_type(sum->getType()));
    Value* inexact = b.CreateFCmpONE(error, zero);
    // Where the rounding went away from zero, step back; then the last bit says "inexact".
    Value* error_bits = b.CreateBitCast(error, bits->getType());
    Value* signs = b.CreateXor(bits, error_bits);
    Value* away = b.CreateICmpSLT(signs, like_integer(bits, 0));
    Value* stepped = b.CreateSub(bits, b.CreateZExt(away, bits->getType()));
    Value* odd = b.CreateOr(stepped, like_integer(bits, 1));
    return b.CreateBitCast(b.CreateSelect(inexact, odd, bits), sum->getType());
}

Value* to_float_odd(Emitter& e, Value* value) {
    auto& b = e.b;
    Value* rounded = b.CreateFPTrunc(value, float_like(e, value->getType()));
    Value* error = b.CreateFSub(value, b.CreateFPExt(rounded, value->getType()));
    // Only the error's sign counts, and that it is not zero. Its magnitude may be below f32's range.
    Value* direction = b.CreateSelect(b.CreateFCmpOLT(error, like(error, 0)), like(rounded, -1), like(rounded, 1));
    Value* inexact = b.CreateFCmpONE(error, like(error, 0));
    return adjust_to_odd(e, rounded, b.CreateSelect(inexact, direction, like(rounded, 0)));
}

Value* resize(Emitter& e, Value* value, Type* type, bool is_signed) {
    return is_signed ? e.b.CreateSExtOrTrunc(value, type) : e.b.CreateZExtOrTrunc(value, type);
}

} // namespace warplight::jit
