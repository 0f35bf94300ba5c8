// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void busy(int rounds, unsigned* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = x[i];
    for (int round = 0; round < rounds; ++round)
        value = value * 1664525U + 1013904223U;
    x[i] = value;
}
