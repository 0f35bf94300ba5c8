// SPDX-License-Identifier: Apache-2.0
// Products of matrices: plain, and with tiles in shared memory.
#include "program.hpp"

constexpr int kTile = 16;

__global__ void plain(const float* a, const float* b, float* c, int m, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

__global__ void tiled(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[kTile][kTile], bs[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (k + kTile - 1) / kTile; ++t) {
        const int x = t * kTile + threadIdx.x, y = t * kTile + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0;
        bs[threadIdx.y][threadIdx.x] = y < k && column < n ? b[y * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < kTile; ++i)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

int main() {
    const int m = 150, n = 133, k = 97;
    const auto a = random_floats(m * k, -1, 1), b = random_floats(k * n, -1, 1, 2);
    std::vector<float> expected(m * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int l = 0; l < k; ++l)
                sum += double(a[i * k + l]) * b[l * n + j];
            expected[i * n + j] = float(sum);
        }
    float *da = to_device(a), *db = to_device(b), *dc = nullptr;
    CHECK(cudaMalloc(&dc, m * n * sizeof(float)));
    const dim3 threads(kTile, kTile), blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
    plain<<<blocks, threads>>>(da, db, dc, m, n, k);
    bool good = near(to_host(dc, m * n), expected, 1e-4);
    CHECK(cudaMemset(dc, 0xff, m * n * sizeof(float)));
    tiled<<<blocks, threads>>>(da, db, dc, m, n, k);
    good &= near(to_host(dc, m * n), expected, 1e-4);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return verdict(good);
}
