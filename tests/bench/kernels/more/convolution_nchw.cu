// SPDX-License-Identifier: Apache-2.0
// A layer's convolution of 3 x 3 with zeros around, by a flat index.
extern "C" __global__ void convolution_nchw(const float* in, const float* weights, float* out, int from, int to, int h,
                                            int w) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= to * h * w) return;
    const int x = i % w, y = i / w % h, channel = i / (w * h);
    float sum = 0.0f;
    for (int c = 0; c < from; ++c)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int yy = y + dy, xx = x + dx;
                if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                    sum += in[(c * h + yy) * w + xx] * weights[((channel * from + c) * 3 + dy + 1) * 3 + dx + 1];
            }
    out[i] = sum;
}
