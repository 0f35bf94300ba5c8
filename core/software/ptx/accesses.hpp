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
    unsigned bytes = 0;               ///< a power of two
    bool reads = false, writes = false;
    unsigned alignment = bytes; ///< of which the address is a multiple
    /// How many bytes in fact: at most `bytes`, unless that is 0. Of a predicate: none where it holds.
    const Operand* count = nullptr;
    bool counts_units = false; ///< the number of bytes is a multiple of the alignment too
};

/// Of loads, stores, atomic operations, and copies by cp.async; without the parameters' space. Of a copy that may read
/// less than it writes, what it writes. Empty for all others: their addresses are of a warp, or their size is not
/// known.
[[nodiscard]] std::vector<MemoryAccess> accesses_of(const Instruction& instruction);

/// All of those, and the others that a thread makes by itself: of bulk copies, of copies that read less than they
/// write, of barrier objects, and of Aid::lane_access.
[[nodiscard]] std::vector<MemoryAccess> all_accesses_of(const Instruction& instruction);

/// What Aid::lane_access tells of its access, in operand 2. Operand 1 is the address.
struct AddedAccess {
    unsigned bytes = 0, alignment = 0;
    bool writes = false;    ///< else it reads
    bool of_shadow = false; ///< the shadow of the memory is accessed

    [[nodiscard]] std::int64_t packed() const;
    [[nodiscard]] static AddedAccess unpacked(std::int64_t number);
};

/// Bytes that a lane accesses at once; of a matrix, those of its row or of its part of a tile. 0: not known.
[[nodiscard]] unsigned access_size(const Instruction& instruction);

} // namespace warplight::ptx
