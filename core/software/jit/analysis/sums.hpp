// SPDX-License-Identifier: Apache-2.0
// Atomic operations whose old value nobody asks for, and memory to which a kernel only adds. Nobody can tell when such
// a sum is made, as long as it is there when the launch ends. So each worker may add to a copy of its own, without
// locked instructions. The same goes for the smallest and the largest of several numbers, and for and, or and xor.
#pragma once

#include "software/jit/abi/abi.hpp"
#include "software/ptx/module.hpp"
#include "software/ptx/origins.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace warplight::jit {

/// By the state space it names, an instruction may access global memory.
[[nodiscard]] inline bool is_global(const ptx::Instruction& i) {
    return i.space == ptx::Space::global || i.space == ptx::Space::generic;
}

/// Whether an atomic operation tells the value that it found, and anything reads that.
[[nodiscard]] bool answers(const ptx::Function& kernel, const ptx::Instruction& i);

/// Memory that a parameter points to, and with which all accesses by that parameter do the same to numbers of one size.
struct SumMemory {
    ptx::Root pointer;
    unsigned bytes = 0; ///< of a number
    software::SumOperation operation = software::SumOperation::add;
    bool in_loop = false; ///< a thread may add often
};

struct KernelSums {
    std::vector<SumMemory> memory;                         ///< at most software::kMostSums
    std::map<std::uint32_t, std::uint32_t> by_instruction; ///< an index into `memory`
    /// By which all other accesses to global memory go. They have to point to other memory.
    std::vector<ptx::Root> others;

    [[nodiscard]] std::optional<std::uint32_t> memory_of(std::uint32_t instruction) const;
};

/// Empty where the kernel makes its writes known to others before it ends, or accesses memory by other addresses than
/// its parameters.
[[nodiscard]] KernelSums find_sums(const ptx::Function& kernel);

} // namespace warplight::jit
