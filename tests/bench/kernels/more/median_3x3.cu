// SPDX-License-Identifier: Apache-2.0
// The median of nine neighbours, by a network of exchanges.
__device__ void exchange(float& a, float& b) {
    const float low = fminf(a, b);
    b = fmaxf(a, b);
    a = low;
}

extern "C" __global__ void median_3x3(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float v[9];
    for (int d = 0; d < 9; ++d) {
        const int cx = min(max(x + d % 3 - 1, 0), width - 1), cy = min(max(y + d / 3 - 1, 0), height - 1);
        v[d] = in[cy * width + cx];
    }
    const int pairs[19][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2}, {4, 5}, {7, 8}, {0, 3},
                              {5, 8}, {4, 7}, {3, 6}, {1, 4}, {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
#pragma unroll
    for (int i = 0; i < 19; ++i)
        exchange(v[pairs[i][0]], v[pairs[i][1]]);
    out[y * width + x] = v[4];
}
