// SPDX-License-Identifier: Apache-2.0
// Logic, shifts and bit fields.
#include "arithmetic.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// A 32-bit shift amount in the type of the shifted value.
struct Amount {
    Value* inside; ///< i1: less than the width
    Value* value;  ///< valid where inside
};

Amount amount_of(Emitter& e, Value* count, Value* shifted) {
    auto& b = e.b;
    const unsigned bits = shifted->getType()->getScalarSizeInBits();
    Value* inside = b.CreateICmpULT(count, e.integer(32, bits));
    Value* masked = b.CreateAnd(count, e.integer(32, bits - 1));
    return {inside, b.CreateZExtOrTrunc(masked, shifted->getType())};
}

Value* shift_left(Emitter& e, Value* value, Value* count) {
    const Amount a = amount_of(e, count, value);
    return e.b.CreateSelect(a.inside, e.b.CreateShl(value, a.value), like_integer(value, 0));
}

Value* shift_right(Emitter& e, Value* value, Value* count) {
    const Amount a = amount_of(e, count, value);
    return e.b.CreateSelect(a.inside, e.b.CreateLShr(value, a.value), like_integer(value, 0));
}

Value* shift_right_signed(Emitter& e, Value* value, Value* count) {
    const unsigned bits = value->getType()->getScalarSizeInBits();
    Value* most = e.intrinsic(Intrinsic::umin, {count, e.integer(32, bits - 1)});
    return e.b.CreateAShr(value, e.b.CreateZExtOrTrunc(most, value->getType()));
}

void emit_logic(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    Value* x = e.read(i, 1, type);
    Value* result = nullptr;
    switch (i.opcode) {
    case Opcode::and_: result = b.CreateAnd(x, e.read(i, 2, type)); break;
    case Opcode::or_: result = b.CreateOr(x, e.read(i, 2, type)); break;
    case Opcode::xor_: result = b.CreateXor(x, e.read(i, 2, type)); break;
    case Opcode::not_: result = b.CreateNot(x); break;
    default: result = b.CreateZExt(b.CreateICmpEQ(x, like_integer(x, 0)), x->getType()); break; // cnot
    }
    e.write(i.operands[0], type, result);
}

void emit_shift(Emitter& e, const ptx::Instruction& i) {
    const PtxType type = i.type();
    Value* x = e.read(i, 1, type);
    Value* count = e.read(i, 2, PtxType::b32);
    Value* result;
    if (i.opcode == Opcode::shl)
        result = shift_left(e, x, count);
    else
        result = ptx::is_signed(type) ? shift_right_signed(e, x, count) : shift_right(e, x, count);
    e.write(i.operands[0], type, result);
}

/// Funnel shift of the 64 bits whose low half is the first operand.
void emit_funnel(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* low = e.read(i, 1, PtxType::b32);
    Value* high = e.read(i, 2, PtxType::b32);
    Value* count = e.read(i, 3, PtxType::b32);
    const bool left = i.has(Modifier::l);
    Value* result = e.intrinsic(left ? Intrinsic::fshl : Intrinsic::fshr, {high, low, count}); // modulo 32
    if (i.has(Modifier::clamp))
        result = b.CreateSelect(b.CreateICmpUGE(count, e.integer(32, 32)), left ? low : high, result);
    e.write(i.operands[0], PtxType::b32, result);
}

/// A function of one bit, from its two truth values.
Value* of_one(Emitter& e, unsigned table, Value* c) {
    switch (table & 3) {
    case 0: return e.integer(32, 0);
    case 1: return e.b.CreateNot(c);
    case 2: return c;
    default: return e.integer(32, ~std::uint64_t{0});
    }
}

/// x ? f1 : f0, bit by bit; the truth tables tell how f1 and f0 differ.
Value* choose(Emitter& e, Value* x, unsigned t1, unsigned t0, unsigned all, Value* f1, Value* f0) {
    auto& b = e.b;
    if (t1 == t0) return f1;
    if ((t1 ^ t0) == all) return b.CreateXor(x, f0);
    if (t0 == 0) return b.CreateAnd(x, f1);
    if (t1 == 0) return b.CreateAnd(b.CreateNot(x), f0);
    if (t0 == all) return b.CreateOr(b.CreateNot(x), f1);
    if (t1 == all) return b.CreateOr(x, f0);
    return b.CreateXor(f0, b.CreateAnd(x, b.CreateXor(f0, f1)));
}

void emit_lop3(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* x = e.read(i, 1, PtxType::b32);
    Value* y = e.read(i, 2, PtxType::b32);
    Value* z = e.read(i, 3, PtxType::b32);
    const auto table = static_cast<unsigned>(i.operands.at(4).integer) & 0xFF;
    const auto of_two = [&](unsigned t) {
        return choose(e, y, t >> 2 & 3, t & 3, 3, of_one(e, t >> 2, z), of_one(e, t, z));
    };
    Value* result = choose(e, x, table >> 4, table & 15, 15, of_two(table >> 4), of_two(table & 15));
    const bool with_predicate = i.has(Modifier::or_) || i.has(Modifier::and_);
    if (!with_predicate) return e.write(i.operands[0], PtxType::b32, result);
    Value* q = e.read(i, 5, PtxType::pred);
    Value* any = b.CreateICmpNE(result, e.integer(32, 0));
    Value* p = i.has(Modifier::or_) ? b.CreateOr(any, q) : b.CreateAnd(any, q);
    if (i.operands[0].kind != ptx::Operand::Kind::predicated_pair) e.unsupported_form(i, "needs d|p");
    e.write(i.operands[0].elements[0], PtxType::b32, result);
    e.write(i.operands[0].elements[1], PtxType::pred, p);
}

/// Ones in the low `length` bits; all of them from the width on.
Value* low_mask(Emitter& e, Value* length, llvm::Type* type) {
    auto& b = e.b;
    Value* ones = llvm::Constant::getAllOnesValue(type);
    const Amount a = amount_of(e, length, ones);
    return b.CreateSelect(a.inside, b.CreateNot(b.CreateShl(ones, a.value)), ones);
}

void emit_bfe(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    const unsigned bits = ptx::bits(type);
    Value* x = e.read(i, 1, type);
    Value* position = b.CreateAnd(e.read(i, 2, PtxType::b32), e.integer(32, 0xFF));
    Value* length = b.CreateAnd(e.read(i, 3, PtxType::b32), e.integer(32, 0xFF));
    Value* result;
    if (!ptx::is_signed(type)) {
        result = b.CreateAnd(shift_right(e, x, position), low_mask(e, length, x->getType()));
    } else {
        // Past the end the sign bit is repeated; a field inside has a sign of its own.
        Value* field = shift_right_signed(e, x, position);
        Value* used = e.intrinsic(Intrinsic::umin, {length, e.integer(32, bits)});
        Value* unused = b.CreateZExtOrTrunc(b.CreateSub(e.integer(32, bits), used), x->getType());
        Value* empty = b.CreateICmpEQ(length, e.integer(32, 0));
        unused = b.CreateSelect(empty, like_integer(x, 0), unused);
        result = b.CreateAShr(b.CreateShl(field, unused), unused);
        result = b.CreateSelect(empty, like_integer(x, 0), result);
    }
    e.write(i.operands[0], type, result);
}

void emit_bfi(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    Value* inserted = e.read(i, 1, type);
    Value* into = e.read(i, 2, type);
    Value* position = b.CreateAnd(e.read(i, 3, PtxType::b32), e.integer(32, 0xFF));
    Value* length = b.CreateAnd(e.read(i, 4, PtxType::b32), e.integer(32, 0xFF));
    Value* mask = shift_left(e, low_mask(e, length, into->getType()), position);
    Value* field = b.CreateAnd(shift_left(e, inserted, position), mask);
    e.write(i.operands[0], type, b.CreateOr(b.CreateAnd(into, b.CreateNot(mask)), field));
}

void emit_bfind(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    const unsigned bits = ptx::bits(type);
    Value* x = e.read(i, 1, type);
    if (ptx::is_signed(type)) x = b.CreateXor(x, b.CreateAShr(x, e.integer(bits, bits - 1)));
    Value* zeros = b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b.getFalse());
    Value* result = i.has(Modifier::shiftamt) ? zeros : b.CreateSub(e.integer(bits, bits - 1), zeros);
    Value* none = b.CreateICmpEQ(x, e.integer(bits, 0));
    e.write(i.operands[0], PtxType::b32,
            b.CreateSelect(none, e.integer(32, 0xFFFFFFFF), b.CreateZExtOrTrunc(result, e.integer_type(32))));
}

/// clz, popc, brev
void emit_count(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    Value* x = e.read(i, 1, type);
    if (i.opcode == Opcode::brev) return e.write(i.operands[0], type, e.intrinsic(Intrinsic::bitreverse, {x}));
    Value* count = i.opcode == Opcode::clz ? b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b.getFalse())
                                           : e.intrinsic(Intrinsic::ctpop, {x});
    e.write(i.operands[0], PtxType::b32, b.CreateZExtOrTrunc(count, e.integer_type(32)));
}

void emit_bmsk(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* position = e.read(i, 1, PtxType::b32);
    Value* width = e.read(i, 2, PtxType::b32);
    if (i.has(Modifier::wrap)) {
        position = b.CreateAnd(position, e.integer(32, 31));
        width = b.CreateAnd(width, e.integer(32, 31));
    }
    Value* ones = e.integer(32, 0xFFFFFFFF);
    e.write(i.operands[0], PtxType::b32,
            b.CreateAnd(shift_left(e, low_mask(e, width, ones->getType()), position), ones));
}

void emit_szext(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType type = i.type();
    Value* x = e.read(i, 1, type);
    Value* width = e.read(i, 2, PtxType::b32);
    Value* masked = b.CreateAnd(width, e.integer(32, 31));
    // Width 0 leaves nothing. A width beyond 31, with .clamp, leaves everything.
    Value* unused = b.CreateAnd(b.CreateSub(e.integer(32, 32), masked), e.integer(32, 31));
    Value* high = b.CreateShl(x, unused);
    Value* result = ptx::is_signed(type) ? b.CreateAShr(high, unused) : b.CreateLShr(high, unused);
    result = b.CreateSelect(b.CreateICmpEQ(masked, e.integer(32, 0)), e.integer(32, 0), result);
    if (i.has(Modifier::clamp)) result = b.CreateSelect(b.CreateICmpUGE(width, e.integer(32, 32)), x, result);
    e.write(i.operands[0], type, result);
}

/// The four selectors that a mode stands for, by c & 3.
std::uint64_t selectors_of(const ptx::Instruction& i) {
    if (i.has(Modifier::f4e)) return 0x6543'5432'4321'3210;
    if (i.has(Modifier::b4e)) return 0x0123'7012'6701'5670;
    if (i.has(Modifier::rc8)) return 0x3333'2222'1111'0000;
    if (i.has(Modifier::ecl)) return 0x3333'3222'3211'3210;
    if (i.has(Modifier::ecr)) return 0x3210'2210'1110'0000;
    if (i.has(Modifier::rc16)) return 0x3232'1010'3232'1010;
    return 0;
}

void emit_prmt(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    llvm::Type* wide = e.integer_type(64);
    Value* low = b.CreateZExt(e.read(i, 1, PtxType::b32), wide);
    Value* high = b.CreateZExt(e.read(i, 2, PtxType::b32), wide);
    Value* bytes = b.CreateOr(low, b.CreateShl(high, e.integer(64, 32)));
    Value* selector = b.CreateZExt(e.read(i, 3, PtxType::b32), wide);
    const std::uint64_t modes = selectors_of(i);
    if (modes != 0) {
        Value* shift = b.CreateShl(b.CreateAnd(selector, e.integer(64, 3)), e.integer(64, 4));
        selector = b.CreateLShr(e.integer(64, modes), shift);
    }
    Value* result = e.integer(64, 0);
    for (unsigned k = 0; k < 4; ++k) {
        Value* nibble = b.CreateLShr(selector, e.integer(64, 4 * k));
        Value* shift = b.CreateShl(b.CreateAnd(nibble, e.integer(64, 7)), e.integer(64, 3));
        Value* byte = b.CreateAnd(b.CreateLShr(bytes, shift), e.integer(64, 0xFF));
        if (modes == 0) {
            // Bit 3 asks for eight copies of the byte's sign.
            Value* sign = b.CreateMul(b.CreateLShr(byte, e.integer(64, 7)), e.integer(64, 0xFF));
            Value* wants_sign = b.CreateICmpNE(b.CreateAnd(nibble, e.integer(64, 8)), e.integer(64, 0));
            byte = b.CreateSelect(wants_sign, sign, byte);
        }
        result = b.CreateOr(result, b.CreateShl(byte, e.integer(64, 8 * k)));
    }
    e.write(i.operands[0], PtxType::b32, b.CreateTrunc(result, e.integer_type(32)));
}

} // namespace

bool emit_bits(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot: emit_logic(e, i); return true;
    case Opcode::shl:
    case Opcode::shr: emit_shift(e, i); return true;
    case Opcode::shf: emit_funnel(e, i); return true;
    case Opcode::lop3: emit_lop3(e, i); return true;
    case Opcode::bfe: emit_bfe(e, i); return true;
    case Opcode::bfi: emit_bfi(e, i); return true;
    case Opcode::bfind: emit_bfind(e, i); return true;
    case Opcode::clz:
    case Opcode::popc:
    case Opcode::brev: emit_count(e, i); return true;
    case Opcode::bmsk: emit_bmsk(e, i); return true;
    case Opcode::szext: emit_szext(e, i); return true;
    case Opcode::prmt: emit_prmt(e, i); return true;
    case Opcode::fns:
        e.write(i.operands[0], PtxType::b32,
                e.pure_call("wl_math_fns", e.integer_type(32),
                            {e.read(i, 1, PtxType::b32), e.read(i, 2, PtxType::b32), e.read(i, 3, PtxType::b32)}));
        return true;
    default: return false;
    }
}

} // namespace warplight::jit
