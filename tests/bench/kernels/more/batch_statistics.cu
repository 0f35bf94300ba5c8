// SPDX-License-Identifier: Apache-2.0
// Mean and variance of each channel, a block a channel.
extern "C" __global__ void batch_statistics(const float* in, float* mean, float* variance, int n, int c, int area) {
    __shared__ float s[256], q[256];
    const int t = threadIdx.x;
    float sum = 0.0f, squares = 0.0f;
    for (int b = 0; b < n; ++b)
        for (int j = t; j < area; j += 256) {
            const float v = in[(b * c + blockIdx.x) * area + j];
            sum += v;
            squares += v * v;
        }
    s[t] = sum;
    q[t] = squares;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) {
            s[t] += s[t + d];
            q[t] += q[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        const float m = s[0] / (n * area);
        mean[blockIdx.x] = m;
        variance[blockIdx.x] = q[0] / (n * area) - m * m;
    }
}
