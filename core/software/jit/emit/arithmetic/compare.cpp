// SPDX-License-Identifier: Apache-2.0
// Comparisons and selections.
#include "arithmetic.hpp"
#include "software/jit/emit/groups.hpp"

#include <utility>

namespace warplight::jit {

using llvm::CmpInst;
using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;

namespace {

CmpInst::Predicate integer_predicate(Emitter& e, const ptx::Instruction& i, bool is_signed) {
    if (i.has(Modifier::eq)) return CmpInst::ICMP_EQ;
    if (i.has(Modifier::ne)) return CmpInst::ICMP_NE;
    if (i.has(Modifier::lt)) return is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
    if (i.has(Modifier::le)) return is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
    if (i.has(Modifier::gt)) return is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
    if (i.has(Modifier::ge)) return is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
    if (i.has(Modifier::lo)) return CmpInst::ICMP_ULT;
    if (i.has(Modifier::ls)) return CmpInst::ICMP_ULE;
    if (i.has(Modifier::hi)) return CmpInst::ICMP_UGT;
    if (i.has(Modifier::hs)) return CmpInst::ICMP_UGE;
    e.unsupported_form(i);
}

/// The plain operators are false when an operand is NaN, those that end in u are true.
CmpInst::Predicate float_predicate(Emitter& e, const ptx::Instruction& i) {
    static constexpr std::pair<Modifier, CmpInst::Predicate> kPredicates[] = {
        {Modifier::eq, CmpInst::FCMP_OEQ},  {Modifier::ne, CmpInst::FCMP_ONE},  {Modifier::lt, CmpInst::FCMP_OLT},
        {Modifier::le, CmpInst::FCMP_OLE},  {Modifier::gt, CmpInst::FCMP_OGT},  {Modifier::ge, CmpInst::FCMP_OGE},
        {Modifier::equ, CmpInst::FCMP_UEQ}, {Modifier::neu, CmpInst::FCMP_UNE}, {Modifier::ltu, CmpInst::FCMP_ULT},
        {Modifier::leu, CmpInst::FCMP_ULE}, {Modifier::gtu, CmpInst::FCMP_UGT}, {Modifier::geu, CmpInst::FCMP_UGE},
        {Modifier::num, CmpInst::FCMP_ORD}, {Modifier::nan, CmpInst::FCMP_UNO},
    };
    for (const auto& [modifier, predicate] : kPredicates)
        if (i.has(modifier)) return predicate;
    e.unsupported_form(i);
}

/// Element `k` of each lane's pair.
Value* pick(Emitter& e, Value* pairs, unsigned k) {
    auto& b = e.b;
    if (e.lanes.width() == 1) return b.CreateExtractElement(pairs, std::uint64_t{k});
    // LLVM shuffles masks bit by bit; integers are faster.
    Value* halves = b.CreateSExt(pairs, llvm::FixedVectorType::get(b.getInt16Ty(), 2 * e.lanes.width()));
    Value* words = b.CreateBitCast(halves, e.integer_type(32));
    return b.CreateICmpNE(b.CreateAnd(words, e.integer(32, k == 0 ? 1 : 0x10000)), e.integer(32, 0));
}

/// The comparison of operands 1 and 2 as `type`; for packed types two results for each lane.
Value* compare(Emitter& e, const ptx::Instruction& i, PtxType type) {
    Value* x = e.read(i, 1, type);
    Value* y = e.read(i, 2, type);
    if (!ptx::is_float(type)) return e.b.CreateICmp(integer_predicate(e, i, ptx::is_signed(type)), x, y);
    const bool ftz = i.has(Modifier::ftz);
    if (is_bfloat(type)) {
        x = widen(e, x, type);
        y = widen(e, y, type);
    }
    return compare_floats(e, float_predicate(e, i), flush_if(e, ftz, x), flush_if(e, ftz, y));
}

Value* combine(Emitter& e, const ptx::Instruction& i, Value* result) {
    if (i.operands.size() < 4) return result;
    Value* with = e.read(i, 3, PtxType::pred);
    if (i.has(Modifier::and_)) return e.b.CreateAnd(result, with);
    if (i.has(Modifier::or_)) return e.b.CreateOr(result, with);
    if (i.has(Modifier::xor_)) return e.b.CreateXor(result, with);
    e.unsupported_form(i, "a third source needs .and, .or or .xor");
}

bool is_packed(PtxType type) { return type == PtxType::f16x2 || type == PtxType::bf16x2; }

void emit_setp(Emitter& e, const ptx::Instruction& i) {
    const PtxType type = i.type();
    Value* result = compare(e, i, type);
    const ptx::Operand& to = i.operands.at(0);
    const bool pair = to.kind == ptx::Operand::Kind::predicated_pair;
    if (is_packed(type)) {
        if (!pair) e.unsupported_form(i, "needs p|q");
        e.write(to.elements[0], PtxType::pred, combine(e, i, pick(e, result, 0)));
        e.write(to.elements[1], PtxType::pred, combine(e, i, pick(e, result, 1)));
        return;
    }
    if (!pair) return e.write(to, PtxType::pred, combine(e, i, result));
    // Both are computed before either is written: a destination may be the third source.
    Value* first = combine(e, i, result);
    Value* second = combine(e, i, e.b.CreateNot(result));
    e.write(to.elements[0], PtxType::pred, first);
    e.write(to.elements[1], PtxType::pred, second);
}

/// set: all ones or 1.0 where true.
void emit_set(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const PtxType to = i.types[0], from = i.types[1];
    Value* result = compare(e, i, from);
    if (is_packed(from)) {
        const bool as_bits = !ptx::is_float(to);
        const std::uint64_t one = as_bits ? 0xFFFF : to == PtxType::bf16x2 ? 0x3F80 : 0x3C00;
        Value* low = b.CreateSelect(combine(e, i, pick(e, result, 0)), e.integer(32, one), e.integer(32, 0));
        Value* high = b.CreateSelect(combine(e, i, pick(e, result, 1)), e.integer(32, one << 16), e.integer(32, 0));
        e.write(i.operands[0], PtxType::b32, b.CreateOr(low, high));
        return;
    }
    const unsigned bits = ptx::bits(to);
    std::uint64_t one = ~std::uint64_t{0};
    if (to == PtxType::f32) one = 0x3F800000;
    if (to == PtxType::f16) one = 0x3C00;
    if (to == PtxType::bf16) one = 0x3F80;
    if (is_packed(to)) e.unsupported_form(i);
    Value* value = b.CreateSelect(combine(e, i, result), e.integer(bits, one), e.integer(bits, 0));
    e.write(i.operands[0], to, e.bits_as(value, e.type_of(to)));
}

void emit_slct(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* selector = e.read(i, 3, i.types[1]);
    Value* first;
    if (i.types[1] == PtxType::f32)
        first = b.CreateFCmpOGE(flush_if(e, i.has(Modifier::ftz), selector), like(selector, 0)); // -0 counts as 0
    else
        first = b.CreateICmpSGE(selector, like_integer(selector, 0));
    e.write(i.operands[0], i.type(), b.CreateSelect(first, e.read(i, 1, i.type()), e.read(i, 2, i.type())));
}

} // namespace

bool emit_compare(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case Opcode::setp: emit_setp(e, i); return true;
    case Opcode::set: emit_set(e, i); return true;
    case Opcode::selp:
        e.write(i.operands[0], i.type(),
                e.b.CreateSelect(e.read(i, 3, PtxType::pred), e.read(i, 1, i.type()), e.read(i, 2, i.type())));
        return true;
    case Opcode::slct: emit_slct(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
