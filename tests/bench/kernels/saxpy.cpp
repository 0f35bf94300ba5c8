// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int n = 1 << 24;

void loop(float a, const float* x, float* y) {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}

} // namespace

Benchmark saxpy() {
    Benchmark b{"saxpy", "2^24 floats", ""};
    b.work = {.read = 8.0 * n, .written = 4.0 * n, .in_place = true, .floats = n};
    Array y = Array::input(random_reals(n, -1, 1, 2));
    y.written = true;
    y.check = Array::Check::reals;
    y.relative = y.absolute = 1e-6;
    b.arrays = {Array::input(random_reals(n, -1, 1, 1)), std::move(y)};
    b.kernels = [](Queue& queue) { queue.launch("saxpy", {n / 256}, {256}, {n, 2.5F, Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) { loop(2.5F, host.get<float>(0), host.get<float>(1)); };
    return b;
}

} // namespace warplight::bench
