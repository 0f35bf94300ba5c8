// SPDX-License-Identifier: Apache-2.0
// The standard library of devices: containers, numbers, atomics with scopes, a barrier.
#include "program.hpp"

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

__global__ void mandelbrot(int* counts, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const cuda::std::complex<float> c(-2.0f + 3.0f * x / width, -1.0f + 2.0f * y / height);
    cuda::std::complex<float> z = 0;
    int count = 0;
    while (count < 50 && z.real() * z.real() + z.imag() * z.imag() < 4.0f) {
        z = z * z + c;
        ++count;
    }
    counts[y * width + x] = count;
}

// The barrier is made by init().
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void rounds(int* values, cuda::atomic<int, cuda::thread_scope_device>* sum) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ cuda::std::array<int, 64> shared;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    shared[threadIdx.x] = int(threadIdx.x);
    for (int step = 1; step <= 3; ++step) {
        barrier.arrive_and_wait();
        const int neighbour = shared[(threadIdx.x + 1) % shared.size()];
        barrier.arrive_and_wait();
        shared[threadIdx.x] = neighbour;
    }
    const auto pair = cuda::std::make_tuple(shared[threadIdx.x], cuda::std::numeric_limits<short>::max());
    values[threadIdx.x] = cuda::std::get<0>(pair) + cuda::std::get<1>(pair);
    sum->fetch_add(shared[threadIdx.x], cuda::memory_order_relaxed);
}

int main() {
    const int width = 60, height = 40;
    int *counts = nullptr, *values = nullptr;
    CHECK(cudaMalloc(&counts, width * height * sizeof(int)));
    CHECK(cudaMalloc(&values, 64 * sizeof(int)));
    cuda::atomic<int, cuda::thread_scope_device>* sum = nullptr;
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    sum->store(1);
    mandelbrot<<<dim3(4, 5), dim3(16, 8)>>>(counts, width, height);
    rounds<<<1, 64>>>(values, sum);
    CHECK(cudaDeviceSynchronize());
    bool good = sum->load() == 1 + 63 * 32;
    const auto v = to_host(values, 64);
    for (int i = 0; i < 64; ++i)
        good &= v[i] == (i + 3) % 64 + 32767;
    const auto c = to_host(counts, width * height);
    int inside = 0, differences = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double cr = -2.0f + 3.0f * x / width, ci = -1.0f + 2.0f * y / height;
            double zr = 0, zi = 0;
            int count = 0;
            while (count < 50 && zr * zr + zi * zi < 4) {
                const double next = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = next;
                ++count;
            }
            inside += count == 50;
            differences += count != c[y * width + x]; // rounding, near the border
        }
    good &= inside > 100 && differences < 20;
    CHECK(cudaFree(counts));
    CHECK(cudaFree(values));
    CHECK(cudaFree(sum));
    return verdict(good);
}
