// SPDX-License-Identifier: Apache-2.0
// Multiples of small primes, a thread a piece of the numbers.
extern "C" __global__ void sieve(const int* primes, int count, unsigned char* marks, int n, int piece) {
    const int low = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
    if (low >= n) return;
    const int high = min(low + piece, n);
    for (int i = 0; i < count; ++i) {
        const int p = primes[i];
        int multiple = (low + p - 1) / p * p;
        if (multiple < p * p) multiple = p * p;
        for (; multiple < high; multiple += p)
            marks[multiple] = 1;
    }
}
