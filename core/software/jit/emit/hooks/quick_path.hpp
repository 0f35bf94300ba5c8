// SPDX-License-Identifier: Apache-2.0
// What code has in common that sees of accesses by itself that they race with none.
#pragma once

#include "software/jit/emit/emitter.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstddef>

namespace warplight::jit {

class QuickPath {
protected:
    explicit QuickPath(Emitter& e) : e_(e), b_(e.b) {}

    /// How the lanes' addresses lie.
    using Lanes = software::TracedNote::Lanes;
    [[nodiscard]] Lanes lanes_of(const ptx::Operand& address, unsigned bytes) const;
    /// Emits `quick(told)`, which goes to the block `told` where the runtime must be told: `tell` emits that.
    void emit(llvm::function_ref<void(llvm::BasicBlock*)> quick, llvm::function_ref<void()> tell);
    /// Goes on where `pass` is true, else to `told`.
    void go_on_if(llvm::Value* pass, llvm::BasicBlock* told);
    /// i1 from i1, or from a vector of them.
    [[nodiscard]] llvm::Value* all(llvm::Value* bits);

    [[nodiscard]] llvm::Value* state(); ///< TracedShared*
    [[nodiscard]] llvm::Value* field(std::size_t offset, llvm::Type* type);
    [[nodiscard]] llvm::Value* warp(); ///< i64, in its block

    Emitter& e_;
    llvm::IRBuilder<>& b_;

private:
    llvm::Value* state_ = nullptr;
};

} // namespace warplight::jit
