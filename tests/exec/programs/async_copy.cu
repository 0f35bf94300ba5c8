// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory beside computation: pipelines, groups' copies, instructions.
#include "program.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kStages = 2;

__global__ void by_groups(const int* in, int* out, int parts) {
    __shared__ int part[kThreads];
    const cg::thread_block block = cg::this_thread_block();
    int sum = 0;
    for (int p = 0; p < parts; ++p) {
        cg::memcpy_async(block, part, in + p * kThreads, sizeof part);
        cg::wait(block);
        sum += part[(threadIdx.x + p) % kThreads];
        block.sync();
    }
    out[threadIdx.x] = sum;
}

__global__ void by_primitives(const int* in, int* out, int parts) {
    __shared__ __align__(16) int part[kStages][kThreads];
    const auto fetch = [&](int p) {
        if (p < parts) __pipeline_memcpy_async(&part[p % kStages][threadIdx.x], &in[p * kThreads + threadIdx.x], 4);
        __pipeline_commit();
    };
    fetch(0);
    int sum = 0;
    for (int p = 0; p < parts; ++p) {
        fetch(p + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += part[p % kStages][(threadIdx.x + p) % kThreads];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// The state is made by make_pipeline().
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void by_pipeline(const int* in, int* out, int parts) {
    __shared__ int part[kStages][kThreads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    const cg::thread_block block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int compute = 0, fetch = 0; compute < parts; ++compute) {
        for (; fetch < parts && fetch < compute + kStages; ++fetch) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, part[fetch % kStages], in + fetch * kThreads, sizeof(int) * kThreads, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += part[compute % kStages][(threadIdx.x + compute) % kThreads];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

int main() {
    const int parts = 10;
    const auto values = random_ints(parts * kThreads, 0, 100);
    std::vector<int> expected(kThreads);
    for (int t = 0; t < kThreads; ++t)
        for (int p = 0; p < parts; ++p)
            expected[t] += values[p * kThreads + (t + p) % kThreads];
    int *in = to_device(values), *out = nullptr;
    CHECK(cudaMalloc(&out, kThreads * sizeof(int)));
    bool good = true;
    for (const auto kernel : {by_groups, by_primitives, by_pipeline}) {
        CHECK(cudaMemset(out, 0, kThreads * sizeof(int)));
        kernel<<<1, kThreads>>>(in, out, parts);
        CHECK(cudaGetLastError());
        good &= to_host(out, kThreads) == expected;
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good);
}
