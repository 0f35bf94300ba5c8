// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels: a quicksort, and a tree of launches.
// build: -rdc=true -lcudadevrt
#include "program.hpp"

#include <algorithm>

__global__ void quicksort(int* values, int left, int right, int depth) {
    if (depth > 12 || right - left < 16) {
        for (int i = left + 1; i <= right; ++i) {
            const int value = values[i];
            int j = i;
            for (; j > left && values[j - 1] > value; --j)
                values[j] = values[j - 1];
            values[j] = value;
        }
        return;
    }
    int l = left, r = right;
    const int pivot = values[(left + right) / 2];
    while (l <= r) {
        while (values[l] < pivot)
            ++l;
        while (values[r] > pivot)
            --r;
        if (l <= r) {
            const int kept = values[l];
            values[l++] = values[r];
            values[r--] = kept;
        }
    }
    if (left < r) quicksort<<<1, 1>>>(values, left, r, depth + 1);
    if (l < right) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(values, l, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

__global__ void tree(int* count, int depth) {
    atomicAdd(count, 1);
    if (depth > 0 && threadIdx.x < 2) tree<<<1, 2>>>(count, depth - 1);
}

int main() {
    const int n = 500;
    auto values = random_ints(n, 0, 1000);
    int *device = to_device(values), *count = to_device(std::vector<int>(1));
    quicksort<<<1, 1>>>(device, 0, n - 1, 0);
    tree<<<1, 1>>>(count, 3);
    CHECK(cudaDeviceSynchronize());
    std::sort(values.begin(), values.end());
    // 1, 2, 4 and 8 threads.
    const bool good = to_host(device, n) == values && to_host(count, 1)[0] == 15;
    CHECK(cudaFree(device));
    CHECK(cudaFree(count));
    return verdict(good);
}
