// SPDX-License-Identifier: Apache-2.0
// Memory in the order of streams: the default pool, one of the program's own, limits and what they keep.
#include "program.hpp"

__global__ void fill(int* values, int n, int value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        values[i] = value;
}
__global__ void sum(const int* values, int n, int* out) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(out, values[i]);
}

int main() {
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int* out = to_device(std::vector<int>(1));
    int expected = 0;
    for (int round = 1; round <= 10; ++round) {
        int *values = nullptr, n = 1000 * round;
        CHECK(cudaMallocAsync(&values, n * sizeof(int), stream));
        fill<<<1, 128, 0, stream>>>(values, n, round);
        sum<<<1, 128, 0, stream>>>(values, n, out);
        CHECK(cudaFreeAsync(values, stream));
        expected += n * round;
    }
    CHECK(cudaStreamSynchronize(stream));
    bool good = supported && to_host(out, 1)[0] == expected;

    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    unsigned long long threshold = 1 << 20, reserved = 0, used = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    void* memory = nullptr;
    CHECK(cudaMallocFromPoolAsync(&memory, 5000, pool, stream));
    CHECK(cudaMemsetAsync(memory, 7, 5000, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    good &= used >= 5000 && to_host(static_cast<unsigned char*>(memory), 5000)[4999] == 7;
    CHECK(cudaFreeAsync(memory, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    good &= reserved == 0;
    CHECK(cudaMemPoolDestroy(pool));
    cudaMemPool_t standard = nullptr, current = nullptr;
    CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
    CHECK(cudaDeviceGetMemPool(&current, 0));
    good &= standard && standard == current;
    CHECK(cudaFree(out));
    CHECK(cudaStreamDestroy(stream));
    return verdict(good);
}
