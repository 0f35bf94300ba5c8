// SPDX-License-Identifier: Apache-2.0
// Lesson: which thread takes which element?
//
// A warp of 32 threads reads memory in one request. The request moves whole sectors of 32 bytes. When neighbouring
// threads read neighbouring floats, 128 bytes lie in 4 sectors, and all that is moved is used.

// Slow: a thread takes 32 elements in a row. So neighbouring threads are 128 bytes apart, and each of the 32 reads
// of a request is in a sector of its own: 1,024 bytes are moved for 128.
extern "C" __global__ void scale_in_chunks(const float* in, float* out, int n, float factor) {
    int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    int each = (n + threads - 1) / threads;
    int end = min(n, (thread + 1) * each);
    for (int i = thread * each; i < end; ++i)
        out[i] = factor * in[i];
}

// Mended: in each round neighbouring threads take neighbouring elements, and all go on by the number of threads.
extern "C" __global__ void scale_in_strides(const float* in, float* out, int n, float factor) {
    int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = thread; i < n; i += threads)
        out[i] = factor * in[i];
}
