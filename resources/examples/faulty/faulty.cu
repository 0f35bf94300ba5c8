// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the index of the neighbour is computed in bytes, but a float* counts in floats,
// and the row length is multiplied in once too often.
extern "C" __global__ void shift_rows(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    long long pitch = (long long)width * height * sizeof(float) * width * height;  // should be: width
    out[y * width + x] = in[((y + 1) % height) * pitch + x];
}
