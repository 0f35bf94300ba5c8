// SPDX-License-Identifier: Apache-2.0
// Counts of bytes, four in a load; each warp has bins of its own in shared memory.
extern "C" __global__ void histogram_bytes(const uchar4* in, unsigned* out, int n) {
    __shared__ unsigned bins[8][256];
    unsigned* mine = bins[threadIdx.x / 32];
    for (int w = 0; w < 8; ++w)
        bins[w][threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        const uchar4 v = in[i];
        atomicAdd(&mine[v.x], 1u);
        atomicAdd(&mine[v.y], 1u);
        atomicAdd(&mine[v.z], 1u);
        atomicAdd(&mine[v.w], 1u);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w)
        sum += bins[w][threadIdx.x];
    atomicAdd(&out[threadIdx.x], sum);
}
