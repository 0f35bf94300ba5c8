// SPDX-License-Identifier: Apache-2.0
// Lesson: one element too far.
//
// An array of n elements ends at n - 1. Behind it lies other memory, or nothing. A read there mostly gives some
// number and no error, so the mistake stays hidden until it hurts.

// Wrong: the last thread reads in[n].
extern "C" __global__ void differences_too_far(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1] - in[i];
}

// Mended: n elements have n - 1 differences.
extern "C" __global__ void differences(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        out[i] = in[i + 1] - in[i];
}
