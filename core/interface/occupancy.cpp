// SPDX-License-Identifier: Apache-2.0
// How much of a kernel a device runs at once.
#include "interface/launch_attributes.hpp"
#include "interface/state.hpp"
#include "warplight/function.hpp"
#include "warplight/stream.hpp"

namespace warplight::driver {

int Function::max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared) const {
    const detail::Scope scope(state_->context());
    int blocks = 0;
    WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxActiveBlocksPerMultiprocessor,
                   state_->describe() + " with blocks of " + std::to_string(block_size) + " threads", &blocks,
                   state_->handle, block_size, dynamic_shared);
    return blocks;
}

int Function::max_active_blocks_per_multiprocessor(int block_size, std::size_t dynamic_shared, unsigned flags) const {
    const detail::Scope scope(state_->context());
    int blocks = 0;
    WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                   state_->describe() + " with blocks of " + std::to_string(block_size) + " threads", &blocks,
                   state_->handle, block_size, dynamic_shared, flags);
    return blocks;
}

BlockSize Function::max_potential_block_size(std::size_t dynamic_shared, int limit, unsigned flags) const {
    const detail::Scope scope(state_->context());
    BlockSize size;
    if (flags == 0)
        WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxPotentialBlockSize, state_->describe(), &size.min_grid_size,
                       &size.block_size, state_->handle, nullptr, dynamic_shared, limit);
    else
        WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxPotentialBlockSizeWithFlags, state_->describe(),
                       &size.min_grid_size, &size.block_size, state_->handle, nullptr, dynamic_shared, limit, flags);
    return size;
}

namespace {

/// The driver's callback has no argument of its own.
thread_local const Callback<std::size_t(int)>* shared_of_block = nullptr;
std::size_t CUDA_CB call_shared_of_block(int block_size) { return (*shared_of_block)(block_size); }

} // namespace

BlockSize Function::max_potential_block_size(const Callback<std::size_t(int)>& shared_of, int limit,
                                             unsigned flags) const {
    if (!shared_of) throw_logic_error("there is no function to call", state_->describe());
    const detail::Scope scope(state_->context());
    BlockSize size;
    shared_of_block = &shared_of;
    WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxPotentialBlockSizeWithFlags, state_->describe(), &size.min_grid_size,
                   &size.block_size, state_->handle, &call_shared_of_block, 0, limit, flags);
    return size;
}

std::size_t Function::available_dynamic_shared_memory_per_block(int blocks, int block_size) const {
    const detail::Scope scope(state_->context());
    std::size_t bytes = 0;
    WARPLIGHT_CALL(state_->driver(), cuOccupancyAvailableDynamicSMemPerBlock,
                   state_->describe() + " with " + std::to_string(blocks) + " blocks of " + std::to_string(block_size) +
                       " threads",
                   &bytes, state_->handle, blocks, block_size);
    return bytes;
}

int Function::max_potential_cluster_size(const LaunchConfig& config) const {
    const detail::Scope scope(state_->context());
    const detail::NativeLaunch launch(config);
    int blocks = 0;
    WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxPotentialClusterSize, state_->describe(), &blocks, state_->handle,
                   &launch.config);
    return blocks;
}

int Function::max_active_clusters(const LaunchConfig& config) const {
    const detail::Scope scope(state_->context());
    const detail::NativeLaunch launch(config);
    int clusters = 0;
    WARPLIGHT_CALL(state_->driver(), cuOccupancyMaxActiveClusters, state_->describe(), &clusters, state_->handle,
                   &launch.config);
    return clusters;
}

} // namespace warplight::driver
