// SPDX-License-Identifier: Apache-2.0
// A round: the coroutines of a block that wait for the same event are resumed one after the other.
#pragma once

namespace llvm {
class Module;
}

namespace warplight::jit {

/// Makes CompiledKernel::RunRound from the function that resumes the kernel's coroutine, which becomes a round of one
/// thread. Called when LLVM has split the coroutine.
void loop_over_threads(llvm::Module& module);

} // namespace warplight::jit
