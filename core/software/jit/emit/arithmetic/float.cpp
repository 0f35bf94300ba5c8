// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64 as IEEE 754 has it. The host rounds to nearest. Other directions are made from that
// (emit/arithmetic/directed.cpp) or are functions of the math library.
#include "arithmetic.hpp"
#include "host_float.hpp"
#include "min_max.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// The operands, flushed if the instruction has .ftz.
class Operands {
public:
    Operands(Emitter& e, const ptx::Instruction& i) : e_(e), i_(i) {}
    Value* operator[](std::size_t k) const { return flush_if(e_, i_.has(Modifier::ftz), e_.read(i_, k, i_.type())); }

private:
    Emitter& e_;
    const ptx::Instruction& i_;
};

/// @param flushed .ftz has been done
void finish(Emitter& e, const ptx::Instruction& i, Value* result, bool flushed = false) {
    if (!flushed) result = flush_if(e, i.has(Modifier::ftz), result);
    if (i.has(Modifier::sat)) result = saturate(e, result);
    e.write(i.operands[0], i.type(), result);
}

// .ftz of f32 rounds to 24 bits as if exponents had no end, and then flushes numbers below the normal ones. So a result
// less than a quarter of a subnormal unit below the least normal number becomes that number. A smaller one becomes
// zero, even if the host, which rounds to subnormals, would have reached the least normal number.
// To tell them apart the operation is done again on operands times 2^64, where the result keeps 24 bits. Operands that
// overflow by this cannot yield so small a result: sums of their products are multiples of larger numbers.
constexpr double kScale = 0x1p64;
constexpr double kLeastNormal = 0x1p-126;

/// @param scaled the result of 2^64 times the operation
Value* flush_by(Emitter& e, Value* result, Value* scaled) {
    auto& b = e.b;
    Value* magnitude = e.intrinsic(Intrinsic::fabs, {scaled});
    Value* zero = b.CreateBinaryIntrinsic(Intrinsic::copysign, like(result, 0), result);
    return b.CreateSelect(b.CreateFCmpOLT(magnitude, like(scaled, kLeastNormal * kScale)), zero, result);
}

Value* scaled(Emitter& e, Value* x) { return e.b.CreateFMul(x, like(x, kScale)); }

Value* call_directed(Emitter& e, const ptx::Instruction& i, const char* operation, llvm::ArrayRef<Value*> arguments) {
    if (Value* result = host_directed(e, operation, arguments, rounding_of(i))) return result;
    if (i.type() == PtxType::f32)
        if (Value* result = directed_f32(e, operation, arguments, rounding_of(i))) return result;
    const std::string name =
        std::string("wl_math_") + operation + (i.type() == PtxType::f64 ? "_f64" : "_f32") + suffix(rounding_of(i));
    return e.pure_call(name.c_str(), arguments[0]->getType(), arguments);
}

/// @param again arguments that make the result 2^64 times as large; none: small results are exact
void finish_directed(Emitter& e, const ptx::Instruction& i, const char* operation, llvm::ArrayRef<Value*> arguments,
                     llvm::ArrayRef<Value*> again = {}) {
    Value* result = call_directed(e, i, operation, arguments);
    // Rounded towards zero it is below the normal numbers exactly when it was before.
    if (!i.has(Modifier::ftz) || rounding_of(i) == Rounding::zero || again.empty()) return finish(e, i, result);
    finish(e, i, flush_by(e, result, call_directed(e, i, operation, again)), true);
}

void emit_binary(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operands x(e, i);
    Value* left = x[1];
    Value* right = x[2];
    const bool nearest = rounding_of(i) == Rounding::nearest;
    if (i.opcode == Opcode::add || i.opcode == Opcode::sub) {
        // A sum below the normal numbers is exact.
        if (nearest)
            return finish(e, i, i.opcode == Opcode::add ? b.CreateFAdd(left, right) : b.CreateFSub(left, right));
        return finish_directed(e, i, "add", {left, i.opcode == Opcode::sub ? b.CreateFNeg(right) : right});
    }
    Value* larger = i.has(Modifier::ftz) ? scaled(e, left) : nullptr;
    if (i.opcode == Opcode::mul) {
        if (!nearest) return finish_directed(e, i, "mul", {left, right}, {larger, right});
        Value* product = b.CreateFMul(left, right);
        if (!larger) return finish(e, i, product);
        return finish(e, i, flush_by(e, product, b.CreateFMul(larger, right)), true);
    }
    if (!nearest) return finish_directed(e, i, "div", {left, right}, {larger, right});
    Value* quotient = b.CreateFDiv(left, right);
    if (!larger) return finish(e, i, quotient);
    finish(e, i, flush_by(e, quotient, b.CreateFDiv(larger, right)), true);
}

void emit_fma(Emitter& e, const ptx::Instruction& i) {
    const Operands operands(e, i);
    Value* const x = operands[1];
    Value* const y = operands[2];
    Value* const z = operands[3];
    const bool nearest = rounding_of(i) == Rounding::nearest;
    if (!i.has(Modifier::ftz)) {
        if (!nearest) return finish_directed(e, i, "fma", {x, y, z});
        return finish(e, i, e.intrinsic(Intrinsic::fma, {x, y, z}));
    }
    const std::array<Value*, 3> again = {scaled(e, x), y, scaled(e, z)};
    if (!nearest) return finish_directed(e, i, "fma", {x, y, z}, again);
    finish(e, i, flush_by(e, e.intrinsic(Intrinsic::fma, {x, y, z}), e.intrinsic(Intrinsic::fma, again)), true);
}

/// rcp and sqrt with a rounding direction.
void emit_unary(Emitter& e, const ptx::Instruction& i) {
    const Operands operands(e, i);
    Value* x = operands[1];
    const bool nearest = rounding_of(i) == Rounding::nearest;
    if (i.opcode == Opcode::rcp) {
        Value* one = like(x, 1);
        return nearest ? finish(e, i, e.b.CreateFDiv(one, x))
                       : finish_directed(e, i, "div", {one, x}, {like(x, kScale), x});
    }
    nearest ? finish(e, i, e.intrinsic(Intrinsic::sqrt, {x})) : finish_directed(e, i, "sqrt", {x});
}

void emit_min_max(Emitter& e, const ptx::Instruction& i) {
    const Operands x(e, i);
    const MinMax kind{i.opcode == Opcode::max, i.has(Modifier::NaN), i.has(Modifier::abs), i.has(Modifier::xorsign)};
    Value* result = min_max(e, kind, x[1], x[2]);
    if (i.operands.size() > 3) result = min_max(e, kind, result, x[3]);
    e.write(i.operands[0], i.type(), result);
}

void emit_testp(Emitter& e, const ptx::Instruction& i) {
    unsigned classes = 0;
    if (i.has(Modifier::finite)) classes = llvm::fcFinite;
    if (i.has(Modifier::infinite)) classes = llvm::fcInf;
    if (i.has(Modifier::number)) classes = llvm::fcInf | llvm::fcFinite;
    if (i.has(Modifier::notanumber)) classes = llvm::fcNan;
    if (i.has(Modifier::normal)) classes = llvm::fcNormal;
    if (i.has(Modifier::subnormal)) classes = llvm::fcSubnormal;
    Value* x = e.read(i, 1, i.type());
    // On bits: the host's own tests of subnormals may depend on its mode.
    Value* bits = e.b.CreateBitCast(x, bits_type(x->getType()));
    const bool wide = i.type() == PtxType::f64;
    Value* magnitude = e.b.CreateAnd(bits, like_integer(bits, wide ? 0x7FFFFFFFFFFFFFFFull : 0x7FFFFFFFull));
    Value* infinity = like_integer(bits, wide ? 0x7FF0000000000000ull : 0x7F800000ull);
    Value* least_normal = like_integer(bits, wide ? 0x0010000000000000ull : 0x00800000ull);
    auto& b = e.b;
    Value* result = nullptr;
    switch (classes) {
    case llvm::fcFinite: result = b.CreateICmpULT(magnitude, infinity); break;
    case llvm::fcInf: result = b.CreateICmpEQ(magnitude, infinity); break;
    case llvm::fcInf | llvm::fcFinite: result = b.CreateICmpULE(magnitude, infinity); break;
    case llvm::fcNan: result = b.CreateICmpUGT(magnitude, infinity); break;
    case llvm::fcNormal:
        // Zero counts as normal here.
        result = b.CreateOr(b.CreateAnd(b.CreateICmpUGE(magnitude, least_normal), b.CreateICmpULT(magnitude, infinity)),
                            b.CreateICmpEQ(magnitude, like_integer(bits, 0)));
        break;
    default:
        result =
            b.CreateAnd(b.CreateICmpULT(magnitude, least_normal), b.CreateICmpNE(magnitude, like_integer(bits, 0)));
        break;
    }
    e.write(i.operands[0], PtxType::pred, result);
}

/// On bits, for llvm.copysign of vectors in a loop took low bits from the sign's operand (LLVM 19, AVX-512). Under a
/// guard this alone does not help: see MaskedMergePass.
void emit_copysign(Emitter& e, const ptx::Instruction& i, const Operands& x) {
    const unsigned bits = ptx::bits(i.type());
    llvm::Type* word = e.integer_type(bits);
    Value* sign = e.integer(bits, std::uint64_t{1} << (bits - 1));
    Value* result = e.b.CreateOr(e.b.CreateAnd(e.bits_as(x[1], word), sign),
                                 e.b.CreateAnd(e.bits_as(x[2], word), e.b.CreateNot(sign)));
    e.write(i.operands[0], i.type(), e.bits_as(result, x[1]->getType()));
}

} // namespace

bool emit_float(Emitter& e, const ptx::Instruction& i) {
    if (i.type() != PtxType::f32 && i.type() != PtxType::f64) return false;
    if (i.type_count > 1) return false;
    const bool approximate = i.has(Modifier::approx) || i.has(Modifier::full);
    const Operands x(e, i);
    switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul: emit_binary(e, i); return true;
    case Opcode::div:
        if (approximate) return false;
        emit_binary(e, i);
        return true;
    case Opcode::fma:
    case Opcode::mad: emit_fma(e, i); return true;
    case Opcode::rcp:
    case Opcode::sqrt:
        if (approximate) return false;
        emit_unary(e, i);
        return true;
    case Opcode::abs: finish(e, i, e.intrinsic(Intrinsic::fabs, {x[1]})); return true;
    case Opcode::neg: finish(e, i, e.b.CreateFNeg(x[1])); return true;
    case Opcode::min:
    case Opcode::max: emit_min_max(e, i); return true;
    case Opcode::copysign: // the sign of the first, the magnitude of the second
        emit_copysign(e, i, x);
        return true;
    case Opcode::testp: emit_testp(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
