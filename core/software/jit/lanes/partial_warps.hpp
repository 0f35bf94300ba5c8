// SPDX-License-Identifier: Apache-2.0
// Warp operations of some lanes of the warp: where lanes have parted, as in
//
//     if (lane < 8) sum += __shfl_down_sync(0xff, sum, 4);
//
// The members of such an operation have to be the lanes that come there together. The running code asks. If some are
// missing, it has to be sure that they will never come: lanes of a vector cannot wait for each other.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

/// The operand that says which lanes take part. Null: the operation has none.
[[nodiscard]] const ptx::Operand* members_of(const ptx::Instruction& i);

/// Whether lanes that do not come to a divergent block with warp operations end without waiting for anybody. Then they
/// are not waited for.
[[nodiscard]] bool others_end(const ptx::Function& kernel, const LanePlan& plan, std::uint32_t block);

/// Whether members that are missing at a warp operation in a divergent block would be waited for in vain.
[[nodiscard]] bool members_come_together(const ptx::Function& kernel, const std::vector<std::uint32_t>& post_dominators,
                                         const LanePlan& plan);

} // namespace warplight::jit
