// SPDX-License-Identifier: Apache-2.0
// From an emitted module to an object file for this machine.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace warplight::jit {

/// Part of the object cache's key: raise it when the passes change.
inline constexpr unsigned kPipelineVersion = 7;

/// The machine we run on: "name features" of its processor.
[[nodiscard]] const std::string& host_description();
/// How hard LLVM should try for a module of that many instructions.
[[nodiscard]] std::unique_ptr<llvm::TargetMachine> make_target_machine(std::size_t instructions);

[[nodiscard]] std::size_t count_instructions(const llvm::Module& module);
void prepare(llvm::Module& module, llvm::TargetMachine& machine);
/// @param vectors code of threads side by side, which is of vectors already
void optimise(llvm::Module& module, llvm::TargetMachine& machine, std::size_t instructions, bool vectors);
[[nodiscard]] std::unique_ptr<llvm::MemoryBuffer> make_object(llvm::Module& module, llvm::TargetMachine& machine);

} // namespace warplight::jit
