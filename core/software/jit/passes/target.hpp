// SPDX-License-Identifier: Apache-2.0
// The machine that code is generated for.
#pragma once

#include "software/jit/tier.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>
#include <memory>
#include <string>

namespace warplight::jit {

/// Keeps a code generator for the next kernel. LLVM takes half a millisecond for the tables of another.
struct KeepMachine {
    void operator()(llvm::TargetMachine* machine) const;
};
using TargetMachine = std::unique_ptr<llvm::TargetMachine, KeepMachine>;

/// One that nobody else has. Spends less effort on generating code of modules with many instructions, and little on
/// quick code.
[[nodiscard]] TargetMachine take_target_machine(std::size_t instructions, Tier tier = Tier::fast);
/// Whether that is less effort than for a small module.
[[nodiscard]] bool is_optimised_less(std::size_t instructions);

/// To call before types are laid out.
void set_layout(llvm::Module& module, const llvm::TargetMachine& machine);
/// Names the processor and its features in all functions of a module.
void set_target_attributes(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace warplight::jit
