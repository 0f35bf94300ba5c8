// SPDX-License-Identifier: Apache-2.0
// Loops of every length, a thread at a time and side by side, against plain C++: what compilers leave over of them when
// they unroll is written out without branches, and must neither read further than the row nor count what it reads.
#include "../../fused_reference.hpp"
#include "corpus.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <memory>

namespace {

constexpr int kPage = 4096;

/// Rows of 0 to 9 elements, and one of `last` at the end of pages of their own.
struct Rows {
    std::vector<int> offsets{0}, columns;

    explicit Rows(int last) {
        constexpr int kElements = 4 * kPage / 4;
        for (int k = 0; offsets.back() < kElements - last; ++k)
            offsets.push_back(std::min(offsets.back() + k % 10, kElements - last));
        offsets.push_back(kElements);
        columns = random_values<int>(kElements, 0, kElements - 1);
        columns.back() = kElements - 1;
    }
    [[nodiscard]] int count() const { return static_cast<int>(offsets.size()) - 1; }
};

template <class T>
std::vector<T> reals(std::size_t count) {
    std::vector<T> values(count);
    const auto from = random_values<int>(count, -1000, 1000);
    for (std::size_t k = 0; k < count; ++k)
        values[k] = static_cast<T>(from[k]) / 64;
    values[count / 3] = std::numeric_limits<T>::infinity();
    values[count / 5] = std::numeric_limits<T>::quiet_NaN();
    return values;
}

template <class T>
bool same(T x, T y) {
    return x == y || (std::isnan(x) && std::isnan(y));
}

} // namespace

class RowsTest : public QObject {
    Q_OBJECT

    template <class T>
    void compare_sums(const char* kernel, int last) {
        const Rows rows(last);
        const auto values = reals<T>(rows.columns.size()), x = reals<T>(rows.columns.size());
        CUdeviceptr offsets = Session::upload(rows.offsets), columns = Session::upload(rows.columns);
        CUdeviceptr v = Session::upload(values), w = Session::upload(x);
        const auto count = static_cast<std::size_t>(rows.count());
        CUdeviceptr y = Session::upload(std::vector<T>(count));
        int n = rows.count();
        CU(Session::launch((*program_)[kernel], (static_cast<unsigned>(n) + 127) / 128, 128,
                           {&n, &offsets, &columns, &v, &w, &y}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<T>(y, count);
        for (std::size_t row = 0; row < count; ++row) {
            T sum = 0;
            for (int i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
                const auto at = static_cast<std::size_t>(i);
                sum = fused_reference(values[at], x[static_cast<std::size_t>(rows.columns[at])], sum);
            }
            QVERIFY2(same(found[row], sum),
                     qPrintable(QString("row %1: %2, not %3").arg(row).arg(found[row]).arg(sum)));
        }
        for (const CUdeviceptr p : {offsets, columns, v, w, y})
            CU(cuMemFree(p));
    }

private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
        program_ = std::make_unique<Program>("21_rows.cu");
    }
    void cleanupTestCase() { program_.reset(); }

    void sums_data() {
        QTest::addColumn<int>("last");
        for (const int last : {0, 1, 2, 3, 4, 5, 6, 7, 11})
            QTest::addRow("%d in the last row", last) << last;
    }
    void sums() {
        QFETCH(int, last);
        compare_sums<float>("sums", last);
        compare_sums<double>("double_sums", last);
    }

    void greatest_data() { sums_data(); }
    void greatest() {
        QFETCH(int, last);
        const Rows rows(last);
        const auto values = random_values<long long>(rows.columns.size(), -500, 500);
        CUdeviceptr offsets = Session::upload(rows.offsets), columns = Session::upload(rows.columns);
        CUdeviceptr v = Session::upload(values);
        const auto count = static_cast<std::size_t>(rows.count());
        CUdeviceptr most = Session::upload(std::vector<long long>(count)),
                    where = Session::upload(std::vector<int>(count));
        int n = rows.count();
        CU(Session::launch((*program_)["greatest"], (static_cast<unsigned>(n) + 127) / 128, 128,
                           {&n, &offsets, &columns, &v, &most, &where}));
        CU(cuCtxSynchronize());
        const auto found = Session::download<long long>(most, count);
        const auto found_at = Session::download<int>(where, count);
        for (std::size_t row = 0; row < count; ++row) {
            long long best = -1000000;
            int at = -1;
            for (int i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
                const long long value = values[static_cast<std::size_t>(rows.columns[static_cast<std::size_t>(i)])];
                if (value < best) continue;
                best = value;
                at = i;
            }
            QCOMPARE(found[row], best);
            QCOMPARE(found_at[row], at);
        }
        for (const CUdeviceptr p : {offsets, columns, v, most, where})
            CU(cuMemFree(p));
    }

    /// That the tests above would see an access behind a row, and that it is told whose it was. Each loses the context.
    void behind_the_last_row_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("code");
        QTest::newRow("one element too far") << 4 << static_cast<int>(CUDA_ERROR_ILLEGAL_ADDRESS);
        QTest::newRow("between two elements") << -2 << static_cast<int>(CUDA_ERROR_MISALIGNED_ADDRESS);
    }
    void behind_the_last_row() {
        QFETCH(int, bytes);
        QFETCH(int, code);
        for (const int last : {1, 2, 3, 5}) {
            const Program program("21_rows.cu");
            const Rows rows(last);
            const auto values = reals<float>(rows.columns.size());
            CUdeviceptr offsets = Session::upload(rows.offsets), columns = Session::upload(rows.columns);
            CUdeviceptr v = Session::upload(values), w = Session::upload(values);
            CUdeviceptr y = Session::upload(std::vector<float>(rows.offsets.size()));
            v += static_cast<CUdeviceptr>(static_cast<long long>(bytes));
            int n = rows.count();
            CU(Session::launch(program["sums"], (static_cast<unsigned>(n) + 127) / 128, 128,
                               {&n, &offsets, &columns, &v, &w, &y}));
            CU_FAILS(cuCtxSynchronize(), static_cast<CUresult>(code));
            const std::string text = last_error_text();
            QVERIFY2(text.find("21_rows.cu:10") != std::string::npos && text.find("thread") != std::string::npos,
                     text.c_str());
        }
    }

private:
    std::unique_ptr<Program> program_;
};

QTEST_GUILESS_MAIN(RowsTest)
#include "test_rows.moc"
