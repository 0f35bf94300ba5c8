// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/context.hpp"
#include "../runtime/device.hpp"
#include "../runtime/launch_request.hpp"
#include "../runtime/library.hpp"
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

WL_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor,
         (int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)) {
    return active_blocks(numBlocks, func, blockSize, dynamicSMemSize, 0);
}
WL_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
         (int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags)) {
    return active_blocks(numBlocks, func, blockSize, dynamicSMemSize, flags);
}
WL_ENTRY(cuOccupancyMaxPotentialBlockSize,
         (int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
          size_t dynamicSMemSize, int blockSizeLimit)) {
    return potential(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}
WL_ENTRY(cuOccupancyMaxPotentialBlockSizeWithFlags,
         (int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize,
          size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags)) {
    return potential(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, flags);
}
WL_ENTRY(cuOccupancyAvailableDynamicSMemPerBlock,
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

/// A launch as occupancy is asked of it, checked as far as its clusters go.
LaunchRequest cluster_request(const CUlaunchConfig* config, CUfunction handle) {
    require(config->numAttrs == 0 || config->attrs);
    require(config->gridDimX > 0 && config->gridDimY > 0 && config->gridDimZ > 0 && config->gridDimX <= 0x7FFFFFFF &&
            config->gridDimY <= 65535 && config->gridDimZ <= 65535);
    LaunchRequest request;
    request.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
    constexpr int cluster_dimension = 4;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const auto& [id, pad, value] = config->attrs[i];
        if (static_cast<int>(id) == cluster_dimension)
            request.cluster = std::array{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    }
    for (const unsigned threads : {config->blockDimX, config->blockDimY, config->blockDimZ})
        require(threads > 0 && threads <= 0x7FFFFFFF);
    request.function = function_of(handle);
    if (config->hStream)
        require(&any_stream(config->hStream)->context() == &request.function.module->context,
                CUDA_ERROR_INVALID_HANDLE);
    request.dynamic_shared = config->sharedMemBytes;
    return request;
}

/// Blocks of a launch that a multiprocessor has at once.
int resident_of(const LaunchRequest& request, const CUlaunchConfig* config) {
    const auto threads = std::uint64_t{config->blockDimX} * config->blockDimY * config->blockDimZ;
    return threads > 1024
               ? 0
               : resident_blocks(*request.function.function, static_cast<int>(threads), request.dynamic_shared);
}

} // namespace

WL_ENTRY(cuOccupancyMaxPotentialClusterSize, (int* clusterSize, CUfunction func, const CUlaunchConfig* config)) {
    if (const CUresult wrong = look_at([&] { require(clusterSize && func && config); })) return wrong;
    return enter([&] {
        const LaunchRequest request = cluster_request(config, func);
        (void)cluster_of(request);
        const Function& function = *request.function.function;
        if (function.module.context.device.capability < 90)
            *clusterSize = 1;
        else if (resident_of(request, config) == 0)
            *clusterSize = 0;
        else
            *clusterSize = function.large_clusters() ? 16 : 8;
    });
}
WL_ENTRY(cuOccupancyMaxActiveClusters, (int* numClusters, CUfunction func, const CUlaunchConfig* config)) {
    if (const CUresult wrong = look_at([&] { require(numClusters && func && config); })) return wrong;
    return enter([&] {
        const LaunchRequest request = cluster_request(config, func);
        const auto cluster = cluster_of(request);
        const Device& device = request.function.module->context.device;
        int resident = resident_of(request, config);
        if (device.capability >= 90) {
            constexpr int most = 8; // of clusters, whatever the blocks' size
            resident = cluster ? std::min(resident, most) : 0;
        }
        const auto [x, y, z] = cluster.value_or(std::array{1U, 1U, 1U});
        *numClusters = resident * device.multiprocessors / static_cast<int>(x * y * z);
    });
}

// An extension of the software device, found by name: the registers that ptxas gave a kernel, in place of the estimate.
extern "C" WL_API CUresult CUDAAPI cuxWarplightSetRegisters(CUfunction func, int registers) {
    return enter([&] {
        require(func, CUDA_ERROR_INVALID_HANDLE);
        require(registers > 0 && registers <= 255);
        function_of(func).function->registers = static_cast<unsigned>(registers);
    });
}
