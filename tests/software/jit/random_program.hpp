// SPDX-License-Identifier: Apache-2.0
// PTX programs made at random: branches, loops and early ends that depend on the thread, guarded instructions, memory
// at neighbouring and at scattered addresses, shared memory, atomic operations and barriers. Every one ends, and what
// it stores does not depend on the order of its threads.
#pragma once

#include <cstdint>
#include <string>

struct RandomProgram {
    std::string text;
    bool alone = false; ///< holds what keeps a kernel from running side by side
};

/// A kernel `k(.u64 out, .u64 in, .u64 sums, .b8 numbers[64])`: reads 2048 words at `in`, writes kRandomResults words a
/// thread at `out` and kRandomArea words a thread behind all of those, and changes the kRandomSums words at `sums`, for
/// blocks of at most 256 threads. The same seed makes the same program.
[[nodiscard]] RandomProgram random_program(std::uint64_t seed, bool warps = false);
inline constexpr unsigned kRandomResults = 48;
inline constexpr unsigned kRandomArea = 16;
inline constexpr unsigned kRandomSums = 64;
inline constexpr unsigned kRandomShared = 1280 + 16384 + 64; ///< bytes of shared memory
