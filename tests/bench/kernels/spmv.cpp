// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int rows = 1 << 18;

void loop(const int* __restrict offsets, const int* __restrict columns, const float* __restrict values,
          const float* __restrict x, float* __restrict y) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = offsets[row]; i < offsets[row + 1]; ++i)
            sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
}

} // namespace

Benchmark spmv() {
    Benchmark b{"spmv", "2^18 rows, 4 to 28 values each", ""};
    const auto lengths = random_integers(rows, 25, 1);
    std::vector<std::int32_t> offsets = {0};
    for (const int length : lengths)
        offsets.push_back(offsets.back() + 4 + length);
    const auto count = static_cast<std::size_t>(offsets.back());
    b.arrays = {Array::input(offsets), Array::input(random_integers(count, rows, 2)),
                Array::input(random_reals(count, -1, 1, 3)), Array::input(random_reals(rows, -1, 1, 4)),
                Array::reals(rows, 1e-5, 1e-5)};
    b.kernels = [](Queue& queue) {
        queue.launch("spmv", {rows / 256}, {256}, {rows, Memory{0}, Memory{1}, Memory{2}, Memory{3}, Memory{4}});
    };
    b.loop = [](const Host& host) {
        loop(host.get<int>(0), host.get<int>(1), host.get<float>(2), host.get<float>(3), host.get<float>(4));
    };
    return b;
}

} // namespace warplight::bench
