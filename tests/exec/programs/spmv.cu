// SPDX-License-Identifier: Apache-2.0
// A sparse matrix by a vector: a thread a row, and a warp a row.
#include "program.hpp"

__global__ void by_threads(int rows, const int* starts, const int* columns, const double* values, const double* x,
                           double* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

__global__ void by_warps(int rows, const int* starts, const int* columns, const double* values, const double* x,
                         double* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    double sum = 0;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += warpSize)
        sum += values[i] * __ldg(&x[columns[i]]);
    for (int offset = warpSize / 2; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) y[row] = sum;
}

int main() {
    const int rows = 2000;
    const auto counts = random_ints(rows, 0, 60);
    std::vector<int> starts{0};
    for (const int count : counts)
        starts.push_back(starts.back() + count);
    const auto columns = random_ints(starts.back(), 0, rows - 1, 2);
    const auto numbers = random_floats(starts.back() + rows);
    const std::vector<double> values(numbers.begin(), numbers.begin() + starts.back()),
        x(numbers.begin() + starts.back(), numbers.end());
    std::vector<double> expected(rows, 0.0);
    for (int r = 0; r < rows; ++r)
        for (int i = starts[r]; i < starts[r + 1]; ++i)
            expected[r] += values[i] * x[columns[i]];
    int *ds = to_device(starts), *dc = to_device(columns);
    double *dv = to_device(values), *dx = to_device(x), *dy = nullptr;
    CHECK(cudaMalloc(&dy, rows * sizeof(double)));
    by_threads<<<(rows + 127) / 128, 128>>>(rows, ds, dc, dv, dx, dy);
    bool good = near(to_host(dy, rows), expected, 1e-12);
    CHECK(cudaMemset(dy, 0, rows * sizeof(double)));
    by_warps<<<(rows * 32 + 255) / 256, 256>>>(rows, ds, dc, dv, dx, dy);
    good &= near(to_host(dy, rows), expected, 1e-12);
    for (void* each : {(void*)ds, (void*)dc, (void*)dv, (void*)dx, (void*)dy})
        CHECK(cudaFree(each));
    return verdict(good);
}
