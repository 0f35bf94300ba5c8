// SPDX-License-Identifier: Apache-2.0
// From an emitted module to an optimised one.
#pragma once

#include "software/jit/strategy.hpp"
#include "software/jit/tier.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>

namespace warplight::jit {

/// Part of the object cache's key: raise it when the passes change.
inline constexpr unsigned kPipelineVersion = 37;

[[nodiscard]] std::size_t count_instructions(const llvm::Module& module);
/// Of accesses, by a check. Each is a branch of its own, and some passes look at each instruction with all branches:
/// 1,500 tests of one index took five minutes.
[[nodiscard]] bool has_many_tests(const llvm::Module& module);

struct Optimisation {
    std::size_t instructions; ///< of the module as emitted
    Vectors vectors;
    Walls walls;
    Tier tier = Tier::fast;
    unsigned lanes = 1; ///< of a coroutine
};
void optimise(llvm::Module& module, llvm::TargetMachine& machine, const Optimisation& how);

} // namespace warplight::jit
