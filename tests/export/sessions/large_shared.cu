// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>

extern __shared__ int tile[];

/// With `SYNC`: the grid waits for all of its blocks.
extern "C" __global__ void reverse(const int* in, int* out, int* total) {
    const int n = blockDim.x;
    for (int i = threadIdx.x; i < 16 * n; i += n)
        tile[i] = in[i % n];
    __syncthreads();
    out[blockIdx.x * n + threadIdx.x] = tile[16 * n - 1 - threadIdx.x];
#ifdef SYNC
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i)
            *total += out[i];
#endif
}
