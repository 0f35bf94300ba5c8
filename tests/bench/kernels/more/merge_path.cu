// SPDX-License-Identifier: Apache-2.0
// Two sorted arrays become one; a thread finds where its 64 elements begin, and merges them.
extern "C" __global__ void merge_path(const int* a, int na, const int* b, int nb, int* out) {
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
    if (begin >= na + nb) return;
    int low = max(0, begin - nb), high = min(begin, na);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] < b[begin - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = begin - low;
    for (int e = 0; e < 64 && begin + e < na + nb; ++e)
        if (j >= nb || (i < na && a[i] < b[j]))
            out[begin + e] = a[i++];
        else
            out[begin + e] = b[j++];
}
