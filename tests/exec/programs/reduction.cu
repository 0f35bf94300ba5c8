// SPDX-License-Identifier: Apache-2.0
// Sums in several ways: neighbours, halves, warp shuffles, a block size as a template parameter.
#include "program.hpp"

__global__ void interleaved(const int* in, int* out, int n) {
    extern __shared__ int shared[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    shared[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0) shared[t] += shared[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = shared[0];
}

__global__ void halves(const int* in, int* out, int n) {
    extern __shared__ int shared[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    shared[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step >>= 1) {
        if (t < step) shared[t] += shared[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = shared[0];
}

template <unsigned threads>
__global__ void shuffled(const int* in, int* out, int n) {
    __shared__ int of_warp[threads / 32];
    int sum = 0;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
        sum += in[i];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < threads / 32 ? of_warp[threadIdx.x] : 0;
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, offset);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}

int main() {
    const int n = 100003, threads = 256;
    const auto values = random_ints(n, -50, 50);
    long expected = 0;
    for (const int v : values)
        expected += v;
    int* in = to_device(values);
    const int blocks = (n + threads - 1) / threads;
    int* out = nullptr;
    CHECK(cudaMalloc(&out, blocks * sizeof(int)));
    bool good = true;
    const auto total = [&](int count) {
        long sum = 0;
        for (const int part : to_host(out, count))
            sum += part;
        return sum;
    };
    interleaved<<<blocks, threads, threads * sizeof(int)>>>(in, out, n);
    good &= total(blocks) == expected;
    halves<<<(blocks + 1) / 2, threads, threads * sizeof(int)>>>(in, out, n);
    good &= total((blocks + 1) / 2) == expected;
    CHECK(cudaMemset(out, 0, sizeof(int)));
    shuffled<512><<<20, 512>>>(in, out, n);
    good &= total(1) == expected;
    CHECK(cudaMemset(out, 0, sizeof(int)));
    shuffled<64><<<7, 64>>>(in, out, n);
    good &= total(1) == expected;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good);
}
