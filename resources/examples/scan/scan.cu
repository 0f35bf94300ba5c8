// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums of n numbers by one block of n / 2 threads, n a power of two (Blelloch):
// sums go up a binary tree and down again, 2 * log2(n) steps in all.
extern "C" __global__ void scan(const int* in, int* out, int n) {
    extern __shared__ int tree[];
    int i = threadIdx.x;
    tree[2 * i] = in[2 * i];
    tree[2 * i + 1] = in[2 * i + 1];

    int stride = 1;
    for (int active = n / 2; active > 0; active /= 2) {
        __syncthreads();
        if (i < active) {
            int left = stride * (2 * i + 1) - 1;
            tree[left + stride] += tree[left];
        }
        stride *= 2;
    }
    if (i == 0) tree[n - 1] = 0;
    for (int active = 1; active < n; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (i < active) {
            int left = stride * (2 * i + 1) - 1;
            int sum = tree[left];
            tree[left] = tree[left + stride];
            tree[left + stride] += sum;
        }
    }
    __syncthreads();
    out[2 * i] = tree[2 * i];
    out[2 * i + 1] = tree[2 * i + 1];
}
