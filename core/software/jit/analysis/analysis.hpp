// SPDX-License-Identifier: Apache-2.0
// What must be known of a kernel before code is emitted: which functions may wait, which loops may spin.
#pragma once

#include "software/ptx/effects.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace warplight::jit {

using ptx::each_register;
using ptx::uses_carry;
using ptx::writers_of;

struct FunctionFacts {
    bool waits = false;         ///< a barrier, a warp operation or a loop that may spin, in it or in what it calls
    bool recursive = false;     ///< may reach itself
    bool address_taken = false; ///< may be called through a pointer
    bool has_loop = false;      ///< itself, not in what it calls
    bool exits = false;         ///< holds `exit`, or calls what does
    /// Branches (instruction indices) that close a loop whose end may depend on other threads.
    std::set<std::uint32_t> spinning_branches;
};

struct Analysis {
    ptx::Reachable reachable;
    std::vector<FunctionFacts> functions; ///< by FunctionId; of unreached ones all false
    std::vector<std::uint32_t> site_base; ///< by FunctionId: number of its first site
    std::uint32_t site_count = 0;
    bool kernel_waits = false;
    bool indirect_callee_waits = false; ///< a function that may be called through a pointer waits
    bool knows_clusters = false;        ///< shared memory of other blocks may be meant
    bool has_local_memory = false;      ///< a reached function has .local variables
};

[[nodiscard]] Analysis analyse(const ptx::Module& module, ptx::FunctionId kernel);

/// Itself, not in what it calls.
[[nodiscard]] bool has_loop(const ptx::Function& function);

/// The instruction has to do with clusters of blocks.
[[nodiscard]] bool is_of_clusters(const ptx::Instruction& instruction);
/// The instruction itself may suspend the thread.
[[nodiscard]] bool instruction_waits(const ptx::Instruction& instruction);

} // namespace warplight::jit
