// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums, work-efficient (Blelloch): a block of 512 threads scans 1024 numbers, the blocks' sums are
// scanned the same way and added. n is a multiple of 1024.
#define ITEMS 1024
extern "C" __global__ void scan_blocks(const int* in, int* out, int* sums) {
    __shared__ int s[ITEMS];
    const int t = threadIdx.x, base = blockIdx.x * ITEMS;
    s[t] = in[base + t];
    s[t + ITEMS / 2] = in[base + t + ITEMS / 2];
    int offset = 1;
    for (int d = ITEMS / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        sums[blockIdx.x] = s[ITEMS - 1];
        s[ITEMS - 1] = 0;
    }
    for (int d = 1; d < ITEMS; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            const int value = s[left];
            s[left] = s[right];
            s[right] += value;
        }
    }
    __syncthreads();
    out[base + t] = s[t];
    out[base + t + ITEMS / 2] = s[t + ITEMS / 2];
}
extern "C" __global__ void add_sums(int* out, const int* sums) {
    const int i = blockIdx.x * ITEMS + threadIdx.x, sum = sums[blockIdx.x];
    out[i] += sum;
    out[i + ITEMS / 2] += sum;
}
