// SPDX-License-Identifier: Apache-2.0
// cvt in all its forms.
#include "arithmetic.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

bool is_integer(PtxType type) { return !ptx::is_float(type); }

/// f32, f64, or a half widened to f32.
Value* read_float(Emitter& e, const ptx::Instruction& i, std::size_t k, PtxType type) {
    Value* x = e.read(i, k, type);
    const bool ftz = i.has(Modifier::ftz);
    if (type == PtxType::f32) return flush_if(e, ftz, x);
    return is_half(type) ? widen(e, x, type) : x;
}

/// A library function that yields the bits of `to`.
Value* call_conversion(Emitter& e, const std::string& name, Value* x, PtxType to) {
    Value* bits = e.pure_call(name.c_str(), e.integer_type(ptx::bits(to)), {x});
    return e.bits_as(bits, e.type_of(to));
}

std::string conversion_name(PtxType to, const char* from, const char* ending) {
    return "wl_math_" + std::string(ptx::spelling(to)) + "_" + from + ending;
}

// --- integers

void integer_to_integer(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0], from = i.types[1];
    Value* x = e.read(i, 1, from);
    if (i.has(Modifier::sat)) {
        // In 65 bits every value of either type is itself.
        llvm::Type* wide = e.integer_type(65);
        const unsigned bits = ptx::bits(to);
        const llvm::APInt low = ptx::is_signed(to) ? llvm::APInt::getSignedMinValue(bits).sext(65) : llvm::APInt(65, 0);
        const llvm::APInt high = ptx::is_signed(to) ? llvm::APInt::getSignedMaxValue(bits).sext(65)
                                                    : llvm::APInt::getMaxValue(bits).zext(65);
        const bool fits_small = ptx::bits(from) < 64 && bits < 64;
        llvm::Type* work = fits_small ? e.integer_type(64) : wide;
        const unsigned work_bits = fits_small ? 64 : 65;
        Value* y = resize(e, x, work, ptx::is_signed(from));
        y = e.intrinsic(Intrinsic::smax, {y, llvm::ConstantInt::get(work, low.trunc(work_bits))});
        x = e.intrinsic(Intrinsic::smin, {y, llvm::ConstantInt::get(work, high.trunc(work_bits))});
        return e.write(i.operands[0], to, b.CreateTrunc(x, e.type_of(to)));
    }
    e.write(i.operands[0], to, resize(e, x, e.type_of(to), ptx::is_signed(from)));
}

void integer_to_float(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0], from = i.types[1];
    const bool is_signed = ptx::is_signed(from);
    Value* x = e.read(i, 1, from);
    const Rounding rounding = rounding_of(i);
    const bool exact = to == PtxType::f64 && ptx::bits(from) <= 32;
    Value* result;
    if ((to == PtxType::f32 || to == PtxType::f64) && (rounding == Rounding::nearest || exact)) {
        result = is_signed ? b.CreateSIToFP(x, e.type_of(to)) : b.CreateUIToFP(x, e.type_of(to));
    } else {
        x = resize(e, x, e.integer_type(64), is_signed);
        result = call_conversion(e, conversion_name(to, is_signed ? "s64" : "u64", suffix(rounding)), x, to);
    }
    if (i.has(Modifier::sat)) {
        if (is_half(to))
            result = narrow(e, saturate(e, widen(e, result, to)), to);
        else
            result = saturate(e, result);
    }
    e.write(i.operands[0], to, result);
}

Value* round_to_integer(Emitter& e, const ptx::Instruction& i, Value* x) {
    if (i.has(Modifier::rni)) return e.intrinsic(Intrinsic::roundeven, {x});
    if (i.has(Modifier::rmi)) return e.intrinsic(Intrinsic::floor, {x});
    if (i.has(Modifier::rpi)) return e.intrinsic(Intrinsic::ceil, {x});
    if (i.has(Modifier::rzi)) return e.intrinsic(Intrinsic::trunc, {x});
    return x;
}

/// Always saturating. NaN becomes 0; where f64 or 64 bits are involved, the lone top bit.
void float_to_integer(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0], from = i.types[1];
    Value* x = round_to_integer(e, i, read_float(e, i, 1, from));
    llvm::Type* type = e.type_of(to);
    Value* result = saturated_integer(e, x, type, ptx::is_signed(to));
    if (from == PtxType::f64 || ptx::bits(to) == 64)
        result = b.CreateSelect(b.CreateFCmpUNO(x, x), like_integer(result, std::uint64_t{1} << (ptx::bits(to) - 1)),
                                result);
    e.write(i.operands[0], to, result);
}

// --- floats

/// f32 or f64 to a half type, by direction. `x` may be a pair.
Value* to_half(Emitter& e, Value* x, PtxType to, Rounding rounding) {
    auto& b = e.b;
    const bool wide = x->getType()->getScalarType()->isDoubleTy();
    const auto library = [&](Value* v) {
        return call_conversion(e, conversion_name(to, "f64", suffix(rounding)), v, to);
    };
    if (!wide)
        return rounding == Rounding::nearest ? narrow(e, x, to) : library(b.CreateFPExt(x, e.type_of(PtxType::f64)));
    Value* half = rounding == Rounding::nearest ? narrow(e, to_float_odd(e, x), to) : library(x);
    // Unlike f32, f64 passes the sign of a NaN on, and no payload.
    Value* bits = e.bits_as(half, e.integer_type(16));
    Value* sign =
        b.CreateTrunc(b.CreateLShr(b.CreateBitCast(x, bits_type(x->getType())), e.integer(64, 48)), bits->getType());
    Value* nan =
        b.CreateOr(b.CreateAnd(sign, like_integer(bits, 0x8000)), like_integer(bits, is_bfloat(to) ? 0x7FC0 : 0x7E00));
    return e.bits_as(b.CreateSelect(b.CreateFCmpUNO(x, x), nan, bits), e.type_of(to));
}

/// .satfinite: infinities, and numbers that round to them, become the largest number.
Value* satisfy_finite(Emitter& e, Value* half, PtxType type) {
    auto& b = e.b;
    Value* bits = e.bits_as(half, e.integer_type(16));
    Value* magnitude = b.CreateAnd(bits, like_integer(bits, 0x7FFF));
    const std::uint64_t infinity = is_bfloat(type) ? 0x7F80 : 0x7C00;
    Value* infinite = b.CreateICmpEQ(magnitude, like_integer(bits, infinity));
    return e.bits_as(b.CreateSelect(infinite, b.CreateSub(bits, like_integer(bits, 1)), bits), e.type_of(type));
}

Value* finish_half(Emitter& e, const ptx::Instruction& i, Value* half, PtxType type) {
    if (i.has(Modifier::satfinite)) half = satisfy_finite(e, half, type);
    if (i.has(Modifier::sat)) half = narrow(e, saturate(e, widen(e, half, type)), type);
    if (i.has(Modifier::relu)) half = narrow(e, relu(e, widen(e, half, type)), type);
    return half;
}

void float_to_float(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0], from = i.types[1];
    const bool ftz = i.has(Modifier::ftz), sat = i.has(Modifier::sat);
    if (is_half(to)) {
        if (to == from) {
            Value* x = e.read(i, 1, from);
            const bool plain = i.modifiers.none() || (i.modifiers.count() == 1 && ftz);
            if (plain && !ftz) return e.write(i.operands[0], to, x);
            Value* wide = round_to_integer(e, i, widen(e, x, from));
            if (ftz && to == PtxType::f16)
                wide = b.CreateSelect(b.CreateFCmpOLT(e.intrinsic(Intrinsic::fabs, {wide}), like(wide, 0x1p-14)),
                                      b.CreateBinaryIntrinsic(Intrinsic::copysign, like(wide, 0), wide), wide);
            return e.write(i.operands[0], to, finish_half(e, i, narrow(e, wide, to), to));
        }
        Value* half = to_half(e, read_float(e, i, 1, from), to, rounding_of(i));
        return e.write(i.operands[0], to, finish_half(e, i, half, to));
    }
    Value* x = read_float(e, i, 1, from);
    Value* result = x;
    if (to == PtxType::f64 && x->getType()->getScalarType()->isFloatTy()) {
        result = b.CreateFPExt(x, e.type_of(to));
    } else if (to == PtxType::f32 && from == PtxType::f64) {
        result = rounding_of(i) == Rounding::nearest
                     ? b.CreateFPTrunc(x, e.type_of(to))
                     : call_conversion(e, conversion_name(to, "f64", suffix(rounding_of(i))), x, to);
        result = flush_if(e, ftz, result);
    } else {
        result = round_to_integer(e, i, x);
    }
    if (sat) result = saturate(e, result);
    e.write(i.operands[0], to, result);
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
void pack_halves(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0] == PtxType::f16x2 ? PtxType::f16 : PtxType::bf16;
    if (i.has(Modifier::rs)) e.unsupported_form(i, "stochastic rounding");
    const auto half = [&](std::size_t k) {
        Value* x = finish_half(e, i, to_half(e, e.read(i, k, PtxType::f32), to, rounding_of(i)), to);
        return b.CreateZExt(e.bits_as(x, e.integer_type(16)), e.integer_type(32));
    };
    Value* high = b.CreateShl(half(1), e.integer(32, 16));
    e.write(i.operands[0], PtxType::b32, b.CreateOr(high, half(2)));
}

void to_tf32(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* x = e.read(i, 1, PtxType::f32);
    Value* bits = b.CreateBitCast(x, bits_type(x->getType()));
    Value* rounded = bits;
    if (i.has(Modifier::rna))
        rounded = b.CreateAdd(bits, like_integer(bits, 0x1000));
    else if (i.has(Modifier::rn))
        rounded = b.CreateAdd(b.CreateAdd(bits, like_integer(bits, 0xFFF)),
                              b.CreateAnd(b.CreateLShr(bits, like_integer(bits, 13)), like_integer(bits, 1)));
    rounded = b.CreateAnd(rounded, like_integer(bits, 0xFFFFE000u));
    Value* magnitude = b.CreateAnd(rounded, like_integer(bits, 0x7FFFFFFFu));
    if (i.has(Modifier::satfinite))
        rounded = b.CreateSelect(b.CreateICmpEQ(magnitude, like_integer(bits, 0x7F800000u)),
                                 b.CreateSub(rounded, like_integer(bits, 0x2000)), rounded);
    // With .rna GPUs cut a NaN's payload. A NaN with only the lowest bits set becomes an infinity.
    Value* nan = i.has(Modifier::rna) && !i.has(Modifier::satfinite)
                     ? b.CreateBitCast(b.CreateAnd(bits, like_integer(bits, 0xFFFFE000u)), x->getType())
                     : canonical_nan_like(x);
    Value* result = b.CreateSelect(b.CreateFCmpUNO(x, x), nan, b.CreateBitCast(rounded, x->getType()));
    if (i.has(Modifier::relu)) result = relu(e, result);
    e.write(i.operands[0], PtxType::tf32, result);
}

/// Two numbers to a pair of 8-bit floats.
void to_small_pair(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const char* name = i.types[0] == PtxType::e4m3x2 ? "wl_math_e4m3_f64" : "wl_math_e5m2_f64";
    const auto small = [&](Value* x) {
        if (i.has(Modifier::relu)) x = relu(e, x);
        Value* bits = e.pure_call(name, e.integer_type(8), {b.CreateFPExt(x, e.type_of(PtxType::f64))});
        return b.CreateZExt(bits, e.integer_type(16));
    };
    Value *high, *low;
    if (i.types[1] == PtxType::f16x2) {
        Value* bits = e.read(i, 1, PtxType::b32);
        const auto part = [&](unsigned shift) {
            Value* half = b.CreateTrunc(b.CreateLShr(bits, e.integer(32, shift)), e.integer_type(16));
            return widen(e, e.bits_as(half, e.type_of(PtxType::f16)), PtxType::f16);
        };
        high = small(part(16));
        low = small(part(0));
    } else {
        high = small(e.read(i, 1, PtxType::f32));
        low = small(e.read(i, 2, PtxType::f32));
    }
    e.write(i.operands[0], PtxType::b16, b.CreateOr(b.CreateShl(high, e.integer(16, 8)), low));
}

void from_small_pair(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const char* name = i.types[1] == PtxType::e4m3x2 ? "wl_math_f16_e4m3" : "wl_math_f16_e5m2";
    Value* bits = b.CreateZExt(e.read(i, 1, PtxType::b16), e.integer_type(32));
    const auto half = [&](unsigned shift) {
        Value* byte = b.CreateAnd(b.CreateLShr(bits, e.integer(32, shift)), e.integer(32, 0xFF));
        Value* x = e.bits_as(e.pure_call(name, e.integer_type(16), {byte}), e.type_of(PtxType::f16));
        x = finish_half(e, i, x, PtxType::f16);
        return b.CreateZExt(e.bits_as(x, e.integer_type(16)), e.integer_type(32));
    };
    e.write(i.operands[0], PtxType::b32, b.CreateOr(b.CreateShl(half(8), e.integer(32, 16)), half(0)));
}

/// cvt.pack.sat: two integers saturated into the low lanes, the third operand shifted up.
void pack_integers(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0], from = i.types[1];
    const unsigned bits = ptx::bits(to);
    if (!i.has(Modifier::sat) || from != PtxType::s32 || bits > 16 || !is_integer(to)) e.unsupported_form(i);
    const llvm::APInt low = ptx::is_signed(to) ? llvm::APInt::getSignedMinValue(bits).sext(32) : llvm::APInt(32, 0);
    const llvm::APInt high =
        ptx::is_signed(to) ? llvm::APInt::getSignedMaxValue(bits).sext(32) : llvm::APInt::getMaxValue(bits).zext(32);
    const auto lane = [&](std::size_t k) {
        Value* x = e.intrinsic(Intrinsic::smax, {e.read(i, k, from), e.integer(32, low.getZExtValue())});
        x = e.intrinsic(Intrinsic::smin, {x, e.integer(32, high.getZExtValue())});
        return b.CreateAnd(x, e.integer(32, (1u << bits) - 1));
    };
    Value* result = b.CreateOr(b.CreateShl(lane(1), e.integer(32, bits)), lane(2));
    if (i.operands.size() > 3) {
        Value* rest = e.read(i, 3, PtxType::b32);
        if (bits < 16) result = b.CreateOr(result, b.CreateShl(rest, e.integer(32, 2 * bits)));
    }
    e.write(i.operands[0], PtxType::b32, result);
}

bool is_plain(PtxType type) {
    switch (type) {
    case PtxType::f16:
    case PtxType::bf16:
    case PtxType::f32:
    case PtxType::f64: return true;
    default: return is_integer(type) && ptx::bits(type) >= 8 && ptx::bits(type) <= 64;
    }
}

} // namespace

bool emit_convert(Emitter& e, const ptx::Instruction& i) {
    if (i.opcode != ptx::Opcode::cvt) return false;
    const PtxType to = i.types[0], from = i.types[1];
    if (i.has(Modifier::pack)) {
        pack_integers(e, i);
    } else if (i.type_count != 2) {
        e.unsupported_form(i);
    } else if (is_plain(to) && is_plain(from)) {
        if (is_integer(to))
            is_integer(from) ? integer_to_integer(e, i) : float_to_integer(e, i);
        else
            is_integer(from) ? integer_to_float(e, i) : float_to_float(e, i);
    } else if ((to == PtxType::f16x2 || to == PtxType::bf16x2) && from == PtxType::f32) {
        pack_halves(e, i);
    } else if (to == PtxType::tf32 && from == PtxType::f32) {
        to_tf32(e, i);
    } else if ((to == PtxType::e4m3x2 || to == PtxType::e5m2x2) && (from == PtxType::f32 || from == PtxType::f16x2) &&
               !i.has(Modifier::rs)) {
        to_small_pair(e, i);
    } else if (to == PtxType::f16x2 && (from == PtxType::e4m3x2 || from == PtxType::e5m2x2)) {
        from_small_pair(e, i);
    } else {
        e.unsupported_form(i);
    }
    return true;
}

} // namespace warplight::jit
