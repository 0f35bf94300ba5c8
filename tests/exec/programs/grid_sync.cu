// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: a reduction with a barrier of the whole grid, tiles and coalesced groups.
#include "program.hpp"

#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void total(const int* in, int n, int* parts, int* out) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    __shared__ int sum;
    if (block.thread_rank() == 0) sum = 0;
    block.sync();
    int mine = 0;
    for (int i = int(grid.thread_rank()); i < n; i += int(grid.size()))
        mine += in[i];
    mine = cg::reduce(warp, mine, cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&sum, mine);
    block.sync();
    if (block.thread_rank() == 0) parts[blockIdx.x] = sum;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b)
            all += parts[b];
        out[0] = all;
    }
    if (in[grid.thread_rank()] > 0) {
        const cg::coalesced_group together = cg::coalesced_threads();
        if (together.thread_rank() == 0) atomicAdd(&out[1], int(together.size()));
    }
}

int main() {
    int supported = 0, multiprocessors = 0, blocks_each = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int threads = 128;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, total, threads, 0));
    const int blocks = std::min(8, multiprocessors * blocks_each);
    int n = 30000;
    const auto values = random_ints(n, -10, 10);
    int *in = to_device(values), *parts = to_device(std::vector<int>(blocks)), *out = to_device(std::vector<int>(2));
    void* arguments[] = {&in, &n, &parts, &out};
    CHECK(cudaLaunchCooperativeKernel((void*)total, dim3(blocks), dim3(threads), arguments, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    int expected = 0, positive = 0;
    for (int i = 0; i < n; ++i) {
        expected += values[i];
        positive += i < blocks * threads && values[i] > 0;
    }
    const auto result = to_host(out, 2);
    CHECK(cudaFree(in));
    CHECK(cudaFree(parts));
    CHECK(cudaFree(out));
    return verdict(supported && result[0] == expected && result[1] == positive);
}
