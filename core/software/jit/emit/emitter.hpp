// SPDX-License-Identifier: Apache-2.0
// Emits one PTX function as LLVM IR. The folders below hold the instructions, a group in each file (groups.hpp); a
// group reads operands as values of a PTX type and writes results, wherever they live.
//
// What an emitter is made of, each part using those before it:
//   FunctionCode   the LLVM function: blocks, stack, calls, and which instruction is emitted
//     LaneState    which lanes the code is for
//     ValueTypes   LLVM types of PTX types
//   ThreadPlace    where the thread is: contexts and special registers
//   Registers      slots of PTX registers
//   Variables      memory of PTX variables
//   Addresses      host addresses of operands
//   AccessChecks   alignment, and asking the runtime
//   Waiting        suspending the thread
//   Control        labels, branches and returns
//   Hooks          code around instructions, where checks were asked for
#pragma once

#include "software/jit/emit/control/control.hpp"
#include "software/jit/emit/emit_error.hpp"
#include "software/jit/emit/function_code.hpp"
#include "software/jit/emit/hooks/hooks.hpp"
#include "software/jit/emit/memory/access_checks.hpp"
#include "software/jit/emit/memory/addresses.hpp"
#include "software/jit/emit/memory/variables.hpp"
#include "software/jit/emit/registers.hpp"
#include "software/jit/emit/thread_place.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplight::jit {

class Emitter : public FunctionCode {
public:
    Emitter(Unit& unit, ptx::FunctionId function, llvm::Function* target, bool coroutine);

    ThreadPlace place;
    Registers registers;
    Variables variables;
    Addresses addresses;
    AccessChecks checks;
    Waiting waiting;
    Control control;
    std::vector<std::unique_ptr<Hooks>> hooks; ///< the outermost first
    /// i1: whether the runtime is told what the current instruction accesses by its texture or surface. Null: it is
    /// not.
    llvm::Value* traces_image = nullptr;

    /// Emits the whole function.
    void emit();
    /// Emits an instruction by `emit`, within the hooks.
    void emit_hooked(const ptx::Instruction& i, llvm::function_ref<void()> emit) { emit_hooked(i, emit, 0); }

    /// A basic block begins, whose first instruction is current.
    void begin_hooked_block() {
        for (const auto& hook : hooks)
            hook->begin_block();
    }
    /// Hooks::leave_block().
    void leave_hooked_block(llvm::Value* parted) {
        for (const auto& hook : hooks)
            hook->leave_block(parted);
    }

    // --- operands. PTX lets a register be used as any type of its size: both functions reinterpret bits. They cut a
    // wider register, and extend into one by the sign of the written type.
    /// The operand's value as type_of(type). `!p` and `-r` are applied.
    [[nodiscard]] llvm::Value* read(const ptx::Operand& operand, ptx::Type type);
    /// The same; zero where the instruction has no such operand.
    [[nodiscard]] llvm::Value* read(const ptx::Instruction& i, std::size_t operand, ptx::Type type);
    /// `value` is of type_of(type). The sink `_` takes anything.
    void write(const ptx::Operand& operand, ptx::Type type, llvm::Value* value);

    /// Raises a fault of this thread; nothing follows.
    void fault(software::Fault fault);
    [[noreturn]] void unsupported_form(const ptx::Instruction& i, const std::string& why = {}) const;

    // --- short names of what every group needs
    [[nodiscard]] llvm::Type* type_of(ptx::Type type) const { return types.type_of(type); }
    [[nodiscard]] llvm::Type* register_type(ptx::Type type) const { return types.register_type(type); }
    [[nodiscard]] llvm::Type* integer_type(unsigned bits) const { return types.integer_type(bits); }
    [[nodiscard]] llvm::Constant* integer(unsigned bits, std::uint64_t value) const {
        return types.integer(bits, value);
    }
    [[nodiscard]] llvm::Constant* real(ptx::Type type, double value) const { return types.real(type, value); }

private:
    void emit_body();
    void emit_instruction(const ptx::Instruction& i);
    void emit_hooked(const ptx::Instruction& i, llvm::function_ref<void()> emit, std::size_t hook);
    void make_values_of_slots();
    llvm::Value* immediate(const ptx::Operand& operand, ptx::Type type);
    llvm::Value* read_packed(const ptx::Operand& operand, ptx::Type type);
    void write_packed(const ptx::Operand& operand, ptx::Type type, llvm::Value* value);
};

} // namespace warplight::jit
