// SPDX-License-Identifier: Apache-2.0
// Whether odd numbers are primes, by division.
extern "C" __global__ void primes(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int x = 2 * i + 3;
    int prime = 1;
    for (int d = 3; d * d <= x; d += 2)
        if (x % d == 0) {
            prime = 0;
            break;
        }
    out[i] = prime;
}
