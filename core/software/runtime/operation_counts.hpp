// SPDX-License-Identifier: Apache-2.0
// The arithmetic of an instruction, as a profile counts it.
#pragma once

#include "../ptx/module.hpp"
#include "profile/profile.hpp"

#include <cstdint>

namespace warplight::software {

/// Adds what an instruction computes that so many threads, and so many warps, executed.
void add_operations(const ptx::Instruction& instruction, std::uint64_t threads, std::uint64_t warps,
                    warplight::profile::Figures& figures);

} // namespace warplight::software
