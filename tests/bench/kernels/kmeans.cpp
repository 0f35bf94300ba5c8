// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warplight::bench {
namespace {

constexpr int n = 1 << 18, clusters = 32, dimensions = 4, part = 256;

/// A part of the points is assigned at once, all of them to one centre after the other. Each thread adds for itself.
void loop(const float* __restrict points, float* __restrict centres, std::int32_t* __restrict assigned) {
    float sums[clusters * dimensions] = {};
    int counts[clusters] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums, counts)
    for (std::ptrdiff_t first = 0; first < n; first += part) {
        std::array<float, part> least;
        std::array<std::int32_t, part> nearest = {};
        least.fill(3e38F);
        const float* x = points + first * dimensions;
        for (int k = 0; k < clusters; ++k) {
            const float* c = centres + std::ptrdiff_t{k} * dimensions;
#pragma omp simd
            for (std::size_t i = 0; i < part; ++i) {
                float distance = 0;
                for (std::size_t d = 0; d < dimensions; ++d) {
                    const float difference = x[i * dimensions + d] - c[d];
                    distance += difference * difference;
                }
                nearest[i] = distance < least[i] ? k : nearest[i];
                least[i] = distance < least[i] ? distance : least[i];
            }
        }
        for (std::size_t i = 0; i < part; ++i) {
            const int cluster = nearest[i];
            assigned[first + static_cast<std::ptrdiff_t>(i)] = cluster;
            ++counts[cluster];
            for (int d = 0; d < dimensions; ++d)
                sums[cluster * dimensions + d] += x[i * dimensions + static_cast<std::size_t>(d)];
        }
    }
    for (int i = 0; i < clusters * dimensions; ++i)
        if (counts[i / dimensions] > 0) centres[i] = sums[i] / static_cast<float>(counts[i / dimensions]);
}

/// Multiples of 1/8 from -8 to below 8: distances and the sums of a cluster are exact, in any order.
std::vector<float> coordinates(std::size_t count, unsigned seed) {
    std::vector<float> result;
    result.reserve(count);
    for (const int value : random_integers(count, 128, seed))
        result.push_back(static_cast<float>(value - 64) / 8);
    return result;
}

} // namespace

Benchmark kmeans() {
    Benchmark b{"kmeans", "2^18 points of 4 floats, 32 centres", "PoCL: adds floats by compare and exchange"};
    // A difference and a product with a sum a coordinate, a comparison and two choices a centre.
    b.work = {.read = 16.0 * n, .written = 4.0 * n, .floats = 11.0 * n * clusters};
    constexpr std::size_t size = std::size_t{clusters} * dimensions;
    Array centres = Array::input(coordinates(size, 2));
    centres.written = true;
    centres.check = Array::Check::reals;
    centres.relative = 2e-7; // of a quotient
    b.arrays = {Array::input(coordinates(std::size_t{n} * dimensions, 1)), std::move(centres), Array::integers(n),
                Array::scratch(size * 4), Array::scratch(clusters * 4)};
    b.kernels = [](Queue& queue) {
        queue.launch("assign", {128}, {256}, {n, Memory{0}, Memory{1}, Memory{2}, Memory{3}, Memory{4}});
        queue.launch("update", {1}, {clusters * dimensions}, {Memory{3}, Memory{4}, Memory{1}});
    };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<std::int32_t>(2)); };
    return b;
}

} // namespace warplight::bench
