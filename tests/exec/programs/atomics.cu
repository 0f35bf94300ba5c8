// SPDX-License-Identifier: Apache-2.0
// Atomic operations of all kinds, a lock, and a last block that finishes the work.
#include "program.hpp"

struct Results {
    int added, subtracted, smallest, largest, bits_or, bits_xor, exchanged;
    unsigned wrapped, lowered;
    float real;
    double twice;
    unsigned long long wide;
    int locked, lock, total;
    unsigned done;
};

__device__ int parts[64];

__global__ void all(Results* r, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&r->added, i);
    atomicSub(&r->subtracted, 1);
    atomicMin(&r->smallest, -i);
    atomicMax(&r->largest, i);
    atomicOr(&r->bits_or, 1 << i % 31);
    atomicXor(&r->bits_xor, i);
    atomicExch(&r->exchanged, 5);
    atomicInc(&r->wrapped, 99);
    atomicDec(&r->lowered, 49);
    atomicAdd(&r->real, 0.5f);
    atomicAdd(&r->twice, 0.25);
    atomicAdd_block(&parts[blockIdx.x], 1);
    // A sum of 64 bits by compare and swap.
    unsigned long long before = r->wide, assumed;
    do {
        assumed = before;
        before = atomicCAS(&r->wide, assumed, assumed + 3);
    } while (before != assumed);
}

__global__ void locked(Results* r) {
    for (bool waiting = true; waiting;)
        if (atomicCAS(&r->lock, 0, 1) == 0) {
            const int value = *const_cast<volatile int*>(&r->locked);
            *const_cast<volatile int*>(&r->locked) = value + 1;
            __threadfence();
            atomicExch(&r->lock, 0);
            waiting = false;
        }
}

__global__ void last_block(Results* r) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = int(blockIdx.x) + 1;
        __threadfence();
        last = atomicInc(&r->done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned b = 0; b < gridDim.x; ++b)
            r->total += *const_cast<volatile int*>(&parts[b]);
}

int main() {
    const int n = 5000;
    Results* device = to_device(std::vector<Results>(1, Results{}));
    all<<<(n + 127) / 128, 128>>>(device, n);
    locked<<<8, 32>>>(device);
    last_block<<<10, 64>>>(device);
    const Results r = to_host(device, 1)[0];
    int bits = 0;
    for (int i = 0; i < n; ++i)
        bits ^= i;
    const bool good = r.added == n * (n - 1) / 2 && r.subtracted == -n && r.smallest == 1 - n && r.largest == n - 1 &&
                      r.bits_or == 0x7fffffff && r.bits_xor == bits && r.exchanged == 5 && r.wrapped == n % 100 &&
                      r.lowered == (50 - n % 50) % 50 && r.real == n * 0.5f && r.twice == n * 0.25 &&
                      r.wide == 3ULL * n && r.locked == 256 && r.total == 55;
    CHECK(cudaFree(device));
    return verdict(good);
}
