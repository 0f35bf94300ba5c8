// SPDX-License-Identifier: Apache-2.0
// From an optimised module to an object file for this machine.
#pragma once

#include "software/jit/strategy.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

namespace warplight::jit {

struct CodeTraits {
    Vectors vectors;
    bool increments; ///< adds to many places in memory, such as counters
};

/// Throws std::runtime_error where LLVM has no code generator for the machine.
[[nodiscard]] std::unique_ptr<llvm::MemoryBuffer> make_object(llvm::Module& module, llvm::TargetMachine& machine,
                                                              CodeTraits traits);

} // namespace warplight::jit
