// SPDX-License-Identifier: Apache-2.0
// The video instructions: arithmetic of a selected byte or half, or of all of a word's.
#include "arithmetic.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using PtxType = ptx::Type;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// Calculation is in 64 bits, where no part's result can overflow.
constexpr unsigned kWork = 64;

Value* lane(Emitter& e, Value* word, unsigned bits, unsigned index, bool is_signed) {
    auto& b = e.b;
    Value* wide = b.CreateZExt(word, e.integer_type(kWork));
    Value* high = b.CreateShl(wide, e.integer(kWork, kWork - bits * (index + 1)));
    Value* shift = e.integer(kWork, kWork - bits);
    return is_signed ? b.CreateAShr(high, shift) : b.CreateLShr(high, shift);
}

Value* clamp(Emitter& e, Value* x, unsigned bits, bool is_signed) {
    const std::int64_t high = is_signed ? (std::int64_t{1} << (bits - 1)) - 1 : (std::int64_t{1} << bits) - 1;
    const std::int64_t low = is_signed ? -high - 1 : 0;
    x = e.intrinsic(Intrinsic::smax, {x, e.integer(kWork, static_cast<std::uint64_t>(low))});
    return e.intrinsic(Intrinsic::smin, {x, e.integer(kWork, static_cast<std::uint64_t>(high))});
}

Value* compare(Emitter& e, const ptx::Instruction& i, Value* x, Value* y) {
    auto& b = e.b;
    Value* result = i.has(Modifier::eq)   ? b.CreateICmpEQ(x, y)
                    : i.has(Modifier::ne) ? b.CreateICmpNE(x, y)
                    : i.has(Modifier::lt) ? b.CreateICmpSLT(x, y)
                    : i.has(Modifier::le) ? b.CreateICmpSLE(x, y)
                    : i.has(Modifier::gt) ? b.CreateICmpSGT(x, y)
                                          : b.CreateICmpSGE(x, y);
    return b.CreateZExt(result, x->getType());
}

/// The operation itself, of two numbers of 64 bits.
Value* operate(Emitter& e, const ptx::Instruction& i, Value* x, Value* y) {
    auto& b = e.b;
    switch (i.opcode) {
    case Opcode::vadd:
    case Opcode::vadd2:
    case Opcode::vadd4: return b.CreateAdd(x, y);
    case Opcode::vsub:
    case Opcode::vsub2:
    case Opcode::vsub4: return b.CreateSub(x, y);
    case Opcode::vabsdiff:
    case Opcode::vabsdiff2:
    case Opcode::vabsdiff4: return b.CreateBinaryIntrinsic(Intrinsic::abs, b.CreateSub(x, y), b.getFalse());
    case Opcode::vmin:
    case Opcode::vmin2:
    case Opcode::vmin4: return e.intrinsic(Intrinsic::smin, {x, y});
    case Opcode::vmax:
    case Opcode::vmax2:
    case Opcode::vmax4: return e.intrinsic(Intrinsic::smax, {x, y});
    case Opcode::vavrg2:
    case Opcode::vavrg4: {
        // Halves go up, from zero on.
        Value* sum = b.CreateAdd(x, y);
        Value* up = b.CreateZExt(b.CreateICmpSGE(sum, e.integer(kWork, 0)), sum->getType());
        return b.CreateAShr(b.CreateAdd(sum, up), e.integer(kWork, 1));
    }
    case Opcode::vset:
    case Opcode::vset2:
    case Opcode::vset4: return compare(e, i, x, y);
    case Opcode::vshl:
    case Opcode::vshr: {
        Value* count = i.has(Modifier::wrap) ? b.CreateAnd(y, e.integer(kWork, 31))
                                             : e.intrinsic(Intrinsic::umin, {y, e.integer(kWork, 32)});
        return i.opcode == Opcode::vshl ? b.CreateShl(x, count) : b.CreateAShr(x, count);
    }
    default: e.unsupported_form(i);
    }
}

/// A source of a scalar instruction: the selected part, or all 32 bits.
Value* scalar_source(Emitter& e, const ptx::Operand& operand, PtxType type) {
    const bool is_signed = ptx::is_signed(type);
    Value* word = e.read(operand, PtxType::b32);
    const unsigned unit = operand.selector.unit;
    if (unit == 0) return lane(e, word, 32, 0, is_signed);
    return lane(e, word, 8 * unit, operand.selector.lanes[0], is_signed);
}

bool selector_fits(const ptx::Operand& operand, unsigned lanes_of_a_word, unsigned most, std::size_t count) {
    const auto& s = operand.selector;
    if (s.unit == 0) return true;
    bool fits = s.unit == 4 / lanes_of_a_word && s.count <= count;
    for (unsigned k = 0; k < s.count; ++k)
        fits = fits && s.lanes[k] < most;
    return fits;
}

/// .sat into a byte or half. The ISA clamps to the range of the part. sm_90 (driver 580) gives the top of the range for
/// numbers below zero, as if it compared unsigned. Programs see the same here.
Value* clamp_part(Emitter& e, const ptx::Instruction& i, Value* x, unsigned bits, bool is_signed) {
    if (i.opcode == Opcode::vshl || i.opcode == Opcode::vshr) return clamp(e, x, bits, is_signed);
    return e.intrinsic(Intrinsic::umin, {x, e.integer(kWork, (std::uint64_t{1} << (bits - is_signed)) - 1)});
}

/// .min and .max with the third source, of a result in 64 bits.
Value* second_extreme(Emitter& e, const ptx::Instruction& i, Value* result, Value* c, bool is_signed) {
    auto& b = e.b;
    const bool maximum = i.has(Modifier::max);
    llvm::Type* word = e.integer_type(32);
    if (i.opcode == Opcode::vabsdiff) {
        // The difference does not wrap around first: it may be 2^31 or more.
        c = lane(e, c, 32, 0, is_signed);
        return b.CreateTrunc(e.intrinsic(maximum ? Intrinsic::smax : Intrinsic::smin, {result, c}), word);
    }
    result = b.CreateTrunc(result, word);
    const auto kind =
        maximum ? (is_signed ? Intrinsic::smax : Intrinsic::umax) : (is_signed ? Intrinsic::smin : Intrinsic::umin);
    Value* extreme = e.intrinsic(kind, {result, c});
    const bool sum = i.opcode == Opcode::vadd || i.opcode == Opcode::vsub;
    if (!sum || !maximum || is_signed) return extreme;
    // Of two numbers of 2^31 or more, sm_90 (driver 580) takes the sum even where the third source is larger.
    Value* both_large = b.CreateICmpSLT(b.CreateAnd(result, c), e.integer(32, 0));
    return b.CreateSelect(both_large, result, extreme);
}

void emit_scalar(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool sets = i.opcode == Opcode::vset;
    const PtxType to = sets ? PtxType::u32 : i.types[0];
    const PtxType left = i.types[sets ? 0 : 1], right = i.types[sets ? 1 : 2];
    for (const ptx::Operand& o : i.operands) {
        const unsigned unit = o.selector.unit;
        if (unit != 0 && !selector_fits(o, 4 / unit, 4 / unit, 1)) e.unsupported_form(i, "operand selector");
    }
    Value* result = operate(e, i, scalar_source(e, i.operands.at(1), left), scalar_source(e, i.operands.at(2), right));
    const auto& part = i.operands[0].selector;
    const unsigned bits = part.unit == 0 ? 32 : 8 * part.unit;
    if (i.has(Modifier::sat))
        result = part.unit == 0 ? clamp(e, result, bits, ptx::is_signed(to))
                                : clamp_part(e, i, result, bits, ptx::is_signed(to));
    Value* whole = result;
    result = b.CreateTrunc(result, e.integer_type(32));
    const bool second = i.has(Modifier::add) || i.has(Modifier::min) || i.has(Modifier::max);
    if (second != (i.operands.size() == 4) && part.unit == 0) e.unsupported_form(i, "operands");
    if (second) {
        Value* c = e.read(i, 3, PtxType::b32);
        result = i.has(Modifier::add) ? b.CreateAdd(result, c) : second_extreme(e, i, whole, c, ptx::is_signed(to));
    } else if (part.unit != 0) {
        // The selected part of the third source is replaced.
        const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << (bits * part.lanes[0]);
        Value* rest = b.CreateAnd(e.read(i, 3, PtxType::b32), e.integer(32, ~mask));
        Value* shifted = b.CreateShl(result, e.integer(32, bits * part.lanes[0]));
        result = b.CreateOr(rest, b.CreateAnd(shifted, e.integer(32, mask)));
    }
    e.write(i.operands[0], PtxType::b32, result);
}

/// vmad: a product of selected parts and a sum. With a shift or .sat sm_90 (driver 580) takes all three sources as
/// signed 32-bit numbers, whatever their types. Programs see the same here.
void emit_multiply_add(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    ptx::Operand x = i.operands.at(1), y = i.operands.at(2), z = i.operands.at(3);
    for (const ptx::Operand* o : {&x, &y}) {
        const unsigned unit = o->selector.unit;
        if (unit != 0 && !selector_fits(*o, 4 / unit, 4 / unit, 1)) e.unsupported_form(i, "operand selector");
    }
    const bool minus = x.negated != y.negated, minus_c = z.negated;
    const bool is_signed = ptx::is_signed(i.types[1]) || ptx::is_signed(i.types[2]) || minus || minus_c;
    x.negated = y.negated = z.negated = false;
    const auto source = [&](Value* v) { return lane(e, v, 32, 0, true); };
    const auto low = [&](Value* v) { return b.CreateTrunc(v, e.integer_type(32)); };
    Value* result =
        b.CreateMul(source(low(scalar_source(e, x, i.types[1]))), source(low(scalar_source(e, y, i.types[2]))));
    Value* c = source(e.read(z, PtxType::b32));
    if (i.has(Modifier::po))
        result = b.CreateAdd(b.CreateAdd(result, c), e.integer(kWork, 1));
    else
        result = b.CreateAdd(minus ? b.CreateNeg(result) : result, minus_c && !minus ? b.CreateNeg(c) : c);
    const unsigned shift = i.has(Modifier::shr7) ? 7 : i.has(Modifier::shr15) ? 15 : 0;
    result = is_signed ? b.CreateAShr(result, e.integer(kWork, shift)) : b.CreateLShr(result, e.integer(kWork, shift));
    if (i.has(Modifier::sat)) {
        result = !is_signed && shift ? e.intrinsic(Intrinsic::umin, {result, e.integer(kWork, 0xFFFFFFFF)})
                                     : clamp(e, result, 32, is_signed);
    }
    e.write(i.operands[0], PtxType::b32, low(result));
}

/// All parts of a word: four bytes or two halves.
void emit_packed(Emitter& e, const ptx::Instruction& i, unsigned lanes) {
    auto& b = e.b;
    const bool sets = i.opcode == Opcode::vset2 || i.opcode == Opcode::vset4;
    const PtxType to = sets ? PtxType::u32 : i.types[0];
    const PtxType left = i.types[sets ? 0 : 1], right = i.types[sets ? 1 : 2];
    const unsigned bits = 32 / lanes;
    for (std::size_t k = 0; k < 3; ++k)
        if (!selector_fits(i.operands.at(k), lanes, k == 0 ? lanes : 2 * lanes, lanes))
            e.unsupported_form(i, "operand selector");
    const std::array<Value*, 2> words = {e.read(i, 1, PtxType::b32), e.read(i, 2, PtxType::b32)};
    // Parts are numbered through both words: the first source has the lower numbers by default.
    const auto source = [&](std::size_t operand, unsigned k, PtxType type) {
        const auto& s = i.operands[operand].selector;
        if (s.unit != 0 && s.count != lanes) e.unsupported_form(i, "operand selector");
        const unsigned index = s.unit == 0 ? (operand == 1 ? k : lanes + k) : s.lanes[lanes - 1 - k];
        return lane(e, words[index / lanes], bits, index % lanes, ptx::is_signed(type));
    };
    const auto& mask = i.operands[0].selector;
    Value* third = e.read(i, 3, PtxType::b32);
    Value* result = third;
    for (unsigned k = 0; k < lanes; ++k) {
        bool wanted = mask.unit == 0;
        for (unsigned m = 0; m < mask.count; ++m)
            wanted = wanted || mask.lanes[m] == k;
        if (!wanted) continue;
        Value* x = operate(e, i, source(1, k, left), source(2, k, right));
        if (i.has(Modifier::sat)) x = clamp(e, x, bits, ptx::is_signed(to));
        x = b.CreateTrunc(x, e.integer_type(32));
        if (i.has(Modifier::add)) {
            result = b.CreateAdd(result, x);
            continue;
        }
        const std::uint64_t field = ((std::uint64_t{1} << bits) - 1) << (bits * k);
        Value* shifted = b.CreateAnd(b.CreateShl(x, e.integer(32, bits * k)), e.integer(32, field));
        result = b.CreateOr(b.CreateAnd(result, e.integer(32, ~field)), shifted);
    }
    e.write(i.operands[0], PtxType::b32, result);
}

} // namespace

bool emit_video(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case Opcode::vadd:
    case Opcode::vsub:
    case Opcode::vabsdiff:
    case Opcode::vmin:
    case Opcode::vmax:
    case Opcode::vshl:
    case Opcode::vshr:
    case Opcode::vset: emit_scalar(e, i); return true;
    case Opcode::vmad: emit_multiply_add(e, i); return true;
    case Opcode::vadd2:
    case Opcode::vsub2:
    case Opcode::vavrg2:
    case Opcode::vabsdiff2:
    case Opcode::vmin2:
    case Opcode::vmax2:
    case Opcode::vset2: emit_packed(e, i, 2); return true;
    case Opcode::vadd4:
    case Opcode::vsub4:
    case Opcode::vavrg4:
    case Opcode::vabsdiff4:
    case Opcode::vmin4:
    case Opcode::vmax4:
    case Opcode::vset4: emit_packed(e, i, 4); return true;
    default: return false;
    }
}

} // namespace warplight::jit
