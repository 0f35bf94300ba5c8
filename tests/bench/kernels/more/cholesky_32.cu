// SPDX-License-Identifier: Apache-2.0
// Cholesky factors of many 32 x 32 matrices, a warp a matrix.
extern "C" __global__ void cholesky_32(float* a) {
    __shared__ float s[32][33];
    float* m = a + blockIdx.x * 1024;
    const int t = threadIdx.x;
    for (int i = 0; i < 32; ++i)
        s[i][t] = m[i * 32 + t];
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
        if (t == j) s[j][j] = sqrtf(s[j][j]);
        __syncthreads();
        if (t > j) s[t][j] /= s[j][j];
        __syncthreads();
        if (t > j)
            for (int c = j + 1; c <= t; ++c)
                s[t][c] -= s[t][j] * s[c][j];
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i)
        m[i * 32 + t] = t <= i ? s[i][t] : 0.0f;
}
