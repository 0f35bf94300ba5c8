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

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 30;

std::optional<std::int64_t> of_special(SR r) {
    if (r == SR::tid_x || r == SR::laneid) return 1;
    switch (r) {
    case SR::lanemask_eq:
    case SR::lanemask_lt:
    case SR::lanemask_le:
    case SR::lanemask_ge:
    case SR::lanemask_gt: return std::nullopt;
    default: return 0; // also of clocks, which all lanes read at once
    }
}

constexpr unsigned kMostZeros = 63;

unsigned low_zeros(std::int64_t number) {
    return std::min(kMostZeros, static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(number))));
}

bool is_uniform(const LaneValue& h) { return h.stride == 0; }

/// The value counts up by one from a multiple of the width. Its bits above the lane number are uniform.
bool counts(const LaneValue& h) { return h.stride == 1 && h.multiple && !h.widening; }

unsigned result_bits(const Instruction& i) { return ptx::bits(i.types[0]) * (i.has(Modifier::wide) ? 2 : 1); }

} // namespace

LaneValue LaneRules::of(const Operand& x) const {
    using Kind = Operand::Kind;
    switch (x.kind) {
    case Kind::reg: {
        const LaneValue h = of_register(x.reg);
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
            const LaneValue base = of_register(x.reg);
            if (x.elements.empty()) return base;
            if (base.known && base.stride != 0) return unknown();
            known = base.known;
        } else if (x.kind == Kind::address && plan_.per_lane_memory.bytes(x)) {
            return x.elements.empty() ? LaneValue{true, plan_.per_lane_memory.bytes(x), false, {}} : unknown();
        }
        for (const Operand& e : x.elements) {
            const LaneValue h = of(e);
            if (h.known && h.stride != 0) return unknown();
            known &= h.known;
        }
        return {known, 0, false, {}};
    }
    default: return unknown();
    }
}

/// Whether the operand reads all bits of its register and no more. Of a uniform register the size does not matter.
bool LaneRules::is_whole(const Operand& x, unsigned bits) const {
    return x.kind != Operand::Kind::reg || plan_.uniform(x.reg) ||
           (ptx::bits(f_.registers[x.reg].type) == bits && !ptx::is_float(f_.registers[x.reg].type));
}

LaneValue LaneRules::held(ptx::RegisterId r, const Instruction& i, const LaneValue& result) const {
    LaneValue h = result;
    if (i.operands[0].kind != Operand::Kind::reg) {
        h.multiple = false;
        h.zeros = h.first_zeros = 0;
    }
    const ptx::Type declared = f_.registers[r].type;
    if (h.stride && h.stride != 0 && (ptx::is_float(declared) || ptx::bits(declared) != result_bits(i)))
        return unknown();
    return h;
}

LaneValue LaneRules::scaled(const LaneValue& x, std::int64_t by) const {
    if (!x.stride || std::abs(by) > kLargest || std::abs(*x.stride) > kLargest) return unknown();
    LaneValue h = x;
    h.stride = *x.stride * by;
    h.multiple = x.multiple || divides(by);
    h.zeros = std::min(kMostZeros, x.zeros + low_zeros(by));
    h.first_zeros = std::min(kMostZeros, first_zeros(x) + low_zeros(by));
    if (h.widening) {
        if (std::abs(h.widening->factor) > kLargest) return unknown();
        h.widening->factor *= by;
    }
    if (h.stride == 0) h.widening.reset();
    return h;
}

/// A 32-bit index extended to 64 bits.
LaneValue LaneRules::widened(const LaneValue& x, bool is_signed) const {
    if (!x.stride || std::abs(*x.stride) * width_ >= kLargest) return unknown();
    LaneValue h = x;
    if (x.stride != 0 && !counts(x)) h.widening = Widening{is_signed, *x.stride, 1};
    return h;
}

LaneValue LaneRules::sum(LaneValue x, const LaneValue& y, bool minus) const {
    if (!x.stride || !y.stride || (x.widening && y.widening)) return unknown();
    x.stride = minus ? *x.stride - *y.stride : *x.stride + *y.stride;
    if (std::abs(*x.stride) > kLargest) return unknown();
    if (y.widening) {
        x.widening = y.widening;
        if (minus) x.widening->factor = -x.widening->factor;
    }
    // The strides cancel out, but lanes still differ where an index wraps.
    if (x.stride == 0 && x.widening) return unknown();
    x.first_zeros = std::min(first_zeros(x), first_zeros(y));
    x.multiple &= y.multiple;
    x.zeros = std::min(x.zeros, y.zeros);
    return x;
}

/// x * y; mul.wide extends it from 32 to 64 bits.
LaneValue LaneRules::product(const Instruction& i, const LaneValue& x, const LaneValue& y) const {
    const bool wide = i.has(Modifier::wide), is_signed = ptx::is_signed(i.type());
    if (is_uniform(x) && is_uniform(y))
        return {true, 0, x.multiple || y.multiple, {}, std::min(kMostZeros, x.zeros + y.zeros)};
    if (!is_uniform(x) && !is_uniform(y)) return unknown();
    const Operand& by = i.operands[is_uniform(x) ? 1 : 2];
    if (by.kind != Operand::Kind::integer || (wide && !is_signed && by.integer < 0)) return unknown();
    const LaneValue& index = is_uniform(x) ? y : x;
    return scaled(wide ? widened(index, is_signed) : index, by.integer);
}

LaneValue LaneRules::of_conversion(const Instruction& i, const LaneValue& from) const {
    const unsigned have = ptx::bits(i.types[1]), want = ptx::bits(i.types[0]);
    LaneValue h = want > have ? widened(from, ptx::is_signed(i.types[1])) : from;
    if (want < have) h.widening.reset(); // a wrap shows only in the bits that it drops
    h.multiple &= !i.operands[1].negated;
    return h;
}

unsigned LaneRules::first_zeros(const LaneValue& x) const {
    return std::max({x.first_zeros, x.zeros, x.multiple && powers_of_two() ? low_zeros(width_) : 0});
}

std::optional<unsigned> LaneRules::lane_bits(const LaneValue& x) const {
    if (!powers_of_two() || !x.stride || *x.stride <= 0 || x.widening) return std::nullopt;
    if (!std::has_single_bit(static_cast<std::uint64_t>(*x.stride))) return std::nullopt;
    const unsigned bits = low_zeros(*x.stride) + low_zeros(width_);
    return bits <= first_zeros(x) ? std::optional(bits) : std::nullopt;
}

LaneValue LaneRules::with_first_zeros(LaneValue x, unsigned zeros) const {
    x.first_zeros = zeros;
    x.multiple = zeros >= low_zeros(width_);
    x.zeros = std::min(zeros, x.stride == 0 ? zeros : low_zeros(*x.stride));
    return x;
}

/// x & c, where the lanes differ in some low bits only
LaneValue LaneRules::and_with(const LaneValue& x, const Operand& c) const {
    const auto bits = lane_bits(x);
    if (!bits || c.kind != Operand::Kind::integer) return {};
    const std::int64_t differ = (std::int64_t{1} << *bits) - *x.stride;
    const unsigned zeros = std::max(first_zeros(x), low_zeros(c.integer));
    if ((c.integer & differ) == 0) return with_first_zeros({true, 0, false, {}}, zeros);
    return (c.integer & differ) == differ ? with_first_zeros({true, x.stride, false, {}}, first_zeros(x)) : LaneValue{};
}

/// x >> by, likewise
LaneValue LaneRules::shifted_right(const LaneValue& x, std::int64_t by) const {
    const auto bits = lane_bits(x);
    if (!bits || by < 0 || by >= kMostZeros) return {};
    const unsigned zeros = first_zeros(x) - std::min(first_zeros(x), static_cast<unsigned>(by));
    if (by >= *bits) return with_first_zeros({true, 0, false, {}}, zeros);
    if (by > low_zeros(*x.stride)) return {};
    return with_first_zeros({true, *x.stride >> by, false, {}}, zeros);
}

/// x | c or x ^ c, which equals x + c where x is zero in all bits of c: of a number, or of what is the same in all
/// lanes and zero in the bits in which the lanes of x differ.
LaneValue LaneRules::or_with(const LaneValue& x, const LaneValue& y, const Operand& c) const {
    const auto bits = lane_bits(x);
    if (bits && is_uniform(y) && first_zeros(y) >= *bits)
        return with_first_zeros({true, x.stride, false, {}}, std::min(first_zeros(x), first_zeros(y)));
    if (c.kind != Operand::Kind::integer || c.integer < 0 || c.integer >> x.zeros != 0) return {};
    LaneValue h = x;
    h.multiple &= divides(c.integer);
    h.zeros = std::min(h.zeros, low_zeros(c.integer));
    h.first_zeros = std::min(h.first_zeros, low_zeros(c.integer));
    return h;
}

/// Whether a comparison of a counting x is uniform. The lanes hold m * W to m * W + W - 1, so that x < y gives all the
/// same result if y is a multiple of W, and x <= y if y + 1 is.
bool LaneRules::compares_uniformly(const Instruction& i, const Operand& operand, const LaneValue& y) const {
    if (!powers_of_two() || !is_index(i.types[i.type_count - 1u])) return false;
    if (i.has(Modifier::lt) || i.has(Modifier::ge) || i.has(Modifier::lo) || i.has(Modifier::hs))
        return y.stride == 0 && y.multiple;
    if (i.has(Modifier::gt) || i.has(Modifier::le) || i.has(Modifier::hi) || i.has(Modifier::ls))
        return operand.kind == Operand::Kind::integer && divides(operand.integer + 1);
    return false;
}

/// The result of a warp operation that all lanes execute together.
LaneValue LaneRules::of_warp_operation(const Instruction& i, const std::vector<LaneValue>& from) const {
    const auto alike = [&](std::size_t operand) { return is_uniform(from.at(operand - 1)); };
    const auto is = [&](std::size_t k, std::int64_t value) {
        const Operand& x = i.operands.at(k);
        return x.kind == Operand::Kind::integer &&
               static_cast<std::uint32_t>(x.integer) == static_cast<std::uint32_t>(value);
    };
    const auto all_if = [](bool condition) { return condition ? LaneValue{true, 0, false, {}} : unknown(); };
    switch (i.opcode) {
    case Opcode::activemask: return all_if(true);
    case Opcode::vote:
    case Opcode::redux: return all_if(alike(2));
    case Opcode::shfl: return all_if(i.has(Modifier::idx) && is(4, -1) && is(3, 31) && alike(2));
    default: return unknown();
    }
}

/// x * factor + addend
std::optional<LaneValue> LaneRules::of_linear(const Instruction& i, const LinearForm& form, const Values& from) const {
    constexpr std::int64_t kMostShift = 29;
    const unsigned bits = ptx::bits(i.types[form.converts ? 1 : 0]);
    if (i.operands[0].kind != Operand::Kind::reg || !is_whole(i.operands[1], bits)) return std::nullopt;
    if (form.converts) return of_conversion(i, from.at(0));
    if (form.shifts) {
        const auto by = constant_factor(i, form);
        if (!by || *by > std::int64_t{1} << kMostShift) return std::nullopt;
        LaneValue value = scaled(from.at(0), *by);
        value.multiple |= from[0].multiple;
        return value;
    }
    if (form.factor && !is_whole(i.operands.at(form.factor), bits)) return std::nullopt;
    if (form.addend && !is_whole(i.operands.at(form.addend), result_bits(i))) return std::nullopt;
    LaneValue value = form.factor ? product(i, from.at(0), from.at(1)) : from.at(0);
    if (form.addend) return sum(value, from.at(form.addend - 1), form.subtracts);
    if (form.factor) return value;
    const bool shared = i.space == ptx::Space::shared || i.space == ptx::Space::shared_cluster;
    if (form.changes_space && shared && !is_uniform(value)) return std::nullopt;
    value.multiple &= !i.operands[1].negated;
    return value;
}

std::optional<LaneValue> LaneRules::of_bits(const Instruction& i, const Values& from) const {
    if (!is_index(i.type())) return std::nullopt;
    const unsigned bits = ptx::bits(i.type());
    switch (i.opcode) {
    case Opcode::shr: {
        const Operand& by = i.operands.at(2);
        if (by.kind != Operand::Kind::integer || by.integer >= bits || !is_whole(i.operands[1], bits))
            return std::nullopt;
        const LaneValue value = shifted_right(from.at(0), by.integer);
        return value.known ? std::optional(value) : std::nullopt;
    }
    case Opcode::not_: { // -1 - x
        if (i.operands[0].kind != Operand::Kind::reg || !is_whole(i.operands[1], bits)) return std::nullopt;
        const LaneValue value = sum({true, 0, false, {}}, from.at(0), true);
        return value.known && value.stride ? std::optional(value) : std::nullopt;
    }
    case Opcode::bfi: {
        // Bits of all lanes above those in which the lanes differ.
        const Operand& at = i.operands.at(3);
        const auto differ = lane_bits(from.at(1));
        if (at.kind != Operand::Kind::integer || !differ || at.integer < *differ || at.integer >= bits)
            return std::nullopt;
        if (!is_uniform(from.at(0)) || !is_uniform(from.at(3)) || !is_whole(i.operands[2], bits)) return std::nullopt;
        return with_first_zeros({true, from[1].stride, false, {}},
                                std::min(first_zeros(from[1]), static_cast<unsigned>(at.integer)));
    }
    case Opcode::selp: { // one of two for all lanes
        const LaneValue &x = from.at(0), &y = from.at(1);
        if (!is_uniform(from.at(2)) || !x.stride || x.stride != y.stride || x.widening || y.widening ||
            i.operands[0].kind != Operand::Kind::reg || !is_whole(i.operands[1], bits) ||
            !is_whole(i.operands[2], bits))
            return std::nullopt;
        return LaneValue{true,
                         x.stride,
                         x.multiple && y.multiple,
                         {},
                         std::min(x.zeros, y.zeros),
                         std::min(x.first_zeros, y.first_zeros)};
    }
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
        for (std::size_t k : {0, 1}) {
            const Operand& other = i.operands[2 - k];
            const LaneValue value =
                i.opcode == Opcode::and_ ? and_with(from.at(k), other) : or_with(from.at(k), from.at(1 - k), other);
            if (value.known && is_whole(i.operands[k + 1], bits)) return value;
        }
        return std::nullopt;
    default: return std::nullopt;
    }
}

std::optional<LaneValue> LaneRules::of_comparison(const Instruction& i, const Values& from) const {
    if (i.opcode != Opcode::setp || i.operands.size() < 3 || i.operands[0].kind != Operand::Kind::reg)
        return std::nullopt;
    if (!counts(from[0]) || !compares_uniformly(i, i.operands[2], from[1]) ||
        !std::all_of(from.begin() + 2, from.end(), is_uniform))
        return std::nullopt;
    return LaneValue{true, 0, false, {}};
}

LaneValue LaneRules::evaluate(const Instruction& i) const {
    const LaneValue uniform_value{true, 0, false, {}};
    Values from;
    bool uniform = true;
    for (const Operand& x : ptx::sources_of(i)) {
        from.push_back(of(x));
        if (!from.back().known) return {};
        uniform &= is_uniform(from.back());
    }
    if (i.aid == ptx::Aid::lanes_within) return uniform_value;
    if (is_warp_operation(i)) return of_warp_operation(i, from);
    if (uses_carry(i)) return unknown(); // each lane has its own flag
    switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu: return uniform && i.space != ptx::Space::local ? uniform_value : unknown();
    case Opcode::atom:
    case Opcode::alloca: return unknown(); // each thread has its own result
    default: break;
    }
    if (const auto value = of_row_division(i)) return *value;
    if (const auto linear = linear_form_of(i))
        if (const auto value = of_linear(i, *linear, from)) return *value;
    if (const auto value = of_bits(i, from)) return *value;
    if (uniform) return uniform_value;
    return of_comparison(i, from).value_or(unknown());
}

} // namespace warplight::jit
