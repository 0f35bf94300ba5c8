// SPDX-License-Identifier: Apache-2.0
// Lesson: a barrier that is missing.
//
// Threads of a block share memory, but they do not go at the same speed. What one thread writes is there for another
// only behind a barrier that both have come to.

// Wrong: a thread reads what a thread of another warp may not have written yet.
extern "C" __global__ void reverse_at_once(const float* in, float* out) {
    __shared__ float part[256];
    int t = threadIdx.x, first = blockIdx.x * 256;
    part[t] = in[first + t];
    out[first + t] = part[255 - t];
}

// Mended: __syncthreads() waits until all threads of the block have written.
extern "C" __global__ void reverse_in_order(const float* in, float* out) {
    __shared__ float part[256];
    int t = threadIdx.x, first = blockIdx.x * 256;
    part[t] = in[first + t];
    __syncthreads();
    out[first + t] = part[255 - t];
}
