// SPDX-License-Identifier: Apache-2.0
// Variables of the device by their symbols.
#include "program.hpp"

#include <cstddef>

struct Settings {
    int factor;
    float offset;
    int table[4];
};

__constant__ Settings settings = {2, 0.5f, {1, 2, 3, 4}};
__device__ float results[100];
__device__ int* pointer;
static __device__ int counter = 3;

__global__ void compute() {
    const int i = threadIdx.x;
    results[i] = float(i * settings.factor) + settings.offset + float(settings.table[i % 4]);
    if (i == 0) {
        ++counter;
        if (pointer) *pointer = counter;
    }
}

int main() {
    bool good = true;
    std::vector<float> values(100);
    const auto check = [&](const Settings& s) {
        compute<<<1, 100>>>();
        CHECK(cudaMemcpyFromSymbol(values.data(), results, sizeof results));
        for (int i = 0; i < 100; ++i)
            good &= values[i] == float(i * s.factor) + s.offset + float(s.table[i % 4]);
    };
    check({2, 0.5f, {1, 2, 3, 4}});
    const Settings other = {-3, 10.0f, {9, 8, 7, 6}};
    CHECK(cudaMemcpyToSymbol(settings, &other, sizeof other));
    check(other);
    const int factor = 100;
    CHECK(cudaMemcpyToSymbol(settings, &factor, sizeof factor, offsetof(Settings, factor)));
    int* target = to_device(std::vector<int>(1));
    CHECK(cudaMemcpyToSymbolAsync(pointer, &target, sizeof target, 0, cudaMemcpyHostToDevice, 0));
    check({100, 10.0f, {9, 8, 7, 6}});
    good &= to_host(target, 1)[0] == 6;
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    void* address = nullptr;
    size_t size = 0;
    CHECK(cudaGetSymbolAddress(&address, results));
    CHECK(cudaGetSymbolSize(&size, results));
    CHECK(cudaMemset(address, 0, size));
    CHECK(cudaMemcpyFromSymbol(values.data(), results, sizeof results));
    good &= count == 6 && size == sizeof results && values == std::vector<float>(100, 0.0f);
    CHECK(cudaFree(target));
    return verdict(good);
}
