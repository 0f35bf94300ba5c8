// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int n = 4096;

/// In tiles that fit the first cache.
void loop(const float* __restrict in, float* __restrict out) {
    constexpr std::ptrdiff_t tile = 32;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::ptrdiff_t ty = 0; ty < n; ty += tile)
        for (std::ptrdiff_t tx = 0; tx < n; tx += tile)
            for (std::ptrdiff_t y = ty; y < ty + tile; ++y)
#pragma omp simd
                for (std::ptrdiff_t x = tx; x < tx + tile; ++x)
                    out[y * n + x] = in[x * n + y];
}

} // namespace

Benchmark transpose() {
    Benchmark b{"transpose", "4096 x 4096 floats", ""};
    b.work = {.read = 4.0 * n * n, .written = 4.0 * n * n};
    b.arrays = {Array::input(random_reals(std::size_t(n) * n, -1, 1, 1)), Array::reals(std::size_t(n) * n, 0, 0)};
    b.kernels = [](Queue& queue) { queue.launch("transpose", {n / 32, n / 32}, {32, 8}, {n, Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1)); };
    return b;
}

} // namespace warplight::bench
