// SPDX-License-Identifier: Apache-2.0
// Fails: all cases. The rounds have no barrier between them.
extern "C" __global__ void sum(const int* in, int* out, int n) {
    __shared__ int part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2)
        if (t < half) part[t] += part[t + half];
    if (t == 0) atomicAdd(out, part[0]);
}
