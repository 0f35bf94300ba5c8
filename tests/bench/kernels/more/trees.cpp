// SPDX-License-Identifier: Apache-2.0
// Sums, scans and histograms.
#include "../../benchmark.hpp"

namespace warplight::bench {

Benchmark sum_by_pairs() {
    static constexpr int sums = 1 << 13;
    Benchmark b{"sum_by_pairs", "2^13 sums of 256 integers"};
    b.arrays = {Array::input(random_integers(sums * 256, 100, 1)), Array::integers(sums)};
    b.kernels = [](Queue& queue) { queue.launch("sum_by_pairs", {sums}, {256}, {Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) {
        const int* in = host.get<int>(0);
        int* out = host.get<int>(1);
#pragma omp parallel for schedule(static)
        for (int s = 0; s < sums; ++s) {
            int sum = 0;
            for (int i = 0; i < 256; ++i)
                sum += in[s * 256 + i];
            out[s] = sum;
        }
    };
    return b;
}

Benchmark sum_by_remainder() {
    static constexpr int sums = 1 << 13;
    Benchmark b{"sum_by_remainder", "2^13 sums of 256 floats"};
    // 256 additions of up to 2^-24 of 256.
    b.arrays = {Array::input(random_reals(sums * 256, 0, 1, 1)), Array::reals(sums, 3e-5, 0)};
    b.kernels = [](Queue& queue) { queue.launch("sum_by_remainder", {sums}, {256}, {Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int s = 0; s < sums; ++s) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int i = 0; i < 256; ++i)
                sum += in[s * 256 + i];
            out[s] = sum;
        }
    };
    return b;
}

Benchmark dot_product() {
    static constexpr int n = 1 << 21;
    Benchmark b{"dot_product", "2^21 floats"};
    b.arrays = {Array::input(random_reals(n, 0, 1, 1)), Array::input(random_reals(n, 0, 1, 2)),
                Array::reals(1, 1e-3, 0)};
    b.kernels = [](Queue& queue) { queue.launch("dot_product", {256}, {256}, {Memory{0}, Memory{1}, Memory{2}, n}); };
    b.loop = [](const Host& host) {
        const float *x = host.get<float>(0), *y = host.get<float>(1);
        float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
        for (int i = 0; i < n; ++i)
            sum += x[i] * y[i];
        host.get<float>(2)[0] = sum;
    };
    return b;
}

Benchmark scan_double_buffer() {
    static constexpr int blocks = 1 << 12;
    Benchmark b{"scan_double_buffer", "2^12 times 256 floats"};
    b.arrays = {Array::input(random_reals(blocks * 256, 0, 1, 1)), Array::reals(blocks * 256, 3e-5, 0)};
    b.kernels = [](Queue& queue) { queue.launch("scan_double_buffer", {blocks}, {256}, {Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int block = 0; block < blocks; ++block) {
            float sum = 0;
            for (int i = block * 256; i < block * 256 + 256; ++i)
                out[i] = sum += in[i];
        }
    };
    return b;
}

Benchmark histogram_weights() {
    static constexpr int n = 1 << 20;
    Benchmark b{"histogram_weights", "2^20 floats, 64 bins"};
    b.arrays = {Array::input(random_reals(n, 0, 1, 1)), Array::input(random_integers(n, 64, 2)),
                Array::reals(64, 1e-3, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("histogram_weights", {64}, {256}, {Memory{0}, Memory{1}, Memory{2}, n});
    };
    b.loop = [](const Host& host) {
        const float* weights = host.get<float>(0);
        const int* keys = host.get<int>(1);
        float* out = host.get<float>(2);
        float bins[64] = {};
#pragma omp parallel for schedule(static) reduction(+ : bins)
        for (int i = 0; i < n; ++i)
            bins[keys[i]] += weights[i];
        for (int i = 0; i < 64; ++i)
            out[i] = bins[i];
    };
    return b;
}

Benchmark histogram_bytes() {
    static constexpr int n = 1 << 22;
    Benchmark b{"histogram_bytes", "2^22 bytes, 256 bins"};
    b.arrays = {Array::input(random_integers<std::uint8_t>(n, 256, 1)), Array::integers(256)};
    b.kernels = [](Queue& queue) { queue.launch("histogram_bytes", {64}, {256}, {Memory{0}, Memory{1}, n / 4}); };
    b.loop = [](const Host& host) {
        const std::uint8_t* in = host.get<std::uint8_t>(0);
        unsigned* out = host.get<unsigned>(1);
        unsigned bins[256] = {};
#pragma omp parallel for schedule(static) reduction(+ : bins)
        for (int i = 0; i < n; ++i)
            ++bins[in[i]];
        for (int i = 0; i < 256; ++i)
            out[i] = bins[i];
    };
    return b;
}

Benchmark row_argmax() {
    static constexpr int rows = 2048, columns = 1000;
    Benchmark b{"row_argmax", "2048 rows of 1000 floats"};
    b.arrays = {Array::input(random_reals(rows * columns, 0, 1, 1)), Array::integers(rows)};
    b.kernels = [](Queue& queue) { queue.launch("row_argmax", {rows}, {128}, {Memory{0}, Memory{1}, columns}); };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        int* out = host.get<int>(1);
#pragma omp parallel for schedule(static)
        for (int row = 0; row < rows; ++row) {
            float best = -1e30F;
            int index = 0;
            for (int j = 0; j < columns; ++j)
                if (in[row * columns + j] > best) {
                    best = in[row * columns + j];
                    index = j;
                }
            out[row] = index;
        }
    };
    return b;
}

} // namespace warplight::bench
