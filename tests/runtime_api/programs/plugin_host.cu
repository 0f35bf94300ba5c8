// SPDX-License-Identifier: Apache-2.0
// Opens the library that it is given and closes it again, while its kernels run.
#include <cstdio>
#include <dlfcn.h>

__global__ void clear(int* data) { data[threadIdx.x] = 0; }

int main(int, char** argv) {
    int* data = nullptr;
    if (cudaMalloc(&data, 32 * sizeof(int)) != cudaSuccess) return 1;
    clear<<<1, 32>>>(data);
    for (int round = 1; round <= 10; ++round) {
        void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!plugin) return 2;
        const auto run = reinterpret_cast<int (*)(int*, int)>(dlsym(plugin, "run_plugin"));
        if (run(data, round) != 0) return 3;
        if (round % 2) cudaDeviceSynchronize();
        dlclose(plugin);
    }
    int host[32];
    if (cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
    for (int number : host)
        if (number != 55) return 5;
    std::printf("ok\n");
}
