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
        *blocks = resident_blocks(*function_of(func).function, block_size, dynamic_shared);
    });
}

CUresult potential(int* grid, int* block, CUfunction func, CUoccupancyB2DSize shared_of, std::size_t shared, int limit,
                   unsigned flags) {
    return enter([&] {
        require(grid && block && limit >= 0 && flags <= 1);
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
        require(dynamicSmemSize && numBlocks > 0 && blockSize > 0);
        *dynamicSmemSize = available_dynamic_shared(*function_of(func).function, numBlocks, blockSize);
    });
}
