// SPDX-License-Identifier: Apache-2.0
// Code that counts what warps execute and access.
//
// Of whole warps side by side the code itself counts: each basic block once, and accesses at one address or at equal
// distances. The runtime is called for other addresses. Code with fewer lanes tells the runtime of each block and
// access, and the runtime makes warps of them (software/profile/warp_trace.hpp).
#pragma once

#include "software/jit/emit/emitter.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/origins.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace warplight::jit {

class ProfileHooks final : public Hooks {
public:
    explicit ProfileHooks(Emitter& e);

    void around(const ptx::Instruction& i, llvm::function_ref<void()> emit) override;
    void begin_block() override;
    void leave_block(llvm::Value* parted) override;

private:
    [[nodiscard]] bool counts_warps() const;
    /// Adds an i64 to a field of ProfileCounters at the current instruction.
    void add(std::size_t field, llvm::Value* number);
    void add(std::size_t field, std::uint64_t number) { add(field, b_.getInt64(number)); }
    [[nodiscard]] llvm::Value* number_of(llvm::Value* lanes); ///< of bits, i64
    void access(const ptx::Instruction& i, const ptx::MemoryAccess& access, unsigned number);
    /// False: its addresses are not known to be one, or equally far apart.
    [[nodiscard]] bool count_here(const ptx::Instruction& i, const ptx::MemoryAccess& access,
                                  software::ProfiledAccess what);
    void count_distances(const ptx::MemoryAccess& access, software::ProfiledAccess what, std::int64_t stride);
    /// i64, a number of the table by what `place` is modulo the table's size.
    [[nodiscard]] llvm::Value* looked_up(llvm::ArrayRef<std::uint8_t> table, llvm::Value* place);
    void tell(const ptx::MemoryAccess& access, software::ProfiledAccess what, const ptx::Operand* variable);
    /// The local variable that an address was made of.
    [[nodiscard]] std::optional<ptx::Operand> local_variable(const ptx::Instruction& i,
                                                             const ptx::MemoryAccess& access);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    ptx::Origins origins_;
    llvm::Value* counters_ = nullptr;
};

} // namespace warplight::jit
