// SPDX-License-Identifier: Apache-2.0
// Keeps what fits a condition, in order: ballots of warps, a scan of their counts, a block's place by look-back.
#include "program.hpp"

constexpr int kThreads = 128;
__device__ volatile int ends[256]; // of blocks: the place behind theirs, and one more; 0: not known yet
__device__ unsigned tickets;

__global__ void compact(const int* in, int n, int* out, int* count) {
    __shared__ int of_warp[kThreads / 32], base;
    __shared__ unsigned block;
    if (threadIdx.x == 0) block = atomicAdd(&tickets, 1u);
    __syncthreads();
    const int i = int(block) * kThreads + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool keep = i < n && in[i] % 3 == 0;
    const unsigned mask = __ballot_sync(0xffffffff, keep);
    if (lane == 0) of_warp[warp] = __popc(mask);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < kThreads / 32; ++w) {
            const int here = of_warp[w];
            of_warp[w] = sum;
            sum += here;
        }
        int before = 1;
        if (block > 0) do
                before = ends[block - 1];
            while (before == 0);
        __threadfence();
        ends[block] = before + sum;
        base = before - 1;
        if (block == gridDim.x - 1) *count = before - 1 + sum;
    }
    __syncthreads();
    if (keep) out[base + of_warp[warp] + __popc(mask & ((1u << lane) - 1))] = in[i];
}

int main() {
    const int n = 20000;
    const auto values = random_ints(n, 0, 1000);
    int *in = to_device(values), *out = to_device(values), *count = to_device(std::vector<int>(1));
    compact<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, n, out, count);
    std::vector<int> expected;
    for (const int v : values)
        if (v % 3 == 0) expected.push_back(v);
    const int kept = to_host(count, 1)[0];
    const bool good = kept == int(expected.size()) && to_host(out, kept) == expected;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(count));
    return verdict(good);
}
