// SPDX-License-Identifier: Apache-2.0
// What code has in common that sees of accesses by itself that they race with none.
#pragma once

#include "software/jit/emit/emitter.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstddef>
#include <optional>
#include <string>

namespace warplight::jit {

class QuickPath {
protected:
    explicit QuickPath(Emitter& e);

    /// How the lanes' addresses lie.
    using Lanes = software::TracedNote::Lanes;
    [[nodiscard]] Lanes lanes_of(const ptx::Operand& address, unsigned bytes) const;
    /// Emits `quick(told)`, which goes to the block `told` where the runtime must be told: `tell` emits that.
    void emit(llvm::function_ref<void(llvm::BasicBlock*)> quick, llvm::function_ref<void()> tell);
    /// Goes on where `pass` is true, else to `told`.
    void go_on_if(llvm::Value* pass, llvm::BasicBlock* told);
    /// i1 from i1, or from a vector of them.
    [[nodiscard]] llvm::Value* all(llvm::Value* bits);

    [[nodiscard]] llvm::BasicBlock* new_block(const char* name);
    [[nodiscard]] llvm::Value* state(); ///< TracedShared*
    [[nodiscard]] llvm::Value* field(std::size_t offset, llvm::Type* type);
    [[nodiscard]] llvm::Value* warp();        ///< i64, in its block
    [[nodiscard]] llvm::Value* linear();      ///< i32: the first lane's thread
    [[nodiscard]] llvm::Value* active_mask(); ///< i1 for each lane; null: all are active
    [[nodiscard]] llvm::Value* active_bits(); ///< i32
    [[nodiscard]] llvm::Value* site();        ///< i32

    /// In a kernel of many accesses what `quick` emits is a function that they share: i1(more…), false where the
    /// runtime must be told. Accesses of one `name` have the same code. Returns a call of it.
    [[nodiscard]] llvm::Value* shared_code(const std::string& name, llvm::ArrayRef<llvm::Value*> more,
                                           llvm::function_ref<void(llvm::Function&, llvm::BasicBlock* told)> quick);
    [[nodiscard]] bool shares_code() const { return shares_code_; }

    Emitter& e_;
    llvm::IRBuilder<>& b_;

private:
    /// Of the function that is shared, in which code is emitted at the moment.
    struct Shared {
        llvm::Value *state, *linear, *active, *site, *mask;
    };

    const bool shares_code_;
    std::optional<Shared> shared_;
    llvm::Value* state_ = nullptr;
};

} // namespace warplight::jit
