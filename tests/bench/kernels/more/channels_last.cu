// SPDX-License-Identifier: Apache-2.0
// From NCHW to NHWC, by a flat index.
extern "C" __global__ void channels_last(const float* in, float* out, int n, int c, int h, int w) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * c * h * w) return;
    const int x = i % w, y = i / w % h, channel = i / (w * h) % c, picture = i / (w * h * c);
    out[((picture * h + y) * w + x) * c + channel] = in[i];
}
