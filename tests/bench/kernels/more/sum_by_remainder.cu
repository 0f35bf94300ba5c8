// SPDX-License-Identifier: Apache-2.0
// Sums of 256 floats, a tree whose threads are chosen by a remainder.
extern "C" __global__ void sum_by_remainder(const float* in, float* out) {
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (t % (2 * d) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
