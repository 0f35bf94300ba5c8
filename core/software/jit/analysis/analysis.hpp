// SPDX-License-Identifier: Apache-2.0
// The facts about a kernel that its code depends on: which functions may suspend, which loops may spin.
#pragma once

#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace warplight::jit {

using ptx::each_register;
using ptx::is_block_barrier;
using ptx::is_warp_operation;
using ptx::uses_carry;
using ptx::writers_of;

struct FunctionFacts {
    bool waits = false;         ///< has a barrier, a warp operation or a spin loop, or calls one that has
    bool recursive = false;     ///< may reach itself
    bool address_taken = false; ///< may be called through a pointer
    bool has_loop = false;      ///< itself, not its callees
    bool exits = false;         ///< holds `exit`, or calls a function that does
    /// Branches (instruction indices) that close a loop whose end may depend on other threads.
    std::set<std::uint32_t> spinning_branches;
};

struct Analysis {
    ptx::Reachable reachable;
    std::vector<FunctionFacts> functions; ///< by FunctionId; all false for unreached ones
    std::vector<std::uint32_t> site_base; ///< by FunctionId: number of its first site
    std::uint32_t site_count = 0;
    bool kernel_waits = false;
    bool indirect_callee_waits = false; ///< a function that may be called through a pointer waits
    bool knows_clusters = false;        ///< addresses may be of other blocks' shared memory
    bool has_local_memory = false;      ///< a reached function has .local variables
};

[[nodiscard]] Analysis analyse(const ptx::Module& module, ptx::FunctionId kernel);

/// In code that is stepped through every function waits, at each of its lines. Each is a coroutine of its own: inlined,
/// the suspensions of a function would be there once for each call.
void make_steppable(Analysis& analysis);

/// Itself, not its callees.
[[nodiscard]] bool has_loop(const ptx::Function& function);

} // namespace warplight::jit
