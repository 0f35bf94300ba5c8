// SPDX-License-Identifier: Apache-2.0
// The approximate functions as polynomials, within the errors that the ISA documents. LLVM's intrinsics would call the
// C library for each lane.
#include "arithmetic.hpp"
#include "host_float.hpp"
#include "software/jit/emit/groups.hpp"

#include <limits>
#include <numbers>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

Value* multiply_add(Emitter& e, Value* x, Value* y, Value* z) { return e.intrinsic(Intrinsic::fma, {x, y, z}); }

/// c[0] + c[1] x + c[2] x² …
Value* polynomial(Emitter& e, Value* x, std::initializer_list<double> coefficients) {
    Value* sum = nullptr;
    for (auto c = std::rbegin(coefficients); c != std::rend(coefficients); ++c)
        sum = sum ? multiply_add(e, sum, x, like(x, *c)) : like(x, *c);
    return sum;
}

Value* integers(Emitter& e, Value* x) { // the nearest integer value as an i32
    return saturated_integer(e, x, bits_type(x->getType()), true);
}

/// 2^n for n in the range of normal numbers.
Value* power_of_two(Emitter& e, Value* n, llvm::Type* type) {
    auto& b = e.b;
    return b.CreateBitCast(b.CreateShl(b.CreateAdd(n, like_integer(n, 127)), like_integer(n, 23)), type);
}

/// Absolute error below 2^-22 between 1/2 and 2, relative error below 2^-22 elsewhere.
Value* approximate_log2(Emitter& e, Value* x) {
    auto& b = e.b;
    // Subnormals are brought into range first.
    Value* tiny = b.CreateFCmpOLT(x, like(x, 0x1p-126));
    Value* scaled = b.CreateSelect(tiny, b.CreateFMul(x, like(x, 0x1p32)), x);
    Value* bits = b.CreateBitCast(scaled, bits_type(x->getType()));
    // m in [sqrt(1/2), sqrt(2)), so that the logarithm of numbers near 1 has no exponent to cancel.
    Value* shifted = b.CreateSub(bits, like_integer(bits, 0x3F3504F3));
    Value* exponent = b.CreateAShr(shifted, like_integer(bits, 23));
    Value* mantissa = b.CreateSub(bits, b.CreateShl(exponent, like_integer(bits, 23)));
    Value* f = b.CreateFSub(b.CreateBitCast(mantissa, x->getType()), like(x, 1));
    Value* series = polynomial(e, f,
                               {1.4426950408226116, -0.721347351347631, 0.48089824377935336, -0.3606966670932078,
                                0.28856725840608416, -0.23961680819974016, 0.20460319310878827, -0.19107073494985416,
                                0.18616134414920008, -0.1099119369566552});
    exponent = b.CreateSub(exponent, b.CreateSelect(tiny, like_integer(bits, 32), like_integer(bits, 0)));
    Value* result = multiply_add(e, series, f, b.CreateSIToFP(exponent, x->getType()));
    const double infinity = std::numeric_limits<double>::infinity();
    result = b.CreateSelect(b.CreateFCmpOEQ(x, like(x, 0)), like(x, -infinity), result);
    result = b.CreateSelect(b.CreateFCmpOEQ(x, like(x, infinity)), x, result);
    return b.CreateSelect(b.CreateFCmpOGE(x, like(x, 0)), result, canonical_nan_like(x)); // NaN and x < 0
}

/// sin, or cos as sin a quarter turn on. Absolute error below 2^-22 in the range for which the ISA promises one.
Value* approximate_sine(Emitter& e, Value* x, bool cosine) {
    auto& b = e.b;
    Value* turns = e.intrinsic(Intrinsic::roundeven, {b.CreateFMul(x, like(x, 2 / std::numbers::pi))});
    Value* minus = b.CreateFNeg(turns);
    // pi/2 in three parts of f32.
    constexpr double kFirst = 0x1.921fb6p+0, kSecond = -0x1.777a5cp-25, kThird = -0x1.ee59dap-50;
    Value* r = multiply_add(e, minus, like(x, kFirst), x);
    r = multiply_add(e, minus, like(x, kSecond), r);
    r = multiply_add(e, minus, like(x, kThird), r);
    // A large argument has no bits left for the angle. The result at least stays within [-1, 1].
    r = b.CreateSelect(b.CreateFCmpOGT(e.intrinsic(Intrinsic::fabs, {r}), like(r, 0.8)), like(r, 0), r);
    Value* square = b.CreateFMul(r, r);
    Value* sine = b.CreateFMul(
        polynomial(e, square, {0.9999999966289937, -0.16666649723090451, 0.008331989916489854, -0.0001949843242061577}),
        r);
    Value* cos = polynomial(
        e, square,
        {0.999999999940978, -0.4999999955368643, 0.041666611579528806, -0.0013886480925983863, 2.4368341482532065e-05});
    Value* quarter = integers(e, turns);
    if (cosine) quarter = b.CreateAdd(quarter, like_integer(quarter, 1));
    Value* odd = b.CreateICmpNE(b.CreateAnd(quarter, like_integer(quarter, 1)), like_integer(quarter, 0));
    Value* value = b.CreateSelect(odd, cos, sine);
    Value* sign = b.CreateShl(b.CreateAnd(quarter, like_integer(quarter, 2)), like_integer(quarter, 30));
    value = b.CreateBitCast(b.CreateXor(b.CreateBitCast(value, sign->getType()), sign), x->getType());
    return cosine ? value : b.CreateSelect(b.CreateFCmpOEQ(x, like(x, 0)), x, value); // -0 stays
}

/// a * (1 / b), where 1/b of the largest divisors is zero, as the ISA says.
Value* approximate_division(Emitter& e, Value* x, Value* y) {
    auto& b = e.b;
    Value* zero = b.CreateBinaryIntrinsic(Intrinsic::copysign, like(y, 0), y);
    Value* huge = b.CreateFCmpOGT(e.intrinsic(Intrinsic::fabs, {y}), like(y, 0x1p126));
    return b.CreateSelect(huge, b.CreateFMul(x, zero), b.CreateFDiv(x, y));
}

/// The f64 approximations take and give the upper 32 bits only; the lower ones are zero.
Value* upper_half(Emitter& e, Value* x) {
    Value* bits = e.b.CreateBitCast(x, bits_type(x->getType()));
    return e.b.CreateBitCast(e.b.CreateAnd(bits, like_integer(bits, 0xFFFFFFFF00000000u)), x->getType());
}

void emit_double(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool ftz = i.has(Modifier::ftz);
    Value* x = e.read(i, 1, PtxType::f64);
    // The upper half of a NaN whose payload is all in the lower half is an infinity.
    if (ftz) x = upper_half(e, flush(e, x));
    Value* result;
    if (i.opcode == Opcode::rcp)
        result = b.CreateFDiv(like(x, 1), x);
    else
        result = b.CreateFDiv(like(x, 1), e.intrinsic(Intrinsic::sqrt, {x}));
    if (ftz) {
        result = flush(e, upper_half(e, result));
        result = b.CreateSelect(b.CreateFCmpUNO(x, x), canonical_nan_like(x), canonical_nan(e, result));
    }
    e.write(i.operands[0], PtxType::f64, result);
}

} // namespace

/// Relative error below 2^-23.
Value* approximate_exp2(Emitter& e, Value* x, bool flushes) {
    auto& b = e.b;
    if (flushes) { // before the calculation: subnormal numbers are slow on hosts
        Value* tiny = b.CreateFCmpOLT(x, like(x, -126));
        return b.CreateSelect(tiny, like(x, 0), approximate_exp2(e, b.CreateSelect(tiny, like(x, 0), x), false));
    }
    // Beyond these the result is zero or infinite; NaN passes through.
    Value* low = b.CreateSelect(b.CreateFCmpOLT(x, like(x, -151)), like(x, -151), x);
    Value* bounded = b.CreateSelect(b.CreateFCmpOGT(low, like(x, 129)), like(x, 129), low);
    Value* whole = e.intrinsic(Intrinsic::roundeven, {bounded});
    Value* fraction = b.CreateFSub(bounded, whole);
    Value* power = polynomial(e, fraction,
                              {1.0, 0.6931472057369972, 0.24022646890034843, 0.05550328777403314, 0.009618489021965085,
                               0.0013399931078562299, 0.00015345794559816674});
    if (Value* result = host_times_power_of_two(e, power, whole)) return result;
    // Two steps, for neither 2^129 nor 2^-151 is a normal number. For NaN any n will do: the power is NaN.
    Value* n = b.CreateFreeze(b.CreateFPToSI(whole, bits_type(x->getType())));
    Value* half = b.CreateAShr(n, like_integer(n, 1));
    Value* once = b.CreateFMul(power, power_of_two(e, half, x->getType()));
    return b.CreateFMul(once, power_of_two(e, b.CreateSub(n, half), x->getType()));
}

/// Relative error below 2^-11, the ISA's bound.
Value* approximate_tanh(Emitter& e, Value* x) {
    auto& b = e.b;
    Value* magnitude = e.intrinsic(Intrinsic::fabs, {x});
    Value* square = b.CreateFMul(x, x);
    Value* small = b.CreateFMul(magnitude, polynomial(e, square, {1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835}));
    Value* power = approximate_exp2(e, b.CreateFMul(magnitude, like(x, 2 * std::numbers::log2e)));
    Value* large = b.CreateFSub(like(x, 1), b.CreateFDiv(like(x, 2), b.CreateFAdd(power, like(x, 1))));
    Value* result = b.CreateSelect(b.CreateFCmpOLT(magnitude, like(x, 0.5)), small, large);
    return b.CreateBinaryIntrinsic(Intrinsic::copysign, result, x);
}

bool emit_approximate(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool ftz = i.has(Modifier::ftz);
    if (!i.has(Modifier::approx) && !i.has(Modifier::full)) return false;
    if (i.type() == PtxType::f64) {
        if (i.opcode != Opcode::rcp && i.opcode != Opcode::rsqrt) return false;
        emit_double(e, i);
        return true;
    }
    if (i.type() != PtxType::f32) return false;
    Value* x = flush_if(e, ftz, e.read(i, 1, PtxType::f32));
    Value* result;
    switch (i.opcode) {
    case Opcode::div: {
        Value* y = flush_if(e, ftz, e.read(i, 2, PtxType::f32));
        result = i.has(Modifier::full) ? b.CreateFDiv(x, y) : approximate_division(e, x, y);
        break;
    }
    case Opcode::rcp: result = b.CreateFDiv(like(x, 1), x); break;
    case Opcode::sqrt: result = e.intrinsic(Intrinsic::sqrt, {x}); break;
    case Opcode::rsqrt:
        result = host_rsqrt(e, x);
        if (!result) result = b.CreateFDiv(like(x, 1), e.intrinsic(Intrinsic::sqrt, {x}));
        break;
    case Opcode::sin: result = approximate_sine(e, x, false); break;
    case Opcode::cos: result = approximate_sine(e, x, true); break;
    case Opcode::lg2: result = approximate_log2(e, x); break;
    case Opcode::ex2: result = approximate_exp2(e, x, ftz); break;
    case Opcode::tanh: result = approximate_tanh(e, x); break;
    default: return false;
    }
    e.write(i.operands[0], PtxType::f32, flush_if(e, ftz, result));
    return true;
}

} // namespace warplight::jit
