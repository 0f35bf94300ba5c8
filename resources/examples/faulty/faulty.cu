// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: pitch, the distance from one row to the next in floats, is a length in bytes that has
// the size of the image in it twice.
extern "C" __global__ void shift_rows(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    long long pitch = (long long)width * height * sizeof(float) * width * height;  // should be: width
    out[y * width + x] = in[((y + 1) % height) * pitch + x];
}
