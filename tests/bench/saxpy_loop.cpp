// SPDX-License-Identifier: Apache-2.0
// What a programmer would write without a GPU, compiled with -O3 -march=native.
#include <cstddef>

void saxpy_loop(std::ptrdiff_t n, float a, const float* x, float* y) {
#pragma omp parallel for simd schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        y[i] = a * x[i] + y[i];
}
