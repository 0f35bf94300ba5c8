// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int n = 8192;

void loop(const float* __restrict bodies, float* __restrict accelerations) {
    // An array a coordinate, which vectors are loaded from.
    static float x[n], y[n], z[n], mass[n];
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
        x[i] = bodies[4 * i];
        y[i] = bodies[4 * i + 1];
        z[i] = bodies[4 * i + 2];
        mass[i] = bodies[4 * i + 3];
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
        float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int j = 0; j < n; ++j) {
            const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const float inverse = 1.0F / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-2F);
            const float pull = mass[j] * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        accelerations[4 * i] = ax;
        accelerations[4 * i + 1] = ay;
        accelerations[4 * i + 2] = az;
        accelerations[4 * i + 3] = 0;
    }
}

} // namespace

Benchmark nbody() {
    Benchmark b{"nbody", "8192 bodies", ""};
    // For each pair: three differences, three products for the square, about four for the root, three for the pull,
    // three for the sums.
    b.work = {.read = 16.0 * n, .written = 16.0 * n, .floats = 16.0 * n * n};
    auto bodies = random_reals(std::size_t{4} * n, -1, 1, 1);
    for (std::size_t i = 3; i < bodies.size(); i += 4)
        bodies[i] = std::fabs(bodies[i]);
    b.arrays = {Array::input(bodies), Array::reals(std::size_t{4} * n, 1e-4, 1e-2)};
    b.kernels = [](Queue& queue) { queue.launch("accelerate", {n / 256}, {256}, {n, Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1)); };
    return b;
}

} // namespace warplight::bench
