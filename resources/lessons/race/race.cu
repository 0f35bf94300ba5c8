// SPDX-License-Identifier: Apache-2.0
// Lesson: a race.
//
// Adding one to memory is three steps: read, add, write. Between the read and the write of one thread, others read
// the same old value. Then several threads write the same sum, and all but one of their additions are lost.

// Wrong: how much is lost depends on who is faster. It may be right by luck, on this device and for this input.
extern "C" __global__ void count_racing(const int* data, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        counts[data[i] & 15] += 1;
}

// Mended: an atomic operation does its three steps as one. No other thread comes between.
extern "C" __global__ void count_atomically(const int* data, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[data[i] & 15], 1);
}
