// SPDX-License-Identifier: Apache-2.0
// Tiles of shared memory with a column more, so that its banks do not clash. Rows with a pitch.
#include "program.hpp"

constexpr int kTile = 32, kRows = 8;

__global__ void transpose(const int* in, size_t in_pitch, int* out, size_t out_pitch, int width, int height) {
    __shared__ int tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * in_pitch + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        if (x < height && y + j < width) out[(y + j) * out_pitch + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int width = 300, height = 201;
    const auto values = random_ints(width * height, 0, 1 << 20);
    int *in = nullptr, *out = nullptr;
    size_t in_pitch = 0, out_pitch = 0;
    CHECK(cudaMallocPitch(&in, &in_pitch, width * sizeof(int), height));
    CHECK(cudaMallocPitch(&out, &out_pitch, height * sizeof(int), width));
    CHECK(cudaMemcpy2D(in, in_pitch, values.data(), width * sizeof(int), width * sizeof(int), height,
                       cudaMemcpyHostToDevice));
    const dim3 blocks((width + kTile - 1) / kTile, (height + kTile - 1) / kTile), threads(kTile, kRows);
    transpose<<<blocks, threads>>>(in, in_pitch / sizeof(int), out, out_pitch / sizeof(int), width, height);
    std::vector<int> result(width * height);
    CHECK(cudaMemcpy2D(result.data(), height * sizeof(int), out, out_pitch, height * sizeof(int), width,
                       cudaMemcpyDeviceToHost));
    bool good = true;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            good &= result[x * height + y] == values[y * width + x];
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good);
}
