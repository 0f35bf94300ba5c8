// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int n = 1 << 24;

void loop(const float* __restrict x, const float* __restrict y, float* __restrict z) {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i)
        z[i] = x[i] + y[i];
}

} // namespace

Benchmark vector_add() {
    Benchmark b{"vector_add", "2^24 floats", ""};
    b.arrays = {Array::input(random_reals(n, -1, 1, 1)), Array::input(random_reals(n, -1, 1, 2)),
                Array::reals(n, 0, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("vector_add", {n / 256}, {256}, {n, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
