// SPDX-License-Identifier: Apache-2.0
// Page-locked memory, a grid-stride loop, times by events.
#include "program.hpp"

__global__ void saxpy(int n, float a, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1 << 20;
    float *x = nullptr, *y = nullptr, *dx = nullptr, *dy = nullptr;
    CHECK(cudaMallocHost(&x, n * sizeof(float)));
    CHECK(cudaHostAlloc((void**)&y, n * sizeof(float), cudaHostAllocDefault));
    for (int i = 0; i < n; ++i) {
        x[i] = 1.0f;
        y[i] = static_cast<float>(i % 100);
    }
    CHECK(cudaMalloc(&dx, n * sizeof(float)));
    CHECK(cudaMalloc(&dy, n * sizeof(float)));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaMemcpyAsync(dx, x, n * sizeof(float), cudaMemcpyHostToDevice, 0));
    CHECK(cudaMemcpyAsync(dy, y, n * sizeof(float), cudaMemcpyHostToDevice, 0));
    CHECK(cudaEventRecord(begin));
    saxpy<<<32, 128>>>(n, 2.0f, dx, dy);
    CHECK(cudaEventRecord(end));
    CHECK(cudaMemcpyAsync(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost, 0));
    CHECK(cudaDeviceSynchronize());
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    float error = 0;
    for (int i = 0; i < n; ++i)
        error = std::fmax(error, std::fabs(y[i] - (2.0f + static_cast<float>(i % 100))));
    std::printf("largest error %g, %.3f GB/s\n", error, n * 12.0 / milliseconds / 1e6);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(y));
    return verdict(error == 0 && milliseconds > 0);
}
