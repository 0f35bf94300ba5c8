// SPDX-License-Identifier: Apache-2.0
// What a kernel costs side by side and a thread at a time, where its lanes leave loops one by one.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

/// Of as many threads as there are lanes, once through the kernel: in cycles, about.
struct Costs {
    double side_by_side = 0, one_by_one = 0;
};
/// None for a kernel whose lanes leave all loops together, and that has no memory of its threads' own.
[[nodiscard]] std::optional<Costs> estimate_costs(const ptx::Function& kernel, const LanePlan& plan, unsigned width);

/// Whether a block ends with a branch that mostly is taken: a test of all lanes holds (Aid::lanes_within).
[[nodiscard]] bool ends_with_lane_test(const ptx::Function& kernel, const LaneBlock& block);

} // namespace warplight::jit
