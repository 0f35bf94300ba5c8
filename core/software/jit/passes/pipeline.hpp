// SPDX-License-Identifier: Apache-2.0
// From an emitted module to an object file for this machine.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdint>
#include <memory>
#include <string>

namespace warplight::jit {

/// Part of the object cache's key: raise it when the passes change.
inline constexpr unsigned kPipelineVersion = 30;

/// The machine we run on: "name features" of its processor.
[[nodiscard]] const std::string& host_description();
/// How hard LLVM should try for a module of that many instructions.
[[nodiscard]] std::unique_ptr<llvm::TargetMachine> make_target_machine(std::size_t instructions);

/// Whether that differs from how hard it tries for a small one.
[[nodiscard]] bool is_optimised_less(std::size_t instructions);

[[nodiscard]] std::size_t count_instructions(const llvm::Module& module);
void prepare(llvm::Module& module, llvm::TargetMachine& machine);
enum class Threads : std::uint8_t {
    side_by_side, ///< the code is of vectors already
    in_a_loop,    ///< of which LLVM makes vectors where it can
    one_by_one,   ///< vectors of several threads cannot be made of it
};
void optimise(llvm::Module& module, llvm::TargetMachine& machine, std::size_t instructions, Threads threads);
[[nodiscard]] std::unique_ptr<llvm::MemoryBuffer> make_object(llvm::Module& module, llvm::TargetMachine& machine,
                                                              Threads threads);

} // namespace warplight::jit
