// SPDX-License-Identifier: Apache-2.0
// Pi by cuRAND's device functions, with a generator for each thread that is kept in global memory.
#include "program.hpp"

#include <curand_kernel.h>

__global__ void seed(curandState* states, unsigned long long number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(number, i, 0, &states[i]);
}

__global__ void throw_darts(curandState* states, int throws, unsigned* hits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = states[i];
    unsigned inside = 0;
    for (int k = 0; k < throws; ++k) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        inside += x * x + y * y <= 1.0f;
    }
    states[i] = state;
    atomicAdd(hits, inside);
}

__global__ void normals(unsigned long long number, float* sum, float* squares) {
    curandStatePhilox4_32_10_t state;
    curand_init(number, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    const float4 v = curand_normal4(&state);
    atomicAdd(sum, v.x + v.y + v.z + v.w);
    atomicAdd(squares, v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
}

int main() {
    const int threads = 64, blocks = 16, throws = 500;
    curandState* states = nullptr;
    unsigned* hits = to_device(std::vector<unsigned>(1));
    float* sums = to_device(std::vector<float>(2));
    CHECK(cudaMalloc(&states, threads * blocks * sizeof *states));
    seed<<<blocks, threads>>>(states, 1234);
    throw_darts<<<blocks, threads>>>(states, throws, hits);
    normals<<<blocks, threads>>>(99, sums, sums + 1);
    const double pi = 4.0 * to_host(hits, 1)[0] / (double(threads) * blocks * throws);
    const auto moments = to_host(sums, 2);
    const double count = 4.0 * threads * blocks;
    std::printf("pi is about %.4f, the normal numbers' mean %.3f and variance %.3f\n", pi, moments[0] / count,
                moments[1] / count);
    CHECK(cudaFree(states));
    CHECK(cudaFree(hits));
    CHECK(cudaFree(sums));
    return verdict(std::fabs(pi - 3.14159265) < 0.02 && std::fabs(moments[0] / count) < 0.1 &&
                   std::fabs(moments[1] / count - 1) < 0.1);
}
