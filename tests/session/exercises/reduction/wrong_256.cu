// SPDX-License-Identifier: Apache-2.0
// Fails: small blocks. The number of threads is a constant.
extern "C" __global__ void sum(const int* in, int* out, int n) {
    __shared__ int part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    part[t] = i < n ? in[i] : 0;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) atomicAdd(out, part[0]);
}
