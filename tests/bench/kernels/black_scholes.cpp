// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int n = 1 << 20;

inline float distribution(float d) {
    const float k = 1.0F / (1.0F + 0.2316419F * std::fabs(d));
    const float sum =
        k * (0.31938153F + k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F))));
    const float tail = 0.39894228F * std::exp(-0.5F * d * d) * sum;
    return d > 0.0F ? 1.0F - tail : tail;
}

void loop(float rate, float volatility, const float* __restrict price, const float* __restrict strike,
          const float* __restrict years, float* __restrict call, float* __restrict put) {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
        const float s = price[i], x = strike[i], t = years[i];
        const float root = volatility * std::sqrt(t);
        const float d1 = (std::log(s / x) + (rate + 0.5F * volatility * volatility) * t) / root;
        const float d2 = d1 - root;
        const float n1 = distribution(d1), n2 = distribution(d2);
        const float discounted = x * std::exp(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0F - n2) - s * (1.0F - n1);
    }
}

} // namespace

Benchmark black_scholes() {
    Benchmark b{"black_scholes", "2^20 options", ""};
    // About 15 for the logarithm, ten for each of three powers, five for each of four quotients, ten for each
    // polynomial.
    b.work = {.read = 12.0 * n, .written = 8.0 * n, .floats = 100.0 * n};
    b.arrays = {Array::input(random_reals(n, 5, 30, 1)), Array::input(random_reals(n, 1, 100, 2)),
                Array::input(random_reals(n, 0.25F, 10, 3)), Array::reals(n, 1e-4, 1e-4), Array::reals(n, 1e-4, 1e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("black_scholes", {n / 256}, {256},
                     {n, 0.02F, 0.3F, Memory{0}, Memory{1}, Memory{2}, Memory{3}, Memory{4}});
    };
    b.loop = [](const Host& host) {
        loop(0.02F, 0.3F, host.get<float>(0), host.get<float>(1), host.get<float>(2), host.get<float>(3),
             host.get<float>(4));
    };
    return b;
}

} // namespace warplight::bench
