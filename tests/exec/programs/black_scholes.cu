// SPDX-License-Identifier: Apache-2.0
// Prices of options: exponentials, logarithms, the error function; compiled with approximate mathematics.
// build: -use_fast_math
#include "program.hpp"

__host__ __device__ inline float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void price(float2* results, const float* stock, const float* strike, const float* years, float rate,
                      float volatility, int n) {
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    const float root = sqrtf(years[i]);
    const float d1 =
        (__logf(stock[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    const float d2 = d1 - volatility * root, discounted = strike[i] * __expf(-rate * years[i]);
    const float call = stock[i] * normal(d1) - discounted * normal(d2);
    results[i] = make_float2(call, call + discounted - stock[i]);
}

int main() {
    const int n = 4000;
    const float rate = 0.02f, volatility = 0.30f;
    const auto stock = random_floats(n, 5, 30), strike = random_floats(n, 1, 100, 2),
               years = random_floats(n, 0.25f, 10, 3);
    float *ds = to_device(stock), *dk = to_device(strike), *dt = to_device(years);
    float2* results = nullptr;
    CHECK(cudaMalloc(&results, n * sizeof *results));
    price<<<(n + 127) / 128, 128>>>(results, ds, dk, dt, rate, volatility, n);
    const auto prices = to_host(results, n);
    double error = 0;
    for (int i = 0; i < n; ++i) {
        const double s = stock[i], k = strike[i], t = years[i], v = volatility, root = std::sqrt(t);
        const double d1 = (std::log(s / k) + (rate + 0.5 * v * v) * t) / (v * root), d2 = d1 - v * root;
        const auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
        const double call = s * cdf(d1) - k * std::exp(-double(rate) * t) * cdf(d2);
        error = std::fmax(error, std::fabs(prices[i].x - call));
        error = std::fmax(error, std::fabs(prices[i].y - (call + k * std::exp(-double(rate) * t) - s)));
    }
    std::printf("largest error %g\n", error);
    for (void* each : {(void*)ds, (void*)dk, (void*)dt, (void*)results})
        CHECK(cudaFree(each));
    return verdict(error < 2e-4);
}
