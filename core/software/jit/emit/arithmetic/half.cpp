// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f16 and bf16, alone and in pairs. It is done in f32 and rounded again to 11 or 8 bits, which is right
// for sums and products. The f32 result of fma is rounded to odd, so that the second rounding is right too.
#include "min_max.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/host.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr double kLeastNormal = 0x1p-14; // of f16

/// .ftz of a half as an f32: numbers below `least` become zeros of their sign.
Value* flush_half(Emitter& e, const ptx::Instruction& i, Value* wide, double least = kLeastNormal) {
    if (!i.has(Modifier::ftz)) return wide;
    if (is_bfloat(i.type())) return flush(e, wide); // the range of f32
    auto& b = e.b;
    Value* magnitude = e.intrinsic(Intrinsic::fabs, {wide});
    Value* zero = b.CreateBinaryIntrinsic(Intrinsic::copysign, like(wide, 0), wide);
    return b.CreateSelect(b.CreateFCmpOLT(magnitude, like(wide, least)), zero, wide);
}

Value* operand(Emitter& e, const ptx::Instruction& i, std::size_t k) {
    return flush_half(e, i, widen(e, e.read(i, k, i.type()), i.type()));
}

/// @param zero i1: the result is +0 whatever was calculated; may be null
void finish(Emitter& e, const ptx::Instruction& i, Value* wide, Value* zero = nullptr) {
    // GPUs round to 11 bits with an unbounded exponent, then flush results below the least normal half. So a result
    // rounds up to that half from the midpoint below it on. The f32 reaches the midpoint exactly when the true result
    // does.
    wide = flush_half(e, i, wide, kLeastNormal - 0x1p-26);
    if (i.has(Modifier::sat)) wide = saturate(e, wide);
    if (i.has(Modifier::relu)) wide = relu(e, wide);
    if (zero) wide = e.b.CreateSelect(zero, like(wide, 0), wide);
    e.write(i.operands[0], i.type(), narrow(e, wide, i.type()));
}

/// x + y, rounded to odd: the error of a sum is itself a number of the type.
Value* add_to_odd(Emitter& e, Value* x, Value* y) {
    auto& b = e.b;
    Value* sum = b.CreateFAdd(x, y);
    Value* y_part = b.CreateFSub(sum, x);
    Value* x_part = b.CreateFSub(sum, y_part);
    Value* error = b.CreateFAdd(b.CreateFSub(x, x_part), b.CreateFSub(y, y_part));
    return adjust_to_odd(e, sum, error);
}

/// The product of two halves is exact in f32 (of two bfloats: in f64, whose range it needs).
void emit_fma(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* x = operand(e, i, 1);
    Value* y = operand(e, i, 2);
    Value* z = operand(e, i, 3);
    // .oob: the NaN that stands for elements outside of a tensor makes a product zero.
    Value* zero = nullptr;
    for (Value* factor : {x, y}) {
        if (!i.has(Modifier::oob)) break;
        Value* bits = b.CreateBitCast(factor, bits_type(factor->getType()));
        Value* outside = b.CreateICmpEQ(b.CreateAnd(bits, like_integer(bits, 0x7FFFFFFF)),
                                        like_integer(bits, is_bfloat(i.type()) ? 0x7FF70000 : 0x7FFEE000));
        zero = zero ? b.CreateOr(zero, outside) : outside;
    }
    if (!is_bfloat(i.type())) return finish(e, i, add_to_odd(e, b.CreateFMul(x, y), z), zero);
    llvm::Type* wide = llvm::Type::getDoubleTy(e.context);
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(x->getType()))
        wide = llvm::VectorType::get(wide, vector->getElementCount());
    const auto extend = [&](Value* v) { return b.CreateFPExt(v, wide); };
    Value* sum = add_to_odd(e, b.CreateFMul(extend(x), extend(y)), extend(z));
    finish(e, i, to_float_odd(e, sum), zero);
}

/// abs and neg: by bits, for one half or both of a word; NaN becomes the canonical one.
void emit_sign(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool packed = ptx::bits(i.type()) == 32;
    Value* value = e.read(i, 1, i.type());
    if (i.has(Modifier::ftz)) value = narrow(e, operand(e, i, 1), i.type());
    Value* bits = e.bits_as(value, e.integer_type(packed ? 32 : 16));
    const std::uint64_t signs = packed ? 0x80008000u : 0x8000u;
    // A magnitude above infinity carries into the sign's place.
    const std::uint64_t ones = packed ? 0x00010001u : 1;
    Value* magnitude = b.CreateAnd(bits, like_integer(bits, ~signs));
    Value* carried = b.CreateAdd(magnitude, like_integer(bits, ones * (is_bfloat(i.type()) ? 0x7F : 0x3FF)));
    Value* nan = b.CreateAnd(carried, like_integer(bits, signs));
    Value* payload = b.CreateSub(nan, b.CreateLShr(nan, like_integer(bits, 15)));
    bits = i.opcode == Opcode::abs ? magnitude : b.CreateXor(bits, like_integer(bits, signs));
    bits = b.CreateAnd(b.CreateOr(bits, payload), b.CreateNot(nan));
    e.write(i.operands[0], i.type(), e.bits_as(bits, e.type_of(i.type())));
}

/// On a host that calculates with halves: one instruction, with the same result.
bool emit_natively(Emitter& e, const ptx::Instruction& i) {
    if (!host_has_halves() || is_bfloat(i.type())) return false;
    for (const Modifier m : {Modifier::ftz, Modifier::sat, Modifier::relu, Modifier::oob})
        if (i.has(m)) return false;
    auto& b = e.b;
    const auto x = [&](std::size_t k) { return e.read(i, k, i.type()); };
    Value* result = nullptr;
    switch (i.opcode) {
    case Opcode::add: result = b.CreateFAdd(x(1), x(2)); break;
    case Opcode::sub: result = b.CreateFSub(x(1), x(2)); break;
    case Opcode::mul: result = b.CreateFMul(x(1), x(2)); break;
    case Opcode::fma: result = e.intrinsic(Intrinsic::fma, {x(1), x(2), x(3)}); break;
    default: return false;
    }
    e.write(i.operands[0], i.type(), canonical_nan(e, result));
    return true;
}

} // namespace

bool emit_half(Emitter& e, const ptx::Instruction& i) {
    if (!is_half(i.type()) || i.type_count != 1) return false;
    if (emit_natively(e, i)) return true;
    auto& b = e.b;
    switch (i.opcode) {
    case Opcode::add: finish(e, i, b.CreateFAdd(operand(e, i, 1), operand(e, i, 2))); return true;
    case Opcode::sub: finish(e, i, b.CreateFSub(operand(e, i, 1), operand(e, i, 2))); return true;
    case Opcode::mul: finish(e, i, b.CreateFMul(operand(e, i, 1), operand(e, i, 2))); return true;
    case Opcode::fma: emit_fma(e, i); return true;
    case Opcode::abs:
    case Opcode::neg: emit_sign(e, i); return true;
    case Opcode::min:
    case Opcode::max: {
        const MinMax kind{i.opcode == Opcode::max, i.has(Modifier::NaN), i.has(Modifier::abs),
                          i.has(Modifier::xorsign)};
        e.write(i.operands[0], i.type(), narrow(e, min_max(e, kind, operand(e, i, 1), operand(e, i, 2)), i.type()));
        return true;
    }
    case Opcode::ex2: finish(e, i, approximate_exp2(e, operand(e, i, 1))); return true;
    case Opcode::tanh: finish(e, i, approximate_tanh(e, operand(e, i, 1))); return true;
    default: return false;
    }
}

} // namespace warplight::jit
