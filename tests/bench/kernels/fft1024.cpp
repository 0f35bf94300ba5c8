// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace warplight::bench {
namespace {

constexpr int n = 1024, batch = 1024;

struct Split {
    float re[n], im[n];
};

/// The same steps, with real and imaginary parts apart. The inner loop goes along the longer of a step's directions.
void step(const Split& x, Split& y, const float* __restrict roots, int span) {
    const int stride = n / 2 / span;
    const auto butterfly = [&](int t, int k) {
        const float re = roots[2 * k * stride], im = roots[2 * k * stride + 1];
        const float a = x.re[t + n / 2], b = x.im[t + n / 2];
        const float cr = re * a - im * b, ci = re * b + im * a;
        const int to = 2 * t - k;
        y.re[to] = x.re[t] + cr;
        y.im[to] = x.im[t] + ci;
        y.re[to + span] = x.re[t] - cr;
        y.im[to + span] = x.im[t] - ci;
    };
    if (span < 16) {
        for (int k = 0; k < span; ++k)
#pragma omp simd
            for (int first = 0; first < n / 2; first += span)
                butterfly(first + k, k);
    } else {
        for (int first = 0; first < n / 2; first += span)
#pragma omp simd
            for (int k = 0; k < span; ++k)
                butterfly(first + k, k);
    }
}

void loop(const float* __restrict in, const float* __restrict roots, float* __restrict out) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t row = 0; row < batch; ++row) {
        Split buffers[2];
        Split *x = &buffers[0], *y = &buffers[1];
#pragma omp simd
        for (int i = 0; i < n; ++i) {
            x->re[i] = in[2 * (row * n + i)];
            x->im[i] = in[2 * (row * n + i) + 1];
        }
        for (int span = 1; span < n; span *= 2) {
            step(*x, *y, roots, span);
            std::swap(x, y);
        }
#pragma omp simd
        for (int i = 0; i < n; ++i) {
            out[2 * (row * n + i)] = x->re[i];
            out[2 * (row * n + i) + 1] = x->im[i];
        }
    }
}

} // namespace

Benchmark fft1024() {
    Benchmark b{"fft1024", "1024 of 1024 complex floats", ""};
    const std::size_t size = std::size_t{2} * n * batch;
    // A butterfly: four for the product, of which two add, and four for sum and difference.
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .floats = 8.0 * (n / 2) * 10 * batch};
    std::vector<float> roots;
    roots.reserve(n);
    for (int k = 0; k < n / 2; ++k) {
        const double angle = -2 * std::numbers::pi * k / n;
        roots.push_back(static_cast<float>(std::cos(angle)));
        roots.push_back(static_cast<float>(std::sin(angle)));
    }
    // Ten steps of some four roundings of 2^-24, of a norm that is 836: 2e-3, if all of it came together in one place.
    b.arrays = {Array::input(random_reals(size, -1, 1, 1)), Array::input(roots), Array::reals(size, 0, 2e-3)};
    b.kernels = [](Queue& queue) { queue.launch("fft", {batch}, {n / 2}, {Memory{0}, Memory{1}, Memory{2}}); };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
