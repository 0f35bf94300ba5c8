// SPDX-License-Identifier: Apache-2.0
#include "shadow_rules.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::OpcodeGroup;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

bool is_product(const Instruction& i) {
    return i.opcode == Opcode::mma || (i.opcode == Opcode::wmma && i.has(Modifier::mma));
}

bool is_integer_conversion(const Instruction& i) {
    return i.type_count == 2 && !ptx::is_float(i.types[0]) && !ptx::is_float(i.types[1]) && !i.has(Modifier::sat) &&
           ptx::bits(i.types[0]) >= 8 && ptx::bits(i.types[1]) >= 8;
}

/// Each bit of the result depends on the same bit of the sources, or nearly: a sum may carry.
bool merges(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::fma:
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::xor_:
    case Opcode::lop3:
    case Opcode::copysign:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
    case Opcode::addc:
    case Opcode::subc: return true;
    case Opcode::mul:
    case Opcode::mad: return !i.has(Modifier::wide) && !i.has(Modifier::hi);
    default: return false;
    }
}

} // namespace

bool ShadowRules::passes_on(const Instruction& i) {
    switch (ptx::group_of(i.opcode)) {
    case OpcodeGroup::arithmetic:
    case OpcodeGroup::carry:
    case OpcodeGroup::serial: return i.opcode != Opcode::invalid;
    case OpcodeGroup::warp: return i.opcode == Opcode::shfl;
    case OpcodeGroup::matrix: return i.opcode == Opcode::movmatrix || is_product(i);
    default: return false;
    }
}

bool ShadowRules::can_follow(Type type) {
    const unsigned bits = ptx::bits(type);
    return bits == 1 || bits == 16 || bits == 32 || bits == 64;
}

// --- registers

Operand ShadowRules::temporary(Type type) { return register_operand(code_.new_register(type)); }

RegisterId ShadowRules::shadow_of(RegisterId r) {
    const auto [known, is_new] = shadows_.try_emplace(r, 0);
    if (is_new) known->second = code_.new_register(untyped(code_.bits_of(r)));
    return known->second;
}

bool ShadowRules::is_followed(const Operand& x) const {
    bool any = false;
    ptx::each_register(x, [&](RegisterId r) { any |= follows(r); });
    return any;
}

Operand ShadowRules::shadow_of_value(const Operand& value) {
    if (value.kind == Kind::vector || value.kind == Kind::predicated_pair) {
        Operand all = value;
        for (Operand& each : all.elements)
            each = shadow_of_value(each);
        return all;
    }
    if (value.kind == Kind::reg && follows(value.reg)) return register_operand(shadow_of(value.reg));
    return number_operand(0);
}

Operand ShadowRules::shadows_to_write(const Operand& to) {
    if (!is_followed(to)) return {};
    if (to.kind == Kind::reg) return register_operand(shadow_of(to.reg));
    Operand all = to;
    for (Operand& each : all.elements)
        each = each.kind == Kind::reg && follows(each.reg) ? register_operand(shadow_of(each.reg)) : Operand();
    return all;
}

// --- code

Operand ShadowRules::any_of(const Operands& shadows) {
    Operand any;
    for (const Operand& each : shadows) {
        Operand one = each;
        if (const unsigned bits = code_.bits_of(each.reg); bits != 1) {
            one = temporary(Type::pred);
            set(code_.add(Opcode::setp, untyped(bits), {one, each, number_operand(0)}), Modifier::ne);
        }
        if (any.kind == Kind::none) {
            any = one;
            continue;
        }
        Operand both = temporary(Type::pred);
        code_.add(Opcode::or_, Type::pred, {both, any, one});
        any = both;
    }
    return any;
}

Operand ShadowRules::is_any(const Operand& values) {
    return any_of(values.kind == Kind::vector ? values.elements : Operands{values});
}

void ShadowRules::write(const Operand& to, const Operand& predicate) {
    ptx::each_register(to, [&](RegisterId r) {
        if (!follows(r)) return;
        const Operand shadow = register_operand(shadow_of(r));
        const unsigned bits = code_.bits_of(r);
        if (predicate.kind == Kind::none)
            code_.add(Opcode::mov, untyped(bits), {shadow, number_operand(0)});
        else if (bits == 1)
            code_.add(Opcode::mov, Type::pred, {shadow, predicate});
        else
            code_.add(Opcode::selp, untyped(bits), {shadow, number_operand(-1), number_operand(0), predicate});
    });
}

void ShadowRules::clear(const Operand& to) { write(to, {}); }

Operand ShadowRules::merged(const Operand& a, const Operand& b, unsigned bits) {
    if (a.kind == Kind::vector) {
        Operand all = a;
        for (std::size_t k = 0; k < all.elements.size(); ++k)
            all.elements[k] = merged(a.elements[k], b.kind == Kind::vector ? b.elements.at(k) : b, bits);
        return all;
    }
    if (b.kind != Kind::reg) return a;
    Operand both = temporary(untyped(bits));
    code_.add(Opcode::or_, untyped(bits), {both, a, b});
    return both;
}

/// The shadows of what an instruction reads, each once.
ShadowRules::Operands ShadowRules::followed_sources(const Instruction& i) {
    std::vector<RegisterId> registers;
    for (const Operand& x : ptx::sources_of(i))
        ptx::each_register(x, [&](RegisterId r) {
            if (follows(r) && std::find(registers.begin(), registers.end(), r) == registers.end())
                registers.push_back(r);
        });
    Operands shadows;
    for (const RegisterId r : registers)
        shadows.push_back(register_operand(shadow_of(r)));
    return shadows;
}

// --- rules

/// Moves bits, and nothing else: so the instruction can do with the shadows what it does with the values.
bool ShadowRules::mirrors(const Instruction& i, std::size_t& count) const {
    switch (i.opcode) {
    case Opcode::mov:
    case Opcode::brev: count = 1; break;
    case Opcode::cvt: count = 1; return is_integer_conversion(i);
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
    case Opcode::shfl:
    case Opcode::movmatrix: count = 1; break;
    case Opcode::prmt:
    case Opcode::shf:
    case Opcode::bfi: count = 2; break;
    default: return false;
    }
    // How far it moves them must be known.
    return std::none_of(i.operands.begin() + 1 + static_cast<std::ptrdiff_t>(count), i.operands.end(),
                        [&](const Operand& x) { return is_followed(x); });
}

void ShadowRules::mirror(const Instruction& i, std::size_t count) {
    Instruction same = i;
    same.operands[0] = shadows_to_write(i.operands[0]);
    if (i.opcode == Opcode::shfl && same.operands[0].kind == Kind::predicated_pair)
        same.operands[0] = same.operands[0].elements[0]; // whether the source is in range is known
    for (std::size_t k = 1; k <= count; ++k)
        same.operands[k] = shadow_of_value(i.operands[k]);
    if (same.opcode == Opcode::mov) same.types[0] = untyped(ptx::bits(i.type()));
    code_.add(std::move(same));
}

/// A bit of `and` is known where a source has a known 0, one of `or` where it has a known 1.
void ShadowRules::logic(const Instruction& i, bool is_and) {
    const Type type = i.type();
    const auto term = [&](const Operand& shadow, const Operand& other) {
        Operand value = other;
        if (!is_and) {
            value = temporary(type);
            code_.add(Opcode::not_, type, {value, other});
        }
        Operand unknown = temporary(type);
        code_.add(Opcode::and_, type, {unknown, shadow, value});
        return unknown;
    };
    const Operand &a = i.operands.at(1), &b = i.operands.at(2);
    const Operand of_a = shadow_of_value(a), of_b = shadow_of_value(b);
    Operands terms;
    if (of_a.kind == Kind::reg) terms.push_back(term(of_a, b));
    if (of_b.kind == Kind::reg) terms.push_back(term(of_b, a));
    if (terms.size() == 2) {
        terms.push_back(temporary(type));
        code_.add(Opcode::and_, type, {terms.back(), of_a, of_b});
    }
    Operand all = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k)
        all = merged(all, terms[k], ptx::bits(type));
    code_.add(Opcode::mov, type, {shadows_to_write(i.operands[0]), all});
}

void ShadowRules::select(const Instruction& i) {
    const Type type = untyped(ptx::bits(i.type()));
    const Operand to = shadows_to_write(i.operands[0]);
    const Operand by = i.operands.at(3);
    const bool unknown = is_followed(by);
    const Operand chosen = unknown ? temporary(type) : to;
    code_.add(Opcode::selp, type, {chosen, shadow_of_value(i.operands[1]), shadow_of_value(i.operands[2]), by});
    if (unknown) code_.add(Opcode::selp, type, {to, number_operand(-1), chosen, shadow_of_value(by)});
}

void ShadowRules::compute(const Instruction& i) {
    const Operand* to = ptx::destination_of(i);
    if (!to || !is_followed(*to)) return;
    const Operands sources = passes_on(i) ? followed_sources(i) : Operands();
    if (sources.empty()) return clear(*to);
    if (is_product(i)) return product(i);
    std::size_t count = 0;
    if (mirrors(i, count)) return mirror(i, count);
    if (i.opcode == Opcode::and_ || i.opcode == Opcode::or_) return logic(i, i.opcode == Opcode::and_);
    if (i.opcode == Opcode::selp) return select(i);
    if (to->kind == Kind::reg && (merges(i) || i.opcode == Opcode::not_)) {
        const unsigned bits = code_.bits_of(to->reg);
        const bool same =
            std::all_of(sources.begin(), sources.end(), [&](const Operand& x) { return code_.bits_of(x.reg) == bits; });
        if (same) {
            Operand all = sources[0];
            for (std::size_t k = 1; k < sources.size(); ++k)
                all = merged(all, sources[k], bits);
            code_.add(Opcode::mov, untyped(bits), {register_operand(shadow_of(to->reg)), all});
            return;
        }
    }
    write(*to, any_of(sources));
}

} // namespace warplight::jit
