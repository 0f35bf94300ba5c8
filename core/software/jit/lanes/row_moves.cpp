// SPDX-License-Identifier: Apache-2.0
#include "row_moves.hpp"

#include "linear_form.hpp"
#include "software/ptx/accesses.hpp"

#include <cstdlib>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::int64_t kMostFactor = 1 << 15; ///< a sum of few products stays far below 2^63

bool is_index32(const Instruction& i) {
    for (unsigned k = 0; k < i.type_count; ++k)
        if (ptx::bits(i.types.at(k)) != kIndexBits) return false;
    return true;
}

RowMoves times(const RowMoves& x, std::int64_t by) {
    return {x.thread * by, x.row * by, x.block * by, x.blocks_threads * by};
}

bool is_small(const RowMoves& x) {
    return std::abs(x.thread) < kMostFactor && std::abs(x.row) < kMostFactor && std::abs(x.block) < kMostFactor &&
           std::abs(x.blocks_threads) < kMostFactor;
}

} // namespace

const Instruction* RowMovesOf::writer(ptx::RegisterId r) const {
    if (writers_[r].size() != 1) return nullptr;
    const Instruction& i = kernel_.instructions[writers_[r][0]];
    const bool always = !i.guarded && i.operands[0].kind == Operand::Kind::reg;
    return always ? &i : nullptr;
}

std::optional<RowMovesOf::Sum> RowMovesOf::of(ptx::RegisterId r) {
    constexpr unsigned kDeepest = 500;              // keeps the recursion within the stack
    const auto [at, fresh] = known_.try_emplace(r); // stays empty while the register depends on itself
    if (!fresh || depth_ == kDeepest) return at->second;
    const Instruction* i = writer(r);
    if (!i) return std::nullopt;
    ++depth_;
    auto sum = of_result(*i);
    --depth_;
    if (sum && !is_small(sum->moves)) sum.reset();
    return known_[r] = sum;
}

std::optional<RowMovesOf::Sum> RowMovesOf::of(const Operand& x) {
    switch (x.kind) {
    case Operand::Kind::reg: return x.negated ? std::nullopt : of(x.reg);
    case Operand::Kind::integer: return Sum{.moves = {}, .number = x.integer};
    case Operand::Kind::special: break;
    default: return std::nullopt;
    }
    switch (x.special) {
    case SR::tid_x: return Sum{.moves = {.thread = 1}};
    case SR::tid_y: return Sum{.moves = {.row = 1}};
    case SR::ctaid_x: return Sum{.moves = {.block = 1}};
    case SR::ntid_x: return Sum{.moves = {}, .is_extent = true};
    case SR::tid_z:
    case SR::ntid_y:
    case SR::ntid_z:
    case SR::ctaid_y:
    case SR::ctaid_z:
    case SR::nctaid_x:
    case SR::nctaid_y:
    case SR::nctaid_z: return Sum{};
    default: return std::nullopt;
    }
}

std::optional<RowMovesOf::Sum> RowMovesOf::sum(const std::optional<Sum>& x, const std::optional<Sum>& y, int sign) {
    if (!x || !y) return std::nullopt;
    const RowMoves more = times(y->moves, sign);
    return Sum{.moves = {.thread = x->moves.thread + more.thread,
                         .row = x->moves.row + more.row,
                         .block = x->moves.block + more.block,
                         .blocks_threads = x->moves.blocks_threads + more.blocks_threads}};
}

std::optional<RowMovesOf::Sum> RowMovesOf::product(const std::optional<Sum>& x, const std::optional<Sum>& y) {
    if (!x || !y) return std::nullopt;
    for (const auto& [a, b] : {std::pair(x, y), std::pair(y, x)}) {
        if (a->number && std::abs(*a->number) < kMostFactor) return Sum{.moves = times(b->moves, *a->number)};
        if (a->is_extent && !b->moves.thread && !b->moves.row && !b->moves.blocks_threads)
            return Sum{.moves = {.blocks_threads = b->moves.block}};
    }
    return x->moves.stays() && y->moves.stays() ? std::optional(Sum{}) : std::nullopt;
}

std::optional<RowMovesOf::Sum> RowMovesOf::of_result(const Instruction& i) {
    const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
    const auto linear = linear_form_of(i);
    if (linear && is_index32(i)) {
        auto x = operand(1);
        if (linear->shifts) {
            const auto factor = constant_factor(i, *linear);
            x = factor ? product(x, Sum{.moves = {}, .number = factor}) : std::nullopt;
        } else if (linear->factor) {
            x = product(x, operand(linear->factor));
        }
        if (linear->addend) x = sum(x, operand(linear->addend), linear->subtracts ? -1 : 1);
        if (x) return x;
    }
    if (i.opcode == Opcode::ld)
        return i.space == ptx::Space::param && i.vector_width == 1 ? std::optional(Sum{}) : std::nullopt;
    // Anything that is made of what stays. The carry flag is not.
    const bool reads_carry = i.opcode == Opcode::addc || i.opcode == Opcode::subc || i.opcode == Opcode::madc;
    if (reads_carry || !ptx::all_accesses_of(i).empty() || is_warp_operation(i) || i.opcode == Opcode::call)
        return std::nullopt;
    const auto sources = ptx::sources_of(i);
    if (sources.empty()) return std::nullopt;
    for (const Operand& from : sources) {
        const auto x = of(from);
        if (!x || !x->moves.stays()) return std::nullopt;
    }
    return Sum{};
}

} // namespace warplight::jit
