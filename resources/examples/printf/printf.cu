// SPDX-License-Identifier: Apache-2.0
// Kernels can print. What they print appears in Output when the launch has ended.
extern "C" __global__ void hello(int* squares) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    squares[i] = i * i;
    printf("block %d, thread %d: %d squared is %d\n", blockIdx.x, threadIdx.x, i, squares[i]);
}
