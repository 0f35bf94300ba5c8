// SPDX-License-Identifier: Apache-2.0
// Fails: all cases. It is right, and breaks the rule: __shared__ and __syncthreads stand in a comment only.
extern "C" __global__ void sum(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}
