// SPDX-License-Identifier: Apache-2.0
#include "occupancy.hpp"

#include "context.hpp"
#include "device.hpp"
#include "module.hpp"
#include "profile/residency.hpp"

#include <algorithm>

namespace warplight::software {
namespace {
constexpr int kWarp = 32;
int round_up(int value, int to) { return (value + to - 1) / to * to; }
int round_down(int value, int to) { return value / to * to; }
} // namespace

int resident_blocks(const Function& function, int block_threads, std::size_t dynamic_shared) {
    const DeviceLimits& l = function.module.context.device.limits;
    if (block_threads <= 0 || block_threads > static_cast<int>(function.max_threads)) return 0;
    if (dynamic_shared > static_cast<std::size_t>(function.max_dynamic_shared())) return 0;
    const std::size_t shared = function.shared.static_size + dynamic_shared;
    return warplight::profile::residency(l, block_threads, static_cast<int>(function.registers), shared).blocks;
}

BlockSuggestion suggest_block(const Function& function, const std::function<std::size_t(int)>& shared_of, int limit) {
    const Device& device = function.module.context.device;
    int most = std::min(device.limits.threads_per_block, static_cast<int>(function.max_threads));
    if (limit > 0) most = std::min(most, limit);
    BlockSuggestion best;
    int best_threads = 0;
    // Larger blocks first: of equal occupancy the largest block is the fewest blocks.
    for (int block = round_up(most, kWarp); block > 0; block -= kWarp) {
        const int threads = std::min(block, most);
        const int blocks = resident_blocks(function, threads, shared_of(threads));
        if (blocks * threads <= best_threads) continue;
        best_threads = blocks * threads;
        best = {blocks * device.multiprocessors, threads};
    }
    return best;
}

std::optional<std::size_t> available_dynamic_shared(const Function& function, int blocks, int block_threads) {
    const DeviceLimits& l = function.module.context.device.limits;
    if (blocks <= 0 || block_threads <= 0) return std::nullopt;
    if (resident_blocks(function, block_threads, 0) < blocks) return std::nullopt;
    // An equal share. Drivers do not subtract the memory that they reserve, so with this much one block fewer may fit.
    const int share = round_down(l.shared_per_multiprocessor / blocks, l.shared_unit);
    const int free = std::max(share - static_cast<int>(function.shared.static_size), 0);
    return static_cast<std::size_t>(std::min(free, function.max_dynamic_shared()));
}

} // namespace warplight::software
