// SPDX-License-Identifier: Apache-2.0
// Ways to place queens; a thread has the first three rows and tries all others.
extern "C" __global__ void queens(int n, int* out) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n * n * n) return;
    const unsigned all = (1u << n) - 1;
    unsigned columns = 0, left = 0, right = 0;
    for (int i = 0, rest = t; i < 3; ++i, rest /= n) {
        const unsigned bit = 1u << rest % n;
        if ((columns | left | right) & bit) {
            out[t] = 0;
            return;
        }
        columns |= bit;
        left = (left | bit) << 1;
        right = (right | bit) >> 1;
    }
    unsigned free_of[16], columns_of[16], left_of[16], right_of[16];
    int depth = 0, ways = 0;
    columns_of[0] = columns;
    left_of[0] = left;
    right_of[0] = right;
    free_of[0] = all & ~(columns | left | right);
    while (depth >= 0) {
        const unsigned f = free_of[depth];
        if (f == 0) {
            --depth;
            continue;
        }
        const unsigned bit = f & -f, c = columns_of[depth] | bit;
        free_of[depth] = f ^ bit;
        if (c == all) {
            ++ways;
            continue;
        }
        const unsigned l = (left_of[depth] | bit) << 1, r = (right_of[depth] | bit) >> 1;
        ++depth;
        columns_of[depth] = c;
        left_of[depth] = l;
        right_of[depth] = r;
        free_of[depth] = all & ~(c | l | r);
    }
    out[t] = ways;
}
