// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>
#include <array>

namespace warplight::bench {
namespace {

constexpr int pairs = 128, length = 256;

/// Anti-diagonals too, whose cells do not wait for each other. The second sequence is turned round, so that both are
/// read forwards.
int best_score(const unsigned char* first, const unsigned char* second) {
    std::array<unsigned char, length> reversed;
    std::reverse_copy(second, second + length, reversed.begin());
    std::array<std::int32_t, length + 1> diagonals[3] = {};
    std::int32_t best = 0;
    auto *last = diagonals, *before = diagonals + 1, *now = diagonals + 2;
    for (int diagonal = 0; diagonal < 2 * length - 1; ++diagonal) {
        const int begin = std::max(0, diagonal - length + 1), end = std::min(length, diagonal + 1);
        const unsigned char* letters = reversed.data() + (length - 1 - diagonal + begin);
        const std::int32_t *corner = last->data() + begin, *sides = before->data() + begin;
        std::int32_t* cells = now->data() + begin + 1;
#pragma omp simd reduction(max : best)
        for (int i = 0; i < end - begin; ++i) {
            const std::int32_t match = corner[i] + (first[begin + i] == letters[i] ? 2 : -1);
            const std::int32_t left = sides[i] - 1, above = sides[i + 1] - 1;
            // GCC makes no vectors of std::max here.
            std::int32_t score = match > 0 ? match : 0;
            score = score > left ? score : left;
            score = score > above ? score : above;
            cells[i] = score;
            best = best > score ? best : score;
        }
        auto* const oldest = last;
        last = before;
        before = now;
        now = oldest;
    }
    return best;
}

void loop(const unsigned char* first, const unsigned char* second, std::int32_t* scores) {
#pragma omp parallel for schedule(static)
    for (int pair = 0; pair < pairs; ++pair)
        scores[pair] = best_score(first + pair * length, second + pair * length);
}

} // namespace

Benchmark smith_waterman() {
    Benchmark b{"smith_waterman", "128 pairs of 256 letters", ""};
    constexpr std::size_t size = std::size_t(pairs) * length;
    // A cell: a comparison, a choice, two sums, three maxima, and the best of all.
    b.work = {.read = 2.0 * size, .written = 4.0 * pairs, .integers = 8.0 * size * length};
    b.arrays = {Array::input(random_integers<unsigned char>(size, 4, 1)),
                Array::input(random_integers<unsigned char>(size, 4, 2)), Array::integers(pairs)};
    b.kernels = [](Queue& queue) { queue.launch("align", {pairs}, {length}, {Memory{0}, Memory{1}, Memory{2}}); };
    b.loop = [](const Host& host) {
        loop(host.get<unsigned char>(0), host.get<unsigned char>(1), host.get<std::int32_t>(2));
    };
    return b;
}

} // namespace warplight::bench
