// SPDX-License-Identifier: Apache-2.0
// Sums of all before, 256 floats a block: log2 steps between two buffers.
extern "C" __global__ void scan_double_buffer(const float* in, float* out) {
    __shared__ float s[2][256];
    const int t = threadIdx.x;
    int from = 0;
    s[0][t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = s[from][t];
}
