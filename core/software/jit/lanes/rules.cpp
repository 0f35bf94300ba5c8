// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using SR = ptx::SpecialRegister;
using Hope = LaneRules::Hope;

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 30;

LaneRules::Stride of_special(SR r) {
    if (r == SR::tid_x || r == SR::laneid) return 1;
    switch (r) {
    case SR::lanemask_eq:
    case SR::lanemask_lt:
    case SR::lanemask_le:
    case SR::lanemask_ge:
    case SR::lanemask_gt: return std::nullopt;
    default: return 0; // clocks too: the lanes look at once
    }
}

bool is_index(ptx::Type t) { return !ptx::is_float(t) && t != ptx::Type::pred && ptx::bits(t) >= 32; }

constexpr unsigned kMostZeros = 63;

unsigned low_zeros(std::int64_t number) {
    return std::min(kMostZeros, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(number))));
}

bool same(const Hope& h) { return h.stride == 0; }

/// Lanes count on one by one from a multiple of their number: what is above those bits is the same in all.
bool counts(const Hope& h) { return h.stride == 1 && h.multiple && !h.widening; }

unsigned result_bits(const Instruction& i) { return ptx::bits(i.types[0]) * (i.has(Modifier::wide) ? 2 : 1); }

} // namespace

Hope LaneRules::of_register(ptx::RegisterId r) const {
    return {static_cast<bool>(seen_[r]), plan_.stride[r], static_cast<bool>(plan_.multiple[r]), plan_.widening[r],
            plan_.zeros[r]};
}

Hope LaneRules::of(const Operand& x) const {
    using Kind = Operand::Kind;
    switch (x.kind) {
    case Kind::reg: {
        const Hope h = of_register(x.reg);
        return x.negated && h.known && h.stride != 0 ? unknown() : h;
    }
    case Kind::integer: return {true, 0, divides(x.integer), {}, low_zeros(x.integer)};
    case Kind::floating:
    case Kind::variable: return {true, plan_.stride_of(x), false, {}};
    case Kind::special:
        return {true,
                of_special(x.special),
                x.special == SR::tid_x || x.special == SR::ntid_x || x.special == SR::laneid,
                {}};
    case Kind::address:
    case Kind::vector: {
        bool known = true;
        if (x.kind == Kind::address && x.base_kind == Kind::reg) {
            const Hope base = of_register(x.reg);
            if (x.elements.empty()) return base;
            if (base.known && base.stride != 0) return unknown();
            known = base.known;
        } else if (x.kind == Kind::address && plan_.own_bytes(x)) {
            return x.elements.empty() ? Hope{true, plan_.own_bytes(x), false, {}} : unknown();
        }
        for (const Operand& e : x.elements) {
            const Hope h = of(e);
            if (h.known && h.stride != 0) return unknown();
            known &= h.known;
        }
        return {known, 0, false, {}};
    }
    default: return unknown();
    }
}

/// Whether all of a register is read, and no more, where that matters.
bool LaneRules::is_whole(const Operand& x, unsigned bits) const {
    return x.kind != Operand::Kind::reg || plan_.stride[x.reg] == 0 ||
           (ptx::bits(f_.registers[x.reg].type) == bits && !ptx::is_float(f_.registers[x.reg].type));
}

Hope LaneRules::held(ptx::RegisterId r, const Instruction& i, const Hope& result) const {
    Hope h = result;
    if (i.operands[0].kind != Operand::Kind::reg) {
        h.multiple = false;
        h.zeros = 0;
    }
    const ptx::Type declared = f_.registers[r].type;
    if (h.stride && h.stride != 0 && (ptx::is_float(declared) || ptx::bits(declared) != result_bits(i)))
        return unknown();
    return h;
}

Hope LaneRules::scaled(const Hope& x, std::int64_t by) const {
    if (!x.stride || std::abs(by) > kLargest || std::abs(*x.stride) > kLargest) return unknown();
    Hope h = x;
    h.stride = *x.stride * by;
    h.multiple = x.multiple || divides(by);
    h.zeros = std::min(kMostZeros, x.zeros + low_zeros(by));
    if (h.widening) {
        if (std::abs(h.widening->factor) > kLargest) return unknown();
        h.widening->factor *= by;
    }
    if (h.stride == 0) h.widening.reset();
    return h;
}

/// An index of 32 bits as one of 64.
Hope LaneRules::widened(const Hope& x, bool is_signed) const {
    if (!x.stride || std::abs(*x.stride) * width_ >= kLargest) return unknown();
    Hope h = x;
    if (x.stride != 0 && !counts(x)) h.widening = Widening{is_signed, *x.stride, 1};
    return h;
}

Hope LaneRules::sum(Hope x, const Hope& y, bool minus) const {
    if (!x.stride || !y.stride || (x.widening && y.widening)) return unknown();
    x.stride = minus ? *x.stride - *y.stride : *x.stride + *y.stride;
    if (std::abs(*x.stride) > kLargest) return unknown();
    if (y.widening) {
        x.widening = y.widening;
        if (minus) x.widening->factor = -x.widening->factor;
    }
    // What does not grow on the whole may differ yet where an index wraps.
    if (x.stride == 0 && x.widening) return unknown();
    x.multiple &= y.multiple;
    x.zeros = std::min(x.zeros, y.zeros);
    return x;
}

/// x * y, of 32 bits to 64 where it is wide.
Hope LaneRules::product(const Instruction& i, const Hope& x, const Hope& y) const {
    const bool wide = i.has(Modifier::wide), is_signed = ptx::is_signed(i.type());
    if (same(x) && same(y)) return {true, 0, x.multiple || y.multiple, {}, std::min(kMostZeros, x.zeros + y.zeros)};
    if (!same(x) && !same(y)) return unknown();
    const Operand& by = i.operands[same(x) ? 1 : 2];
    if (by.kind != Operand::Kind::integer || (wide && !is_signed && by.integer < 0)) return unknown();
    const Hope& index = same(x) ? y : x;
    return scaled(wide ? widened(index, is_signed) : index, by.integer);
}

Hope LaneRules::of_conversion(const Instruction& i, const Hope& from) const {
    const unsigned have = ptx::bits(i.types[1]), want = ptx::bits(i.types[0]);
    Hope h = want > have ? widened(from, ptx::is_signed(i.types[1])) : from;
    if (want < have) h.widening.reset(); // what differs is above
    h.multiple &= !i.operands[1].negated;
    return h;
}

/// x & c
Hope LaneRules::masked(const Hope& x, const Operand& c) const {
    const std::int64_t low = width_ - 1;
    if (!powers_of_two() || !counts(x) || c.kind != Operand::Kind::integer) return {};
    if ((c.integer & low) == 0) return {true, 0, true, {}};
    return (c.integer & low) == low ? Hope{true, 1, true, {}} : Hope{};
}

/// x | c or x ^ c, where c is in bits that x does not have: x + c.
Hope LaneRules::joined(const Hope& x, const Operand& c) const {
    if (c.kind != Operand::Kind::integer || c.integer < 0 || c.integer >> x.zeros != 0) return {};
    Hope h = x;
    h.multiple &= divides(c.integer);
    h.zeros = std::min(h.zeros, low_zeros(c.integer));
    return h;
}

/// Whether x < y or the like is the same in all lanes, x counting: only multiples of the lanes' number tell them
/// from each other nowhere.
bool LaneRules::compares_alike(const Instruction& i, const Operand& operand, const Hope& y) const {
    if (!powers_of_two() || !is_index(i.types[i.type_count - 1u])) return false;
    if (i.has(Modifier::lt) || i.has(Modifier::ge) || i.has(Modifier::lo) || i.has(Modifier::hs))
        return y.stride == 0 && y.multiple;
    if (i.has(Modifier::gt) || i.has(Modifier::le) || i.has(Modifier::hi) || i.has(Modifier::ls))
        return operand.kind == Operand::Kind::integer && divides(operand.integer + 1);
    return false;
}

/// A warp operation that all lanes come to together: whether all get the same.
Hope LaneRules::of_warp_operation(const Instruction& i, const std::vector<Hope>& from) const {
    const auto alike = [&](std::size_t operand) { return same(from.at(operand - 1)); };
    const auto is = [&](std::size_t k, std::int64_t value) {
        const Operand& x = i.operands.at(k);
        return x.kind == Operand::Kind::integer &&
               static_cast<std::uint32_t>(x.integer) == static_cast<std::uint32_t>(value);
    };
    const auto all_if = [](bool condition) { return condition ? Hope{true, 0, false, {}} : unknown(); };
    switch (i.opcode) {
    case Opcode::activemask: return all_if(true);
    case Opcode::vote:
    case Opcode::redux: return all_if(alike(2));
    case Opcode::shfl: return all_if(i.has(Modifier::idx) && is(4, -1) && is(3, 31) && alike(2));
    default: return unknown();
    }
}

Hope LaneRules::evaluate(const Instruction& i) const {
    std::vector<Hope> from;
    bool uniform = true;
    for (const Operand& x : ptx::sources_of(i)) {
        from.push_back(of(x));
        if (!from.back().known) return {};
        uniform &= same(from.back());
    }
    if (is_warp_operation(i)) return of_warp_operation(i, from);
    if (uses_carry(i)) return unknown(); // each lane has a flag
    const ptx::Type type = i.type();
    const bool plain = is_index(type) && !i.has(Modifier::sat) && !i.has(Modifier::hi);
    const auto whole = [&](std::size_t k, unsigned bits) { return is_whole(i.operands.at(k), bits); };
    const auto constant = [&](std::size_t k) -> Stride {
        return i.operands.at(k).kind == Operand::Kind::integer ? Stride(i.operands[k].integer) : std::nullopt;
    };
    switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu: return uniform && i.space != ptx::Space::local ? Hope{true, 0, false, {}} : unknown();
    case Opcode::atom:
    case Opcode::alloca: return unknown(); // memory of each thread's own
    case Opcode::cvta:
        if (!uniform && (i.space == ptx::Space::shared || i.space == ptx::Space::shared_cluster)) break;
        [[fallthrough]];
    case Opcode::mov:
        if (is_index(type) && i.operands[0].kind == Operand::Kind::reg && whole(1, ptx::bits(type))) {
            Hope h = from.at(0);
            h.multiple &= !i.operands[1].negated;
            return h;
        }
        break;
    case Opcode::cvt:
        if (is_index(i.types[0]) && is_index(i.types[1]) && !i.has(Modifier::sat) && whole(1, ptx::bits(i.types[1])))
            return of_conversion(i, from.at(0));
        break;
    case Opcode::add:
    case Opcode::sub:
        if (plain && whole(1, ptx::bits(type)) && whole(2, ptx::bits(type)))
            return sum(from.at(0), from.at(1), i.opcode == Opcode::sub);
        break;
    case Opcode::mul:
        if (plain && whole(1, ptx::bits(type)) && whole(2, ptx::bits(type))) return product(i, from.at(0), from.at(1));
        break;
    case Opcode::mad:
        if (plain && whole(1, ptx::bits(type)) && whole(2, ptx::bits(type)) && whole(3, result_bits(i)))
            return sum(product(i, from.at(0), from.at(1)), from.at(2), false);
        break;
    case Opcode::shl:
        if (const Stride by = constant(2); is_index(type) && by && *by >= 0 && *by < 30 && whole(1, ptx::bits(type))) {
            Hope h = scaled(from.at(0), std::int64_t{1} << *by);
            h.multiple = from[0].multiple || h.multiple;
            return h;
        }
        break;
    case Opcode::shr:
        if (const Stride by = constant(2); is_index(type) && powers_of_two() && counts(from.at(0)) && by && *by >= 0 &&
                                           *by < 64 && std::int64_t{1} << *by >= width_)
            return {true, 0, false, {}};
        break;
    case Opcode::and_:
        if (is_index(type))
            for (std::size_t k : {0, 1})
                if (const Hope h = masked(from.at(k), i.operands[2 - k]); h.known && whole(k + 1, ptx::bits(type)))
                    return h;
        break;
    case Opcode::or_:
    case Opcode::xor_:
        if (is_index(type))
            for (std::size_t k : {0, 1})
                if (const Hope h = joined(from.at(k), i.operands[2 - k]); h.known && whole(k + 1, ptx::bits(type)))
                    return h;
        break;
    case Opcode::setp:
        if (!uniform && i.operands.size() >= 3 && i.operands[0].kind == Operand::Kind::reg && counts(from[0]) &&
            compares_alike(i, i.operands[2], from[1]) && std::all_of(from.begin() + 2, from.end(), same))
            return {true, 0, false, {}};
        break;
    default: break;
    }
    return uniform ? Hope{true, 0, false, {}} : unknown();
}

} // namespace warplight::jit
