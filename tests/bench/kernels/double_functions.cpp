// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int n = 1 << 20;

void loop(const float* __restrict x, const float* __restrict y, float* __restrict z) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i)
        z[i] = static_cast<float>(std::pow(static_cast<double>(x[i]), static_cast<double>(y[i])) +
                                  std::sin(static_cast<double>(y[i])));
}

} // namespace

Benchmark double_functions() {
    Benchmark b{"double_functions", "2^20 pow and sin", ""};
    // About 75 of doubles for the power and 25 for the sine; a double counts as two floats.
    b.work = {.read = 8.0 * n, .written = 4.0 * n, .floats = 200.0 * n};
    b.arrays = {Array::input(random_reals(n, 0.1F, 10, 1)), Array::input(random_reals(n, -5, 5, 2)),
                Array::reals(n, 1e-6, 1e-6)};
    b.kernels = [](Queue& queue) {
        queue.launch("double_functions", {n / 256}, {256}, {n, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
