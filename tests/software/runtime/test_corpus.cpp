// SPDX-License-Identifier: Apache-2.0
// CUDA kernels of the kinds that programs have, compiled by NVRTC and run: each result against a plain computation.
#include "../../fused_reference.hpp"
#include "corpus.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

class CorpusTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
    }

    void reductions() {
        Program p("01_reduce.cu");
        const int n = 100000;
        const auto f = random_values<float>(n, -5, 5);
        const auto d = random_values<double>(n, -5, 5);
        const auto i = random_values<int>(256, -50, 50);
        CUdeviceptr in = p.upload(f), out = p.upload(std::vector<float>{0});
        int count = n;
        CU(p.launch(p["reduceF"], 8, 256, {&in, &out, &count}));
        QCOMPARE(p.download<float>(out, 1)[0], std::accumulate(f.begin(), f.end(), 0.F));
        in = p.upload(d), out = p.upload(std::vector<double>{0});
        CU(p.launch(p["reduceD"], 8, 256, {&in, &out, &count}));
        QCOMPARE(p.download<double>(out, 1)[0], std::accumulate(d.begin(), d.end(), 0.0));
        in = p.upload(i), out = p.upload(std::vector<int>{0});
        count = 250;
        CU(p.launch(p["reduceI"], 1, 256, {&in, &out, &count}, 1024));
        QCOMPARE(p.download<int>(out, 1)[0], std::accumulate(i.begin(), i.begin() + 250, 0));
    }

    void votes() {
        Program p("01_reduce.cu");
        const unsigned n = 96;
        const auto in = random_values<int>(n, 0, 6);
        CUdeviceptr d = p.upload(in), out = p.upload(std::vector<unsigned>(2048));
        CU(p.launch(p["votes"], 1, n, {&d, &out}));
        const auto result = p.download<unsigned>(out, 2048);
        unsigned nonzero = 0;
        for (const int v : in)
            nonzero += v != 0;
        for (unsigned w = 0; w < n; w += 32) {
            unsigned ballot = 0, positive = 0, negative = 0, sum_or = 0, sum_xor = 0, sum_and = ~0U;
            int largest = INT32_MIN;
            unsigned smallest = ~0U;
            for (unsigned l = 0; l < 32; ++l) {
                const int v = in[w + l];
                ballot |= unsigned{v > 3} << l;
                positive += v > 0;
                negative += v < 0;
                largest = std::max(largest, v);
                smallest = std::min(smallest, static_cast<unsigned>(v));
                sum_or |= static_cast<unsigned>(v);
                sum_xor ^= static_cast<unsigned>(v);
                sum_and &= static_cast<unsigned>(v);
            }
            for (unsigned l = 0; l < 32; ++l) {
                unsigned same = 0;
                for (unsigned k = 0; k < 32; ++k)
                    same |= unsigned{in[w + k] == in[w + l]} << k;
                const bool all = same == ~0U;
                const unsigned expected = ballot + (positive == 32) + (negative > 0) + same + (all ? ~0U : 0) + all +
                                          static_cast<unsigned>(std::popcount(ballot)) +
                                          static_cast<unsigned>(ballot ? std::countr_zero(ballot) + 1 : 0) +
                                          static_cast<unsigned>(largest) + sum_or + smallest + sum_xor + sum_and;
                QCOMPARE(result[w + l], expected);
                QCOMPARE(result[1024 + w + l], nonzero + (nonzero == n) + (nonzero > 0));
            }
        }
    }

    void matrices() {
        Program p("02_matmul.cu");
        const int n = 64;
        const auto a = random_values<float>(n * n, -3, 3), b = random_values<float>(n * n + 1, -3, 3);
        CUdeviceptr da = p.upload(a), db = p.upload(b), dc = p.allocate(n * n * 4);
        int size = n;
        CU(p.launch2(p["matmul"], 4, 4, 16, 16, {&da, &db, &dc, &size}));
        const auto c = p.download<float>(dc, n * n);
        CU(p.launch(p["sgemv4"], 2, 32, {&da, &db, &dc, &size}));
        const auto y = p.download<float>(dc, n);
        for (int r = 0; r < n; ++r) {
            float dot = 0;
            for (int k = 0; k < n; ++k)
                dot += a[r * n + k] * b[k];
            QCOMPARE(y[r], dot);
            for (int col = 0; col < n; ++col) {
                float sum = 0;
                for (int k = 0; k < n; ++k)
                    sum += a[r * n + k] * b[k * n + col];
                QCOMPARE(c[r * n + col], sum);
            }
        }
        const auto t = random_values<double>(32 * 32 * 2, -1000, 1000);
        CUdeviceptr in = p.upload(t), out = p.allocate(t.size() * 8);
        size = 32;
        CU(p.launch2(p["transpose"], 2, 2, 16, 16, {&in, &out, &size}));
        const auto turned = p.download<double>(out, t.size());
        for (int yy = 0; yy < 32; ++yy)
            for (int x = 0; x < 64; ++x)
                QCOMPARE(turned[yy * 64 + x], t[(x / 2) * 64 + yy * 2 + x % 2]);
    }

    void atomics() {
        Program p("03_hist_atomics.cu");
        const int n = 50000;
        const auto data = random_values<unsigned char>(n, 0, 255);
        CUdeviceptr d = p.upload(data), h = p.upload(std::vector<unsigned>(256));
        int count = n;
        CU(p.launch(p["hist"], 7, 256, {&d, &h, &count}));
        std::vector<unsigned> expected(256);
        for (const unsigned char v : data)
            ++expected[v];
        QCOMPARE(p.download<unsigned>(h, 256), expected);

        CUdeviceptr mutex = p.upload(std::vector<int>{0}), counter = p.upload(std::vector<int>{0});
        CU(p.launch(p["lock"], 10, 64, {&mutex, &counter}));
        QCOMPARE(p.download<int>(counter, 1)[0], 640);

        const auto values = random_values<float>(256, -900, 900);
        CUdeviceptr a = p.upload(std::vector<float>{-1000}), b = p.upload(values);
        CU(p.launch(p["floatMax"], 1, 256, {&a, &b}));
        QCOMPARE(p.download<float>(a, 1)[0], *std::max_element(values.begin(), values.end()));

        // One after the other, all kinds: only the plain counters have one right result whatever the order.
        CUdeviceptr arrays[10];
        for (CUdeviceptr& array : arrays)
            array = p.upload(std::vector<double>(64));
        std::vector<void*> arguments;
        for (CUdeviceptr& array : arrays)
            arguments.push_back(&array);
        CU(cuLaunchKernel(p["allAtom"], 3, 1, 1, 100, 1, 1, 0, nullptr, arguments.data(), nullptr));
        const auto ints = p.download<int>(arrays[0], 22);
        QCOMPARE(ints[20], 300);
        QCOMPARE(ints[21], 99);
        QCOMPARE(p.download<float>(arrays[3], 5)[4], 300.F);
        QCOMPARE(p.download<double>(arrays[4], 5)[4], 300.0);
    }

    void grids() {
        Program p("05_stencil.cu");
        const int w = 48, h = 32;
        const auto cells = random_values<unsigned char>(w * h, 0, 1);
        CUdeviceptr a = p.upload(cells), b = p.allocate(w * h);
        int width = w, height = h;
        CU(p.launch2(p["life"], 3, 2, 16, 16, {&a, &b, &width, &height}));
        const auto next = p.download<unsigned char>(b, w * h);
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                int around = 0;
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx)
                        if (dx || dy) around += cells[(y + dy + h) % h * w + (x + dx + w) % w];
                QCOMPARE(int{next[y * w + x]}, int{around == 3 || (cells[y * w + x] && around == 2)});
            }
        }

        const int nx = 20, ny = 12, nz = 6;
        const auto in = random_values<float>(nx * ny * nz, -4, 4);
        const std::vector<float> coefficients{2, 1, -1, 3, 0};
        CUdeviceptr constant = 0;
        CU(cuModuleGetGlobal(&constant, nullptr, p.module, "coef"));
        CU(cuMemcpyHtoD(constant, coefficients.data(), 20));
        CUdeviceptr di = p.upload(in), out = p.upload(std::vector<float>(in.size()));
        int sizes[] = {nx, ny, nz};
        CU(p.launch2(p["stencil3d"], 2, 2, 16, 8, {&di, &out, &sizes[0], &sizes[1], &sizes[2]}));
        const auto result = p.download<float>(out, in.size());
        for (int z = 1; z < nz - 1; ++z)
            for (int y = 1; y < ny - 1; ++y)
                for (int x = 1; x < nx - 1; ++x) {
                    const int o = (z * ny + y) * nx + x;
                    QCOMPARE(result[o], 2 * in[o] + (in[o - 1] + in[o + 1]) - (in[o - nx] + in[o + nx]) +
                                            3 * (in[o - nx * ny] + in[o + nx * ny]));
                }

        CUdeviceptr image = p.allocate(64 * 40 * 4);
        int iw = 64, ih = 40;
        double cx = -0.5, cy = 0, scale = 0.05;
        CU(p.launch2(p["mandel"], 4, 3, 16, 16, {&image, &iw, &ih, &cx, &cy, &scale}));
        const auto pixels = p.download<unsigned char>(image, 64 * 40 * 4);
        for (int y = 0; y < ih; ++y) {
            for (int x = 0; x < iw; ++x) {
                const double ca = fused_reference(x - iw / 2, scale, cx), cb = fused_reference(y - ih / 2, scale, cy);
                double zx = 0, zy = 0;
                int i = 0;
                for (; i < 256 && zx * zx + zy * zy < 4; ++i) {
                    const double t = zx * zx - zy * zy + ca;
                    zy = 2 * zx * zy + cb;
                    zx = t;
                }
                // Rounding differs by the contraction into fma: near the border the count may.
                if (i < 20) QCOMPARE(int{pixels[(y * iw + x) * 4]}, i);
            }
        }
    }

    void scansAndSorting() {
        Program p("06_scan.cu");
        const int n = 512;
        const auto in = random_values<float>(n, 0, 9);
        CUdeviceptr di = p.upload(in), out = p.allocate(n * 4);
        int count = n;
        CU(p.launch(p["scan"], 1, n / 2, {&out, &di, &count}, n * 4));
        std::vector<float> expected(n);
        std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0.F);
        QCOMPARE(p.download<float>(out, n), expected);

        const auto values = random_values<int>(900 * 32, -9, 9);
        CUdeviceptr dv = p.upload(values), dr = p.allocate(values.size() * 4), sums = p.allocate(900 * 4);
        CU(p.launch(p["lookback"], 900, 32, {&dv, &dr, &sums}));
        std::vector<int> inclusive(values.size());
        std::inclusive_scan(values.begin(), values.end(), inclusive.begin());
        QCOMPARE(p.download<int>(dr, values.size()), inclusive);

        auto unsorted = random_values<int>(1024, -100000, 100000);
        CUdeviceptr ds = p.upload(unsorted);
        for (int k = 2; k <= 1024; k *= 2) {
            for (int j = k / 2; j > 0; j /= 2)
                CU(p.launch(p["bitonic"], 4, 256, {&ds, &j, &k}));
        }
        std::sort(unsorted.begin(), unsorted.end());
        QCOMPARE(p.download<int>(ds, 1024), unsorted);
    }

    void cooperativeGroups_data() {
        QTest::addColumn<QByteArray>("arch");
        QTest::newRow("7.5") << QByteArray("compute_75"); // its copies wait
        QTest::newRow("8.0") << QByteArray("compute_80"); // its copies are asynchronous
    }
    void cooperativeGroups() {
        QFETCH(QByteArray, arch);
        Program p("10_coop.cu", arch.constData());
        const auto in = random_values<int>(64, -3, 9);
        CUdeviceptr di = p.upload(in), out = p.allocate(256);
        int n = 64;
        CU(p.launch(p["cgk"], 1, 64, {&di, &out, &n}));
        const auto result = p.download<int>(out, 64);
        for (int w = 0; w < 64; w += 32) {
            std::vector<int> v(32);
            const int sum = std::accumulate(in.begin() + w, in.begin() + w + 32, 0);
            std::fill(v.begin(), v.end(), 2 * sum); // the sum, and the same of lane + 2
            int running = 0;
            for (int& x : v) {
                const int before = running;
                running += x;
                x += before;
            }
            for (int l = 0; l < 32; ++l)
                v[l] += l + 32;
            std::vector<int> taken;
            for (int l = 0; l < 32; ++l)
                if (v[l] > 3) taken.push_back(l);
            if (!taken.empty()) {
                const int first = v[taken.front()];
                for (const int l : taken)
                    v[l] += first;
                std::vector<int> sizes;
                for (const int l : taken) {
                    sizes.push_back(static_cast<int>(
                        std::count_if(taken.begin(), taken.end(), [&](int k) { return (v[k] & 3) == (v[l] & 3); })));
                }
                for (std::size_t k = 0; k < taken.size(); ++k)
                    v[taken[k]] += sizes[k];
            }
            unsigned ballot = 0;
            for (int l = 0; l < 32; ++l)
                ballot |= unsigned{v[l] != 0} << l;
            for (int l = 0; l < 32; ++l) {
                unsigned same = 0;
                for (int k = 0; k < 32; ++k)
                    same |= unsigned{v[k] == v[l]} << k;
                QCOMPARE(static_cast<unsigned>(result[w + l]),
                         static_cast<unsigned>(v[l]) + (ballot != 0) + ballot + same);
            }
        }
        const std::vector<float> ones(5000, 1.F);
        CUdeviceptr a = p.upload(ones);
        n = 5000;
        void* arguments[] = {&a, &n};
        CU(cuLaunchCooperativeKernel(p["cgGrid"], 8, 1, 1, 128, 1, 1, 0, nullptr, arguments));
        const auto halved = p.download<float>(a, 5000);
        // Neighbours of one round may be read before or after: between 2^-4 and what overtaking can make of it.
        for (const float x : halved)
            QVERIFY(x <= 0.0625F && x > 0);

        const auto tile = random_values<float>(256, -1000, 1000);
        CUdeviceptr from = p.upload(tile), to = p.allocate(1024);
        CU(p.launch(p["cgAsync"], 1, 256, {&from, &to}, 1024));
        QCOMPARE(p.download<float>(to, 256), (std::vector<float>(tile.rbegin(), tile.rend())));
    }

    void bodiesThatAttractEachOther() {
        Program p("04_nbody.cu");
        constexpr int n = 512;
        auto place = random_values<float>(4 * n, -100, 100);
        const auto speed = random_values<float>(4 * n + 1, -3, 3);
        for (int i = 0; i < n; ++i)
            place[4 * i + 3] = static_cast<float>(1 + i % 7); // masses
        CUdeviceptr dp = p.upload(place), dv = p.upload(speed);
        int count = n;
        float dt = 0.125F;
        // One block alone: those of another would be seen where they were or where they went.
        CU(p.launch(p["nbody"], 1, 256, {&dp, &dv, &count, &dt}));
        const auto new_place = p.download<float>(dp, place.size()), new_speed = p.download<float>(dv, 4 * n);
        for (int i = 0; i < n; ++i) {
            if (i >= 256) {
                for (int k = 0; k < 4; ++k) {
                    QCOMPARE(new_place[4 * i + k], place[4 * i + k]);
                    QCOMPARE(new_speed[4 * i + k], speed[4 * i + k]);
                }
                continue;
            }
            double a[3] = {}, size[3] = {};
            for (int j = 0; j < n; ++j) {
                double d[3], r2 = 1e-9;
                for (int k = 0; k < 3; ++k) {
                    d[k] = double{place[4 * j + k]} - double{place[4 * i + k]};
                    r2 += d[k] * d[k];
                }
                for (int k = 0; k < 3; ++k) {
                    const double pull = d[k] * place[4 * j + 3] / (r2 * std::sqrt(r2));
                    a[k] += pull;
                    size[k] += std::abs(pull);
                }
            }
            for (int k = 0; k < 3; ++k) {
                const double v = speed[4 * i + k] + a[k] * dt;
                // Sums of 512 rounded terms: half a unit of the whole sum each.
                QVERIFY(std::abs(new_speed[4 * i + k] - v) <= 512 * 0x1p-23 * size[k] * dt + 0x1p-22 * std::abs(v));
            }
            QCOMPARE(new_speed[4 * i + 3], speed[4 * i + 3]);
            QCOMPARE(new_place[4 * i], fused_reference(new_speed[4 * i], dt, place[4 * i]));
            for (int k = 1; k < 4; ++k)
                QCOMPARE(new_place[4 * i + k], place[4 * i + k]);
        }
    }

    void copiesBarriersAndAtomicReferences() {
        Program p("16_async.cu");
        constexpr int n = 5;
        const auto in = random_values<float>(n * 128 * 4, -1000, 1000);
        CUdeviceptr from = p.upload(in), to = p.allocate(in.size() * 4);
        int count = n;
        CU(p.launch(p["pipe"], 1, 128, {&from, &to, &count}));
        const auto piped = p.download<float>(to, in.size());
        for (int i = 0; i < n; ++i)
            for (int t = 0; t < 128; ++t)
                for (int k = 0; k < 4; ++k)
                    QCOMPARE(piped[(i * 128 + t) * 4 + k], in[(i * 128 + 127 - t) * 4 + k]);

        const auto numbers = random_values<int>(256, -99, 99);
        CUdeviceptr source = p.upload(numbers), reversed = p.allocate(1024);
        CU(p.launch(p["bar"], 1, 256, {&source, &reversed}));
        QCOMPARE(p.download<int>(reversed, 256), (std::vector<int>(numbers.rbegin(), numbers.rend())));

        CUdeviceptr number = p.upload(std::vector<int>{7}), o = p.upload(std::vector<int>(3));
        for (const float start : {-3.F, 5.F}) {
            CUdeviceptr real = p.upload(std::vector<float>{start});
            CU(p.launch(p["atomref"], 1, 1, {&number, &o, &real}));
            QCOMPARE(p.download<int>(number, 1)[0], 9);
            // What was there, what was stored, and that 3 was exchanged.
            QCOMPARE(p.download<int>(o, 3), (std::vector<int>{start < 0 ? 7 : 9, 3, 1}));
            QCOMPARE(p.download<float>(real, 1)[0], std::max(start + 1, 2.F));
        }
    }

    void classesFunctionPointersAndSwitches() {
        Program p("12_templates.cu");
        int n = 3;
        CUdeviceptr out = p.upload(std::vector<float>(64));
        CU(p.launch(p["virt"], 1, 64, {&out, &n}));
        auto areas = p.download<float>(out, 64);
        for (int i = 0; i < 64; ++i)
            QCOMPARE(areas[i], i % 2 ? 4.F : 9.F * 3.14F);
        for (int k = 0; k < 2; ++k) {
            CUdeviceptr o = p.upload(std::vector<float>{3, 5, 0, 0});
            CU(p.launch(p["fptr"], 1, 1, {&o, &k}));
            QCOMPARE(p.download<float>(o, 1)[0], k ? 15.F : 8.F);
        }
        CUdeviceptr fibonacci = p.allocate(64);
        CU(p.launch(p["rec"], 1, 16, {&fibonacci}));
        const auto f = p.download<int>(fibonacci, 16);
        for (int i = 2; i < 16; ++i)
            QCOMPARE(f[i], f[i - 1] + f[i - 2]);
        QCOMPARE(f[15], 610);
        struct Big {
            float m[64];
        } big;
        std::iota(big.m, big.m + 64, 1.F);
        int shift = 60;
        CU(p.launch(p["byval"], 1, 8, {&big, &out, &shift}));
        QCOMPARE(p.download<float>(out, 8), (std::vector<float>{61, 62, 63, 64, 1, 2, 3, 4}));
        const auto start = random_values<float>(64, 0, 3);
        out = p.upload(start);
        n = 10;
        CU(p.launch(p["locals"], 1, 1, {&out, &n}));
        auto local = start;
        for (int i = 0; i < n; ++i)
            local[i * 7 & 63] += local[i & 63];
        QCOMPARE(p.download<float>(out, 1)[0], local[0]);
    }

    void barriersOfWarpsThatDiverge() {
        Program p("18_warpspec.cu");
        CUdeviceptr out = p.upload(std::vector<int>(64));
        CU(p.launch(p["named"], 1, 64, {&out}));
        const auto named = p.download<int>(out, 64);
        for (int i = 32; i < 64; ++i)
            QCOMPARE(named[i], i - 32);
        int n = 40;
        out = p.upload(std::vector<int>(64));
        CU(p.launch(p["earlyexit"], 1, 64, {&out, &n}));
        const auto early = p.download<int>(out, 64);
        for (int i = 0; i < 64; ++i)
            QCOMPARE(early[i], int{i < 40});
        CU(p.launch(p["divbar"], 1, 64, {&out, &n}));
        QCOMPARE(p.download<int>(out, 4), (std::vector<int>{1, 2, 1, 3}));
        auto values = random_values<int>(32, 0, 9);
        values[0] = 7; // lane 0 takes part, so reading from it is defined
        out = p.upload(values);
        CU(p.launch(p["warpbc"], 1, 32, {&out}));
        const auto odd = static_cast<int>(std::count_if(values.begin(), values.end(), [](int v) { return v & 1; }));
        const auto result = p.download<int>(out, 32);
        for (int i = 0; i < 32; ++i)
            QCOMPARE(result[i], values[i] & 1 ? 7 + odd : values[i]);
    }
};

QTEST_APPLESS_MAIN(CorpusTest)
#include "test_corpus.moc"
