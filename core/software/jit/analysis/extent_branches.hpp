// SPDX-License-Identifier: Apache-2.0
// Branches that are decided where a block has few threads in x. Example, a tile with an edge, copied by blocks of 32 x
// 8 threads:
//
//     for (int x = threadIdx.x; x < 38; x += 32) tile[y][x] = ...;
//
// Compilers write out four rounds of such a loop and put another loop behind it, as a block could be narrower.
#pragma once

#include "software/ptx/module.hpp"

#include <cstdint>
#include <map>

namespace warplight::jit {

/// By instruction: branches under a guard, and whether they are taken by all threads of a block with no more than
/// `threads` in x.
[[nodiscard]] std::map<std::uint32_t, bool> find_decided_branches(const ptx::Function& function, unsigned threads);

} // namespace warplight::jit
