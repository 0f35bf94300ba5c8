// SPDX-License-Identifier: Apache-2.0
// Layers of neural networks; most kernels take the indices of an element from one number.
#include "../../benchmark.hpp"

#include <algorithm>
#include <cmath>

namespace warplight::bench {
namespace {

constexpr int threads = 256;

unsigned blocks(int n) { return static_cast<unsigned>((n + threads - 1) / threads); }

} // namespace

Benchmark convolution_nchw() {
    static constexpr int from = 16, to = 16, h = 64, w = 64;
    Benchmark b{"convolution_nchw", "16 to 16 channels of 64 x 64"};
    b.arrays = {Array::input(random_reals(from * h * w, -1, 1, 1)), Array::input(random_reals(to * from * 9, -1, 1, 2)),
                Array::reals(to * h * w, 1e-4, 1e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("convolution_nchw", {blocks(to * h * w)}, {threads},
                     {Memory{0}, Memory{1}, Memory{2}, from, to, h, w});
    };
    b.loop = [](const Host& host) {
        const float *in = host.get<float>(0), *weights = host.get<float>(1);
        float* out = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int row = 0; row < to * h; ++row) {
            const int channel = row / h, y = row % h;
            float* result = out + row * w;
            std::fill(result, result + w, 0.0F);
            for (int c = 0; c < from; ++c)
                for (int dy = std::max(-1, -y); dy <= std::min(1, h - 1 - y); ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        const float weight = weights[((channel * from + c) * 3 + dy + 1) * 3 + dx + 1];
                        const float* source = in + (c * h + y + dy) * w + dx;
#pragma omp simd
                        for (int x = std::max(0, -dx); x < std::min(w, w - dx); ++x)
                            result[x] += source[x] * weight;
                    }
        }
    };
    return b;
}

Benchmark max_pool() {
    static constexpr int channels = 64, h = 112, w = 112, oh = h / 2, ow = w / 2;
    Benchmark b{"max_pool", "64 channels of 112 x 112"};
    b.arrays = {Array::input(random_reals(channels * h * w, -1, 1, 1)), Array::reals(channels * oh * ow, 0, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("max_pool", {blocks(channels * oh * ow)}, {threads}, {Memory{0}, Memory{1}, channels, h, w});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int row = 0; row < channels * oh; ++row)
            for (int x = 0; x < ow; ++x) {
                const float* p = in + 2 * row * w + 2 * x;
                out[row * ow + x] = std::max(std::max(p[0], p[1]), std::max(p[w], p[w + 1]));
            }
    };
    return b;
}

Benchmark bias_relu() {
    static constexpr int pictures = 4, channels = 64, area = 56 * 56, n = pictures * channels * area;
    Benchmark b{"bias_relu", "4 times 64 channels of 56 x 56"};
    b.arrays = {Array::input(random_reals(n, -1, 1, 1)), Array::input(random_reals(channels, -1, 1, 2)),
                Array::reals(n, 0, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("bias_relu", {blocks(n)}, {threads}, {Memory{0}, Memory{1}, Memory{2}, channels, area, n});
    };
    b.loop = [](const Host& host) {
        const float *in = host.get<float>(0), *bias = host.get<float>(1);
        float* out = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int plane = 0; plane < pictures * channels; ++plane) {
            const float add = bias[plane % channels];
#pragma omp simd
            for (int i = plane * area; i < (plane + 1) * area; ++i)
                out[i] = std::max(in[i] + add, 0.0F);
        }
    };
    return b;
}

Benchmark embedding() {
    static constexpr int rows = 8192, columns = 192, words = 10000;
    Benchmark b{"embedding", "8192 rows of 192 floats"};
    b.arrays = {Array::input(random_reals(words * columns, -1, 1, 1)), Array::input(random_integers(rows, words, 2)),
                Array::reals(rows * columns, 0, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("embedding", {blocks(rows * columns)}, {threads},
                     {Memory{0}, Memory{1}, Memory{2}, columns, rows * columns});
    };
    b.loop = [](const Host& host) {
        const float* table = host.get<float>(0);
        const int* wanted = host.get<int>(1);
        float* out = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int row = 0; row < rows; ++row)
            for (int c = 0; c < columns; ++c)
                out[row * columns + c] = table[wanted[row] * columns + c];
    };
    return b;
}

Benchmark channels_last() {
    static constexpr int pictures = 8, c = 48, h = 56, w = 56, n = pictures * c * h * w;
    Benchmark b{"channels_last", "8 times 48 channels of 56 x 56"};
    b.arrays = {Array::input(random_reals(n, -1, 1, 1)), Array::reals(n, 0, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("channels_last", {blocks(n)}, {threads}, {Memory{0}, Memory{1}, pictures, c, h, w});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int row = 0; row < pictures * h; ++row) {
            const int picture = row / h, y = row % h;
            for (int x = 0; x < w; ++x)
                for (int channel = 0; channel < c; ++channel)
                    out[(row * w + x) * c + channel] = in[((picture * c + channel) * h + y) * w + x];
        }
    };
    return b;
}

Benchmark attention() {
    static constexpr int n = 512, head = 32;
    Benchmark b{"attention", "512 queries, a head of 32"};
    b.arrays = {Array::input(random_reals(n * head, -1, 1, 1)), Array::input(random_reals(n * head, -1, 1, 2)),
                Array::input(random_reals(n * head, -1, 1, 3)), Array::reals(n * head, 1e-4, 1e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("attention", {n / 64}, {64}, {Memory{0}, Memory{1}, Memory{2}, Memory{3}, n});
    };
    b.loop = [](const Host& host) {
        const float *queries = host.get<float>(0), *keys = host.get<float>(1), *values = host.get<float>(2);
        float* out = host.get<float>(3);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i) {
            float sums[head] = {}, most = -1e30F, total = 0;
            for (int j = 0; j < n; ++j) {
                float s = 0;
#pragma omp simd reduction(+ : s)
                for (int d = 0; d < head; ++d)
                    s += queries[i * head + d] * keys[j * head + d];
                s *= 0.17F;
                const float now = std::max(most, s), before = std::exp(most - now), p = std::exp(s - now);
                total = total * before + p;
#pragma omp simd
                for (int d = 0; d < head; ++d)
                    sums[d] = sums[d] * before + p * values[j * head + d];
                most = now;
            }
            for (int d = 0; d < head; ++d)
                out[i * head + d] = sums[d] / total;
        }
    };
    return b;
}

Benchmark batch_statistics() {
    static constexpr int pictures = 8, channels = 64, area = 28 * 28;
    Benchmark b{"batch_statistics", "8 times 64 channels of 28 x 28"};
    b.arrays = {Array::input(random_reals(pictures * channels * area, 0, 1, 1)), Array::reals(channels, 1e-4, 0),
                Array::reals(channels, 1e-3, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("batch_statistics", {channels}, {256},
                     {Memory{0}, Memory{1}, Memory{2}, pictures, channels, area});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float *means = host.get<float>(1), *variances = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int c = 0; c < channels; ++c) {
            float sum = 0, squares = 0;
            for (int picture = 0; picture < pictures; ++picture) {
                const float* p = in + (picture * channels + c) * area;
#pragma omp simd reduction(+ : sum, squares)
                for (int j = 0; j < area; ++j) {
                    sum += p[j];
                    squares += p[j] * p[j];
                }
            }
            const float mean = sum / (pictures * area);
            means[c] = mean;
            variances[c] = squares / (pictures * area) - mean * mean;
        }
    };
    return b;
}

} // namespace warplight::bench
