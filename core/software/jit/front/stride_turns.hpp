// SPDX-License-Identifier: Apache-2.0
// Turns of grid-stride loops. In
//
//     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) …
//
// the rounds of a thread lie far apart, and its neighbours read what lies between them. If a vector of threads went
// through all of its rounds, each line would come from another page, and mostly from one set of the caches. So a thread
// does one round in a turn. All threads of some neighbouring blocks do, before the next turn begins. They go through
// memory as one loop over the whole array does.
//
// A thread keeps nothing from turn to turn: what its loop carries on is indices, and these are computed.
#pragma once

#include "added_code.hpp"

#include <optional>

namespace warplight::jit {

/// A kernel whose threads do one turn each time that they are begun. SpecialRegister::turn has its number. A thread
/// that is to go on after it says so by Aid::next_turn.
///
/// Nothing for any other kernel: there must be one loop in which the index moves on by a multiple of the grid's extent.
/// In front of it nothing may be stored, and behind it nothing may be left to do. Nobody may be able to tell
/// the order of threads: what they add up are integers, whose sum nobody reads.
[[nodiscard]] std::optional<ChangedFunction> with_stride_turns(const ptx::Function& function);

} // namespace warplight::jit
