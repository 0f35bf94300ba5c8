// SPDX-License-Identifier: Apache-2.0
// A whole CUDA program: it brings data to the device, launches a kernel, and looks at what comes back.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Each thread adds one pair of numbers.
__global__ void add(const float* a, const float* b, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

// Every call of the runtime may fail, and a kernel's error is told by a later call.
static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

int main(int argc, char** argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 100000; // Launch › Arguments
    if (n < 1) {
        std::printf("%s is no number of elements\n", argv[1]);
        return 2;
    }
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    std::printf("%d sums on: %s\n", n, properties.name);

    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; ++i) {
        a[i] = 0.5f * i;
        b[i] = 0.25f * i;
    }
    float *deviceA, *deviceB, *deviceSum;
    size_t bytes = n * sizeof(float);
    check(cudaMalloc(&deviceA, bytes), "cudaMalloc");
    check(cudaMalloc(&deviceB, bytes), "cudaMalloc");
    check(cudaMalloc(&deviceSum, bytes), "cudaMalloc");
    check(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice), "copy of a");
    check(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice), "copy of b");

    int threads = 256, blocks = (n + threads - 1) / threads; // the last block may have threads too many
    add<<<blocks, threads>>>(deviceA, deviceB, deviceSum, n);
    check(cudaGetLastError(), "launch");
    check(cudaMemcpy(sum.data(), deviceSum, bytes, cudaMemcpyDeviceToHost), "kernel, or copy of its result");

    int wrong = 0;
    for (int i = 0; i < n; ++i)
        if (std::fabs(sum[i] - 0.75f * i) > 1e-5f * sum[i]) ++wrong;
    std::printf(wrong ? "%d sums are wrong\n" : "All sums are right.\n", wrong);

    cudaFree(deviceA);
    cudaFree(deviceB);
    cudaFree(deviceSum);
    return wrong != 0;
}
