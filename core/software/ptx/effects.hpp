// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes. The operand letters of forms.def say it; effects.cpp adds what no form can say
// (calls, carry flags, textures, matrices). All that asks for registers read or written asks here.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace warplight::ptx {

struct Effects {
    bool writes_first = false; ///< the registers of its first operand
    bool reads_first = true;   ///< both: an accumulator
    bool reads_memory = false;
    bool writes_memory = false;
};
[[nodiscard]] Effects effects_of(const Instruction& instruction);

/// The operand whose registers an instruction writes, or null. A call writes its results: see each_written().
[[nodiscard]] inline const Operand* destination_of(const Instruction& instruction) {
    return !instruction.operands.empty() && effects_of(instruction).writes_first ? instruction.operands.data()
                                                                                 : nullptr;
}
/// The register that an instruction writes as a whole, where its destination is one.
[[nodiscard]] inline const RegisterId* destination_register(const Instruction& instruction) {
    const Operand* to = destination_of(instruction);
    return to && to->kind == Operand::Kind::reg ? &to->reg : nullptr;
}
/// The operands whose registers it reads.
[[nodiscard]] inline std::span<const Operand> sources_of(const Instruction& instruction) {
    const std::span<const Operand> all = instruction.operands;
    return all.empty() || effects_of(instruction).reads_first ? all : all.subspan(1);
}

[[nodiscard]] inline bool writes_carry(const Instruction& i) { return i.has(Modifier::cc); }
[[nodiscard]] inline bool reads_carry(const Instruction& i) {
    return i.opcode == Opcode::addc || i.opcode == Opcode::subc || i.opcode == Opcode::madc;
}
[[nodiscard]] inline bool uses_carry(const Instruction& i) { return writes_carry(i) || reads_carry(i); }

/// Calls visit(register) for each register of an operand: also of an address, a vector and a pair.
template <class Visit>
void each_register(const Operand& operand, Visit visit) {
    if (operand.kind == Operand::Kind::reg ||
        (operand.kind == Operand::Kind::address && operand.base_kind == Operand::Kind::reg))
        visit(operand.reg);
    for (const Operand& e : operand.elements)
        each_register(e, visit);
}

/// Calls visit(register) for each register that an instruction of a function reads, its guard included.
template <class Visit>
void each_read(const Function& function, const Instruction& i, Visit visit) {
    for (const Operand& operand : sources_of(i))
        each_register(operand, visit);
    if (i.call >= 0) {
        const Call& call = function.calls.at(static_cast<std::size_t>(i.call));
        for (const Operand& argument : call.arguments)
            each_register(argument, visit);
        if (!call.callee) visit(call.pointer);
    }
    if (i.guarded) visit(i.guard);
}

/// Calls visit(register) for each register that it writes; a guarded one may keep what it held.
template <class Visit>
void each_written(const Function& function, const Instruction& i, Visit visit) {
    if (const Operand* to = destination_of(i)) each_register(*to, visit);
    if (i.call < 0) return;
    for (const Operand& result : function.calls.at(static_cast<std::size_t>(i.call)).results)
        each_register(result, visit);
}

/// By register: the instructions that write it, in their order.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> writers_of(const Function& function);

} // namespace warplight::ptx
