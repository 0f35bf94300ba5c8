// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes, matches and reductions of warps.
#include "program.hpp"

#include <algorithm>

struct Answers {
    int rotated, prefix, sum, largest;
    unsigned ballot, same, active;
    int all, any;
};

__global__ void ask(const int* in, Answers* out) {
    const unsigned full = 0xffffffff, lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = in[i];
    Answers a;
    a.rotated = __shfl_sync(full, value, (lane + 1) % 32);
    a.prefix = value;
    for (unsigned step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(full, a.prefix, step);
        if (lane >= step) a.prefix += below;
    }
    a.sum = __reduce_add_sync(full, value);
    a.largest = __reduce_max_sync(full, value);
    a.ballot = __ballot_sync(full, value % 2 == 0);
    a.same = __match_any_sync(full, value % 4);
    a.all = __all_sync(full, value > -1000);
    a.any = __any_sync(full, value > 1000);
    a.active = 0;
    if (lane % 3 == 0) a.active = __activemask();
    out[i] = a;
}

int main() {
    const int warps = 6, n = 32 * warps;
    const auto values = random_ints(n, 0, 100);
    int* in = to_device(values);
    Answers* out = nullptr;
    CHECK(cudaMalloc(&out, n * sizeof(Answers)));
    ask<<<2, n / 2>>>(in, out);
    const auto answers = to_host(out, n);
    bool good = true;
    for (int w = 0; w < warps; ++w) {
        const int* v = &values[32 * w];
        int sum = 0, largest = v[0];
        unsigned ballot = 0, thirds = 0;
        for (unsigned l = 0; l < 32; ++l) {
            sum += v[l];
            largest = std::max(largest, v[l]);
            ballot |= unsigned(v[l] % 2 == 0) << l;
            thirds |= unsigned(l % 3 == 0) << l;
        }
        int prefix = 0;
        for (unsigned l = 0; l < 32; ++l) {
            const Answers& a = answers[32 * w + l];
            prefix += v[l];
            unsigned same = 0;
            for (unsigned k = 0; k < 32; ++k)
                same |= unsigned(v[k] % 4 == v[l] % 4) << k;
            good &= a.rotated == v[(l + 1) % 32] && a.prefix == prefix && a.sum == sum && a.largest == largest;
            good &= a.ballot == ballot && a.same == same && a.all && !a.any;
            good &= a.active == (l % 3 == 0 ? thirds : 0);
        }
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good);
}
