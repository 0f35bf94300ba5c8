// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums: warps scan by shuffles, a block of 1024 threads scans the sums of its warps the same way; the
// blocks' sums are scanned alike and added. n is a multiple of 1024.
__device__ int scan_warp(int sum) {
    const int lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += other;
    }
    return sum;
}
extern "C" __global__ void scan_blocks(const int* in, int* out, int* sums) {
    __shared__ int warps[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int value = in[i];
    int sum = scan_warp(value);
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    if (warp == 0) warps[lane] = scan_warp(warps[lane]);
    __syncthreads();
    if (warp > 0) sum += warps[warp - 1];
    out[i] = sum - value;
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = sum;
}
extern "C" __global__ void add_sums(int* out, const int* sums) {
    out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x];
}
