// SPDX-License-Identifier: Apache-2.0
// Products, elimination and sums of matrices.
#include "../../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int vector_rows = 4096, vector_columns = 256;

/// Matrix times vector. Sums of 256 products below 1.
Benchmark matrix_vector(const char* name) {
    Benchmark b{name, "4096 rows of 256 floats"};
    b.arrays = {Array::input(random_reals(vector_rows * vector_columns, 0, 1, 1)),
                Array::input(random_reals(vector_columns, 0, 1, 2)), Array::reals(vector_rows, 3e-5, 0)};
    b.loop = [](const Host& host) {
        const float *a = host.get<float>(0), *x = host.get<float>(1);
        float* y = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < vector_rows; ++i) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < vector_columns; ++j)
                sum += a[i * vector_columns + j] * x[j];
            y[i] = sum;
        }
    };
    return b;
}

/// m x k times k x n. Sums of `k` products below 1.
Benchmark product(const char* name, const char* size, int m, int n, int k) {
    Benchmark b{name, size};
    b.arrays = {Array::input(random_reals(std::size_t(m) * k, -1, 1, 1)),
                Array::input(random_reals(std::size_t(k) * n, -1, 1, 2)), Array::reals(std::size_t(m) * n, 1e-4, 1e-4)};
    b.loop = [m, n, k](const Host& host) {
        const float *a = host.get<float>(0), *right = host.get<float>(1);
        float* c = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int y = 0; y < m; ++y) {
            for (int x = 0; x < n; ++x)
                c[y * n + x] = 0;
            for (int i = 0; i < k; ++i) {
                const float factor = a[y * k + i];
#pragma omp simd
                for (int x = 0; x < n; ++x)
                    c[y * n + x] += factor * right[i * n + x];
            }
        }
    };
    return b;
}

/// Large on the diagonal, so elimination needs no exchange of rows.
Array dominant_matrix(int n) {
    auto values = random_reals(std::size_t(n) * n, 0, 1, 1);
    for (int i = 0; i < n; ++i)
        values[std::size_t(i) * n + i] += 64;
    Array array = Array::input(values);
    array.written = true;
    array.check = Array::Check::reals;
    array.relative = array.absolute = 1e-3;
    return array;
}

constexpr int unknowns = 256;

} // namespace

Benchmark matrix_vector_threads() {
    Benchmark b = matrix_vector("matrix_vector_threads");
    b.kernels = [](Queue& queue) {
        queue.launch("matrix_vector_threads", {vector_rows / 256}, {256},
                     {Memory{0}, Memory{1}, Memory{2}, vector_rows, vector_columns});
    };
    return b;
}

Benchmark matrix_vector_warps() {
    Benchmark b = matrix_vector("matrix_vector_warps");
    b.kernels = [](Queue& queue) {
        queue.launch("matrix_vector_warps", {vector_rows / 8}, {256},
                     {Memory{0}, Memory{1}, Memory{2}, vector_rows, vector_columns});
    };
    return b;
}

Benchmark products_4x4() {
    static constexpr int count = 1 << 16;
    Benchmark b{"products_4x4", "2^16 products of 4 x 4 floats"};
    b.arrays = {Array::input(random_reals(count * 16, -1, 1, 1)), Array::input(random_reals(count * 16, -1, 1, 2)),
                Array::reals(count * 16, 1e-5, 1e-5)};
    b.kernels = [](Queue& queue) {
        queue.launch("products_4x4", {count * 16 / 256}, {256}, {Memory{0}, Memory{1}, Memory{2}, count});
    };
    b.loop = [](const Host& host) {
        const float *a = host.get<float>(0), *right = host.get<float>(1);
        float* c = host.get<float>(2);
#pragma omp parallel for schedule(static)
        for (int m = 0; m < count * 16; m += 16)
            for (int row = 0; row < 16; row += 4)
                for (int column = 0; column < 4; ++column) {
                    float sum = 0;
                    for (int k = 0; k < 4; ++k)
                        sum += a[m + row + k] * right[m + 4 * k + column];
                    c[m + row + column] = sum;
                }
    };
    return b;
}

Benchmark product_8x8_tiles() {
    static constexpr int n = 256;
    Benchmark b = product("product_8x8_tiles", "256 x 256", n, n, n);
    b.kernels = [](Queue& queue) {
        queue.launch("product_8x8_tiles", {n / 8, n / 8}, {8, 8}, {Memory{0}, Memory{1}, Memory{2}, n});
    };
    return b;
}

Benchmark product_bounds() {
    static constexpr int m = 300, n = 500, k = 200;
    Benchmark b = product("product_bounds", "300 x 200 by 200 x 500", m, n, k);
    b.kernels = [](Queue& queue) {
        queue.launch("product_bounds", {(n + 15) / 16, (m + 15) / 16}, {16, 16},
                     {Memory{0}, Memory{1}, Memory{2}, m, n, k});
    };
    return b;
}

Benchmark product_4x4_threads() {
    static constexpr int n = 512;
    Benchmark b = product("product_4x4_threads", "512 x 512", n, n, n);
    b.kernels = [](Queue& queue) {
        queue.launch("product_4x4_threads", {n / 64, n / 64}, {16, 16}, {Memory{0}, Memory{1}, Memory{2}, n});
    };
    return b;
}

Benchmark elimination() {
    static constexpr int n = unknowns;
    Benchmark b{"elimination", "256 unknowns, 510 launches"};
    b.arrays = {dominant_matrix(n), Array::scratch(4 * n * n), Array::reals(n, 1e-3, 1e-3)};
    b.kernels = [](Queue& queue) {
        for (int t = 0; t < n - 1; ++t) {
            queue.launch("factors", {1}, {256}, {Memory{1}, Memory{0}, n, t});
            queue.launch("subtract", {n / 16, n / 16}, {16, 16}, {Memory{1}, Memory{0}, Memory{2}, n, t});
        }
    };
    b.loop = [](const Host& host) {
        float *a = host.get<float>(0), *m = host.get<float>(1), *right = host.get<float>(2);
        for (int t = 0; t < n - 1; ++t) {
            for (int i = t + 1; i < n; ++i)
                m[n * i + t] = a[n * i + t] / a[n * t + t];
#pragma omp parallel for schedule(static)
            for (int i = t + 1; i < n; ++i) {
                const float factor = m[n * i + t];
#pragma omp simd
                for (int y = t; y < n; ++y)
                    a[n * i + y] -= factor * a[n * t + y];
                right[i] -= factor * right[t];
            }
        }
    };
    return b;
}

Benchmark elimination_rows() {
    static constexpr int n = unknowns;
    Benchmark b{"elimination_rows", "256 unknowns, 255 launches"};
    b.arrays = {dominant_matrix(n)};
    b.kernels = [](Queue& queue) {
        for (int t = 0; t < n - 1; ++t)
            queue.launch("elimination_rows", {unsigned(n - t + 126) / 128, unsigned(n - 1 - t)}, {128},
                         {Memory{0}, n, t});
    };
    b.loop = [](const Host& host) {
        float* a = host.get<float>(0);
        for (int t = 0; t < n - 1; ++t) {
#pragma omp parallel for schedule(static)
            for (int i = t + 1; i < n; ++i) {
                const float factor = a[n * i + t] / a[n * t + t];
#pragma omp simd
                for (int x = t + 1; x < n; ++x)
                    a[n * i + x] -= factor * a[n * t + x];
            }
        }
    };
    return b;
}

Benchmark cholesky_32() {
    static constexpr int matrices = 1024;
    Benchmark b{"cholesky_32", "2^10 matrices of 32 x 32"};
    std::vector<float> values;
    for (int i = 0; i < matrices * 1024; ++i) {
        const int row = i / 32 % 32, column = i % 32;
        values.push_back(row == column ? 40.0F : 1 / float(1 + std::abs(row - column)));
    }
    Array array = Array::input(values);
    array.written = true;
    array.check = Array::Check::reals;
    array.relative = array.absolute = 1e-5;
    b.arrays = {array};
    b.kernels = [](Queue& queue) { queue.launch("cholesky_32", {matrices}, {32}, {Memory{0}}); };
    b.loop = [](const Host& host) {
#pragma omp parallel for schedule(static)
        for (int matrix = 0; matrix < matrices; ++matrix) {
            float* m = host.get<float>(0) + matrix * 1024;
            for (int j = 0; j < 32; ++j) {
                m[j * 32 + j] = std::sqrt(m[j * 32 + j]);
                for (int t = j + 1; t < 32; ++t)
                    m[t * 32 + j] /= m[j * 32 + j];
                for (int t = j + 1; t < 32; ++t)
                    for (int c = j + 1; c <= t; ++c)
                        m[t * 32 + c] -= m[t * 32 + j] * m[c * 32 + j];
            }
            for (int i = 0; i < 32; ++i)
                for (int t = i + 1; t < 32; ++t)
                    m[i * 32 + t] = 0;
        }
    };
    return b;
}

Benchmark integral_image() {
    static constexpr int width = 1024, height = 1024;
    Benchmark b{"integral_image", "1024 x 1024"};
    b.arrays = {Array::input(random_reals(width * height, 0, 1, 1)), Array::reals(width * height, 1e-3, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("sum_rows", {height / 128}, {128}, {Memory{0}, Memory{1}, width, height});
        queue.launch("sum_columns", {width / 128}, {128}, {Memory{1}, width, height});
    };
    b.loop = [](const Host& host) {
        const float* in = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (int y = 0; y < height; ++y) {
                float sum = 0;
                for (int x = 0; x < width; ++x)
                    out[y * width + x] = sum += in[y * width + x];
            }
            for (int y = 1; y < height; ++y) {
#pragma omp for simd schedule(static)
                for (int x = 0; x < width; ++x)
                    out[y * width + x] += out[(y - 1) * width + x];
            }
        }
    };
    return b;
}

} // namespace warplight::bench
