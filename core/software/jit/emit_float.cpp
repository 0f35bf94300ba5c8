// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64 as IEEE 754 has it. Rounding to nearest is the host's own; other directions are functions
// of the math library.
#include "arithmetic.hpp"
#include "emit.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// One operand after another, flushed where .ftz says so.
class Operands {
public:
    Operands(Emitter& e, const ptx::Instruction& i) : e_(e), i_(i) {}
    Value* operator[](std::size_t k) const { return flush_if(e_, i_.has(Modifier::ftz), e_.read(i_, k, i_.type())); }

private:
    Emitter& e_;
    const ptx::Instruction& i_;
};

/// `flushed`: .ftz is done with.
void finish(Emitter& e, const ptx::Instruction& i, Value* result, bool flushed = false) {
    if (!flushed) result = flush_if(e, i.has(Modifier::ftz), result);
    if (i.has(Modifier::sat)) result = saturate(e, result);
    e.write(i.operands[0], i.type(), result);
}

/// .ftz of f32 flushes what is below the normal numbers before it is rounded: `result`, where `small` says so of its
/// magnitude, becomes a zero of its sign.
Value* flush_where(Emitter& e, Value* result, llvm::function_ref<Value*(Value* magnitude)> small) {
    auto& b = e.b;
    Value* bits = b.CreateBitCast(result, bits_type(result->getType()));
    Value* magnitude = b.CreateAnd(bits, like_integer(bits, 0x7FFFFFFFu));
    Value* zero = b.CreateAnd(bits, like_integer(bits, 0x80000000u));
    return b.CreateBitCast(b.CreateSelect(small(magnitude), zero, bits), result->getType());
}

constexpr std::uint64_t kLeastNormal = 0x00800000; // of f32

/// .ftz of a product, or of a product and z, that was rounded to nearest. Only what was rounded to the least normal
/// number needs another look: it came from below when |x y + z| - 2^-126 is negative, of which fma, which rounds once,
/// gives the sign (of a zero too). z - 2^-126 is exact unless |z| is 2^-103 or more; of those, a product that cancels
/// all of z but for a difference within 2^-150 of 2^-126 may be judged wrong.
Value* flush_product(Emitter& e, Value* result, Value* x, Value* y, Value* z) {
    auto& b = e.b;
    Value* bits = b.CreateBitCast(result, bits_type(result->getType()));
    Value* sign = b.CreateAnd(bits, like_integer(bits, 0x80000000u));
    const auto turned = [&](Value* v) {
        return b.CreateBitCast(b.CreateXor(b.CreateBitCast(v, bits->getType()), sign), v->getType());
    };
    Value* rest = z ? b.CreateFSub(turned(z), like(x, 0x1p-126)) : like(x, -0x1p-126);
    Value* difference = b.CreateBitCast(e.intrinsic(Intrinsic::fma, {turned(x), y, rest}), bits->getType());
    return flush_where(e, result, [&](Value* magnitude) {
        // One less where it is negative. (Of zero this makes no small number, but it is flushed as it is.)
        Value* lowered = b.CreateAdd(magnitude, b.CreateAShr(difference, like_integer(bits, 31)));
        return b.CreateICmpULT(lowered, like_integer(bits, kLeastNormal));
    });
}

Value* call_directed(Emitter& e, const ptx::Instruction& i, const char* operation, const char* ending,
                     llvm::ArrayRef<Value*> arguments) {
    const std::string name =
        std::string("wl_math_") + operation + (i.type() == PtxType::f64 ? "_f64" : "_f32") + ending;
    return e.pure_call(name.c_str(), arguments[0]->getType(), arguments);
}

void finish_directed(Emitter& e, const ptx::Instruction& i, const char* operation, llvm::ArrayRef<Value*> arguments) {
    auto& b = e.b;
    Value* result = call_directed(e, i, operation, suffix(rounding_of(i)), arguments);
    if (!i.has(Modifier::ftz) || rounding_of(i) == Rounding::zero) return finish(e, i, result);
    // Rounded towards zero it is below the normal numbers exactly when it was before.
    Value* cut = call_directed(e, i, operation, "_rz", arguments);
    result = flush_where(e, result, [&](Value* magnitude) {
        Value* bits = b.CreateBitCast(cut, magnitude->getType());
        return b.CreateICmpULT(b.CreateAnd(bits, like_integer(bits, 0x7FFFFFFFu)), like_integer(bits, kLeastNormal));
    });
    finish(e, i, result, true);
}

void emit_binary(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operands x(e, i);
    Value* left = x[1];
    Value* right = x[2];
    if (i.opcode == Opcode::sub && rounding_of(i) != Rounding::nearest) right = b.CreateFNeg(right);
    if (rounding_of(i) != Rounding::nearest)
        return finish_directed(e, i,
                               i.opcode == Opcode::mul   ? "mul"
                               : i.opcode == Opcode::div ? "div"
                                                         : "add",
                               {left, right});
    switch (i.opcode) {
    case Opcode::add: return finish(e, i, b.CreateFAdd(left, right));
    case Opcode::sub: return finish(e, i, b.CreateFSub(left, right));
    case Opcode::mul: {
        Value* product = b.CreateFMul(left, right);
        if (!i.has(Modifier::ftz)) return finish(e, i, product);
        return finish(e, i, flush_product(e, product, left, right, nullptr), true);
    }
    // A sum below the normal numbers is exact, and no quotient is close enough to them to be rounded there.
    default: return finish(e, i, b.CreateFDiv(left, right));
    }
}

void emit_fma(Emitter& e, const ptx::Instruction& i) {
    const Operands x(e, i);
    const std::array<Value*, 3> arguments = {x[1], x[2], x[3]};
    if (rounding_of(i) != Rounding::nearest) return finish_directed(e, i, "fma", arguments);
    Value* result = e.intrinsic(Intrinsic::fma, arguments);
    if (!i.has(Modifier::ftz)) return finish(e, i, result);
    finish(e, i, flush_product(e, result, arguments[0], arguments[1], arguments[2]), true);
}

/// rcp and sqrt with a rounding direction.
void emit_unary(Emitter& e, const ptx::Instruction& i) {
    const Operands operands(e, i);
    Value* x = operands[1];
    const bool nearest = rounding_of(i) == Rounding::nearest;
    if (i.opcode == Opcode::rcp) {
        Value* one = like(x, 1);
        return nearest ? finish(e, i, e.b.CreateFDiv(one, x)) : finish_directed(e, i, "div", {one, x});
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
    // By bits: what the host's own tests make of subnormals may depend on its mode.
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
        e.write(i.operands[0], i.type(), e.b.CreateBinaryIntrinsic(Intrinsic::copysign, x[2], x[1]));
        return true;
    case Opcode::testp: emit_testp(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
