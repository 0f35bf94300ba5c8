// SPDX-License-Identifier: Apache-2.0
// Tensor cores as CUDA sources use them, against plain loops, and their misuse.
#include "corpus.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <ctime>

#if CUDA_VERSION < 12040
extern "C" CUresult cuFuncLoad(CUfunction function);
#endif

namespace {

/// Of a number that a half float holds exactly and that is 0 or normal.
std::uint16_t half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    if ((bits << 1) == 0) return static_cast<std::uint16_t>(sign);
    return static_cast<std::uint16_t>(sign | (((bits >> 13) & 0x3FFFF) - (112U << 10)));
}
float number(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    if ((half & 0x7FFF) == 0) return std::bit_cast<float>(sign);
    return std::bit_cast<float>(sign | ((static_cast<std::uint32_t>(half & 0x7FFF) << 13) + (112U << 23)));
}

/// Small numbers, of which all sums are exact.
std::vector<float> numbers(std::size_t n, int seed) {
    auto v = random_values<float>(n + static_cast<std::size_t>(seed), -8, 8);
    for (float& x : v)
        x /= 4;
    v.resize(n);
    return v;
}

template <class T>
T encode(float value, bool brain) {
    if constexpr (sizeof(T) == 2) {
        if (brain) return static_cast<T>(std::bit_cast<std::uint32_t>(value) >> 16);
        return half(value);
    } else if constexpr (sizeof(T) == 1) {
        return static_cast<T>(static_cast<int>(value * 4));
    } else {
        return static_cast<T>(value);
    }
}
template <class T>
double decode(T value, bool brain) {
    if constexpr (std::is_same_v<T, std::uint16_t>)
        return brain ? std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16) : number(value);
    else
        return static_cast<double>(value);
}

/// `name`_rr and `name`_cc: all matrices by rows, and by columns, with lines that are longer than they need be.
template <class T, class S>
void tiles(Program& p, const std::string& name, int m, int n, int k, bool brain = false) {
    for (const bool columns : {false, true}) {
        const auto line = [&](int rows, int width) { return (columns ? rows : width) + 16; };
        const int lda = line(m, k), ldb = line(k, n), ldc = line(m, n);
        const auto at = [&](int row, int column, int ld) {
            return static_cast<std::size_t>(columns ? column * ld + row : row * ld + column);
        };
        const auto made = [&]<class E>(E, int seed) {
            std::vector<E> v;
            for (const float x : numbers(64 * 64, seed))
                v.push_back(encode<E>(std::is_same_v<E, unsigned char> ? std::abs(x) : x, brain));
            return v;
        };
        const std::vector<T> a = made(T{}, 1), b = made(T{}, 2);
        const std::vector<S> c = made(S{}, 3), before(c.size(), S{});
        CUdeviceptr da = Program::upload(a), db = Program::upload(b), dc = Program::upload(c);
        CUdeviceptr dd = Program::upload(before);
        int strides[] = {lda, ldb, ldc};
        CU(Program::launch(p[(name + (columns ? "_cc" : "_rr")).c_str()], 1, 32,
                           {&da, &db, &dc, &dd, &strides[0], &strides[1], &strides[2]}));
        std::vector<S> expected = before;
        for (int row = 0; row < m; ++row)
            for (int column = 0; column < n; ++column) {
                double sum = decode(c[at(row, column, ldc)], false);
                for (int i = 0; i < k; ++i)
                    sum += decode(a[at(row, i, lda)], brain) * decode(b[at(i, column, ldb)], brain);
                expected[at(row, column, ldc)] =
                    sizeof(S) == 2 ? static_cast<S>(half(static_cast<float>(sum))) : static_cast<S>(sum);
            }
        QVERIFY2(Program::download<S>(dd, expected.size()) == expected, (name + (columns ? "_cc" : "_rr")).c_str());
    }
}

} // namespace

class TensorTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
    }

    void products() {
        Program p("13_mma.cu");
        int k = 64, n = 24;
        std::vector<std::uint16_t> a, b;
        for (const float x : numbers(std::size_t{16} * 64, 4))
            a.push_back(half(x));
        for (const float x : numbers(std::size_t{16} * 64, 5))
            b.push_back(half(x));
        CUdeviceptr da = p.upload(a), db = p.upload(b), dc = p.upload(std::vector<float>(std::size_t{16} * 24));
        CU(p.launch(p["wm"], 1, 32, {&da, &db, &dc, &k, &n}));
        const auto c = p.download<float>(dc, std::size_t{16} * 24);
        for (int row = 0; row < 16; ++row)
            for (int column = 0; column < 16; ++column) {
                float sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += number(a[row * k + i]) * number(b[column * k + i]);
                QCOMPARE(c[row * n + column], sum);
            }
        const auto x = random_values<signed char>(256, -128, 127), y = random_values<signed char>(257, -128, 127);
        CUdeviceptr dx = p.upload(x), dy = p.upload(y), dz = p.allocate(1024);
        CU(p.launch(p["wmi"], 1, 32, {&dx, &dy, &dz}));
        const auto z = p.download<int>(dz, 256);
        for (int row = 0; row < 16; ++row)
            for (int column = 0; column < 16; ++column) {
                int sum = 0;
                for (int i = 0; i < 16; ++i)
                    sum += x[row * 16 + i] * y[column * 16 + i];
                QCOMPARE(z[row * 16 + column], sum);
            }
    }

    /// Tiles of 128 x 128, of which there is much to compile: in a bounded time of a processor.
    void largeTiles_data() {
        QTest::addColumn<QString>("kernel");
        for (const char* kernel : {"wmma_128", "mma_128", "wmma_128_unrolled", "mma_128_unrolled"})
            QTest::newRow(kernel) << kernel;
    }
    void largeTiles() {
        QFETCH(QString, kernel);
        Program p("23_tiles.cu");
        const CUfunction f = p[qPrintable(kernel)];
        // A tenth of that is usual. Checks multiply the code.
        const double most_seconds = qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_CHECKS") ? 30 : 15;
        const std::clock_t start = std::clock();
        CU(cuFuncLoad(f));
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        QVERIFY2(seconds < most_seconds, qPrintable(QString("%1 s to compile").arg(seconds)));
        constexpr int n = 256, k = 256;
        const auto a = numbers(std::size_t{n} * k, 1), b = numbers(std::size_t{k} * n, 2);
        std::vector<std::uint16_t> halves_a, halves_b;
        for (const float x : a)
            halves_a.push_back(half(x));
        for (const float x : b)
            halves_b.push_back(half(x));
        CUdeviceptr da = p.upload(halves_a), db = p.upload(halves_b), d = p.allocate(std::size_t{4} * n * n);
        int columns = n, depth = k;
        CU(Program::launch2(f, 2, 2, 128, 1, {&da, &db, &d, &columns, &depth}));
        const auto found = p.download<float>(d, std::size_t{n} * n);
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column) {
                float sum = 0;
                for (int m = 0; m < k; ++m)
                    sum += a[static_cast<std::size_t>(row * k + m)] * b[static_cast<std::size_t>(m * n + column)];
                QCOMPARE(found[static_cast<std::size_t>(row * n + column)], sum);
            }
    }

    void tilesOfAllKinds() {
        Program p("13_mma.cu");
        tiles<std::uint16_t, float>(p, "half16", 16, 16, 16);
        tiles<std::uint16_t, std::uint16_t>(p, "half8", 8, 32, 16);
        tiles<std::uint16_t, float>(p, "half32", 32, 8, 16);
        tiles<signed char, int>(p, "byte16", 16, 16, 16);
        tiles<unsigned char, int>(p, "byte8", 8, 32, 16);
        tiles<std::uint16_t, float>(p, "bf32", 32, 8, 16, true);
        tiles<double, double>(p, "doubles", 8, 8, 4);
        const auto a = numbers(128, 6), b = numbers(128, 7);
        CUdeviceptr da = p.upload(a), db = p.upload(b), dd = p.allocate(1024);
        CU(p.launch(p["tf"], 1, 32, {&da, &db, &dd}));
        const auto d = p.download<float>(dd, 256);
        for (int row = 0; row < 16; ++row)
            for (int column = 0; column < 16; ++column) {
                float sum = 1;
                for (int i = 0; i < 8; ++i)
                    sum += a[row * 8 + i] * b[column * 8 + i];
                QCOMPARE(d[row * 16 + column], sum);
            }
    }

    /// Matrices out of shared memory, in the registers that the PTX ISA says.
    void registers() {
        Program p("13_mma.cu");
        std::vector<float> words;
        for (const int x : random_values<int>(256, -6, 6))
            words.push_back(static_cast<float>(x) / 2); // as half floats: 0 and some number
        const auto start = numbers(128, 8);
        CUdeviceptr da = p.upload(words), db = 0, dc = p.upload(start);
        CU(p.launch(p["mm"], 1, 32, {&da, &db, &dc}));
        const auto result = p.download<float>(dc, 128);
        const auto half_at = [&](int matrix, int row, int column) {
            const auto word = std::bit_cast<std::uint32_t>(words[(matrix * 8 + row) * 4 + column / 2]);
            return number(static_cast<std::uint16_t>(column % 2 ? word >> 16 : word));
        };
        const auto word_of = [&](int matrix, int lane) { return words[(matrix * 8 + lane / 4) * 4 + lane % 4]; };
        /// A register of .trans, as f32: two half floats of a column.
        const auto turned = [&](int matrix, int lane) {
            const auto bits = [&](int row) { return std::uint32_t{half(half_at(matrix, row, lane / 4))}; };
            const std::uint32_t word = bits(lane % 4 * 2) | bits(lane % 4 * 2 + 1) << 16;
            return std::bit_cast<float>(word & 0xFFFFE000U);
        };
        for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < 4; ++i) {
                const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
                double sum = start[lane * 4 + i];
                for (int k = 0; k < 16; ++k)
                    sum += half_at(row / 8 + k / 8 * 2, row % 8, k % 8) * half_at(k / 8, k % 8, column);
                double size = std::abs(sum);
                for (int k = 0; k < 8; ++k) {
                    const double term =
                        double{word_of(row / 8 + k / 4 * 2, row % 8 * 4 + k % 4)} * turned(k / 4, column * 4 + k % 4);
                    sum += term;
                    size += std::abs(term);
                }
                QVERIFY(std::abs(result[lane * 4 + i] - sum) <= size * 0x1p-20);
            }
    }

    void someWarps() {
        Program p("13_mma.cu");
        std::vector<std::uint16_t> a, b;
        for (const float x : numbers(1024, 9))
            a.push_back(half(x));
        for (const float x : numbers(256, 10))
            b.push_back(half(x));
        CUdeviceptr da = p.upload(a), db = p.upload(b), dd = p.allocate(4096);
        CU(p.launch(p["some"], 1, 128, {&da, &db, &dd}));
        const auto d = p.download<float>(dd, 1024);
        for (int warp = 0; warp < 4; ++warp)
            for (int row = 0; row < 16; ++row)
                for (int column = 0; column < 16; ++column) {
                    auto sum = static_cast<float>(warp);
                    for (int i = 0; i < 16; ++i)
                        sum += number(a[warp * 256 + row * 16 + i]) * number(b[i * 16 + column]);
                    QCOMPARE(d[warp * 256 + row * 16 + column], warp % 2 ? -1.F : 2 * sum);
                }
    }

    /// Copies, matrices out of shared memory, products, by warps that meet at barriers.
    void pipelined() {
        Program p("19_gemm.cu");
        constexpr int n = 128;
        const auto x = numbers(std::size_t{n} * n, 11), y = numbers(std::size_t{n} * n, 12);
        std::vector<std::uint16_t> a, b;
        for (std::size_t i = 0; i < x.size(); ++i) {
            a.push_back(half(x[i]));
            b.push_back(half(y[i]));
        }
        CUdeviceptr da = p.upload(a), db = p.upload(b), dc = p.allocate(std::size_t{n} * n * 4);
        int size = n;
        CU(p.launch2(p["gemm"], n / 64, n / 64, 128, 1, {&da, &db, &dc, &size}));
        const auto c = p.download<float>(dc, std::size_t{n} * n);
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column) {
                float sum = 0;
                for (int k = 0; k < n; ++k)
                    sum += x[row * n + k] * y[k * n + column];
                QCOMPARE(c[row * n + column], sum);
            }
    }

    void misaligned_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("offset");
        QTest::addColumn<int>("stride");
        QTest::addColumn<bool>("runs");
        const QString a = "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd0], %r9;";
        QTest::newRow("half, 4 bytes") << a << 4 << 16 << true;
        QTest::newRow("half, 2 bytes") << a << 2 << 16 << false;
        QTest::newRow("half, an odd stride") << a << 0 << 17 << false;
        const QString b = "wmma.load.b.sync.aligned.row.m16n16k16.s8 {%r0,%r1}, [%rd0], %r9;";
        QTest::newRow("bytes across") << b << 1 << 17 << true;
        const QString c = "wmma.load.c.sync.aligned.row.m16n16k16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%rd0], %r9;";
        QTest::newRow("pairs of words, 8 bytes") << c << 8 << 16 << true;
        QTest::newRow("pairs of words, 4 bytes") << c << 4 << 16 << false;
        const QString d = "wmma.store.d.sync.aligned.col.m16n16k16.f32 [%rd0], {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %r9;";
        QTest::newRow("words, 4 bytes") << d << 4 << 17 << true;
        QTest::newRow("words, 2 bytes") << d << 2 << 17 << false;
        const QString l = "cvt.u32.u64 %r9, %rd0; and.b32 %r9, %r9, 15; mov.u32 %r8, m; add.u32 %r9, %r9, %r8;"
                          "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r9];";
        QTest::newRow("a row, 16 bytes") << l << 16 << 0 << true;
        QTest::newRow("a row, 8 bytes") << l << 8 << 0 << false;
    }
    void misaligned() {
        QFETCH(QString, what);
        QFETCH(int, offset);
        QFETCH(int, stride);
        QFETCH(bool, runs);
        if (qgetenv("WARPLIGHT_SOFTWARE_CHECKS").contains("memory")) QSKIP("such an access is told and left out");
        Session s;
        const CUfunction f = s.load(ptx(".visible .entry k(.param .u64 p, .param .u32 s) {\n"
                                        ".reg .b32 %r<10>; .reg .f32 %f<8>; .reg .b64 %rd<2>;\n"
                                        ".shared .align 16 .b8 m[1024];\n"
                                        "ld.param.u64 %rd0, [p]; ld.param.u32 %r9, [s];\n" +
                                        what.toStdString() + "\nret;\n}\n"),
                                    "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr p = s.allocate(8192);
        p += static_cast<CUdeviceptr>(offset);
        CU(s.launch(f, 1, 32, {&p, &stride}));
        QCOMPARE(code_name(cuCtxSynchronize()), code_name(runs ? CUDA_SUCCESS : CUDA_ERROR_MISALIGNED_ADDRESS));
    }

    void outsideOfMemory() {
        if (qgetenv("WARPLIGHT_SOFTWARE_CHECKS").contains("memory")) QSKIP("such an access is told and left out");
        Session s;
        const CUfunction f = s.load(
            ptx(".visible .entry k(.param .u64 p) {\n.reg .b32 %r<8>; .reg .b64 %rd<2>;\nld.param.u64 %rd0, [p];\n"
                "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd0], 16;\n"
                "st.global.u32 [%rd0], %r3;\nret;\n}\n"),
            "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr p = 0;
        CU(s.launch(f, 1, 32, {&p}));
        QCOMPARE(code_name(cuCtxSynchronize()), code_name(CUDA_ERROR_ILLEGAL_ADDRESS));
        QVERIFY2(last_error_text().find("wmma.load.a.global.f16") != std::string::npos, last_error_text().c_str());
    }

    void refused_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("why");
        const QString d = "{%f0,%f1,%f2,%f3},", c = "{%f0,%f1,%f2,%f3};";
        QTest::newRow("an old target") << "sm_75"
                                       << "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d +
                                              "{%r0,%r1,%r2,%r3},{%r4,%r5}," + c
                                       << "needs .target sm_80 or higher";
        QTest::newRow("stmatrix") << "sm_80" << "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r1};"
                                  << "needs .target sm_90 or higher";
        QTest::newRow("a shape of others")
            << "sm_80" << "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " + d + "{%r0,%r1,%r2,%r3},{%r4,%r5}," + c
            << "shape '.m16n8k32' does not go with .f16";
        QTest::newRow("too few registers")
            << "sm_80" << "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d + "{%r0,%r1},{%r4,%r5}," + c
            << "operand 2 must be a vector of 4 registers";
        QTest::newRow("layouts") << "sm_80"
                                 << "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 " + d +
                                        "{%r0,%r1,%r2,%r3},{%r4,%r5}," + c
                                 << "needs .row.col";
        QTest::newRow("types of accumulators")
            << "sm_80" << "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 " + d + "{%r0,%r1},{%r4},{%r5,%r6};"
            << ".dtype must be that of .ctype";
        QTest::newRow("not aligned") << "sm_80" << "movmatrix.sync.m8n8.trans.b16 %r0, %r1;" << "needs .aligned";
        QTest::newRow("a state space") << "sm_80" << "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r0}, [%r1];"
                                       << "the state space must be .shared";
        QTest::newRow("registers of another size")
            << "sm_80" << "wmma.load.a.sync.aligned.row.m8n8k4.f64 {%r0}, [%rd0];" << "needs .f64";
        QTest::newRow("a scaled product")
            << "sm_80"
            << "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 " + d +
                   "{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3},%r7,{0,0},%r7,{0,0};"
            << "block_scale";
    }
    void refused() {
        QFETCH(QString, target);
        QFETCH(QString, what);
        QFETCH(QString, why);
        Session s;
        const std::string text = ".version 8.0\n.target " + target.toStdString() +
                                 "\n.address_size 64\n.visible .entry k() {\n.reg .b32 %r<8>; .reg .f32 %f<8>; "
                                 ".reg .b64 %rd<2>;\n" +
                                 what.toStdString() + "\nret;\n}\n";
        std::array<char, 2048> log{};
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
        CUmodule module = nullptr;
        CU_FAILS(cuModuleLoadDataEx(&module, text.c_str(), 2, options, values), CUDA_ERROR_INVALID_PTX);
        QVERIFY2(QString(log.data()).contains(why), log.data());
    }
};

QTEST_APPLESS_MAIN(TensorTest)
#include "test_tensor.moc"
