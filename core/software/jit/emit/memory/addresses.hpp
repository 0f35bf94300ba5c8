// SPDX-License-Identifier: Apache-2.0
// Host addresses of PTX address operands.
#pragma once

#include "software/jit/emit/memory/variables.hpp"
#include "software/jit/emit/registers.hpp"

#include <vector>

namespace warplight::jit {

class Addresses {
public:
    Addresses(FunctionCode& code, ThreadPlace& place, Registers& registers, Variables& variables)
        : code_(code), place_(place), registers_(registers), variables_(variables), b_(code.b) {}

    /// The host address that an operand means in a state space; of an instruction that accesses the memory's shadow,
    /// the shadow's.
    [[nodiscard]] llvm::Value* pointer(const ptx::Operand& address, ptx::Space space);
    /// From the memory that the instruction names to the one that it accesses, i64. Null: they are the same.
    [[nodiscard]] llvm::Value* to_shadow();
    /// The host address of the memory itself, of whatever instruction.
    [[nodiscard]] llvm::Value* pointer_of_memory(const ptx::Operand& address, ptx::Space space);

    /// An address in shared memory: extend(word) + offset.
    struct Shared {
        llvm::Value* word; ///< 32 bits, for LaneState::width() lanes
        std::int64_t offset;
        bool is_signed; ///< the word is extended by its sign: then the sum is right for each lane, even if a lane's
                        ///< 32-bit address wraps
    };
    /// Of an operand whose base is a register.
    [[nodiscard]] Shared shared_address(const ptx::Operand& address);
    /// The offset is too large to be kept apart: the word is the sum of the register and the offset.
    [[nodiscard]] static bool is_far(const ptx::Operand& address);
    /// A word, or a vector of them, as 64 bits.
    [[nodiscard]] llvm::Value* extend(llvm::Value* word, bool is_signed);

private:
    [[nodiscard]] llvm::Value* pointer_of_half(const ptx::Operand& address, ptx::Space space);
    [[nodiscard]] llvm::Value* neighbour_in(ptx::Space space);
    void find_signed_bases();

    FunctionCode& code_;
    ThreadPlace& place_;
    Registers& registers_;
    Variables& variables_;
    llvm::IRBuilder<>& b_;
    std::vector<bool> signed_bases_; ///< by register, see shared_address(); empty: not looked for yet
};

} // namespace warplight::jit
