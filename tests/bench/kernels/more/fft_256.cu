// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of 256 complex numbers in shared memory, radix 2, 128 threads.
extern "C" __global__ void fft_256(float2* data) {
    __shared__ float2 s[256];
    float2* p = data + blockIdx.x * 256;
    const int t = threadIdx.x;
    s[__brev(t) >> 24] = p[t];
    s[__brev(t + 128) >> 24] = p[t + 128];
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        const int j = t & (half - 1), i = 2 * (t - j) + j;
        float sine, cosine;
        __sincosf(-3.14159265f * j / half, &sine, &cosine);
        const float2 u = s[i], v = s[i + half];
        const float2 w = {v.x * cosine - v.y * sine, v.x * sine + v.y * cosine};
        s[i] = {u.x + w.x, u.y + w.y};
        s[i + half] = {u.x - w.x, u.y - w.y};
        __syncthreads();
    }
    p[t] = s[t];
    p[t + 128] = s[t + 128];
}
