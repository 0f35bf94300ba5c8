// SPDX-License-Identifier: Apache-2.0
// A round of heat flow: each cell moves towards the mean of its four neighbours. Cells at the rim keep their heat.
__global__ void flow(const float* t, float* next, int width, int height, float alpha) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        next[i] = t[i];
        return;
    }
    next[i] = t[i] + alpha * (t[i - 1] + t[i + 1] + t[i - width] + t[i + width] - 4.0f * t[i]);
}
