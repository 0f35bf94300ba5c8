// SPDX-License-Identifier: Apache-2.0
// The effects of an instruction: registers and memory that it reads and writes, whether it suspends the thread, where
// the thread goes next, and whether it is of the warp, the block or the cluster. The operand letters of forms.def and
// the groups of opcodes.def say most of it. effects.cpp adds the few rules that depend on modifiers.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace warplight::ptx {

/// The third column of opcodes.def.
enum class OpcodeGroup : std::uint8_t {
    arithmetic, ///< a result of registers alone; side by side it is computed on vectors
    carry,      ///< the same, and reads the carry flag
    serial,     ///< a result of registers alone; side by side it is computed for one lane after the other
    memory,
    texture, ///< checked by verify_texture.cpp
    matrix,  ///< an operation of the warp, checked by verify_matrix.cpp
    branch,
    call,
    thread_end, ///< of a function: the return
    trap,
    barrier, ///< of a block; with .warp of a warp, with .cluster of a cluster
    fence,
    warp,       ///< an operation of the warp
    cluster,    ///< asks about other blocks of the cluster
    suspension, ///< suspends the thread, or needs the frame of one that can be suspended
    advice,     ///< without an effect here
};
[[nodiscard]] OpcodeGroup group_of(Opcode opcode);
[[nodiscard]] inline bool is_texture(Opcode opcode) { return group_of(opcode) == OpcodeGroup::texture; }
[[nodiscard]] inline bool is_matrix(Opcode opcode) { return group_of(opcode) == OpcodeGroup::matrix; }

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

/// The address by which an instruction accesses memory, and at which it may fault: the first one, of a copy its
/// destination. Null: it accesses none, or none by an address.
[[nodiscard]] const Operand* accessed_address(const Instruction& instruction);
/// Writes memory that other threads can read.
[[nodiscard]] bool writes_for_others(const Instruction& instruction);
/// Reads a value that another thread or the time may change, so that a loop may wait for it.
[[nodiscard]] bool observes_others(const Instruction& instruction);
/// Orders earlier writes before others that tell of them: a fence, or a store with .release and the like.
[[nodiscard]] bool publishes(const Instruction& instruction);

[[nodiscard]] inline bool writes_carry(const Instruction& i) { return i.has(Modifier::cc); }
[[nodiscard]] inline bool reads_carry(const Instruction& i) { return group_of(i.opcode) == OpcodeGroup::carry; }
[[nodiscard]] inline bool uses_carry(const Instruction& i) { return writes_carry(i) || reads_carry(i); }

/// May suspend the thread by itself: a loop around it is another matter.
[[nodiscard]] bool may_suspend(const Instruction& instruction);
/// The thread ends, or its function returns.
[[nodiscard]] inline bool ends_thread(const Instruction& i) { return group_of(i.opcode) == OpcodeGroup::thread_end; }
/// The next instruction is another basic block's. A trap and a call end none.
[[nodiscard]] inline bool ends_block(const Instruction& i) {
    return ends_thread(i) || group_of(i.opcode) == OpcodeGroup::branch;
}
/// The lanes of a warp do it together. The barrier of a warp is one.
[[nodiscard]] bool is_warp_operation(const Instruction& instruction);
/// Of a block or a cluster, and not of a warp.
[[nodiscard]] bool is_block_barrier(const Instruction& instruction);
/// Has to do with clusters of blocks.
[[nodiscard]] bool is_of_clusters(const Instruction& instruction);
/// Results of registers alone, which side by side are computed on vectors of lanes.
[[nodiscard]] inline bool is_computed_on_vectors(const Instruction& i) {
    return group_of(i.opcode) == OpcodeGroup::arithmetic || reads_carry(i);
}

/// Calls visit(operand) for an operand and all that a vector, a pair or an address with coordinates has in it.
template <class AnyOperand, class Visit>
void each_operand(AnyOperand& operand, Visit visit) {
    visit(operand);
    for (auto& element : operand.elements)
        each_operand(element, visit);
}

/// Calls visit(register) for each register of an operand: also of an address, a vector and a pair.
template <class Visit>
void each_register(const Operand& operand, Visit visit) {
    each_operand(operand, [&](const Operand& x) {
        if (x.kind == Operand::Kind::reg || (x.kind == Operand::Kind::address && x.base_kind == Operand::Kind::reg))
            visit(x.reg);
    });
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

/// Calls visit(register) for each register that an instruction reads or writes.
template <class Visit>
void each_register(const Function& function, const Instruction& i, Visit visit) {
    each_written(function, i, visit);
    each_read(function, i, visit);
}

} // namespace warplight::ptx
