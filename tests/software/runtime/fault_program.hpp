// SPDX-License-Identifier: Apache-2.0
// PTX programs made at random, in which one access of one thread is wrong: far off, beside its buffer, at an odd
// address, or in memory that was freed. All others are good. The generator interprets its own program, so it knows
// which thread comes to that access, and at which address, without asking the device.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

struct FaultProgram {
    enum class Memory : std::uint8_t { buffer, table, constant, shared, generic_shared, local, surface, texture };
    enum class Wrong : std::uint8_t { beside, far, null, no_address, misaligned, freed };

    /// A kernel k(first, second, table, out, deltas, delta, surface, texture, number), all .u64 but the last.
    std::string text;
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t number = 0; ///< the last argument

    // --- what is wrong, and where
    Wrong wrong = Wrong::far;
    Memory memory = Memory::buffer;
    unsigned buffer = 0;      ///< of Memory::buffer: first or second
    std::uint64_t offset = 0; ///< of the good address in its memory
    /// What is added to the good address, where that does not depend on where memory lies.
    std::int64_t delta = 0;
    unsigned bytes = 0;  ///< of the access
    unsigned thread = 0; ///< of the grid
    std::array<unsigned, 3> block_index{}, thread_index{};
    unsigned ptx_line = 0, line = 0, column = 0;
    bool in_function = false;
    std::string spelled; ///< "ld.global.v2.u32"
};

inline constexpr std::size_t kFaultBufferBytes = std::size_t{1} << 18; ///< of each of the buffers, and of the table
inline constexpr unsigned kFaultSharedBytes = 8192;
inline constexpr unsigned kFaultConstantBytes = 8192;
inline constexpr unsigned kFaultLocalBytes = 256;
inline constexpr unsigned kFaultSurfaceWidth = 64, kFaultSurfaceHeight = 8; ///< elements of 4 bytes
[[nodiscard]] std::uint32_t fault_table(std::uint32_t index);               ///< what the table holds

/// The same seed makes the same program.
[[nodiscard]] FaultProgram fault_program(std::uint64_t seed);

/// Runs it on the software device: what was told otherwise than it is, or nothing. (check_fault_program.cpp)
[[nodiscard]] std::optional<std::string> check_fault_program(const FaultProgram& program);
