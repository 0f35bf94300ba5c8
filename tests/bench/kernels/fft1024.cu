// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of 1024 complex numbers each: a block of 512 threads does one in shared memory, in ten steps of
// radix 2 whose result is in order (Stockham). roots[k] = exp(-2 pi i k / 1024).
#define N 1024
extern "C" __global__ void fft(const float2* in, const float2* roots, float2* out) {
    __shared__ float2 s[2][N];
    const int t = threadIdx.x, base = blockIdx.x * N;
    s[0][t] = in[base + t];
    s[0][t + N / 2] = in[base + t + N / 2];
    int from = 0;
    for (int span = 1; span < N; span *= 2) {
        __syncthreads();
        const int k = t & (span - 1), to = 2 * t - k;
        const float2 root = roots[k * (N / 2 / span)];
        const float2 a = s[from][t], b = s[from][t + N / 2];
        const float2 c = make_float2(root.x * b.x - root.y * b.y, root.x * b.y + root.y * b.x);
        s[1 - from][to] = make_float2(a.x + c.x, a.y + c.y);
        s[1 - from][to + span] = make_float2(a.x - c.x, a.y - c.y);
        from = 1 - from;
    }
    __syncthreads();
    out[base + t] = s[from][t];
    out[base + t + N / 2] = s[from][t + N / 2];
}
