// SPDX-License-Identifier: Apache-2.0
// CUB: a block's reduction and scan, and sums and sorts of the whole device.
#include "program.hpp"

#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

constexpr int kThreads = 128, kItems = 4;

__global__ void block_sums(const int* in, int* sums, int* scanned) {
    using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
    using Scan = cub::BlockScan<int, kThreads>;
    using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } memory;
    int items[kItems], total = 0;
    const int base = blockIdx.x * kThreads * kItems;
    Load(memory.load).Load(in + base, items);
    __syncthreads();
    Scan(memory.scan).ExclusiveSum(items, items, total);
    __syncthreads();
    Store(memory.store).Store(scanned + base, items);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

int main() {
    const int blocks = 9, n = blocks * kThreads * kItems;
    const auto values = random_ints(n, 0, 100);
    int *in = to_device(values), *sums = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&sums, (blocks + 1) * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    block_sums<<<blocks, kThreads>>>(in, sums, out);
    bool good = true;
    const auto block_totals = to_host(sums, blocks), scanned = to_host(out, n);
    for (int b = 0, i = 0; b < blocks; ++b) {
        int sum = 0;
        for (int k = 0; k < kThreads * kItems; ++k, ++i) {
            good &= scanned[i] == sum;
            sum += values[i];
        }
        good &= block_totals[b] == sum;
    }

    void* memory = nullptr;
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(memory, bytes, in, sums, n));
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cub::DeviceReduce::Sum(memory, bytes, in, sums, n));
    good &= to_host(sums, 1)[0] == std::accumulate(values.begin(), values.end(), 0);
    CHECK(cudaFree(memory));

    memory = nullptr;
    CHECK(cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n));
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n));
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    good &= to_host(out, n) == sorted;
    for (void* each : {(void*)in, (void*)sums, (void*)out, memory})
        CHECK(cudaFree(each));
    return verdict(good);
}
