// SPDX-License-Identifier: Apache-2.0
// A bias for each channel, and no negative values, by a flat index.
extern "C" __global__ void bias_relu(const float* in, const float* bias, float* out, int channels, int area, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fmaxf(in[i] + bias[i / area % channels], 0.0f);
}
