// SPDX-License-Identifier: Apache-2.0
// The first place in a sorted array for each of many values.
extern "C" __global__ void binary_search(const int* sorted, int n, const int* wanted, int* out, int m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    const int value = wanted[i];
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}
