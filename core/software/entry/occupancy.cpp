// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/module.hpp"
#include "../runtime/occupancy.hpp"

using namespace warplight::software;

namespace {

CUresult active_blocks(int* blocks, CUfunction func, int block_size, std::size_t dynamic_shared, unsigned flags) {
    return enter([&] {
        require(blocks && block_size > 0 && flags <= 1);
        require(func, CUDA_ERROR_INVALID_HANDLE);
        (void)current_context();
        *blocks = resident_blocks(*function_of(func).function, block_size, dynamic_shared);
    });
}

CUresult potential(int* grid, int* block, CUfunction func, CUoccupancyB2DSize shared_of, std::size_t shared, int limit,
                   unsigned flags) {
    return enter([&] {
        require(grid && block && limit >= 0 && flags <= 1);
        (void)current_context();
        const auto suggestion = suggest_block(
            *function_of(func).function, [&](int size) { return shared_of ? shared_of(size) : shared; }, limit);
        *grid = suggestion.minimum_grid;
        *block = suggestion.block;
    });
}

} // namespace

WL_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050,
         (int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)) {
    return active_blocks(numBlocks, func, blockSize, dynamicSMemSize, 0);
}
WL_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000,
         (int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags)) {
    return active_blocks(numBlocks, func, blockSize, dynamicSMemSize, flags);
}
WL_ENTRY(cuOccupancyMaxPotentialBlockSize, 6050,
         (int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
          size_t dynamicSMemSize, int blockSizeLimit)) {
    return potential(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}
WL_ENTRY(cuOccupancyMaxPotentialBlockSizeWithFlags, 7000,
         (int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
          size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags)) {
    return potential(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, flags);
}
WL_ENTRY(cuOccupancyAvailableDynamicSMemPerBlock, 10020,
         (size_t* dynamicSmemSize, CUfunction func, int numBlocks, int blockSize)) {
    return enter([&] {
        require(func, CUDA_ERROR_INVALID_HANDLE);
        require(dynamicSmemSize && numBlocks > 0 && blockSize > 0);
        (void)current_context();
        const auto available = available_dynamic_shared(*function_of(func).function, numBlocks, blockSize);
        if (!available) fail(CUDA_ERROR_INVALID_VALUE, "so many blocks of this size do not fit a multiprocessor");
        *dynamicSmemSize = *available;
    });
}

namespace {

/// The device has no clusters: those of one block are the blocks.
Function& check_cluster(const CUlaunchConfig* config, CUfunction handle) {
    require(config->numAttrs == 0 || config->attrs);
    require(config->gridDimX > 0 && config->gridDimY > 0 && config->gridDimZ > 0 && config->gridDimX <= 0x7FFFFFFF &&
            config->gridDimY <= 65535 && config->gridDimZ <= 65535);
    constexpr int cluster_dimension = 4;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const auto& [id, pad, value] = config->attrs[i];
        if (static_cast<int>(id) != cluster_dimension) continue;
        if (value.clusterDim.x > 1 || value.clusterDim.y > 1 || value.clusterDim.z > 1)
            fail(CUDA_ERROR_INVALID_CLUSTER_SIZE, "the device has no clusters of blocks");
    }
    for (const unsigned threads : {config->blockDimX, config->blockDimY, config->blockDimZ})
        require(threads > 0 && threads <= 0x7FFFFFFF);
    const auto reference = function_of(handle);
    if (config->hStream)
        require(&any_stream(config->hStream)->context() == &reference.module->context, CUDA_ERROR_INVALID_HANDLE);
    return *reference.function;
}

} // namespace

WL_ENTRY(cuOccupancyMaxPotentialClusterSize, 11070, (int* clusterSize, CUfunction func, const CUlaunchConfig* config)) {
    if (const CUresult wrong = look_at([&] { require(clusterSize && func && config); })) return wrong;
    return enter([&] {
        (void)check_cluster(config, func);
        *clusterSize = 1;
    });
}
WL_ENTRY(cuOccupancyMaxActiveClusters, 11070, (int* numClusters, CUfunction func, const CUlaunchConfig* config)) {
    if (const CUresult wrong = look_at([&] { require(numClusters && func && config); })) return wrong;
    return enter([&] {
        const Function& function = check_cluster(config, func);
        const auto threads = std::uint64_t{config->blockDimX} * config->blockDimY * config->blockDimZ;
        *numClusters = threads > 1024 ? 0
                                      : resident_blocks(function, static_cast<int>(threads), config->sharedMemBytes) *
                                            function.module.context.device.multiprocessors;
    });
}
