// SPDX-License-Identifier: Apache-2.0
// Code around the instructions of a kernel that is looked at while it runs.
#pragma once

#include "software/ptx/module.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Value.h>

namespace warplight::jit {

class Hooks {
public:
    Hooks() = default;
    virtual ~Hooks() = default;
    Hooks(const Hooks&) = delete;
    Hooks& operator=(const Hooks&) = delete;

    /// Emits an instruction by `emit`, with code of its own around. `emit` may be called twice: the second time for
    /// some of the lanes.
    virtual void around(const ptx::Instruction& i, llvm::function_ref<void()> emit) = 0;
    /// Before the instructions of a basic block, whose first one is current.
    virtual void begin_block() {}
    /// Lanes leave a block by a branch that is current.
    /// @param parted i1: they go two ways; null: they do
    virtual void leave_block(llvm::Value* /*parted*/) {}
    /// In front of the instruction that is emitted next, and of its guard. Of code for one thread at a time.
    virtual void before() {}
    /// When all code of the function is there, and registers still have their slots.
    virtual void finish() {}
};

} // namespace warplight::jit
