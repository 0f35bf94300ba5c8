// SPDX-License-Identifier: Apache-2.0
// Lesson: threads of a warp that go different ways.
//
// A warp executes one instruction at a time. When some of its threads take a branch and others do not, it goes both
// ways, one after the other, and the threads of the other way wait.

// Slow: in the first round every second thread works, then every fourth. All warps go on to the end, with fewer and
// fewer threads at work.
extern "C" __global__ void sum_scattered(const int* in, int* sums) {
    __shared__ int part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

// Mended: the threads that work are the first ones. Whole warps work or rest; only in the last five rounds do the
// threads of one warp part.
extern "C" __global__ void sum_packed(const int* in, int* sums) {
    __shared__ int part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
