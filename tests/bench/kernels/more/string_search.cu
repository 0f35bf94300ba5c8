// SPDX-License-Identifier: Apache-2.0
// How often a text has a word.
extern "C" __global__ void string_search(const char* text, int n, const char* word, int m, int* hits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - m) return;
    int j = 0;
    while (j < m && text[i + j] == word[j])
        ++j;
    if (j == m) atomicAdd(hits, 1);
}
