// SPDX-License-Identifier: Apache-2.0
// Clusters of blocks that read each other's shared memory, launched with attributes.
// exec: --arch sm_90
#include "program.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void pass_on(const int* in, int* out) {
    __shared__ int mine;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) mine = in[blockIdx.x];
    cluster.sync();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
            sum += *cluster.map_shared_rank(&mine, rank);
        out[blockIdx.x] = sum;
    }
    cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) fixed(int* out) {
    if (threadIdx.x == 0) out[blockIdx.x] = int(cg::this_cluster().block_rank());
}

int main() {
    const int blocks = 16, size = 4;
    const auto values = random_ints(blocks, 0, 100);
    int *in = to_device(values), *out = nullptr;
    CHECK(cudaMalloc(&out, blocks * sizeof(int)));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(32);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, pass_on, (const int*)in, out));
    const auto sums = to_host(out, blocks);
    bool good = true;
    for (int b = 0; b < blocks; ++b) {
        int sum = 0;
        for (int i = 0; i < size; ++i)
            sum += values[b / size * size + i];
        good &= sums[b] == sum;
    }
    fixed<<<blocks, 32>>>(out);
    CHECK(cudaGetLastError());
    const auto ranks = to_host(out, blocks);
    for (int b = 0; b < blocks; ++b)
        good &= ranks[b] == b % 2;
    int clusters = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, pass_on, &config));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good && clusters > 0);
}
