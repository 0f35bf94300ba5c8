// SPDX-License-Identifier: Apache-2.0
// A step of Jacobi's method by tiles with a border in shared memory.
extern "C" __global__ void jacobi_halo(const float* in, float* out, int n) {
    __shared__ float s[18][18];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    s[ty + 1][tx + 1] = in[y * n + x];
    if (tx == 0) s[ty + 1][0] = x > 0 ? in[y * n + x - 1] : 0.0f;
    if (tx == 15) s[ty + 1][17] = x < n - 1 ? in[y * n + x + 1] : 0.0f;
    if (ty == 0) s[0][tx + 1] = y > 0 ? in[(y - 1) * n + x] : 0.0f;
    if (ty == 15) s[17][tx + 1] = y < n - 1 ? in[(y + 1) * n + x] : 0.0f;
    __syncthreads();
    out[y * n + x] = 0.25f * (s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2]);
}
