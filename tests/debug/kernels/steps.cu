// SPDX-License-Identifier: Apache-2.0
// The kernel that the tests of the debugger step through. They find lines by their comments.
struct Pair {
    int first;
    float second[3];
};
__device__ int total;

__device__ int twice(int value) {
    int doubled = value * 2; // in twice
    return doubled;          // end of twice
}

__device__ int factorial(int n) {
    if (n <= 1) return 1; // in factorial
    return n * factorial(n - 1);
}

extern "C" __global__ void steps(int n, float* x, int* out) {
    __shared__ int tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x; // first
    Pair pair{i, {1.0f, 2.0f, 3.0f}};
    tile[threadIdx.x] = i * 10; // fill
    __syncthreads();            // barrier
    int sum = 0;                // behind the barrier
    for (int k = 0; k < 4; ++k)
        sum += tile[(threadIdx.x + k) % blockDim.x]; // in the loop
    pair.first = twice(sum);                         // call
    if (threadIdx.x % 2)                             // behind the call
        pair.second[1] += x[i];                      // odd
    else
        pair.second[2] -= x[i];                   // even
    out[i] = pair.first + (int)pair.second[1];    // store
    if (i == 5) out[i] = factorial(5);            // recursion
    atomicAdd(&total, 1);                         // count
}
