// SPDX-License-Identifier: Apache-2.0
// Coroutines of a block that wait for the same, one after the other.
#pragma once

namespace llvm {
class Module;
}

namespace warplight::jit {

/// Makes CompiledKernel::RunRound of the function that lets the kernel's coroutine go on, which becomes a round of one
/// thread. Called when LLVM has taken the coroutine apart.
void loop_over_threads(llvm::Module& module);

} // namespace warplight::jit
