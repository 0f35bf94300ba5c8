// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/lanes/lanes.hpp"

#include <vector>

namespace warplight::jit {

/// By block: it gets code under a mask only, and none for all lanes at once.
///
/// A masked block normally has its code twice. Where the host has masks for everything, a mask costs next to nothing,
/// and the second copy costs time to compile and room in the cache. That is so for
///   - long code without loops behind `if (i >= n) return;`, in which lanes seldom part,
///   - the loops of a kernel with many loops that lanes leave at different times.
[[nodiscard]] std::vector<bool> find_always_masked(const ptx::Function& kernel, const LanePlan& plan);

} // namespace warplight::jit
