// SPDX-License-Identifier: Apache-2.0
// Code around the instructions of a kernel that is looked at while it runs.
#pragma once

#include "software/ptx/module.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

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
};

} // namespace warplight::jit
