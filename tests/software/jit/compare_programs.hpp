// SPDX-License-Identifier: Apache-2.0
// Programs made at random, run a thread at a time and side by side: both have to leave the same memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct Comparison {
    bool side_by_side = false;         ///< the compiler had threads of it run so
    unsigned bounded = 0;              ///< shapes of blocks that the code was made for
    std::optional<std::string> differ; ///< what was not the same, or what went wrong
};

/// How many threads are to run side by side.
[[nodiscard]] unsigned width_of_program(std::uint64_t seed, bool warps);

/// Runs `text`, a program of random_program() with that seed, on blocks of several shapes.
[[nodiscard]] Comparison compare_program(const std::string& text, std::uint64_t seed, bool warps);
