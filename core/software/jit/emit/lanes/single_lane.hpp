// SPDX-License-Identifier: Apache-2.0
// Code that no more than one lane of a vector executes, as at the edge of a tile:
//
//     if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = x > 0 ? a[y * w + x - 1] : 0;
//
// That lane is a thread by itself there: numbers instead of vectors, branches instead of masks.
#pragma once

#include "serial_blocks.hpp"

#include <map>
#include <optional>

namespace warplight::jit {

/// Whether no more than one lane at a time enters a block: it lies behind `t == n` or `t == n && more`, where
/// t differs from lane to lane.
[[nodiscard]] bool has_one_lane(const Emitter& e, std::uint32_t block);

struct SingleLane {
    struct Found {
        llvm::Value* any = nullptr;  ///< the comparison holds in some lane
        llvm::Value* lane = nullptr; ///< its number, i32
    };

    std::uint32_t from = 0;       ///< the block whose branch chooses the lane
    std::uint32_t comparison = 0; ///< which holds for that lane only
    bool is_sure = true;          ///< the lane enters if it holds, whatever else the branch asks
    std::uint32_t other = 0;      ///< where the other lanes go
    SerialBlocks blocks;

    /// The lane comes to the others: they all go on together.
    [[nodiscard]] bool meets_others() const { return blocks.ways_out().size() == 1 && blocks.ways_out()[0] == other; }
    /// Where all lanes are at the branch.
    [[nodiscard]] Found find_lane(Emitter& e) const;
};

/// By first block.
using SingleLanes = std::map<std::uint32_t, SingleLane>;
/// @param kept blocks whose code is to stay as it is
[[nodiscard]] SingleLanes find_single_lanes(const Emitter& e, const std::vector<bool>& kept);

} // namespace warplight::jit
