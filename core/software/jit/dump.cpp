// SPDX-License-Identifier: Apache-2.0
#include "dump.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>

namespace warplight::jit {

bool is_dumped() {
    static const bool wanted = std::getenv("WARPLIGHT_JIT_DUMP") != nullptr;
    return wanted;
}

// Each text is written at once: several threads compile kernels.

void dump(const llvm::Module& module, const char* title) {
    if (!is_dumped()) return;
    std::string text;
    llvm::raw_string_ostream(text) << "; --- " << title << "\n" << module;
    llvm::errs() << text;
}

void dump(const Strategy& strategy, const std::string& kernel) {
    if (is_dumped()) llvm::errs() << "; --- kernel '" + kernel + "' runs " + strategy.sentence() + "\n";
}

} // namespace warplight::jit
