// SPDX-License-Identifier: Apache-2.0
#include "block_sums.hpp"

#include "linear_form.hpp"
#include "software/ptx/accesses.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::int64_t kMostShift = 20;

template <class Number>
bool is_small(Number number) {
    return std::abs(number) < Number{std::int64_t{1} << kMostShift};
}

/// Such as -16, or 1073741820, which also leaves out bits that a shift has made zero.
bool leaves_high_bits(std::int64_t mask) {
    constexpr std::uint32_t kMostLow = 1U << 16, kLeastHigh = 1U << 24;
    const auto word = static_cast<std::uint32_t>(mask);
    const std::uint32_t low = word & (~word + 1), end = word + low;
    return low && low <= kMostLow && (!end || (std::has_single_bit(end) && end >= kLeastHigh));
}

/// Of a row of blocks. LaneValue::stride has the factor of tid.x.
bool is_same_in_all_blocks(SR special) {
    return special == SR::tid_x || special == SR::tid_y || special == SR::tid_z || special == SR::ntid_y ||
           special == SR::ntid_z || special == SR::ctaid_y || special == SR::ctaid_z;
}

std::optional<BlockSum> sum(const std::optional<BlockSum>& x, const std::optional<BlockSum>& y, int sign) {
    if (!x || !y) return std::nullopt;
    BlockSum z = y->times(sign);
    z.number = x->number && z.number ? std::optional(*x->number + *z.number) : std::nullopt;
    z.block += x->block;
    z.blocks_threads += x->blocks_threads;
    z.threads += x->threads;
    z.rows |= x->rows;
    return z;
}

std::optional<BlockSum> product(const std::optional<BlockSum>& x, const std::optional<BlockSum>& y) {
    if (!x || !y) return std::nullopt;
    if (y->is_number() && is_small(*y->number)) return x->times(*y->number);
    if (x->is_number() && is_small(*x->number)) return y->times(*x->number);
    if (x->is_of_row() && y->is_of_row()) return BlockSum{.number = std::nullopt, .rows = x->rows || y->rows};
    const auto is_only = [](const BlockSum& s, double BlockSum::* part) {
        BlockSum rest = s;
        rest.*part = 0;
        return rest.is_number() && *rest.number == 0 && is_small(s.*part);
    };
    for (const auto& [a, b] : {std::pair(x, y), std::pair(y, x)})
        if (is_only(*a, &BlockSum::block) && is_only(*b, &BlockSum::threads))
            return BlockSum{.blocks_threads = a->block * b->threads};
    return std::nullopt;
}

std::optional<BlockSum> shifted(const std::optional<BlockSum>& x, const std::optional<BlockSum>& by) {
    if (!x || !by || !by->is_number() || *by->number < 0 || *by->number > kMostShift) return std::nullopt;
    return x->times(std::int64_t{1} << *by->number);
}

/// One of two: both move on alike, or one stays where it is, as the edge of a picture does.
std::optional<BlockSum> either(const std::optional<BlockSum>& x, const std::optional<BlockSum>& y) {
    if (!x || !y) return std::nullopt;
    const bool alike = x->block == y->block && x->blocks_threads == y->blocks_threads && x->threads == y->threads;
    if (!alike && !x->is_of_row() && !y->is_of_row()) return std::nullopt;
    BlockSum z = x->is_of_row() ? *y : *x;
    z.number.reset();
    z.rows = x->rows || y->rows;
    return z;
}

} // namespace

BlockSum BlockSum::times(std::int64_t by) const {
    const auto product = number ? std::optional(*number * by) : std::nullopt;
    const auto factor = static_cast<double>(by);
    return {block * factor, blocks_threads * factor, threads * factor, product, rows};
}

BlockSum BlockSum::halved(unsigned times) const {
    const double factor = std::ldexp(1, -static_cast<int>(times));
    return {block * factor, blocks_threads * factor, threads * factor, std::nullopt, rows};
}

std::optional<BlockSum> BlockSums::of(RegisterId r) {
    constexpr unsigned kDeepest = 500;              // keeps the recursion within the stack
    const auto [at, fresh] = known_.try_emplace(r); // stays empty while the register depends on itself
    if (!fresh || writers_[r].size() != 1 || depth_ == kDeepest) return at->second;
    const Instruction& i = kernel_.instructions[writers_[r][0]];
    if (i.guarded || i.operands[0].kind != Operand::Kind::reg) return std::nullopt;
    ++depth_;
    const auto sum = of_result(i);
    --depth_;
    return known_[r] = sum;
}

std::optional<BlockSum> BlockSums::of(const Operand& x) {
    switch (x.kind) {
    case Operand::Kind::reg: return x.negated ? std::nullopt : of(x.reg);
    case Operand::Kind::integer: return BlockSum{.number = x.integer};
    case Operand::Kind::special:
        if (x.special == SR::ctaid_x) return BlockSum{.block = 1};
        if (x.special == SR::ntid_x) return BlockSum{.threads = 1};
        if (!is_same_in_all_blocks(x.special)) return std::nullopt;
        return BlockSum{.number = std::nullopt, .rows = x.special == SR::tid_y || x.special == SR::tid_z};
    case Operand::Kind::floating: return BlockSum{.number = std::nullopt};
    default: return std::nullopt;
    }
}

std::optional<BlockSum> BlockSums::of_result(const Instruction& i) {
    const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
    if (const auto linear = linear_form_of(i)) {
        auto x = operand(1);
        if (linear->factor) x = linear->shifts ? shifted(x, operand(2)) : product(x, operand(2));
        if (linear->addend) x = sum(x, operand(linear->addend), linear->subtracts ? -1 : 1);
        return x ? x : made_of_row(i);
    }
    if (i.opcode == Opcode::ld) {
        if (i.space != ptx::Space::param || i.vector_width > 1) return std::nullopt;
        return BlockSum{.number = std::nullopt};
    }
    if (is_index(i.type()))
        if (const auto known = of_index(i)) return known;
    return made_of_row(i);
}

std::optional<BlockSum> BlockSums::of_index(const Instruction& i) {
    const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
    switch (i.opcode) {
    case Opcode::not_: return sum(BlockSum{.number = -1}, operand(1), -1);
    case Opcode::min:
    case Opcode::max:
    case Opcode::selp: return either(operand(1), operand(2));
    case Opcode::rem: { // moves on alike, but where it wraps
        auto x = operand(1);
        const auto y = operand(2);
        if (!x || !y || !y->is_of_row()) return std::nullopt;
        x->number.reset();
        x->rows |= y->rows;
        return x;
    }
    case Opcode::shr: {
        const auto x = operand(1);
        const Operand& by = i.operands.at(2);
        const unsigned bits = ptx::bits(i.type());
        if (!x || by.kind != Operand::Kind::integer || by.integer < 0 || by.integer >= bits) return std::nullopt;
        if (by.integer == bits - 1) return BlockSum{.number = std::nullopt, .rows = x->rows}; // the sign
        return x->halved(static_cast<unsigned>(by.integer));
    }
    case Opcode::and_: { // of an index without its low bits
        auto x = operand(1);
        const auto y = operand(2);
        if (!x || !y || !y->is_number() || !leaves_high_bits(*y->number)) return std::nullopt;
        x->number.reset();
        return x;
    }
    case Opcode::or_: { // mostly a sum: the numbers have no bit in common
        auto x = operand(1);
        const auto y = operand(2);
        if (!x || !y || !y->is_number()) return std::nullopt;
        x->number.reset();
        return x;
    }
    case Opcode::bfi: { // the same, where the upper bits are put in front of lower ones
        auto upper = shifted(operand(1), operand(3));
        const auto lower = operand(2);
        if (!upper || !lower || !lower->is_of_row()) return std::nullopt;
        upper->number.reset();
        upper->rows |= lower->rows;
        return upper;
    }
    default: return std::nullopt;
    }
}

/// Anything that is made of what is the same in all blocks of a row.
std::optional<BlockSum> BlockSums::made_of_row(const Instruction& i) {
    if (!ptx::all_accesses_of(i).empty() || is_warp_operation(i) || i.opcode == Opcode::call) return std::nullopt;
    BlockSum result{.number = std::nullopt};
    for (const Operand& x : ptx::sources_of(i)) {
        const auto from = of(x);
        if (!from || !from->is_of_row()) return std::nullopt;
        result.rows |= from->rows;
    }
    return result;
}

} // namespace warplight::jit
