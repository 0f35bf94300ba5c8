// SPDX-License-Identifier: Apache-2.0
// Plug-ins with kernels of their own: opened, used, closed, and opened again.
// files: main.cu
// plugin: plugin.cu
#include "../program.hpp"

#include <dlfcn.h>
#include <string>

__global__ void twice(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}

int main(int, char** arguments) {
    const std::string path = std::string(arguments[0]) + ".plugin.so";
    const int n = 64;
    int* values = to_device(std::vector<int>(n, 1));
    int expected = 1;
    for (int round = 0; round < 3; ++round) {
        twice<<<1, n>>>(values, n);
        CHECK(cudaGetLastError());
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            std::fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
        const auto run = reinterpret_cast<int (*)(int*, int)>(dlsym(library, "run"));
        if (!run || run(values, n) != 1) return verdict(false);
        expected = expected * 2 + 3;
        dlclose(library);
    }
    const bool good = to_host(values, n) == std::vector<int>(n, expected);
    CHECK(cudaFree(values));
    return verdict(good);
}
