// SPDX-License-Identifier: Apache-2.0
// Errors of calls and launches: their codes, names, and how long they stay.
#include "program.hpp"

#include <cstring>

__global__ void nothing() {}
__global__ void wild(int* p) { *p = 1; }

int main() {
    bool good = true;
    const auto expect = [&](cudaError_t got, cudaError_t wanted, const char* what) {
        if (got == wanted) return;
        std::fprintf(stderr, "%s: %s, not %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted));
        good = false;
    };
    void* p = nullptr;
    expect(cudaMalloc(&p, size_t(1) << 50), cudaErrorMemoryAllocation, "too much memory");
    expect(cudaPeekAtLastError(), cudaErrorMemoryAllocation, "peek");
    expect(cudaGetLastError(), cudaErrorMemoryAllocation, "get");
    expect(cudaGetLastError(), cudaSuccess, "get again");
    const cudaError_t impossible = CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    nothing<<<1, 2000>>>();
    expect(cudaGetLastError(), impossible, "too many threads");
    nothing<<<0, 32>>>();
    expect(cudaGetLastError(), impossible, "no blocks");
    nothing<<<1, 32, 1 << 24>>>();
    expect(cudaGetLastError(), cudaErrorInvalidValue, "too much shared memory");
    expect(cudaSetDevice(99), cudaErrorInvalidDevice, "no such device");
    (void)cudaGetLastError();
    int value = 0;
    expect(cudaMemcpy(&value, nullptr, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue, "copy of nothing");
    (void)cudaGetLastError();
    expect(cudaMemcpy(&value, &value, 0, cudaMemcpyDefault), cudaSuccess, "copy of no bytes");
    expect(cudaFree(nullptr), cudaSuccess, "free of nothing");
    good &= std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0;
    good &= std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0;
    good &= std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0;
    nothing<<<1, 32>>>();
    expect(cudaDeviceSynchronize(), cudaSuccess, "a good launch");
    wild<<<1, 1>>>(reinterpret_cast<int*>(0x10));
    expect(cudaDeviceSynchronize(), cudaErrorIllegalAddress, "a wild access");
    expect(cudaMalloc(&p, 16), cudaErrorIllegalAddress, "after it");
    expect(cudaGetLastError(), cudaErrorIllegalAddress, "the last error");
    return verdict(good);
}
