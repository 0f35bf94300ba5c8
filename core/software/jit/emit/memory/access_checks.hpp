// SPDX-License-Identifier: Apache-2.0
// Checks before an access to memory: alignment, and the runtime's leave in code that asks it first.
#pragma once

#include "software/jit/emit/memory/variables.hpp"
#include "software/jit/emit/registers.hpp"

namespace warplight::jit {

class AccessChecks {
public:
    AccessChecks(FunctionCode& code, ThreadPlace& place, Registers& registers, Variables& variables);

    /// Where to make an access of `bytes` (i64): at `pointer`, or where the runtime says if the code asks it first.
    [[nodiscard]] llvm::Value* asked(llvm::Value* pointer, llvm::Value* bytes, bool writes);
    [[nodiscard]] llvm::Value* asked(llvm::Value* pointer, std::uint64_t bytes, bool writes);

    /// Faults where the address is no multiple of `bytes`. With `may_be_late` a loop over threads may go on, and the
    /// block faults at its end. The answer is true then, and the access must not assume alignment.
    bool check_alignment(const ptx::Operand& address, ptx::Space space, unsigned bytes, bool may_be_late);
    /// Ends the kernel if bits are set that aligned addresses do not have. The block then runs again to find out whose
    /// address it was. LLVM makes one test of the accesses with a common base.
    void stop_if_misaligned(llvm::Value* low_bits);
    /// What a kernel in loop mode answers: bits that addresses should not have had, i32.
    [[nodiscard]] llvm::Value* misaligned_bits();

private:
    [[nodiscard]] llvm::Value* address_to_check(const ptx::Operand& address, ptx::Space space, unsigned bytes);
    void fault_if(llvm::Value* wrong, llvm::Value* address, unsigned bytes);

    FunctionCode& code_;
    ThreadPlace& place_;
    Registers& registers_;
    Variables& variables_;
    llvm::IRBuilder<>& b_;
    llvm::AllocaInst* misaligned_ = nullptr; ///< where a check may be late
    llvm::BasicBlock* stop_ = nullptr;
};

} // namespace warplight::jit
