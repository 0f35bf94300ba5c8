// SPDX-License-Identifier: Apache-2.0
// WARPLIGHT_JIT_DUMP=1 in the environment: prints the code that LLVM is given, the code that it makes of it, and how
// each kernel runs.
#pragma once

#include "strategy.hpp"

#include <string>

namespace llvm {
class Module;
}

namespace warplight::jit {

[[nodiscard]] bool is_dumped();

void dump(const llvm::Module& module, const char* title);
void dump(const Strategy& strategy, const std::string& kernel);

} // namespace warplight::jit
