// SPDX-License-Identifier: Apache-2.0
// The forms of texture and surface instructions. Their operands depend on the geometry, so a table says too little.
#include "opaque.hpp"
#include "verify.hpp"
#include "words.hpp"

#include <initializer_list>

namespace warplight::ptx {
namespace {

using Kind = Operand::Kind;
using Problem = std::optional<std::string>;

struct Geometry {
    Modifier modifier;
    std::size_t least = 0, most = 0; ///< elements of the coordinate vector
    bool layered = false;            ///< the first one is an index
};
constexpr Geometry kGeometries[] = {
    {Modifier::geom_1d, 1, 1, false},   {Modifier::geom_2d, 2, 2, false},   {Modifier::geom_3d, 3, 4, false},
    {Modifier::geom_a1d, 2, 2, true},   {Modifier::geom_a2d, 3, 4, true},   {Modifier::geom_cube, 3, 4, false},
    {Modifier::geom_acube, 4, 4, true}, {Modifier::geom_2dms, 3, 4, false}, {Modifier::geom_a2dms, 4, 4, true},
};

class TextureCheck {
public:
    TextureCheck(const Module& module, const Function& function, const Instruction& instruction)
        : module_(module), function_(function), i_(instruction) {}

    [[nodiscard]] Problem run() {
        switch (i_.opcode) {
        case Opcode::tex: return tex();
        case Opcode::tld4: return tld4();
        case Opcode::txq: return txq();
        case Opcode::suq: return suq();
        case Opcode::istypep: return istypep();
        case Opcode::suld: return suld();
        case Opcode::sust: return sust();
        default: return sured();
        }
    }

private:
    using Modifiers = std::initializer_list<Modifier>;

    static std::string name(Modifier m) { return "'." + std::string(spelling(m)) + "'"; }
    static std::string position(std::size_t index) { return "operand " + std::to_string(index + 1); }

    /// Exactly one of these modifiers. Others of the instruction are checked at the end.
    Problem one_of(Modifiers group, const char* what, Modifier* found = nullptr) {
        std::size_t count = 0;
        for (const Modifier m : group) {
            known_.set(static_cast<std::size_t>(m));
            if (!i_.has(m)) continue;
            ++count;
            if (found) *found = m;
        }
        if (count == 1) return std::nullopt;
        return count == 0 ? std::string(what) + " is missing" : "more than one " + std::string(what).substr(4);
    }
    Problem at_most_one_of(Modifiers group) {
        std::size_t count = 0;
        for (const Modifier m : group) {
            known_.set(static_cast<std::size_t>(m));
            count += i_.has(m);
        }
        if (count > 1) return "modifiers exclude each other";
        return std::nullopt;
    }
    Problem nothing_else() const {
        const ModifierSet foreign = i_.modifiers & ~known_;
        for (std::size_t k = 0; k < foreign.size(); ++k)
            if (foreign.test(k)) return "modifier " + name(static_cast<Modifier>(k)) + " is not allowed here";
        if (i_.space != Space::generic) return "a state space is not allowed here";
        return std::nullopt;
    }
    Problem geometry(Modifiers allowed) {
        Modifier found{};
        if (auto wrong = one_of(allowed, "the geometry", &found)) return wrong;
        for (const Geometry& g : kGeometries)
            if (g.modifier == found) geometry_ = &g;
        return std::nullopt;
    }
    Problem types(std::size_t count, std::initializer_list<Type> first, std::initializer_list<Type> second = {}) const {
        if (i_.type_count == 0) return "a type is missing";
        if (i_.type_count != count) return "unexpected types";
        const auto holds = [](std::initializer_list<Type> set, Type type) {
            for (const Type t : set)
                if (t == type) return true;
            return false;
        };
        if (!holds(first, i_.types[0]) || (count > 1 && !holds(second, i_.types[1]))) return "unexpected types";
        return std::nullopt;
    }

    Problem reg(const Operand& o, unsigned width, std::size_t index, bool written) const {
        if (o.kind == Kind::none && written) return std::nullopt;
        if (o.kind == Kind::reg) {
            const Register& r = function_.registers[o.reg];
            if (o.negated) return position(index) + " cannot be negated";
            if (r.type == Type::pred || (written ? bits(r.type) < width : bits(r.type) != width && width >= 16) ||
                bits(r.type) < width)
                return "type mismatch: " + position(index) + " '" + r.name + "' is ." + std::string(spelling(r.type)) +
                       ", needs " + std::to_string(width) + " bits";
            return std::nullopt;
        }
        if (!written && (o.kind == Kind::integer || o.kind == Kind::floating || o.kind == Kind::special))
            return std::nullopt;
        return position(index) + (written ? " must be a register" : " must be a register or constant");
    }
    /// A vector of `least` to `most` elements, or a scalar where one will do.
    Problem vector(const Operand& o, std::size_t least, std::size_t most, unsigned width, std::size_t index,
                   bool written) const {
        if (o.kind != Kind::vector) {
            if (least == 1) return reg(o, width, index, written);
            return position(index) + " must be a vector";
        }
        if (o.elements.size() < least || o.elements.size() > most)
            return position(index) + " has the wrong number of elements";
        for (const Operand& element : o.elements)
            if (auto wrong = reg(element, width, index, written)) return wrong;
        return std::nullopt;
    }
    /// The holder of a handle: a variable of that type, a parameter or a register.
    Problem base(const Operand& o, std::size_t index, Type type, bool sampler_too = false) const {
        if (o.kind != Kind::address || o.integer != 0)
            return position(index) + " must be a " + std::string(spelling(type)) + " in brackets";
        if (o.base_kind == Kind::reg) {
            if (bits(function_.registers[o.reg].type) != 64) return position(index) + " needs a register of 64 bits";
            return std::nullopt;
        }
        if (o.base_kind == Kind::variable &&
            (o.scope == Operand::Scope::module || o.scope == Operand::Scope::parameter)) {
            const Variable& v =
                o.scope == Operand::Scope::module ? module_.variables[o.index] : function_.parameters[o.index];
            if (v.type == type || (sampler_too && v.type == Type::samplerref) ||
                (o.scope == Operand::Scope::parameter && bits(v.type) == 64 && v.size == 8))
                return std::nullopt;
        }
        return position(index) + " names no ." + std::string(spelling(type));
    }
    Problem coordinates(const Operand& address, std::size_t index, bool samplers) const {
        const std::size_t count = address.elements.size();
        if (count == 2 && samplers) {
            const Operand& s = address.elements[0];
            const bool variable = s.kind == Kind::variable && s.scope == Operand::Scope::module &&
                                  module_.variables[s.index].type == Type::samplerref;
            if (!variable) return position(index) + " names no .samplerref";
        } else if (count != 1) {
            return position(index) + " must be [texture, coordinates]";
        }
        return vector(address.elements.back(), geometry_->least, geometry_->most, 32, index, false);
    }

    Problem destination(std::size_t elements, unsigned width) const {
        const Operand& d = i_.operands[0];
        if (d.kind != Kind::predicated_pair) return vector(d, elements, elements, width, 0, true);
        const Operand& p = d.elements[1];
        if (p.kind != Kind::none && (p.kind != Kind::reg || function_.registers[p.reg].type != Type::pred))
            return "operand 1 must be followed by a predicate";
        return vector(d.elements[0], elements, elements, width, 0, true);
    }

    /// The optional last operands: an offset in braces, and a depth to compare with.
    Problem extras(std::size_t from) const {
        std::size_t at = from;
        if (at < i_.operands.size() && i_.operands[at].kind == Kind::vector) {
            const bool cube = i_.has(Modifier::geom_cube) || i_.has(Modifier::geom_acube);
            if (cube) return "a cubemap takes no offset";
            const std::size_t dimensions = i_.has(Modifier::geom_3d)                                 ? 3
                                           : i_.has(Modifier::geom_1d) || i_.has(Modifier::geom_a1d) ? 1
                                                                                                     : 2;
            if (auto wrong = vector(i_.operands[at], dimensions, dimensions == 3 ? 4 : dimensions, 32, at, false))
                return wrong;
            ++at;
        }
        if (at < i_.operands.size()) {
            if (i_.has(Modifier::geom_3d)) return "a 3d texture takes no depth to compare with";
            if (auto wrong = reg(i_.operands[at], 32, at, false)) return wrong;
            ++at;
        }
        if (at != i_.operands.size()) return "wrong number of operands";
        return std::nullopt;
    }

    Problem tex() {
        if (auto wrong = geometry({Modifier::geom_1d, Modifier::geom_2d, Modifier::geom_3d, Modifier::geom_a1d,
                                   Modifier::geom_a2d, Modifier::geom_cube, Modifier::geom_acube, Modifier::geom_2dms,
                                   Modifier::geom_a2dms}))
            return wrong;
        if (auto wrong = at_most_one_of({Modifier::base, Modifier::level, Modifier::grad})) return wrong;
        if (auto wrong = nothing_else()) return wrong;
        if (auto wrong = types(2, {Type::u32, Type::s32, Type::f32, Type::f16, Type::f16x2}, {Type::s32, Type::f32}))
            return wrong;
        const bool cube = i_.has(Modifier::geom_cube) || i_.has(Modifier::geom_acube);
        const bool samples = i_.has(Modifier::geom_2dms) || i_.has(Modifier::geom_a2dms);
        if (cube && i_.types[1] != Type::f32) return "a cubemap's coordinates are .f32";
        if (samples && i_.types[1] != Type::s32) return "a multi-sample texture's coordinates are .s32";
        const std::size_t width = i_.types[0] == Type::f16x2 ? 2 : 4;
        if (i_.vector_width != width) return "the result must be a vector of " + std::to_string(width);
        const std::size_t needed = 2 + (i_.has(Modifier::level) ? 1u : i_.has(Modifier::grad) ? 2u : 0u);
        if (i_.operands.size() < needed) return "wrong number of operands";
        if (auto wrong = destination(width, bits(i_.types[0]))) return wrong;
        if (auto wrong = base(i_.operands[1], 1, Type::texref)) return wrong;
        if (auto wrong = coordinates(i_.operands[1], 1, true)) return wrong;
        if (i_.has(Modifier::level))
            if (auto wrong = reg(i_.operands[2], 32, 2, false)) return wrong;
        if (i_.has(Modifier::grad)) {
            if (i_.types[1] != Type::f32) return "a gradient needs coordinates of type .f32";
            const std::size_t skip = geometry_->layered ? 1 : 0;
            for (std::size_t k = 2; k < 4; ++k)
                if (auto wrong = vector(i_.operands[k], geometry_->least - skip, 4, 32, k, false)) return wrong;
        }
        return extras(needed);
    }

    Problem tld4() {
        if (auto wrong = geometry({Modifier::geom_2d, Modifier::geom_a2d, Modifier::geom_cube, Modifier::geom_acube}))
            return wrong;
        if (auto wrong = one_of({Modifier::r, Modifier::g, Modifier::b, Modifier::a}, "the component")) return wrong;
        if (auto wrong = nothing_else()) return wrong;
        if (auto wrong = types(2, {Type::u32, Type::s32, Type::f32}, {Type::f32})) return wrong;
        if (i_.vector_width != 4) return "the result must be a vector of 4";
        if (i_.operands.size() < 2) return "wrong number of operands";
        if (auto wrong = destination(4, 32)) return wrong;
        if (auto wrong = base(i_.operands[1], 1, Type::texref)) return wrong;
        if (auto wrong = coordinates(i_.operands[1], 1, true)) return wrong;
        return extras(2);
    }

    Problem txq() {
        if (auto wrong =
                one_of({Modifier::width, Modifier::height, Modifier::depth, Modifier::channel_data_type,
                        Modifier::channel_order, Modifier::normalized_coords, Modifier::array_size,
                        Modifier::num_mipmap_levels, Modifier::num_samples, Modifier::force_unnormalized_coords,
                        Modifier::filter_mode, Modifier::addr_mode_0, Modifier::addr_mode_1, Modifier::addr_mode_2},
                       "the attribute"))
            return wrong;
        if (auto wrong = at_most_one_of({Modifier::level})) return wrong;
        const bool level = i_.has(Modifier::level);
        if (level && !i_.has(Modifier::width) && !i_.has(Modifier::height) && !i_.has(Modifier::depth))
            return "only width, height and depth have levels";
        if (auto wrong = question(level ? 3 : 2, Type::texref)) return wrong;
        if (level) return reg(i_.operands[2], 32, 2, false);
        return std::nullopt;
    }

    Problem suq() {
        if (auto wrong = one_of({Modifier::width, Modifier::height, Modifier::depth, Modifier::channel_data_type,
                                 Modifier::channel_order, Modifier::array_size, Modifier::memory_layout},
                                "the attribute"))
            return wrong;
        return question(2, Type::surfref);
    }

    Problem question(std::size_t operands, Type type) const {
        if (auto wrong = nothing_else()) return wrong;
        if (auto wrong = types(1, {Type::b32})) return wrong;
        if (i_.operands.size() != operands) return "wrong number of operands";
        if (auto wrong = reg(i_.operands[0], 32, 0, true)) return wrong;
        if (!i_.operands[1].elements.empty()) return "operand 2 must be a " + std::string(spelling(type));
        return base(i_.operands[1], 1, type, type == Type::texref);
    }

    Problem istypep() const {
        if (auto wrong = nothing_else()) return wrong;
        if (auto wrong = types(1, {Type::texref, Type::samplerref, Type::surfref})) return wrong;
        if (i_.operands.size() != 2) return "wrong number of operands";
        const Operand& p = i_.operands[0];
        if (p.kind != Kind::reg || function_.registers[p.reg].type != Type::pred)
            return "operand 1 must be a predicate";
        if (i_.operands[1].kind == Kind::variable) return std::nullopt;
        return reg(i_.operands[1], 64, 1, false);
    }

    Problem bounds() { return one_of({Modifier::trap, Modifier::clamp, Modifier::zero}, "the clamp modifier"); }

    Problem surface(std::size_t index) const {
        if (auto wrong = base(i_.operands[index], index, Type::surfref)) return wrong;
        return coordinates(i_.operands[index], index, false);
    }

    /// As many elements as .v2 or .v4 say; a single one may stand in braces or not.
    Problem value(const Operand& o, std::size_t index, bool written) const {
        if (i_.vector_width > 4) return "a surface access has up to four elements";
        return vector(o, i_.vector_width, i_.vector_width, bits(i_.types[0]), index, written);
    }

    Problem suld() {
        if (auto wrong = geometry(
                {Modifier::geom_1d, Modifier::geom_2d, Modifier::geom_3d, Modifier::geom_a1d, Modifier::geom_a2d}))
            return wrong;
        if (auto wrong = one_of({Modifier::b}, "the access .b")) return wrong;
        if (auto wrong = at_most_one_of({Modifier::ca, Modifier::cg, Modifier::cs, Modifier::cv})) return wrong;
        if (auto wrong = bounds()) return wrong;
        if (auto wrong = nothing_else()) return wrong;
        if (auto wrong = types(1, {Type::b8, Type::b16, Type::b32, Type::b64})) return wrong;
        if (i_.operands.size() != 2) return "wrong number of operands";
        if (auto wrong = value(i_.operands[0], 0, true)) return wrong;
        return surface(1);
    }

    Problem sust() {
        if (auto wrong = geometry(
                {Modifier::geom_1d, Modifier::geom_2d, Modifier::geom_3d, Modifier::geom_a1d, Modifier::geom_a2d}))
            return wrong;
        if (auto wrong = one_of({Modifier::b, Modifier::p}, "the access .b or .p")) return wrong;
        if (auto wrong = at_most_one_of({Modifier::wb, Modifier::cg, Modifier::cs, Modifier::wt})) return wrong;
        if (auto wrong = bounds()) return wrong;
        if (auto wrong = nothing_else()) return wrong;
        if (i_.has(Modifier::p)) {
            if (auto wrong = types(1, {Type::b32, Type::u32, Type::s32, Type::f32})) return wrong;
        } else if (auto wrong = types(1, {Type::b8, Type::b16, Type::b32, Type::b64})) {
            return wrong;
        }
        if (i_.operands.size() != 2) return "wrong number of operands";
        if (auto wrong = surface(0)) return wrong;
        return value(i_.operands[1], 1, false);
    }

    Problem sured() {
        if (auto wrong = geometry({Modifier::geom_1d, Modifier::geom_2d, Modifier::geom_3d})) return wrong;
        if (auto wrong = one_of({Modifier::b, Modifier::p}, "the access .b or .p")) return wrong;
        Modifier operation{};
        if (auto wrong = one_of({Modifier::add, Modifier::min, Modifier::max, Modifier::and_, Modifier::or_},
                                "the operation", &operation))
            return wrong;
        if (auto wrong = bounds()) return wrong;
        if (auto wrong = nothing_else()) return wrong;
        if (i_.has(Modifier::p)) {
            if (auto wrong = types(1, {Type::b32, Type::b64})) return wrong;
        } else if (operation == Modifier::add) {
            if (auto wrong = types(1, {Type::u32, Type::s32, Type::u64})) return wrong;
        } else if (operation == Modifier::min || operation == Modifier::max) {
            if (auto wrong = types(1, {Type::u32, Type::s32, Type::u64, Type::s64})) return wrong;
        } else if (auto wrong = types(1, {Type::b32})) {
            return wrong;
        }
        if (i_.types[0] == Type::b64 && operation != Modifier::min && operation != Modifier::max)
            return ".b64 goes with min and max alone";
        if (i_.vector_width != 1) return "a reduction has one element";
        if (i_.operands.size() != 2) return "wrong number of operands";
        if (auto wrong = surface(0)) return wrong;
        return reg(i_.operands[1], bits(i_.types[0]), 1, false);
    }

    const Module& module_;
    const Function& function_;
    const Instruction& i_;
    const Geometry* geometry_ = nullptr;
    ModifierSet known_;
};

} // namespace

std::optional<std::string> verify_texture(const Module& module, const Function& function,
                                          const Instruction& instruction) {
    return TextureCheck(module, function, instruction).run();
}

} // namespace warplight::ptx
