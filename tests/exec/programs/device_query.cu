// SPDX-License-Identifier: Apache-2.0
// What programs ask a device for.
#include "program.hpp"

#include <cstring>

int main() {
    int devices = 0, driver = 0, runtime = 0;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    bool good = devices >= 1 && driver >= runtime && runtime >= 11000;
    for (int d = 0; d < devices; ++d) {
        CHECK(cudaSetDevice(d));
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, d));
        size_t free_bytes = 0, total = 0;
        CHECK(cudaMemGetInfo(&free_bytes, &total));
        std::printf("%s, compute capability %d.%d, %d multiprocessors, %.1f GiB\n", p.name, p.major, p.minor,
                    p.multiProcessorCount, double(p.totalGlobalMem) / (1 << 30));
        good &= std::strlen(p.name) > 0 && p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 64;
        good &= p.totalGlobalMem == total && free_bytes <= total && p.sharedMemPerBlock == 48 << 10;
        good &= p.maxGridSize[0] == 2147483647 && p.regsPerBlock == 65536 && p.unifiedAddressing;
        int major = 0, minor = 0, now = -1, asked = -1;
        CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d));
        CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, d));
        CHECK(cudaGetDevice(&now));
        CHECK(cudaChooseDevice(&asked, &p));
        good &= major == p.major && minor == p.minor && now == d && asked >= 0 && asked < devices;
        char bus[20] = "";
        int by_bus = -1;
        CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, d));
        CHECK(cudaDeviceGetByPCIBusId(&by_bus, bus));
        good &= by_bus == d;
    }
    return verdict(good);
}
