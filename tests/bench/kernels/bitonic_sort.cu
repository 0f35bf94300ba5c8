// SPDX-License-Identifier: Apache-2.0
// The bitonic network: where both elements of all pairs lie in 1024 keys, a block of 512 threads does the steps in
// shared memory; longer distances are a launch each. `size` is that of the sequences which a merge leaves sorted.
#define KEYS 1024
__device__ void exchange(int* a, int* b, bool ascending) {
    const int x = *a, y = *b;
    if ((x > y) == ascending) {
        *a = y;
        *b = x;
    }
}
__device__ void steps(int* s, int base, int size, int distance) {
    for (; distance > 0; distance /= 2) {
        __syncthreads();
        const int t = threadIdx.x, low = 2 * t - (t & (distance - 1));
        exchange(&s[low], &s[low + distance], ((base + low) & size) == 0);
    }
}
extern "C" __global__ void sort_blocks(int* keys) {
    __shared__ int s[KEYS];
    const int base = blockIdx.x * KEYS, t = threadIdx.x;
    s[t] = keys[base + t];
    s[t + KEYS / 2] = keys[base + t + KEYS / 2];
    for (int size = 2; size <= KEYS; size *= 2)
        steps(s, base, size, size / 2);
    __syncthreads();
    keys[base + t] = s[t];
    keys[base + t + KEYS / 2] = s[t + KEYS / 2];
}
extern "C" __global__ void merge_blocks(int* keys, int size) {
    __shared__ int s[KEYS];
    const int base = blockIdx.x * KEYS, t = threadIdx.x;
    s[t] = keys[base + t];
    s[t + KEYS / 2] = keys[base + t + KEYS / 2];
    steps(s, base, size, KEYS / 2);
    __syncthreads();
    keys[base + t] = s[t];
    keys[base + t + KEYS / 2] = s[t + KEYS / 2];
}
extern "C" __global__ void merge_step(int* keys, int size, int distance) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = 2 * i - (i & (distance - 1));
    exchange(&keys[low], &keys[low + distance], (low & size) == 0);
}
