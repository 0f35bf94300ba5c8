// SPDX-License-Identifier: Apache-2.0
// The largest of 2 x 2 values, by a flat index.
extern "C" __global__ void max_pool(const float* in, float* out, int channels, int h, int w) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, oh = h / 2, ow = w / 2;
    if (i >= channels * oh * ow) return;
    const int x = i % ow, y = i / ow % oh, c = i / (ow * oh);
    const float* p = in + (c * h + 2 * y) * w + 2 * x;
    out[i] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[w], p[w + 1]));
}
