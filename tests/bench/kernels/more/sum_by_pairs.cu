// SPDX-License-Identifier: Apache-2.0
// Sums of 256 integers, a tree of neighbours: pairs at growing distances.
extern "C" __global__ void sum_by_pairs(const int* in, int* out) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        const int i = 2 * d * t;
        if (i < 256) s[i] += s[i + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
