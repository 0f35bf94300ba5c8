// SPDX-License-Identifier: Apache-2.0
// Blocks that know their cluster, which is a matter of the launch.
extern "C" __global__ void clusters(int* out) {
    int rank, count;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    out[blockIdx.y * gridDim.x + blockIdx.x] = rank + 10 * count;
}
