// SPDX-License-Identifier: Apache-2.0
// Memory behind a block's shared memory, for what must be left out of an access of a whole warp.
#include "software/jit/abi/abi.hpp"

#include <cstring>

namespace warplight::software {

/// Called where services are linked (see link_services).
void link_spare_memory() {}

extern "C" void wl_rt_move_tile(BlockContext* block, std::uint32_t linear, std::uint32_t left_out,
                                std::uint64_t address, std::uint64_t stride, std::uint32_t what) {
    const SpareTile tile = SpareTile::unpacked(what);
    const LaunchContext& launch = *block->launch;
    std::byte* spare = block->shared + launch.spare_shared + kSpareTilesAt +
                       static_cast<std::size_t>(linear / kWarpSize) * kSpareTileBytes;
    if (tile.of_shadow) spare += launch.shadow_distance;
    const std::uint32_t lanes_of_line = kWarpSize / tile.lines, part = tile.line_bytes / lanes_of_line;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t line = lane / lanes_of_line, within = lane % lanes_of_line * part;
        std::byte* const here = spare + std::size_t{line} * tile.line_bytes + within;
        auto* const there = reinterpret_cast<std::byte*>(address + line * stride + within);
        if (left_out >> lane & 1) {
            if (!tile.back) std::memset(here, 0, part);
        } else if (tile.back) {
            std::memcpy(there, here, part);
        } else {
            std::memcpy(here, there, part);
        }
    }
}

} // namespace warplight::software
