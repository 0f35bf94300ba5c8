// SPDX-License-Identifier: Apache-2.0
// The shadow of a product D = A B + C. An element of D is unknown where one of its row of A, of its column of B, or of
// C is. A product tells which: of a matrix that has a one for each unknown element of A, and one of ones, the sums of a
// row are not 0 where any is unknown. So the places of elements in registers need not be known here.
#include "shadow_rules.hpp"
#include "software/ptx/matrix.hpp"

#include <algorithm>
#include <array>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

/// 1 as a number of the type.
std::uint64_t one_of(Type type) {
    switch (type) {
    case Type::f16: return 0x3c00;
    case Type::bf16: return 0x3f80;
    case Type::f32:
    case Type::tf32: return 0x3f800000;
    case Type::f64: return 0x3ff0'0000'0000'0000;
    case Type::e4m3: return 0x38;
    case Type::e5m2: return 0x3c;
    default: return 1;
    }
}

/// A number again and again, in `bits`.
std::int64_t repeated(std::uint64_t number, unsigned width, unsigned bits) {
    std::uint64_t all = 0;
    for (unsigned at = 0; at < bits; at += width)
        all |= number << at;
    return static_cast<std::int64_t>(all);
}

std::uint64_t all_ones(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

} // namespace

/// A vector of as many registers, with the number in each element.
Operand ShadowRules::filled(const Operand& like, Type type, std::uint64_t number) {
    const unsigned bits = type == Type::f64 ? 64 : 32;
    Operand all = like;
    Operand value = temporary(untyped(bits));
    code_.add(Opcode::mov, untyped(bits), {value, number_operand(repeated(number, ptx::bits(type), bits))});
    if (all.kind != Kind::vector) return value;
    for (Operand& each : all.elements)
        each = value;
    return all;
}

/// In place of each element that is not 0 the mark.
Operand ShadowRules::marks(const Operand& values, unsigned width, std::uint64_t mark) {
    if (values.kind == Kind::vector) {
        Operand all = values;
        for (Operand& each : all.elements)
            each = marks(each, width, mark);
        return all;
    }
    if (values.kind != Kind::reg || width == 1) return values;
    const unsigned bits = code_.bits_of(values.reg);
    const Type type = untyped(bits), number = bits == 64 ? Type::u64 : Type::u32;
    const std::int64_t low = repeated(all_ones(width) >> 1, width, bits);
    const std::int64_t high = repeated(std::uint64_t{1} << (width - 1), width, bits);
    const Operand at = temporary(type);
    if (width == bits) {
        const Operand any = temporary(Type::pred);
        set(code_.add(Opcode::setp, type, {any, values, number_operand(0)}), Modifier::ne);
        code_.add(Opcode::selp, type, {at, number_operand(static_cast<std::int64_t>(mark)), number_operand(0), any});
        return at;
    }
    code_.add(Opcode::and_, type, {at, values, number_operand(low)});
    code_.add(Opcode::add, number, {at, at, number_operand(low)});
    code_.add(Opcode::or_, type, {at, at, values});
    code_.add(Opcode::and_, type, {at, at, number_operand(high)});
    code_.add(Opcode::shr, number, {at, at, number_operand(width - 1)});
    set(code_.add(Opcode::mul, number, {at, at, number_operand(static_cast<std::int64_t>(mark))}), Modifier::lo);
    return at;
}

/// The shadow of a sparse A. Of a row with unknown metadata it is not known which elements of B count, so all of the
/// row is unknown. Four lanes share a row and the one eight further down, and one of them has its metadata: so it marks
/// its own registers of that row.
Operand ShadowRules::with_unknown_places(const Instruction& i, const ptx::MatrixForm& form) {
    const ptx::MatrixSparsity sparsity(form.a);
    const Operand shadow = shadow_of_value(i.operands.at(4));
    const auto groups = static_cast<unsigned>(form.k / sparsity.group);
    Operand within = temporary(Type::b32), lane;
    lane.kind = Kind::special;
    lane.special = ptx::SpecialRegister::laneid;
    code_.add(Opcode::mov, Type::u32, {within, lane});
    code_.add(Opcode::and_, Type::b32, {within, within, number_operand(3)});
    /// The bits that this lane has for the row that it shares with lanes 0 to 3, or for the one below.
    const auto bits_of = [&](unsigned row) {
        std::array<std::uint32_t, 4> bits{};
        for (unsigned number = 0; number < groups; ++number) {
            const auto [of_lane, shift] = sparsity.place(form, row, number);
            bits.at(of_lane) |= 15U << shift;
        }
        Operand mine = temporary(Type::b32);
        code_.add(Opcode::mov, Type::b32, {mine, number_operand(0)});
        for (unsigned k = 0; k < bits.size(); ++k) {
            if (bits[k] == 0) continue;
            const Operand is_it = temporary(Type::pred);
            set(code_.add(Opcode::setp, Type::u32, {is_it, within, number_operand(k)}), Modifier::eq);
            code_.add(Opcode::selp, Type::b32, {mine, number_operand(bits[k]), mine, is_it});
        }
        const Operand any = temporary(Type::pred), unknown = temporary(Type::b32);
        code_.add(Opcode::and_, Type::b32, {mine, mine, shadow});
        set(code_.add(Opcode::setp, Type::b32, {any, mine, number_operand(0)}), Modifier::ne);
        code_.add(Opcode::selp, Type::b32, {unknown, number_operand(-1), number_operand(0), any});
        return unknown;
    };
    const std::array<Operand, 2> rows{bits_of(0), bits_of(8)};
    Operand all = shadow_of_value(i.operands.at(1));
    for (unsigned reg = 0; reg < all.elements.size(); ++reg)
        all.elements[reg] =
            merged(rows[ptx::matrix_place(form, ptx::MatrixPart::a, 0, reg, 0).row / 8], all.elements[reg], 32);
    return all;
}

void ShadowRules::product(const Instruction& i) {
    const ptx::MatrixForm form = ptx::matrix_form(i).value();
    const Operand &a = i.operands.at(1), &b = i.operands.at(2), &c = i.operands.at(3);
    const bool counts_differences = form.operation == ptx::MatrixOperation::xor_and_count;
    const auto marked = [&](const Operand& value, Type type) {
        return marks(shadow_of_value(value), ptx::bits(type), one_of(type));
    };
    const bool of_metadata = form.sparse && is_followed(i.operands.at(4));
    const auto neutral = [&](const Operand& like, Type type) {
        return filled(like, type, counts_differences ? 0 : one_of(type));
    };
    /// Gives the sums.
    const auto add = [&](const Operand& first, const Operand& second, const Operand& start) {
        Instruction same = i;
        Operand sums = i.operands[0];
        const auto fresh = [&](Operand& each) { each = temporary(untyped(form.d == Type::f64 ? 64 : 32)); };
        if (sums.kind == Kind::vector)
            std::for_each(sums.elements.begin(), sums.elements.end(), fresh);
        else
            fresh(sums);
        same.operands[0] = sums;
        same.operands[1] = first;
        same.operands[2] = second;
        same.operands[3] = start;
        code_.add(std::move(same));
        return sums;
    };
    const Operand zeros = filled(c, form.c, 0);
    const bool of_a = is_followed(a) || of_metadata, of_b = is_followed(b);
    const auto marked_a = [&] {
        return of_metadata ? marks(with_unknown_places(i, form), ptx::bits(form.a), one_of(form.a)) : marked(a, form.a);
    };
    const Operand start = is_followed(c) ? marked(c, form.c) : zeros;
    Operand sums = start;
    if (of_a || !of_b) sums = add(of_a ? marked_a() : filled(a, form.a, 0), neutral(b, form.b), start);
    if (of_b) {
        const bool goes_on = !of_a || form.c == form.d;
        const Operand of_columns = add(neutral(a, form.a), marked(b, form.b), goes_on ? sums : zeros);
        sums = goes_on ? of_columns : merged(sums, of_columns, form.d == Type::f64 ? 64 : 32);
    }
    const Operand shadow = marks(sums, ptx::bits(form.d), all_ones(ptx::bits(form.d)));
    const Operand to = shadows_to_write(i.operands[0]);
    const auto move = [&](const Operand& target, const Operand& value) {
        if (target.kind == Kind::reg) code_.add(Opcode::mov, untyped(code_.bits_of(target.reg)), {target, value});
    };
    if (to.kind != Kind::vector) return move(to, shadow);
    for (std::size_t k = 0; k < to.elements.size(); ++k)
        move(to.elements[k], shadow.elements.at(k));
}

} // namespace warplight::jit
