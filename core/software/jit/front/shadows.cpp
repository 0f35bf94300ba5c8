// SPDX-License-Identifier: Apache-2.0
// Memory and uses; what instructions make of the shadows of registers is in shadow_rules.cpp.
#include "shadows.hpp"

#include "shadow_rules.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/ptx/accesses.hpp"
#include "tile_parts.hpp"

#include <algorithm>
#include <utility>

namespace warplight::jit {

using ptx::Aid;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Space;
using ptx::Type;
using software::UninitialisedUse;
using Kind = Operand::Kind;
using Of = UninitialisedUse::Of;

namespace {

bool is_address(const Operand& x) { return x.kind == Kind::address; }

bool is_image_read(const Instruction& i) {
    return i.opcode == Opcode::tex || i.opcode == Opcode::tld4 || i.opcode == Opcode::suld;
}

class Shadows {
public:
    Shadows(const ptx::Module& module, const ptx::Function& function)
        : module_(module), function_(function), code_(function), rules_(code_, find_followed()) {}

    ChangedFunction run() {
        for (std::uint32_t k = 0; k < function_.instructions.size(); ++k) {
            code_.begin(k);
            if (k == 0) spoil_local_memory();
            const Instruction& i = function_.instructions[k];
            tell_uses(i);
            if (i.call >= 0) {
                for (const Operand& result : function_.calls.at(static_cast<std::size_t>(i.call)).results)
                    rules_.write(result, {}); // what a function gives back is not followed
            } else if (!move_memory(i)) {
                rules_.compute(i);
            }
            code_.keep();
        }
        return code_.finish();
    }

private:
    // --- which registers may hold what nothing wrote

    [[nodiscard]] Space space_of(const Operand& address, Space written) const {
        if (address.kind != Kind::variable && address.base_kind != Kind::variable) return written;
        switch (address.scope) {
        case Operand::Scope::module: return module_.variables[address.index].space;
        case Operand::Scope::function: return function_.variables[address.index].space;
        default: return Space::param;
        }
    }
    /// Whether the memory there has a shadow.
    [[nodiscard]] bool has_shadow(const Operand& address, Space written) const {
        const Space space = space_of(address, written);
        if (space == Space::shared || space == Space::shared_cluster) return true;
        if (space == Space::param || space == Space::constant) return false;
        const bool by_register = address.kind == Kind::reg || address.base_kind == Kind::reg;
        return !by_register || ptx::bits(function_.registers[address.reg].type) == 64;
    }

    [[nodiscard]] bool reads_shadow(const Instruction& i) const {
        if (i.opcode == Opcode::ldmatrix || (moves_tile(i) && i.has(Modifier::load)))
            return has_shadow(i.operands.at(1), i.space);
        if (is_image_read(i)) return true;
        const bool reads = i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::atom;
        return reads && ptx::bits(i.types[i.type_count - 1U]) <= 64 && has_shadow(i.operands.at(1), i.space);
    }

    [[nodiscard]] std::vector<bool> find_followed() const {
        std::vector<bool> followed(function_.registers.size());
        const auto any_source = [&](const Instruction& i) {
            bool any = false;
            for (const Operand& x : ptx::sources_of(i))
                if (!is_address(x)) each_register(x, [&](RegisterId r) { any |= followed[r]; });
            return any;
        };
        for (bool changed = true; std::exchange(changed, false);)
            for (const Instruction& i : function_.instructions) {
                if (!reads_shadow(i) && !(ShadowRules::passes_on(i) && any_source(i))) continue;
                ptx::each_written(function_, i, [&](RegisterId r) {
                    if (followed[r] || !ShadowRules::can_follow(function_.registers[r].type)) return;
                    followed[r] = changed = true;
                });
            }
        return followed;
    }

    // --- uses

    void tell(Of of, std::uint32_t bytes, Type type, std::vector<Operand> operands, bool under_guard) {
        operands.insert(operands.begin(), number_operand(UninitialisedUse{of, bytes}.packed()));
        Instruction& test = code_.add(Opcode::invalid, type, std::move(operands));
        test.aid = Aid::shadow_test;
        test.guarded &= under_guard;
    }
    void tell(Of of, const std::vector<RegisterId>& registers, bool under_guard = true) {
        std::vector<Operand> shadows;
        for (const RegisterId r : registers)
            if (rules_.follows(r)) shadows.push_back(register_operand(rules_.shadow_of(r)));
        for (Operand& each : shadows) {
            const Type type = untyped(code_.bits_of(each.reg));
            tell(of, 0, type, {std::move(each)}, under_guard);
        }
    }

    void tell_uses(const Instruction& i) {
        if (i.guarded) tell(Of::decision, {i.guard}, false);
        std::vector<RegisterId> addresses, decisions;
        for (const Operand& x : i.operands)
            if (is_address(x)) each_register(x, [&](RegisterId r) { addresses.push_back(r); });
        const bool is_decision = i.opcode == Opcode::brx || i.opcode == Opcode::vote || i.opcode == Opcode::match ||
                                 i.opcode == Opcode::redux || ptx::group_of(i.opcode) == ptx::OpcodeGroup::barrier;
        if (is_decision)
            for (const Operand& x : ptx::sources_of(i))
                each_register(x, [&](RegisterId r) { decisions.push_back(r); });
        if (i.call >= 0 && !function_.calls.at(static_cast<std::size_t>(i.call)).callee)
            decisions.push_back(function_.calls.at(static_cast<std::size_t>(i.call)).pointer);
        tell(Of::address, addresses);
        tell(Of::decision, decisions);
    }

    // --- memory

    void spoil_local_memory() {
        for (std::uint32_t v = 0; v < function_.variables.size(); ++v) {
            if (function_.variables[v].space != Space::local) continue;
            Operand variable;
            variable.kind = Kind::variable;
            variable.scope = Operand::Scope::function;
            variable.index = v;
            Instruction& spoil = code_.add(Opcode::invalid, Type::b64, {variable});
            spoil.aid = Aid::shadow_spoil;
            spoil.guarded = false;
        }
    }

    /// An access to the shadow of the memory that an instruction accesses.
    Instruction shadow_access(const Instruction& i, Opcode opcode, std::vector<Operand> operands) const {
        Instruction access;
        access.opcode = opcode;
        access.aid = Aid::shadow_access;
        const Type type = i.types[i.type_count - 1U];
        access.types[0] = ptx::is_float(type) || !ptx::is_signed(type) ? untyped(ptx::bits(type)) : type;
        access.type_count = 1;
        access.vector_width = i.vector_width;
        access.space = i.space;
        access.operands = std::move(operands);
        return access;
    }

    /// False: the instruction accesses no memory that has a shadow.
    bool move_memory(const Instruction& i) {
        switch (i.opcode) {
        case Opcode::ld:
        case Opcode::ldu: return load(i);
        case Opcode::st: return store(i);
        case Opcode::atom:
        case Opcode::red: return change(i);
        case Opcode::cp: return copy(i);
        case Opcode::tex:
        case Opcode::tld4:
        case Opcode::suld: return read_image(i);
        case Opcode::sust:
        case Opcode::sured: return write_surface(i);
        case Opcode::stmatrix: return write_rows(i);
        case Opcode::ldmatrix: return load_matrix(i);
        case Opcode::wmma: return moves_tile(i) && (i.has(Modifier::load) ? load_matrix(i) : write_tile(i));
        default: return false;
        }
    }

    bool load(const Instruction& i) {
        if (!reads_shadow(i)) return false;
        const Operand to = rules_.shadows_to_write(i.operands[0]);
        if (to.kind != Kind::none) code_.add(shadow_access(i, Opcode::ld, {to, i.operands[1]}));
        return true;
    }

    bool store(const Instruction& i) {
        const Type type = i.types[i.type_count - 1U];
        if (ptx::bits(type) > 64 || !has_shadow(i.operands[0], i.space)) return false;
        const Operand value = rules_.shadow_of_value(i.operands.at(1));
        code_.add(shadow_access(i, Opcode::st, {i.operands[0], value}));
        const Space space = space_of(i.operands[0], i.space);
        if (space == Space::global || space == Space::generic) tell_write(Of::store, i, i.operands[0], value);
        return true;
    }

    /// Tells of the elements that no byte of is written; the runtime looks for those in memory that the host reads.
    void tell_write(Of of, const Instruction& i, const Operand& address, const Operand& value) {
        const unsigned bits = ptx::bits(i.types[i.type_count - 1U]);
        std::vector<Operand> operands{address};
        for (const Operand& x : value.kind == Kind::vector ? value.elements : std::vector{value})
            if (x.kind == Kind::reg) operands.push_back(x);
        if (operands.size() > 1)
            tell(of, bits / 8 * std::max<unsigned>(i.vector_width, 1), untyped(bits), std::move(operands), true);
    }

    /// What an atomic operation makes of memory that nothing wrote nobody wrote either, but for an exchange.
    bool change(const Instruction& i) {
        const std::size_t at = i.opcode == Opcode::atom ? 1 : 0;
        const unsigned bits = ptx::bits(i.type());
        const Operand& address = i.operands.at(at);
        if (i.has(Modifier::async) || bits < 16 || bits > 64 || !has_shadow(address, i.space)) return false;
        const unsigned count = std::max<unsigned>(i.vector_width, 1);
        const auto new_value = [&] {
            Operand value;
            for (unsigned k = 0; k < count; ++k)
                value.elements.push_back(register_operand(code_.new_register(untyped(bits))));
            value.kind = Kind::vector;
            return count == 1 ? Operand(value.elements[0]) : value;
        };
        const Operand before = new_value();
        code_.add(shadow_access(i, Opcode::ld, {before, address}));
        const std::size_t last = i.operands.size() - (i.has(Modifier::L2_cache_hint) ? 2 : 1);
        const Operand operand = rules_.shadow_of_value(i.operands.at(last));
        if (i.has(Modifier::exch))
            code_.add(shadow_access(i, Opcode::st, {address, operand}));
        else
            tell_write(Of::atomic, i, address, i.has(Modifier::cas) ? operand : rules_.merged(before, operand, bits));
        if (at == 1) rules_.write(i.operands[0], rules_.is_any(before));
        return true;
    }

    bool copy(const Instruction& i) {
        if (!i.has(Modifier::async) || i.has(Modifier::mbarrier) || i.has(Modifier::commit_group) ||
            i.has(Modifier::wait_group) || i.has(Modifier::wait_all) || i.has(Modifier::prefetch) ||
            i.operands.size() < 2)
            return false;
        if (i.has(Modifier::tensor)) return false;
        Instruction access = i;
        access.aid = Aid::shadow_access;
        code_.add(std::move(access));
        return true;
    }

    /// The same instruction, on shadows.
    void mirror(const Instruction& i, std::size_t fragment, Operand shadows) {
        Instruction same = i;
        same.aid = Aid::shadow_access;
        same.operands[fragment] = std::move(shadows);
        code_.add(std::move(same));
    }

    /// Textures and surfaces: the same instruction, whose channels are shadows. What they are of the runtime knows.
    bool read_image(const Instruction& i) {
        const Operand* channels = i.operands.data();
        if (channels->kind == Kind::predicated_pair) { // whether the memory is there is known
            rules_.write(channels->elements.at(1), {});
            channels = channels->elements.data();
        }
        Operand to = rules_.shadows_to_write(*channels);
        if (to.kind == Kind::none) return true;
        mirror(i, 0, std::move(to));
        if (ptx::bits(i.type()) == 32 && i.type() != Type::f16x2) code_.last().types[0] = Type::b32;
        return true;
    }

    /// The runtime tells of what nothing wrote, as it knows where it goes.
    bool write_surface(const Instruction& i) {
        mirror(i, 1, rules_.shadow_of_value(i.operands.at(1)));
        code_.last().types[0] = untyped(ptx::bits(i.type()));
        return true;
    }

    bool load_matrix(const Instruction& i) {
        if (!reads_shadow(i)) return false;
        Operand to = rules_.shadows_to_write(i.operands[0]);
        if (to.kind != Kind::none) mirror(i, 0, std::move(to));
        return true;
    }

    bool write_rows(const Instruction& i) {
        if (has_shadow(i.operands.at(0), i.space)) mirror(i, 1, rules_.shadow_of_value(i.operands.at(1)));
        return true;
    }

    /// A tile of a matrix: each lane tells of its part.
    bool write_tile(const Instruction& i) {
        if (!has_shadow(i.operands.at(0), i.space)) return true;
        const Operand value = rules_.shadow_of_value(i.operands.at(1));
        mirror(i, 1, value);
        const bool is_known = std::none_of(value.elements.begin(), value.elements.end(),
                                           [](const Operand& x) { return x.kind == Kind::reg; });
        const Space space = space_of(i.operands[0], i.space);
        if (is_known || (space != Space::global && space != Space::generic)) return true;
        constexpr unsigned kMostElements = 4, kMostBytes = 16;
        const unsigned size = ptx::bits(i.type()) / 8, part = ptx::MatrixTile(i).part_bytes();
        const unsigned count = std::min({kMostElements, kMostBytes / size, part / size});
        Operand address = address_operand(part_address(code_, i, tile_address(code_, i)));
        for (unsigned at = 0; at < part; at += count * size) {
            Operand shadows;
            for (unsigned k = 0; k < count; ++k)
                shadows.elements.push_back(code_.temporary(untyped(8 * size)));
            shadows.kind = Kind::vector;
            if (count == 1) shadows = Operand(shadows.elements[0]);
            address.integer = at;
            Instruction access = shadow_access(i, Opcode::ld, {shadows, address});
            access.types[0] = untyped(8 * size);
            access.vector_width = static_cast<std::uint8_t>(count);
            code_.add(access);
            std::vector<Operand> operands{address};
            for (const Operand& x : count == 1 ? std::vector{shadows} : shadows.elements)
                operands.push_back(x);
            tell(Of::store, count * size, untyped(8 * size), std::move(operands), true);
        }
        return true;
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    AddedCode code_;
    ShadowRules rules_;
};

} // namespace

ChangedFunction add_shadows(const ptx::Module& module, const ptx::Function& function) {
    return Shadows(module, function).run();
}

} // namespace warplight::jit
