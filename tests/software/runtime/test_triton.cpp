// SPDX-License-Identifier: Apache-2.0
// What Triton makes of the kernels of tests/software/triton/kernels.py, against plain C++.
#include "driver_fixture.hpp"

#include <warplight/half.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>

using warplight::Half;

namespace {

/// A kernel by its file, and how Triton's launcher starts it: two more parameters, of memory that these do not use.
struct Kernel : Session {
    explicit Kernel(const std::string& name) {
        std::ifstream in(std::string(WARPLIGHT_SOURCE_DIR "/tests/software/triton/") + name + ".ptx");
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const std::string tag = "// shared memory: ";
        if (const auto at = text.find(tag); at != std::string::npos)
            shared = static_cast<unsigned>(std::stoul(text.substr(at + tag.size())));
        function = load(text, name.c_str());
    }
    CUresult run(std::array<unsigned, 2> grid, unsigned block, std::vector<void*> parameters) {
        CUdeviceptr none = 0;
        parameters.insert(parameters.end(), {&none, &none});
        const CUresult launched =
            cuLaunchKernel(function, grid[0], grid[1], 1, block, 1, 1, shared, nullptr, parameters.data(), nullptr);
        return launched != CUDA_SUCCESS ? launched : cuCtxSynchronize();
    }
    CUfunction function = nullptr;
    unsigned shared = 0;
};

std::vector<float> random_floats(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
    return values;
}
std::vector<Half> halves(const std::vector<float>& values) {
    std::vector<Half> result(values.size());
    std::transform(values.begin(), values.end(), result.begin(), [](float value) { return Half(value); });
    return result;
}
double number(Half value) { return static_cast<double>(static_cast<float>(value)); }

/// The element that is farthest from what is wanted must not be farther than `most`.
template <class Wanted>
void compare(const std::vector<float>& found, double most, Wanted wanted) {
    for (std::size_t k = 0; k < found.size(); ++k)
        if (const double w = wanted(k); !(std::abs(static_cast<double>(found[k]) - w) <= most))
            QFAIL(qPrintable(QString("element %1: %2, not %3").arg(k).arg(static_cast<double>(found[k])).arg(w)));
}

} // namespace

class TritonTest : public QObject {
    Q_OBJECT
private slots:
    /// Rows by cp.async into three stages of shared memory, ldmatrix, mma; the last tiles are not whole.
    void matmul() {
        Kernel kernel("matmul");
        QVERIFY2(kernel.function, last_error_text().c_str());
        int m = 150, n = 80, k = 144;
        const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n),
                   depth = static_cast<std::size_t>(k);
        const auto a = halves(random_floats(rows * depth, 1)), b = halves(random_floats(depth * columns, 2));
        CUdeviceptr pa = Session::upload(a), pb = Session::upload(b),
                    pc = Session::upload(std::vector<float>(rows * columns));
        CU(kernel.run({3, 2}, 128, {&pa, &pb, &pc, &m, &n, &k}));
        compare(Session::download<float>(pc, rows * columns), 1e-4, [&](std::size_t at) {
            double sum = 0;
            for (std::size_t i = 0; i < depth; ++i)
                sum += number(a[at / columns * depth + i]) * number(b[i * columns + at % columns]);
            return sum;
        });
    }

    void attention() {
        Kernel kernel("attention");
        QVERIFY2(kernel.function, last_error_text().c_str());
        constexpr std::size_t kCount = 192, kWidth = 64;
        const auto q = halves(random_floats(kCount * kWidth, 1)), k = halves(random_floats(kCount * kWidth, 2)),
                   v = halves(random_floats(kCount * kWidth, 3));
        CUdeviceptr pq = Session::upload(q), pk = Session::upload(k), pv = Session::upload(v),
                    po = Session::upload(std::vector<float>(kCount * kWidth));
        int count = kCount;
        float scale = 0.125F;
        CU(kernel.run({kCount / 64, 1}, 128, {&pq, &pk, &pv, &po, &count, &scale}));
        std::vector<double> wanted(kCount * kWidth);
        for (std::size_t row = 0; row < kCount; ++row) {
            std::vector<double> weights(kCount);
            for (std::size_t other = 0; other < kCount; ++other) {
                double score = 0;
                for (std::size_t i = 0; i < kWidth; ++i)
                    score += number(q[row * kWidth + i]) * number(k[other * kWidth + i]);
                weights[other] = std::exp(score * 0.125);
            }
            const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
            for (std::size_t other = 0; other < kCount; ++other)
                for (std::size_t i = 0; i < kWidth; ++i)
                    wanted[row * kWidth + i] += weights[other] / all * number(v[other * kWidth + i]);
        }
        // The weights are rounded to half floats before the second product.
        compare(Session::download<float>(po, kCount * kWidth), 2e-3, [&](std::size_t at) { return wanted[at]; });
    }

    void normalise() {
        Kernel kernel("normalise");
        QVERIFY2(kernel.function, last_error_text().c_str());
        constexpr std::size_t kRows = 3;
        for (const std::size_t columns : {std::size_t{1024}, std::size_t{777}}) {
            const auto x = halves(random_floats(kRows * columns, 1));
            const auto weight = random_floats(columns, 2), bias = random_floats(columns, 3);
            CUdeviceptr px = Session::upload(x), pw = Session::upload(weight), pb = Session::upload(bias),
                        po = Session::upload(std::vector<Half>(kRows * columns));
            int n = static_cast<int>(columns);
            float epsilon = 1e-5F;
            CU(kernel.run({kRows, 1}, 256, {&px, &pw, &pb, &po, &n, &epsilon}));
            const auto found = Session::download<Half>(po, kRows * columns);
            std::vector<float> values(found.size());
            std::transform(found.begin(), found.end(), values.begin(), [](Half h) { return static_cast<float>(h); });
            std::array<double, kRows> mean{}, deviation{};
            for (std::size_t k = 0; k < x.size(); ++k)
                mean[k / columns] += number(x[k]) / static_cast<double>(columns);
            for (std::size_t k = 0; k < x.size(); ++k)
                deviation[k / columns] += std::pow(number(x[k]) - mean[k / columns], 2) / static_cast<double>(columns);
            compare(values, 8e-3, [&](std::size_t k) { // half a unit in the last place of 8 to 16
                const double d = (number(x[k]) - mean[k / columns]) / std::sqrt(deviation[k / columns] + 1e-5);
                return d * static_cast<double>(weight[k % columns]) + static_cast<double>(bias[k % columns]);
            });
        }
    }

    void sums_and_order() {
        Kernel kernel("sums_and_order");
        QVERIFY2(kernel.function, last_error_text().c_str());
        constexpr std::size_t kBlocks = 5, kEach = 256;
        std::vector<int> x(kBlocks * kEach);
        std::mt19937 random(1);
        std::generate(x.begin(), x.end(), [&] { return static_cast<int>(random() % 2001) - 1000; });
        CUdeviceptr px = Session::upload(x), ps = Session::upload(x), po = Session::upload(x);
        CU(kernel.run({kBlocks, 1}, 128, {&px, &ps, &po}));
        std::vector<int> sums(x.size()), sorted = x;
        for (auto block = 0; block < static_cast<int>(kBlocks * kEach); block += static_cast<int>(kEach)) {
            std::partial_sum(x.begin() + block, x.begin() + block + kEach, sums.begin() + block);
            std::sort(sorted.begin() + block, sorted.begin() + block + kEach);
        }
        QCOMPARE(Session::download<int>(ps, x.size()), sums);
        QCOMPARE(Session::download<int>(po, x.size()), sorted);
    }

    void count() {
        Kernel kernel("count");
        QVERIFY2(kernel.function, last_error_text().c_str());
        std::vector<int> x(3000), wanted(64);
        std::mt19937 random(1);
        for (int& value : x)
            ++wanted[static_cast<std::size_t>(value = static_cast<int>(random() % 64))];
        CUdeviceptr px = Session::upload(x), table = Session::upload(std::vector<int>(64));
        int n = static_cast<int>(x.size());
        CU(kernel.run({6, 1}, 128, {&px, &table, &n}));
        QCOMPARE(Session::download<int>(table, 64), wanted);
    }
};

QTEST_APPLESS_MAIN(TritonTest)
#include "test_triton.moc"
