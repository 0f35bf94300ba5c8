// SPDX-License-Identifier: Apache-2.0
// Sums in memory, and steps of simulations.
#include "../../benchmark.hpp"

#include <algorithm>

namespace warplight::bench {

Benchmark symmetric_product() {
    static constexpr int n = 256, m = 256;
    static constexpr float alpha = 1.5F, beta = 0.5F;
    Benchmark b{"symmetric_product", "256 x 256"};
    b.arrays = {Array::input(random_reals(n * m, 0, 1, 1)), Array::reals(n * n, 1e-4, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("symmetric_product", {n / 32, n / 8}, {32, 8}, {Memory{0}, Memory{1}, n, m, alpha, beta});
    };
    b.loop = [](const Host& host) {
        const float* a = host.get<float>(0);
        float* c = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                float sum = 0;
#pragma omp simd reduction(+ : sum)
                for (int k = 0; k < m; ++k)
                    sum += a[i * m + k] * a[j * m + k];
                c[i * n + j] = beta * c[i * n + j] + alpha * sum;
            }
    };
    return b;
}

Benchmark normal_equations() {
    static constexpr int n = 1000, m = 1100, threads = 256;
    Benchmark b{"normal_equations", "1000 x 1100"};
    b.arrays = {Array::input(random_reals(n * m, 0, 1, 1)), Array::input(random_reals(m, 0, 1, 2)),
                Array::scratch(4 * n), Array::reals(m, 1e-3, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("rows", {(n + threads - 1) / threads}, {threads}, {Memory{0}, Memory{1}, Memory{2}, n, m});
        queue.launch("columns", {(m + threads - 1) / threads}, {threads}, {Memory{0}, Memory{2}, Memory{3}, n, m});
    };
    b.loop = [](const Host& host) {
        const float *a = host.get<float>(0), *x = host.get<float>(1);
        float *t = host.get<float>(2), *y = host.get<float>(3);
        std::fill(y, y + m, 0.0F);
#pragma omp parallel for schedule(static) reduction(+ : y[ : m])
        for (int i = 0; i < n; ++i) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < m; ++j)
                sum += a[i * m + j] * x[j];
            t[i] = sum;
#pragma omp simd
            for (int j = 0; j < m; ++j)
                y[j] += a[i * m + j] * sum;
        }
    };
    return b;
}

Benchmark correlation() {
    static constexpr int n = 256, columns = 256;
    Benchmark b{"correlation", "256 columns of 256"};
    b.arrays = {Array::input(random_reals(n * columns, 0, 1, 1)), Array::reals(columns * columns, 1e-4, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("correlation", {columns / 64}, {64}, {Memory{0}, Memory{1}, n, columns});
    };
    b.loop = [](const Host& host) {
        const float* data = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(dynamic, 8)
        for (int i = 0; i < columns; ++i) {
            float* row = out + i * columns;
            std::fill(row + i, row + columns, 0.0F);
            for (int k = 0; k < n; ++k) {
                const float factor = data[k * columns + i];
#pragma omp simd
                for (int j = i; j < columns; ++j)
                    row[j] += factor * data[k * columns + j];
            }
            for (int j = i; j < columns; ++j)
                out[j * columns + i] = row[j];
        }
    };
    return b;
}

Benchmark hotspot() {
    static constexpr int n = 512;
    Benchmark b{"hotspot", "512 x 512, two steps"};
    b.arrays = {Array::input(random_reals(n * n, 0, 1, 1)), Array::input(random_reals(n * n, 70, 90, 2)),
                Array::reals(n * n, 1e-5, 0), Array::scratch(4 * n * n)};
    b.kernels = [](Queue& queue) {
        constexpr unsigned blocks = (n + 11) / 12;
        queue.launch("hotspot", {blocks, blocks}, {16, 16}, {Memory{0}, Memory{1}, Memory{2}, n});
    };
    b.loop = [](const Host& host) {
        const float* power = host.get<float>(0);
        const auto step = [power](const float* in, float* out) {
#pragma omp parallel for schedule(static)
            for (int y = 0; y < n; ++y) {
                const float *row = in + y * n, *up = in + std::max(y - 1, 0) * n,
                            *down = in + std::min(y + 1, n - 1) * n;
                const auto next = [&](int left, int x, int right) {
                    const float t = row[x];
                    out[y * n + x] = t + 0.1F * (power[y * n + x] + (down[x] + up[x] - 2 * t) * 0.3F +
                                                 (row[right] + row[left] - 2 * t) * 0.2F + (80 - t) * 0.05F);
                };
                next(0, 0, 1);
#pragma omp simd
                for (int x = 1; x < n - 1; ++x)
                    next(x - 1, x, x + 1);
                next(n - 2, n - 1, n - 1);
            }
        };
        step(host.get<float>(1), host.get<float>(3));
        step(host.get<float>(3), host.get<float>(2));
    };
    return b;
}

Benchmark alignment() {
    static constexpr int tiles = 32, n = 16 * tiles + 1, penalty = 10;
    Benchmark b{"alignment", "512 by 512 elements, 63 launches"};
    std::vector<int> similar = random_integers(n * n, 21, 1), scores(n * n);
    for (int& x : similar)
        x -= 10;
    for (int i = 0; i < n; ++i)
        scores[i] = scores[i * n] = -penalty * i;
    Array result = Array::input(scores);
    result.written = true;
    result.check = Array::Check::integers;
    b.arrays = {Array::input(similar), result};
    b.kernels = [](Queue& queue) {
        for (int d = 0; d < 2 * tiles - 1; ++d) {
            const int first = std::max(0, d - tiles + 1), last = std::min(d, tiles - 1);
            queue.launch("alignment", {unsigned(last - first + 1)}, {16}, {Memory{0}, Memory{1}, n, penalty, first, d});
        }
    };
    b.loop = [](const Host& host) {
        const int* same = host.get<int>(0);
        int* s = host.get<int>(1);
        for (int d = 0; d < 2 * tiles - 1; ++d) {
#pragma omp parallel for schedule(static)
            for (int tile = std::max(0, d - tiles + 1); tile <= std::min(d, tiles - 1); ++tile)
                for (int y = (d - tile) * 16 + 1; y <= (d - tile) * 16 + 16; ++y)
                    for (int x = tile * 16 + 1; x <= tile * 16 + 16; ++x)
                        s[y * n + x] =
                            std::max(std::max(s[(y - 1) * n + x - 1] + same[y * n + x], s[y * n + x - 1] - penalty),
                                     s[(y - 1) * n + x] - penalty);
        }
    };
    return b;
}

Benchmark lattice_boltzmann() {
    static constexpr int width = 256, height = 256, n = width * height;
    static constexpr float omega = 0.6F;
    Benchmark b{"lattice_boltzmann", "256 x 256, nine directions"};
    b.arrays = {Array::input(random_reals(9 * n, 0.1F, 0.11F, 1)), Array::reals(9 * n, 1e-4, 1e-6)};
    b.kernels = [](Queue& queue) {
        queue.launch("lattice_boltzmann", {width / 32, height / 8}, {32, 8},
                     {Memory{0}, Memory{1}, width, height, omega});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
        const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
        const float weights[9] = {4 / 9.F, 1 / 9.F, 1 / 9.F, 1 / 9.F, 1 / 9.F, 1 / 36.F, 1 / 36.F, 1 / 36.F, 1 / 36.F};
#pragma omp parallel for schedule(static)
        for (int y = 0; y < height; ++y)
#pragma omp simd
            for (int x = 0; x < width; ++x) {
                float f[9], density = 0, ux = 0, uy = 0;
                for (int i = 0; i < 9; ++i) {
                    f[i] = in[i * n + (y - dy[i] + height) % height * width + (x - dx[i] + width) % width];
                    density += f[i];
                    ux += float(dx[i]) * f[i];
                    uy += float(dy[i]) * f[i];
                }
                ux /= density;
                uy /= density;
                const float squares = 1.5F * (ux * ux + uy * uy);
                for (int i = 0; i < 9; ++i) {
                    const float along = 3 * (float(dx[i]) * ux + float(dy[i]) * uy);
                    out[i * n + y * width + x] =
                        f[i] + omega * (weights[i] * density * (1 + along + 0.5F * along * along - squares) - f[i]);
                }
            }
    };
    return b;
}

} // namespace warplight::bench
