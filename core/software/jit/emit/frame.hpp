// SPDX-License-Identifier: Apache-2.0
// The frame around a kernel's code: the function that the runtime calls. There are two kinds of it.
#pragma once

#include "unit.hpp"

#include <llvm/IR/IRBuilder.h>

namespace warplight::jit {

/// A loop over the block's threads, for kernels in which no thread waits (block_loop.cpp).
void emit_block_loop(Unit& unit);
/// A coroutine for each thread (coroutine.cpp).
void emit_coroutines(Unit& unit);

/// What both kinds need.
class Frame {
protected:
    explicit Frame(Unit& unit) : unit_(unit), context_(*unit.context), b_(*unit.context) {}

    /// Gives `f` the kernel's debug subprogram, because the kernel's code moves into it, and sets the builder's debug
    /// location to match.
    void describe_as_kernel(llvm::Function* f);
    /// Puts the code of a function that is called only once in the place of the call. Inlining would copy it all.
    void move_body_to(llvm::CallInst* call);
    /// A field that does not change during the launch.
    llvm::LoadInst* load_field(llvm::Value* base, std::size_t offset, llvm::Type* type);

    Unit& unit_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> b_;

private:
    void limit_to_call(const std::vector<llvm::AllocaInst*>& slots, llvm::BasicBlock* start,
                       const std::vector<llvm::ReturnInst*>& ends);
};

} // namespace warplight::jit
