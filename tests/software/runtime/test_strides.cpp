// SPDX-License-Identifier: Apache-2.0
// Kernels that go through much memory, against plain C++: lines that are written past the caches, where they are whole
// and nobody reads them, and loops whose threads and blocks keep their turns with each other.
#include "corpus.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>

namespace {

constexpr std::size_t kMuch = std::size_t{17} << 20; ///< bytes; from 16 MiB on lines go past the caches

template <class T>
T polynomial(T x, int n) {
    std::uint64_t value = x; // modulo whatever T has
    for (int k = 0; k < 5; ++k)
        value = value * x + static_cast<std::uint64_t>(k + n % 3);
    return static_cast<T>(value);
}

} // namespace

class StridesTest : public QObject {
    Q_OBJECT

    /// @param skip elements that the result begins behind the start of its memory
    template <class T>
    void compare_polynomials(const char* kernel, std::size_t count, std::size_t skip, bool in_place) {
        auto x = random_values<T>(count + skip, 0, 1 << 30);
        CUdeviceptr from = Session::upload(x);
        CUdeviceptr memory = in_place ? from : Session::upload(std::vector<T>(count + skip, T(1)));
        CUdeviceptr to = memory + skip * sizeof(T);
        if (in_place) from = to;
        int n = static_cast<int>(count);
        CU(Session::launch((*program_)[kernel], (static_cast<unsigned>(n) + 255) / 256, 256, {&n, &from, &to}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<T>(memory, count + skip);
        for (std::size_t k = 0; k < skip; ++k)
            QCOMPARE(found[k], in_place ? x[k] : T(1));
        for (std::size_t k = 0; k < count; ++k)
            if (const T value = polynomial(x[in_place ? k + skip : k], n); found[k + skip] != value)
                QFAIL(qPrintable(QString("element %1: %2, not %3").arg(k).arg(found[k + skip]).arg(value)));
        CU(cuMemFree(memory));
        if (!in_place) CU(cuMemFree(from));
    }

private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
        program_ = std::make_unique<Program>("22_memory.cu");
    }
    void cleanupTestCase() { program_.reset(); }

    void transposed_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("skip");
        QTest::newRow("whole lines") << 2112 << 0;
        QTest::newRow("lines of another start") << 2112 << 16;
        QTest::newRow("between lines") << 2112 << 1;
        QTest::newRow("rows that end within lines") << 2085 << 0;
        QTest::newRow("little") << 96 << 0;
    }
    void transposed() {
        QFETCH(int, n);
        QFETCH(int, skip);
        const auto side = static_cast<std::size_t>(n), before = static_cast<std::size_t>(skip);
        const auto in = random_values<int>(side * side, -1000000, 1000000);
        CUdeviceptr from = Session::upload(in), memory = Session::upload(std::vector<int>(side * side + before, -7));
        CUdeviceptr to = memory + before * sizeof(int);
        const unsigned tiles = (static_cast<unsigned>(n) + 31) / 32;
        CU(Program::launch2((*program_)["transpose"], tiles, tiles, 32, 8, {&n, &from, &to}));
        CU(cuCtxSynchronize());
        const auto out = Session::download<int>(memory, side * side + before);
        for (std::size_t k = 0; k < before; ++k)
            QCOMPARE(out[k], -7);
        for (std::size_t y = 0; y < side; ++y)
            for (std::size_t x = 0; x < side; ++x)
                if (out[before + x * side + y] != in[y * side + x])
                    QFAIL(qPrintable(QString("row %1, column %2").arg(x).arg(y)));
        CU(cuMemFree(from));
        CU(cuMemFree(memory));
    }

    void polynomials_data() {
        QTest::addColumn<int>("less"); // than what fills whole blocks
        QTest::addColumn<int>("skip");
        QTest::newRow("whole blocks") << 0 << 0;
        QTest::newRow("the last lanes stay out") << 77 << 0;
        QTest::newRow("a line further on") << 0 << 64;
        QTest::newRow("between lines") << 5 << 3;
    }
    void polynomials() {
        QFETCH(int, less);
        QFETCH(int, skip);
        for (const bool in_place : {false, true}) {
            const auto elements = [&](std::size_t bytes) { return kMuch / bytes - static_cast<std::size_t>(less); };
            const auto before = static_cast<std::size_t>(skip);
            compare_polynomials<unsigned char>("of_bytes", elements(1), before, in_place);
            compare_polynomials<unsigned short>("of_shorts", elements(2), before, in_place);
            compare_polynomials<unsigned>("of_ints", elements(4), before, in_place);
            compare_polynomials<unsigned long long>("of_longs", elements(8), before, in_place);
        }
    }
    void element_by_element_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<std::size_t>("bytes"); // of each of the three
        QTest::addColumn<int>("skip");
        QTest::addColumn<unsigned>("blocks");
        for (const std::size_t bytes : {kMuch, 4 * kMuch / 3})
            for (const int skip : {0, 3}) {
                const auto row = [&](const char* kernel, unsigned blocks) {
                    QTest::addRow("%s, %d MiB and %d, %u blocks", kernel, static_cast<int>(bytes >> 20), skip, blocks)
                        << QString(kernel) << bytes << skip << blocks;
                };
                row("sums", static_cast<unsigned>((bytes / sizeof(int) + 255) / 256));
                for (const unsigned blocks : {1U, 7U, 64U, 2000U})
                    row("stride_products", blocks);
            }
    }
    /// Of much memory, and of so much that what moves nothing but memory writes it past the caches too, and that what
    /// strides through it takes turns.
    void element_by_element() {
        QFETCH(QString, kernel);
        QFETCH(unsigned, blocks);
        QFETCH(std::size_t, bytes);
        QFETCH(int, skip);
        const std::size_t count = bytes / sizeof(int) - 77, before = static_cast<std::size_t>(skip);
        const auto x = random_values<int>(count, -1000000, 1000000), y = random_values<int>(count, -1000000, 1000000);
        CUdeviceptr first = Session::upload(x), second = Session::upload(y);
        CUdeviceptr memory = Session::upload(std::vector<int>(count + before, -7)), to = memory + before * sizeof(int);
        int n = static_cast<int>(count);
        CU(Session::launch((*program_)[qPrintable(kernel)], blocks, 256, {&n, &first, &second, &to}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<int>(memory, count + before);
        for (std::size_t k = 0; k < before; ++k)
            QCOMPARE(found[k], -7);
        for (std::size_t k = 0; k < count; ++k)
            if (const auto i = static_cast<unsigned>(x[k]), j = static_cast<unsigned>(y[k]);
                static_cast<unsigned>(found[before + k]) != (kernel == "sums" ? i + j : i * j))
                QFAIL(qPrintable(QString("element %1").arg(k)));
        for (const CUdeviceptr p : {first, second, memory})
            CU(cuMemFree(p));
    }
    void from_plane_to_plane() {
        int nx = 128, ny = 61, nz = 1200; // two arrays of some 35 MiB
        const std::size_t row = static_cast<std::size_t>(nx), plane = row * static_cast<std::size_t>(ny);
        const std::size_t count = plane * static_cast<std::size_t>(nz);
        const auto in = random_values<int>(count, -1000, 1000);
        CUdeviceptr from = Session::upload(in), to = Session::upload(std::vector<int>(count, -7));
        CU(Program::launch2((*program_)["planes"], 4, 8, 32, 8, {&nx, &ny, &nz, &from, &to}));
        CU(cuCtxSynchronize());
        const auto out = Session::download<int>(to, count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t x = i % row, y = i % plane / row, z = i / plane;
            const bool rim = x == 0 || x == row - 1 || y == 0 || y + 1 == plane / row || z == 0 || i + plane >= count;
            const int expected = rim ? -7
                                     : 7 * in[i] + in[i - 1] + 2 * in[i + 1] + 3 * in[i - row] + 4 * in[i + row] +
                                           5 * in[i - plane] + 6 * in[i + plane];
            if (out[i] != expected) QFAIL(qPrintable(QString("element %1").arg(i)));
        }
        CU(cuMemFree(from));
        CU(cuMemFree(to));
    }
    void columns_data() {
        QTest::addColumn<int>("stride");
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<int>("skip");
        QTest::addColumn<bool>("one_memory");
        QTest::newRow("the same sets of a cache") << 512 << 256U << 0 << false;
        QTest::newRow("more vectors than are held") << 512 << 1024U << 0 << false;
        QTest::newRow("between lines") << 512 << 256U << 3 << false;
        QTest::newRow("read by another pointer") << 512 << 256U << 0 << true;
        QTest::newRow("line beside line") << 304 << 96U << 5 << false;
        QTest::newRow("no whole lines") << 301 << 96U << 0 << false;
        QTest::newRow("no whole lines of many threads") << 301 << 1024U << 0 << false; // workers give up in a block
    }
    void columns() {
        QFETCH(int, stride);
        QFETCH(unsigned, threads);
        QFETCH(int, skip);
        QFETCH(bool, one_memory);
        constexpr unsigned kBlocks = 299;
        const std::size_t before = static_cast<std::size_t>(skip), step = static_cast<std::size_t>(stride);
        const std::size_t count = before + step * threads;
        const auto in = random_values<int>(std::size_t{kBlocks} * threads, -1000000, 1000000);
        std::vector<int> all(count, -7);
        if (one_memory) all.insert(all.end(), in.begin(), in.end());
        CUdeviceptr memory = Session::upload(all), other = Session::upload(in);
        CUdeviceptr from = one_memory ? memory + count * sizeof(int) : other, to = memory + before * sizeof(int);
        for (const char* kernel : {"columns", "columns_behind_barrier"}) {
            CU(cuMemcpyHtoD(memory, all.data(), count * sizeof(int)));
            CU(Session::launch((*program_)[kernel], kBlocks, threads, {&stride, &from, &to}));
            CU(cuCtxSynchronize());
            const auto out = Session::download<int>(memory, count);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t thread = (i - before) / step, block = (i - before) % step;
                const int expected = i < before || block >= kBlocks ? -7 : 3 * in[block * threads + thread];
                if (out[i] != expected) QFAIL(qPrintable(QString("element %1 of %2").arg(i).arg(kernel)));
            }
        }
        CU(cuMemFree(memory));
        CU(cuMemFree(other));
    }
    void four_at_a_time() {
        using Four = std::array<unsigned, 4>;
        const std::size_t count = kMuch / sizeof(Four) - 3;
        std::vector<Four> x(count);
        const auto values = random_values<unsigned>(4 * count, 0, 1 << 30);
        for (std::size_t k = 0; k < count; ++k)
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(4 * k), 4, x[k].begin());
        CUdeviceptr from = Session::upload(x), to = Session::upload(std::vector<Four>(count));
        int n = static_cast<int>(count);
        CU(Session::launch((*program_)["of_four"], (static_cast<unsigned>(n) + 255) / 256, 256, {&n, &from, &to}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<Four>(to, count);
        for (std::size_t i = 0; i < count; ++i) {
            Four v = x[i];
            for (unsigned k = 0; k < 5; ++k)
                v = {v[1] * x[i][0] + k, v[2] * x[i][1] + static_cast<unsigned>(n % 3), v[3] + x[i][2], v[0] ^ x[i][3]};
            if (found[i] != v) QFAIL(qPrintable(QString("element %1").arg(i)));
        }
        CU(cuMemFree(from));
        CU(cuMemFree(to));
    }

    void blocks_that_hand_on() {
        constexpr unsigned kBlocks = 64;
        int each = static_cast<int>(kMuch / 4 / kBlocks);
        CUdeviceptr data = Session::allocate(kMuch), written = Session::upload(std::vector<int>(kBlocks));
        CUdeviceptr sums = Session::upload(std::vector<long long>(kBlocks));
        CU(Session::launch((*program_)["hand_on"], kBlocks, 256, {&each, &data, &written, &sums}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<long long>(sums, kBlocks);
        QCOMPARE(found[0], 0);
        long long base = 0;
        for (int i = 0; i < each; ++i)
            base += i % 1000;
        for (unsigned k = 1; k < kBlocks; ++k)
            QCOMPARE(found[k], base + static_cast<long long>(k - 1) * each);
        for (const CUdeviceptr p : {data, written, sums})
            CU(cuMemFree(p));
    }

    void strides_data() {
        QTest::addColumn<unsigned>("grid");
        QTest::addColumn<unsigned>("block");
        QTest::addColumn<int>("n");
        for (const unsigned grid : {1U, 2U, 3U, 7U, 40U})
            for (const unsigned block : {32U, 96U, 256U, 1024U, 50U})
                for (const int n : {0, 31, 1000, 100003, 262144})
                    QTest::addRow("%d in %u x %u", n, grid, block) << grid << block << n;
    }
    void strides() {
        QFETCH(unsigned, grid);
        QFETCH(unsigned, block);
        QFETCH(int, n);
        const auto x = random_values<int>(static_cast<std::size_t>(n) + 1, 0, 1000000);
        std::vector<unsigned> expected(grid);
        for (int i = 0; i < n; ++i)
            expected[static_cast<unsigned>(i) / block % grid] += static_cast<unsigned>(x[static_cast<std::size_t>(i)]);
        CUdeviceptr from = Session::upload(x), sums = Session::upload(std::vector<unsigned>(grid, 7U));
        CU(Session::launch((*program_)["stride_sums"], grid, block, {&n, &from, &sums}));
        CU(cuCtxSynchronize());
        QCOMPARE(Session::download<unsigned>(sums, grid), expected);
        CU(cuMemFree(from));
        CU(cuMemFree(sums));
    }

    void uneven_strides_data() {
        QTest::addColumn<unsigned>("block");
        QTest::addColumn<int>("n");
        for (const unsigned block : {32U, 64U, 256U, 1024U})
            for (const int n : {1, 5000, 100003, 1000000})
                QTest::addRow("%d, blocks of %u", n, block) << block << n;
    }
    void uneven_strides() {
        QFETCH(unsigned, block);
        QFETCH(int, n);
        constexpr unsigned kGrid = 5;
        const auto x = random_values<int>(static_cast<std::size_t>(n), 0, 3000000);
        std::vector<unsigned> part(block);
        for (unsigned t = 0; t < block; ++t) {
            const unsigned warp = t / 32;
            if (warp == 5 || warp % 3 == 1) continue;
            for (int i = static_cast<int>(t); i < n / static_cast<int>(warp + 1); i += static_cast<int>(block)) {
                part[t] += static_cast<unsigned>(x[static_cast<std::size_t>(i)]);
                if (part[t] > 4000000000U) break;
            }
        }
        CUdeviceptr from = Session::upload(x), sums = Session::upload(std::vector<unsigned>(kGrid * block, 7U));
        CU(Session::launch((*program_)["uneven_sums"], kGrid, block, {&n, &from, &sums}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<unsigned>(sums, std::size_t{kGrid} * block);
        for (unsigned k = 0; k < kGrid * block; ++k)
            QCOMPARE(found[k], k % block / 32 == 5 ? 7U : part[k % block] + part[0]);
        CU(cuMemFree(from));
        CU(cuMemFree(sums));
    }

    void strides_with_shuffles_data() { uneven_strides_data(); }
    void strides_with_shuffles() {
        QFETCH(unsigned, block);
        QFETCH(int, n);
        constexpr unsigned kGrid = 3;
        const auto x = random_values<int>(static_cast<std::size_t>(n), 0, 3000000);
        const auto at = [&](std::size_t i) { return i < x.size() ? static_cast<unsigned>(x[i]) : 0U; };
        std::vector<unsigned> sum(block);
        for (std::size_t first = 0; first < x.size(); first += block)
            for (unsigned t = 0; t < block; ++t)
                sum[t] = 3 * sum[t] + at(first + t) + at(first + (t ^ 5U));
        CUdeviceptr from = Session::upload(x), sums = Session::upload(std::vector<unsigned>(kGrid * block / 32));
        CU(Session::launch((*program_)["stride_shuffles"], kGrid, block, {&n, &from, &sums}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<unsigned>(sums, kGrid * block / 32);
        for (std::size_t k = 0; k < found.size(); ++k) {
            const auto warp = sum.begin() + static_cast<std::ptrdiff_t>(k % (block / 32) * 32);
            QCOMPARE(found[k], std::accumulate(warp, warp + 32, 0U));
        }
        CU(cuMemFree(from));
        CU(cuMemFree(sums));
    }

    void rows_along_x_data() {
        QTest::addColumn<unsigned>("x");
        QTest::addColumn<unsigned>("y");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("whole blocks") << 16U << 16U << 64 << 96;
        QTest::newRow("wide blocks") << 64U << 8U << 100 << 101;
        QTest::newRow("high blocks") << 4U << 64U << 37 << 333;
        QTest::newRow("blocks of few lanes") << 32U << 4U << 70 << 30;
        QTest::newRow("no lanes in y") << 32U << 3U << 64 << 30;
        QTest::newRow("one row of threads") << 128U << 1U << 200 << 5;
    }
    void rows_along_x() {
        QFETCH(unsigned, x);
        QFETCH(unsigned, y);
        QFETCH(int, rows);
        QFETCH(int, columns);
        constexpr int kLayers = 2;
        const int n = kLayers * rows * columns;
        const auto in = random_values<int>(static_cast<std::size_t>(n), 0, 1000);
        CUdeviceptr from = Session::upload(in), to = Session::upload(std::vector<int>(in.size()));
        const unsigned grid_x = (static_cast<unsigned>(rows) + x - 1) / x;
        const unsigned grid_y = (static_cast<unsigned>(columns) + y - 1) / y;
        std::array<void*, 4> arguments{&rows, &columns, &from, &to};
        CU(cuLaunchKernel((*program_)["rows_along_x"], grid_x, grid_y, kLayers, x, y, 1, 0, nullptr, arguments.data(),
                          nullptr));
        CU(cuCtxSynchronize());
        const auto found = Session::download<int>(to, in.size());
        for (int at = 0; at < n; ++at) {
            const unsigned row = static_cast<unsigned>(at / columns % rows),
                           column = static_cast<unsigned>(at % columns);
            const unsigned places = row % x + 37 * (column % y) + 1000 * (row / x) + 3000 * (column / y);
            const unsigned factor = places + 7 * grid_x - 11 * grid_y + 100000 * x + 200000 * y;
            const auto k = static_cast<std::size_t>(at);
            QCOMPARE(static_cast<unsigned>(found[k]), static_cast<unsigned>(in[k]) * factor);
        }
        CU(cuMemFree(from));
        CU(cuMemFree(to));
    }

    /// Told as of any loop: where, and which thread. Loses the context.
    void beyond_the_end() {
        const Program program("22_memory.cu");
        const auto x = random_values<int>(100000, 0, 10);
        CUdeviceptr from = Session::upload(x), sums = Session::upload(std::vector<unsigned>(8));
        int n = 1 << 20;
        CU(Session::launch(program["stride_sums"], 8, 256, {&n, &from, &sums}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        const std::string text = last_error_text();
        QVERIFY2(text.find("22_memory.cu:70") != std::string::npos && text.find("thread") != std::string::npos,
                 text.c_str());
    }

    /// The first thread behind 24 MiB, in blocks that begin in multiples of 16 in both directions.
    void beyond_the_end_of_rows_along_x() {
        const Program program("22_memory.cu");
        constexpr int kColumns = 96, kRowsThere = 1 << 16;
        const std::vector<int> in(std::size_t{kRowsThere} * kColumns, 1);
        CUdeviceptr from = Session::upload(in), to = Session::upload(in);
        int rows = kRowsThere + 3, columns = kColumns;
        std::array<void*, 4> arguments{&rows, &columns, &from, &to};
        CU(cuLaunchKernel(program["rows_along_x"], kRowsThere / 16 + 1, 6, 1, 16, 16, 1, 0, nullptr, arguments.data(),
                          nullptr));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        const std::string text = last_error_text();
        QVERIFY2(text.find("22_memory.cu:150") != std::string::npos, text.c_str());
        QVERIFY2(text.find("block (4096,0,0), thread (0,0,0)") != std::string::npos, text.c_str());
    }

    void beyond_the_end_without_waiting() {
        const Program program("22_memory.cu");
        const std::size_t count = 4 * kMuch / 3 / sizeof(int);
        CUdeviceptr memory[3];
        for (CUdeviceptr& each : memory)
            each = Session::upload(std::vector<int>(count, 1));
        int n = static_cast<int>(count) + 10000;
        CU(Session::launch(program["stride_products"], 8, 256, {&n, &memory[0], &memory[1], &memory[2]}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        const std::string text = last_error_text();
        QVERIFY2(text.find("22_memory.cu:119") != std::string::npos && text.find("thread") != std::string::npos,
                 text.c_str());
    }

private:
    std::unique_ptr<Program> program_;
};

QTEST_GUILESS_MAIN(StridesTest)
#include "test_strides.moc"
