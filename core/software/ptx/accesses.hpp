// SPDX-License-Identifier: Apache-2.0
// What an instruction accesses in memory: where its operands say, how many bytes, and whether it reads or writes them.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <vector>

namespace warplight::ptx {

/// Of each thread that executes the instruction.
struct MemoryAccess {
    const Operand* address = nullptr; ///< one of the instruction's operands
    Space space = Space::generic;     ///< as the instruction has it
    unsigned bytes = 0;               ///< a power of two, of which the address is a multiple
    bool reads = false, writes = false;
};

/// Of loads, stores, atomic operations, and copies by cp.async; without the parameters' space. Of a copy that may read
/// less than it writes, what it writes. Empty for all others: their addresses are of a warp, or their size is not
/// known.
[[nodiscard]] std::vector<MemoryAccess> accesses_of(const Instruction& instruction);

} // namespace warplight::ptx
