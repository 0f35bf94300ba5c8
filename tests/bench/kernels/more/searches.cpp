// SPDX-License-Identifier: Apache-2.0
// Searches, numbers, transforms: threads whose loops differ in length.
#include "../../benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace warplight::bench {
namespace {

/// Ways to place queens in the rows that are left.
int ways(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all) return 1;
    int sum = 0;
    for (unsigned rest = all & ~(columns | left | right); rest; rest &= rest - 1) {
        const unsigned bit = rest & (0 - rest);
        sum += ways(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return sum;
}

std::vector<int> primes_below(int limit) {
    std::vector<int> primes;
    for (int i = 2; i < limit; ++i)
        if (std::none_of(primes.begin(), primes.end(), [i](int p) { return i % p == 0; })) primes.push_back(i);
    return primes;
}

/// Rising integers.
std::vector<int> sorted(int n, int step, int first) {
    std::vector<int> values;
    for (int i = 0; i < n; ++i)
        values.push_back(i * step + first + i % 2);
    return values;
}

} // namespace

Benchmark binary_search() {
    static constexpr int n = 1 << 18, m = 1 << 18;
    Benchmark b{"binary_search", "2^18 values in 2^18"};
    b.arrays = {Array::input(sorted(n, 4, 0)), Array::input(random_integers(m, 1 << 20, 1)), Array::integers(m)};
    b.kernels = [](Queue& queue) {
        queue.launch("binary_search", {m / 256}, {256}, {Memory{0}, n, Memory{1}, Memory{2}, m});
    };
    b.loop = [](const Host& host) {
        const int *values = host.get<int>(0), *wanted = host.get<int>(1);
        int* out = host.get<int>(2);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < m; ++i) {
            int low = 0, high = n;
            while (low < high) {
                const int middle = (low + high) / 2;
                if (values[middle] < wanted[i])
                    low = middle + 1;
                else
                    high = middle;
            }
            out[i] = low;
        }
    };
    return b;
}

Benchmark merge_path() {
    static constexpr int n = 1 << 19, piece = 64, pieces = 2 * n / piece;
    Benchmark b{"merge_path", "2 times 2^19 integers"};
    b.arrays = {Array::input(sorted(n, 4, 0)), Array::input(sorted(n, 4, 2)), Array::integers(2 * n)};
    b.kernels = [](Queue& queue) {
        queue.launch("merge_path", {pieces / 128}, {128}, {Memory{0}, n, Memory{1}, n, Memory{2}});
    };
    b.loop = [](const Host& host) {
        const int *x = host.get<int>(0), *y = host.get<int>(1);
        int* out = host.get<int>(2);
#pragma omp parallel for schedule(static)
        for (int begin = 0; begin < 2 * n; begin += piece) {
            int low = std::max(0, begin - n), high = std::min(begin, n);
            while (low < high) {
                const int middle = (low + high) / 2;
                if (x[middle] < y[begin - 1 - middle])
                    low = middle + 1;
                else
                    high = middle;
            }
            int i = low, j = begin - low;
            for (int e = begin; e < begin + piece; ++e)
                out[e] = j >= n || (i < n && x[i] < y[j]) ? x[i++] : y[j++];
        }
    };
    return b;
}

Benchmark primes() {
    static constexpr int n = 1 << 17;
    Benchmark b{"primes", "2^17 odd numbers"};
    b.arrays = {Array::integers(n)};
    b.kernels = [](Queue& queue) { queue.launch("primes", {n / 256}, {256}, {Memory{0}, n}); };
    b.loop = [](const Host& host) {
        int* out = host.get<int>(0);
#pragma omp parallel for schedule(dynamic, 256)
        for (int i = 0; i < n; ++i) {
            const int x = 2 * i + 3;
            int prime = 1;
            for (int d = 3; d * d <= x; d += 2)
                if (x % d == 0) {
                    prime = 0;
                    break;
                }
            out[i] = prime;
        }
    };
    return b;
}

Benchmark sieve() {
    static constexpr int n = 1 << 20, piece = 2048;
    Benchmark b{"sieve", "2^20 numbers"};
    const auto small = primes_below(1024);
    const int count = static_cast<int>(small.size());
    b.arrays = {Array::input(small), Array::integers(n / 4)};
    b.kernels = [count](Queue& queue) {
        queue.launch("sieve", {n / piece / 64}, {64}, {Memory{0}, count, Memory{1}, n, piece});
    };
    b.loop = [count](const Host& host) {
        const int* primes = host.get<int>(0);
        std::uint8_t* marks = host.get<std::uint8_t>(1);
#pragma omp parallel for schedule(static)
        for (int low = 0; low < n; low += piece)
            for (int i = 0; i < count; ++i) {
                const int p = primes[i];
                for (int m = std::max((low + p - 1) / p * p, p * p); m < low + piece; m += p)
                    marks[m] = 1;
            }
    };
    return b;
}

Benchmark queens() {
    static constexpr int n = 10, starts = n * n * n;
    Benchmark b{"queens", "10 queens"};
    b.arrays = {Array::integers(starts)};
    b.kernels = [](Queue& queue) { queue.launch("queens", {(starts + 63) / 64}, {64}, {n, Memory{0}}); };
    b.loop = [](const Host& host) {
        int* out = host.get<int>(0);
        constexpr unsigned all = (1U << n) - 1;
#pragma omp parallel for schedule(dynamic, 8)
        for (int t = 0; t < starts; ++t) {
            unsigned columns = 0, left = 0, right = 0;
            bool possible = true;
            for (int i = 0, rest = t; i < 3; ++i, rest /= n) {
                const unsigned bit = 1U << rest % n;
                possible = possible && ((columns | left | right) & bit) == 0;
                columns |= bit;
                left = (left | bit) << 1;
                right = (right | bit) >> 1;
            }
            out[t] = possible ? ways(all, columns, left, right) : 0;
        }
    };
    return b;
}

Benchmark string_search() {
    static constexpr int n = 1 << 21;
    static constexpr std::string_view word = "abcabdca";
    static constexpr int length = static_cast<int>(word.size());
    Benchmark b{"string_search", "2^21 letters, a word of 8"};
    auto text = random_integers<char>(n, 4, 1);
    for (char& letter : text)
        letter = static_cast<char>('a' + letter);
    b.arrays = {Array::input(text), Array::input(std::vector<char>(word.begin(), word.end())), Array::integers(1)};
    b.kernels = [](Queue& queue) {
        queue.launch("string_search", {n / 256}, {256}, {Memory{0}, n, Memory{1}, length, Memory{2}});
    };
    b.loop = [](const Host& host) {
        const char *letters = host.get<char>(0), *wanted = host.get<char>(1);
        int hits = 0;
#pragma omp parallel for schedule(static) reduction(+ : hits)
        for (int i = 0; i <= n - length; ++i) {
            int j = 0;
            while (j < length && letters[i + j] == wanted[j])
                ++j;
            hits += j == length;
        }
        host.get<int>(2)[0] = hits;
    };
    return b;
}

Benchmark fft_256() {
    static constexpr int transforms = 1024, n = 256;
    Benchmark b{"fft_256", "1024 transforms of 256 points"};
    Array data = Array::input(random_reals(transforms * n * 2, -1, 1, 1));
    data.written = true;
    data.check = Array::Check::reals;
    data.absolute = 1e-2; // the kernel's sines are the hardware's quick ones
    b.arrays = {data};
    b.kernels = [](Queue& queue) { queue.launch("fft_256", {transforms}, {n / 2}, {Memory{0}}); };
    std::vector<float> cosines, sines;
    for (int half = 1; half < n; half *= 2)
        for (int j = 0; j < half; ++j) {
            cosines.push_back(std::cos(-3.14159265F * float(j) / float(half)));
            sines.push_back(std::sin(-3.14159265F * float(j) / float(half)));
        }
    b.loop = [cosines, sines](const Host& host) {
#pragma omp parallel for schedule(static)
        for (int t = 0; t < transforms; ++t) {
            float *p = host.get<float>(0) + t * n * 2, re[n], im[n];
            for (int i = 0; i < n; ++i) {
                int reversed = 0;
                for (int bit = 0; bit < 8; ++bit)
                    reversed |= (i >> bit & 1) << (7 - bit);
                re[reversed] = p[2 * i];
                im[reversed] = p[2 * i + 1];
            }
            const float *c = cosines.data(), *s = sines.data();
            for (int half = 1; half < n; c += half, s += half, half *= 2)
                for (int g = 0; g < n; g += 2 * half)
#pragma omp simd
                    for (int j = 0; j < half; ++j) {
                        const int i = g + j, k = i + half;
                        const float wr = re[k] * c[j] - im[k] * s[j], wi = re[k] * s[j] + im[k] * c[j];
                        const float ur = re[i], ui = im[i];
                        re[i] = ur + wr;
                        im[i] = ui + wi;
                        re[k] = ur - wr;
                        im[k] = ui - wi;
                    }
            for (int i = 0; i < n; ++i) {
                p[2 * i] = re[i];
                p[2 * i + 1] = im[i];
            }
        }
    };
    return b;
}

Benchmark binomial_options() {
    static constexpr int options = 256, steps = 256;
    Benchmark b{"binomial_options", "256 options, 256 steps"};
    b.arrays = {Array::input(random_reals(options, 80, 120, 1)), Array::reals(options, 1e-3, 1e-3)};
    b.kernels = [](Queue& queue) { queue.launch("binomial_options", {options}, {steps}, {Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) {
        const float* prices = host.get<float>(0);
        float* out = host.get<float>(1);
#pragma omp parallel for schedule(static)
        for (int o = 0; o < options; ++o) {
            float v[steps + 1];
            const float p = 0.51F, discount = 0.9999F;
            for (int t = 0; t <= steps; ++t)
                v[t] = std::max(prices[o] * std::pow(1.01F, 2 * float(t) - steps) - 100, 0.0F);
            for (int i = steps; i > 0; --i)
#pragma omp simd
                for (int t = 0; t < i; ++t)
                    v[t] = discount * (p * v[t + 1] + (1 - p) * v[t]);
            out[o] = v[0];
        }
    };
    return b;
}

Benchmark random_points() {
    static constexpr int n = 1 << 14, rounds = 256;
    Benchmark b{"random_points", "2^14 threads of 256 points"};
    b.arrays = {Array::integers(n)};
    b.kernels = [](Queue& queue) { queue.launch("random_points", {n / 256}, {256}, {Memory{0}, rounds}); };
    b.loop = [](const Host& host) {
        int* out = host.get<int>(0);
#pragma omp parallel for simd schedule(static)
        for (int i = 0; i < n; ++i) {
            unsigned state = static_cast<unsigned>(i) * 2654435761U + 12345U;
            int inside = 0;
            for (int k = 0; k < rounds; ++k) {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                const float x = float(state & 0xffff) / 65536, y = float(state >> 16) / 65536;
                inside += x * x + y * y < 1;
            }
            out[i] = inside;
        }
    };
    return b;
}

} // namespace warplight::bench
