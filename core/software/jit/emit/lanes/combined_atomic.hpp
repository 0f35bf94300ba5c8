// SPDX-License-Identifier: Apache-2.0
// Atomic operations of several lanes on one element of memory, combined into one operation.
#pragma once

#include "software/jit/emit/emitter.hpp"

namespace warplight::jit {

class CombinedAtomic {
public:
    CombinedAtomic(Emitter& e, const ptx::Instruction& i);

    /// The operation of all active lanes, at least one, on the element at `pointer`. Answers the value that each lane
    /// finds, as integers; null: the instruction does not ask for it.
    /// @param own memory of this block's, for which no atomic instruction is needed
    llvm::Value* exchange_all(llvm::Value* pointer, bool own);

    /// For each lane its value; the neutral one for inactive lanes.
    [[nodiscard]] llvm::Value* active_values();

private:
    /// Sums of floats, in the order of the lanes.
    [[nodiscard]] llvm::Value* add_floats(llvm::Value* pointer, bool own);
    [[nodiscard]] llvm::Value* splat(llvm::Value* value) { return b_.CreateVectorSplat(width_, value); }
    [[nodiscard]] llvm::Value* read(bool same);
    [[nodiscard]] llvm::APInt neutral() const;
    [[nodiscard]] llvm::Value* total_of_same(llvm::Value* value);
    [[nodiscard]] llvm::Value* total_of(llvm::Value* values);
    [[nodiscard]] llvm::Value* active_or(llvm::Value* values, const llvm::APInt& otherwise);
    [[nodiscard]] llvm::Value* lanes_before();
    [[nodiscard]] llvm::Value* sums_before(llvm::Value* values);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const ptx::Instruction& i_;
    const ptx::Operand& operand_;
    const unsigned width_;
    llvm::Type* word_;
};

} // namespace warplight::jit
