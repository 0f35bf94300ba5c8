// SPDX-License-Identifier: Apache-2.0
// Filters and steps of stencils.
#include "../../benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warplight::bench {
namespace {

constexpr int side = 1024;

int inside(int i, int n) { return std::min(std::max(i, 0), n - 1); }

float median_of(const float (&picture)[9]) {
    float v[9];
    std::copy(std::begin(picture), std::end(picture), v);
    const auto exchange = [&](int a, int b) {
        const float low = std::min(v[a], v[b]);
        v[b] = std::max(v[a], v[b]);
        v[a] = low;
    };
    exchange(1, 2), exchange(4, 5), exchange(7, 8), exchange(0, 1), exchange(3, 4), exchange(6, 7), exchange(1, 2);
    exchange(4, 5), exchange(7, 8), exchange(0, 3), exchange(5, 8), exchange(4, 7), exchange(3, 6), exchange(1, 4);
    exchange(2, 5), exchange(4, 7), exchange(4, 2), exchange(6, 4), exchange(4, 2);
    return v[4];
}

} // namespace

Benchmark gauss_5x5() {
    Benchmark b{"gauss_5x5", "1024 x 1024"};
    b.arrays = {Array::input(random_reals(side * side, 0, 1, 1)), Array::reals(side * side, 1e-5, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("gauss_5x5", {side / 16, side / 16}, {16, 16}, {Memory{0}, Memory{1}, side, side});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
        const float weights[5] = {1, 4, 6, 4, 1};
#pragma omp parallel for schedule(static)
        for (int y = 0; y < side; ++y) {
            const float* rows[5];
            for (int dy = 0; dy < 5; ++dy)
                rows[dy] = in + inside(y + dy - 2, side) * side;
            for (const int x : {0, 1, side - 2, side - 1}) {
                float sum = 0;
                for (int dy = 0; dy < 5; ++dy)
                    for (int dx = 0; dx < 5; ++dx)
                        sum += rows[dy][inside(x + dx - 2, side)] * weights[dx] * weights[dy];
                out[y * side + x] = sum / 256;
            }
#pragma omp simd
            for (int x = 2; x < side - 2; ++x) {
                float sum = 0;
                for (int dy = 0; dy < 5; ++dy)
                    for (int dx = 0; dx < 5; ++dx)
                        sum += rows[dy][x + dx - 2] * weights[dx] * weights[dy];
                out[y * side + x] = sum / 256;
            }
        }
    };
    return b;
}

Benchmark median_3x3() {
    Benchmark b{"median_3x3", "1024 x 1024"};
    b.arrays = {Array::input(random_reals(side * side, 0, 1, 1)), Array::reals(side * side, 0, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("median_3x3", {side / 32, side / 8}, {32, 8}, {Memory{0}, Memory{1}, side, side});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int y = 0; y < side; ++y)
#pragma omp simd
            for (int x = 0; x < side; ++x) {
                float values[9];
                for (int d = 0; d < 9; ++d)
                    values[d] = in[inside(y + d / 3 - 1, side) * side + inside(x + d % 3 - 1, side)];
                out[y * side + x] = median_of(values);
            }
    };
    return b;
}

Benchmark sobel_bytes() {
    Benchmark b{"sobel_bytes", "1024 x 1024 bytes"};
    b.arrays = {Array::input(random_integers<std::uint8_t>(side * side, 256, 1)), Array::integers(side * side / 4)};
    b.kernels = [](Queue& queue) {
        queue.launch("sobel_bytes", {side / 32, side / 8}, {32, 8}, {Memory{0}, Memory{1}, side, side});
    };
    b.loop = [](const Host& host) {
        const std::uint8_t* in = host.get<std::uint8_t>(0);
        std::uint8_t* out = host.get<std::uint8_t>(1);
#pragma omp parallel for schedule(static)
        for (int y = 1; y < side - 1; ++y)
#pragma omp simd
            for (int x = 1; x < side - 1; ++x) {
                const std::uint8_t *u = in + (y - 1) * side + x, *p = u + side, *d = p + side;
                const int gx = u[1] + 2 * p[1] + d[1] - u[-1] - 2 * p[-1] - d[-1];
                const int gy = d[-1] + 2 * d[0] + d[1] - u[-1] - 2 * u[0] - u[1];
                out[y * side + x] = static_cast<std::uint8_t>(std::min(std::abs(gx) + std::abs(gy), 255));
            }
    };
    return b;
}

Benchmark resize() {
    static constexpr int width = 512, height = 384, to_width = 1280, to_height = 960;
    Benchmark b{"resize", "512 x 384 to 1280 x 960"};
    // Coordinates below 1024 have 2^-14 of error, and so have weights.
    b.arrays = {Array::input(random_reals(width * height, 0, 1, 1)), Array::reals(to_width * to_height, 0, 2e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("resize", {to_width / 16, to_height / 16}, {16, 16},
                     {Memory{0}, Memory{1}, width, height, to_width, to_height});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int y = 0; y < to_height; ++y) {
            const float fy = (float(y) + 0.5F) * height / to_height - 0.5F;
            const int v = static_cast<int>(std::floor(fy));
            const float ay = fy - float(v);
            const float *low = in + std::max(v, 0) * width, *high = in + std::min(v + 1, height - 1) * width;
#pragma omp simd
            for (int x = 0; x < to_width; ++x) {
                const float fx = (float(x) + 0.5F) * width / to_width - 0.5F;
                const int u = static_cast<int>(std::floor(fx));
                const float ax = fx - float(u);
                const int x0 = std::max(u, 0), x1 = std::min(u + 1, width - 1);
                out[y * to_width + x] =
                    (low[x0] * (1 - ax) + low[x1] * ax) * (1 - ay) + (high[x0] * (1 - ax) + high[x1] * ax) * ay;
            }
        }
    };
    return b;
}

Benchmark life() {
    Benchmark b{"life", "1024 x 1024"};
    b.arrays = {Array::input(random_integers(side * side, 2, 1)), Array::integers(side * side)};
    b.kernels = [](Queue& queue) {
        queue.launch("life", {side / 16, side / 16}, {16, 16}, {Memory{0}, Memory{1}, side, side});
    };
    b.loop = [](const Host& host) {
        const int* in = host.get<int>(0);
        int* out = host.get<int>(1);
#pragma omp parallel for schedule(static)
        for (int y = 0; y < side; ++y) {
            const int *up = in + (y + side - 1) % side * side, *row = in + y * side, *down = in + (y + 1) % side * side;
            const auto next = [&](int l, int x, int r) {
                const int n = up[l] + up[x] + up[r] + row[l] + row[r] + down[l] + down[x] + down[r];
                out[y * side + x] = n == 3 || (n == 2 && row[x]);
            };
            next(side - 1, 0, 1);
#pragma omp simd
            for (int x = 1; x < side - 1; ++x)
                next(x - 1, x, x + 1);
            next(side - 2, side - 1, 0);
        }
    };
    return b;
}

Benchmark heat_3d() {
    static constexpr int n = 96;
    Benchmark b{"heat_3d", "96 x 96 x 96"};
    b.arrays = {Array::input(random_reals(n * n * n, 0, 1, 1)), Array::reals(n * n * n, 1e-5, 1e-6)};
    b.kernels = [](Queue& queue) {
        queue.launch("heat_3d", {n / 8, n / 8, n / 8}, {8, 8, 8}, {Memory{0}, Memory{1}, n});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int z = 1; z < n - 1; ++z)
            for (int y = 1; y < n - 1; ++y)
#pragma omp simd
                for (int x = 1; x < n - 1; ++x) {
                    const int i = (z * n + y) * n + x;
                    out[i] = in[i] + 0.1F * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] +
                                             in[i + n * n] - 6 * in[i]);
                }
    };
    return b;
}

Benchmark jacobi_halo() {
    Benchmark b{"jacobi_halo", "1024 x 1024"};
    b.arrays = {Array::input(random_reals(side * side, 0, 1, 1)), Array::reals(side * side, 1e-6, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("jacobi_halo", {side / 16, side / 16}, {16, 16}, {Memory{0}, Memory{1}, side});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
        const auto any = [=](int y, int x) {
            return x < 0 || y < 0 || x >= side || y >= side ? 0.0F : in[y * side + x];
        };
        const auto border = [=](int y, int x) {
            out[y * side + x] = 0.25F * (any(y - 1, x) + any(y + 1, x) + any(y, x - 1) + any(y, x + 1));
        };
#pragma omp parallel for schedule(static)
        for (int y = 0; y < side; ++y) {
            if (y == 0 || y == side - 1) {
                for (int x = 0; x < side; ++x)
                    border(y, x);
                continue;
            }
            border(y, 0);
            const float *up = in + (y - 1) * side, *row = in + y * side, *down = in + (y + 1) * side;
#pragma omp simd
            for (int x = 1; x < side - 1; ++x)
                out[y * side + x] = 0.25F * (up[x] + down[x] + row[x - 1] + row[x + 1]);
            border(y, side - 1);
        }
    };
    return b;
}

} // namespace warplight::bench
