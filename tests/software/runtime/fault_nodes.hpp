// SPDX-License-Identifier: Apache-2.0
// What programs with a wrong access are made of, before they are text: fault_program.cpp makes it, fault_text.cpp
// writes it.
#pragma once

#include "fault_program.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace faults {

using Memory = FaultProgram::Memory;
using Wrong = FaultProgram::Wrong;

// What a thread computes with and nobody else changes: registers %k0 … that the interpretation follows. %k0 begins as
// its number in the block, %k1 as that in the grid, %k2 as its block's, %k3 as the last argument.
inline constexpr unsigned kKnown = 8;
using Known = std::array<std::uint32_t, kKnown>;

enum class Does : std::uint8_t { load, store, atom, red, copy };

struct Access {
    Does does = Does::load;
    Memory memory = Memory::buffer;
    Memory from = Memory::buffer; ///< of a copy: what is wrong is either side
    bool from_is_wrong = false;
    unsigned buffer = 0;
    bool written_generic = false; ///< a buffer, without .global
    bool in_function = false;
    std::string modifier, operation, type; ///< ".volatile", "add", "u32"
    unsigned vector = 1, each = 4;
    int step = 0; ///< elements, of the constant in the address
    bool linear = false;
    unsigned known = 0, factor = 1, summand = 0, mask = 0; ///< index: known * factor + summand, masked if not linear
    unsigned line = 0, column = 0;
    int writes_known = -1; ///< of a load from the table: the register that it goes to

    [[nodiscard]] unsigned bytes() const { return vector * each; }
    [[nodiscard]] std::uint32_t index(const Known& k) const {
        const std::uint32_t value = k[known] * factor + summand;
        return (linear ? value : value & mask) + 2;
    }
    /// Of the good address.
    [[nodiscard]] std::uint64_t offset(const Known& k) const {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::uint64_t{index(k)} * bytes()) +
                                          static_cast<std::int64_t>(step) * bytes());
    }
};

struct Node {
    enum class Kind : std::uint8_t { compute, access, branch, loop, barrier, leave };
    Kind kind = Kind::compute;
    // compute: to = a (operation) b or immediate; branch, leave: (a & mask) < immediate
    unsigned to = 0, a = 0, b = 0, operation = 0;
    std::uint32_t immediate = 0, mask = 0;
    // loop: `counter` goes from 0 up to the number of turns
    unsigned counter = 0, turns = 0;
    bool turns_by_thread = false;
    Access access;
    std::vector<Node> body, other;
};

/// A program, and the access of it that is wrong in one thread.
struct Plan {
    std::vector<Node> nodes;
    const Node* planted = nullptr; ///< of the nodes
    bool with_counters = false;    ///< wrong only while the loops' counters are …
    std::array<std::uint32_t, 2> counters{};
    unsigned how = 0; ///< the wrong distance is added: 0 to 3
};

/// Its text, and of the wrong access the line and the spelling.
void write_text(const Plan& plan, FaultProgram& program);

} // namespace faults
