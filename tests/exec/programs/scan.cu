// SPDX-License-Identifier: Apache-2.0
// An exclusive scan: up and down sweeps in blocks, then of the blocks' sums.
#include "program.hpp"

constexpr int kThreads = 128, kPart = 2 * kThreads;

__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
    __shared__ int tree[kPart];
    const int t = threadIdx.x, base = blockIdx.x * kPart;
    tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
    int offset = 1;
    for (int d = kPart >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[kPart - 1];
        tree[kPart - 1] = 0;
    }
    for (int d = 1; d < kPart; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            const int kept = tree[left];
            tree[left] = tree[right];
            tree[right] += kept;
        }
    }
    __syncthreads();
    if (base + 2 * t < n) out[base + 2 * t] = tree[2 * t];
    if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void add_sums(int* out, const int* sums, int n) {
    const int i = blockIdx.x * kPart + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
    if (i + kThreads < n) out[i + kThreads] += sums[blockIdx.x];
}

void scan(const int* in, int* out, int n) {
    const int blocks = (n + kPart - 1) / kPart;
    int* sums = nullptr;
    CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
    scan_blocks<<<blocks, kThreads>>>(in, out, sums, n);
    if (blocks > 1) {
        int* scanned = nullptr;
        CHECK(cudaMalloc(&scanned, blocks * sizeof(int)));
        scan(sums, scanned, blocks);
        add_sums<<<blocks, kThreads>>>(out, scanned, n);
        CHECK(cudaFree(scanned));
    }
    CHECK(cudaFree(sums));
}

int main() {
    const int n = 200001;
    const auto values = random_ints(n, 0, 9);
    int *in = to_device(values), *out = nullptr;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    scan(in, out, n);
    CHECK(cudaDeviceSynchronize());
    const auto result = to_host(out, n);
    bool good = true;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        good &= result[i] == sum;
        sum += values[i];
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good);
}
