// SPDX-License-Identifier: Apache-2.0
// Comparisons, the report's JSON and its text.
#include "session/compare.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "warplight/ndarray.hpp"

#include <QTest>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

using namespace warplight;
using namespace warplight::session;

namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();

Report full_report() {
    Report report;
    report.status = Status::expectation_failed;
    report.title = "T";
    report.session = "/a/b.warplight";
    report.kernel = "f";
    report.lowered = "_Z1fv";
    report.device = {"software", 0, "Device", "8.0", 1u << 30};
    report.compile = {12.5, true, "NVRTC 13.0", "compute_80", "log", 1.5};
    report.diagnostics = {{"f.cu", 3, 4, "warning", "unused", {"note"}}};
    report.grid = {4, 1, 1};
    report.block = {32, 8, 1};
    report.shared = 128;
    report.repeat = 3;
    report.warmup = 1;
    report.times = {{3, 1, 2}, {0.5, 0.5, 0.5}, {0.25, 0.25, 0.25}};
    report.wall_ms = 20;
    report.function = {{"num_regs", 12}, {"shared_size_bytes", 0}};
    report.memory = {100, 90, 80, 10};
    report.occupancy = ReportOccupancy{4, 32, 64, 0.5, "registers", 256, 80, true};
    report.launched = true;
    report.registers_from = "estimate";
    ReportOutput output;
    output.index = 2;
    output.name = "y";
    output.direction = "out";
    output.dtype = "float32";
    output.shape = {2, 3};
    output.bytes = 24;
    output.saved = "/a/y.npy";
    output.buffer = 5;
    report.outputs = {output};
    Comparison comparison;
    comparison.index = 2;
    comparison.argument = "y";
    comparison.expected = "e.npy";
    comparison.elements = 6;
    comparison.mismatches = 1;
    comparison.first = 4;
    comparison.first_actual = std::nan("");
    comparison.first_expected = 2;
    comparison.largest_absolute_error = infinite;
    comparison.largest_absolute_at = 4;
    comparison.tolerance = {1e-5, 0};
    report.comparisons = {comparison};
    report.output = "hello\nworld\n";
    report.error =
        ReportError{"device", "it broke", "/launch", "cuLaunchKernel", 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "line 3"};
    return report;
}
} // namespace

class CompareTest : public QObject {
    Q_OBJECT
private slots:
    void a_comparison_can_be_stopped() {
        const auto x = NdArray::zeros({64, 1024}, DType::float32(), Order::F);
        int asked = 0;
        const auto stopped = compare(x, x, {}, [&] { return ++asked == 3; });
        QVERIFY(stopped.stopped && !stopped.passed);
        QCOMPARE(asked, 3);
        QVERIFY(compare(x, x, {}, [] { return false; }).passed);
    }

    void arrays_of_any_order_are_compared_by_index() {
        auto rows = NdArray::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
        const auto columns = rows.copy(Order::F);
        QVERIFY(compare(rows, columns, {}).passed);
        rows.set_item(1, 7.0);
        const auto result = compare(columns, rows, {});
        QCOMPARE(result.mismatches, std::uint64_t(1));
        QCOMPARE(result.first, std::uint64_t(1));
        QCOMPARE(result.first_expected, 7.0);
    }

    /// Part by part; an element counts once.
    void complex_numbers_are_compared() {
        using Complex = std::complex<float>;
        const auto array = [](const std::vector<Complex>& values) {
            const auto made = NdArray::zeros({values.size()}, DType::complex64());
            std::memcpy(made.mutable_bytes().data(), values.data(), made.nbytes());
            return made;
        };
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const auto expected = array({{1, 2}, {3, 4}, {-5, 0}, {nan, 1}});
        std::vector<std::uint64_t> places;
        const auto result = compare(array({{1, 2}, {3, 5}, {5, 2}, {nan, 1}}), expected, {0, 0.5}, {},
                                    [&](std::uint64_t at) { places.push_back(at); });
        QVERIFY2(result.problem.empty(), result.problem.c_str());
        QVERIFY(!result.passed);
        QCOMPARE(result.elements, std::uint64_t(4));
        QCOMPARE(result.mismatches, std::uint64_t(2));
        QCOMPARE(places, (std::vector<std::uint64_t>{1, 2}));
        QCOMPARE(result.first, std::uint64_t(1));
        QCOMPARE(result.first_field, std::string("imaginary"));
        QCOMPARE(result.first_actual, 5.0);
        QCOMPARE(result.largest_absolute_error, 10.0);
        QCOMPARE(result.largest_absolute_at, std::uint64_t(2));
        QVERIFY(compare(expected, expected, {}).passed);
        QVERIFY(!compare(expected, NdArray::zeros({4}, DType::float32()), {}).problem.empty());
    }

    void counts_and_finds_the_largest_errors() {
        const auto actual = NdArray::from<float>({1.0f, 2.1f, 100.0f, 0.001f, 0.0f});
        const auto expected = NdArray::from<float>({1.0f, 2.0f, 101.0f, 0.002f, 0.0f});
        const auto result = compare(actual, expected, {0.02, 0});
        QVERIFY(!result.passed);
        QCOMPARE(result.elements, std::uint64_t(5));
        QCOMPARE(result.mismatches, std::uint64_t(2));
        QCOMPARE(result.first, std::uint64_t(1));
        QCOMPARE(result.largest_absolute_at, std::uint64_t(2));
        QCOMPARE(result.largest_absolute_error, 1.0);
        QCOMPARE(result.largest_relative_at, std::uint64_t(3));
        QVERIFY(std::abs(result.largest_relative_error - 0.5) < 1e-6);
        QVERIFY(compare(actual, expected, {0.02, 0.2}).mismatches == 0);
    }

    void nan_and_infinity() {
        const float inf = std::numeric_limits<float>::infinity();
        const auto both = NdArray::from<float>({not_a_number, inf, -inf});
        QVERIFY(compare(both, both, {}).passed);
        const auto result = compare(NdArray::from<float>({not_a_number, inf}), NdArray::from<float>({1.0f, -inf}),
                                    {infinite, infinite});
        QCOMPARE(result.mismatches, std::uint64_t(2));
        QCOMPARE(result.largest_absolute_error, infinite);
    }

    void wide_integers_are_compared_exactly() {
        const auto a = NdArray::from<std::int64_t>({9007199254740993, -1});
        const auto b = NdArray::from<std::int64_t>({9007199254740992, -1});
        QCOMPARE(compare(a, b, {}).mismatches, std::uint64_t(1));
        QVERIFY(compare(a, a, {}).passed);
        QVERIFY(!compare(NdArray::from<std::int64_t>({-1}), NdArray::from<std::uint64_t>({~0ull}), {}).passed);
        QVERIFY(compare(NdArray::from<std::int8_t>({-1}), NdArray::from<std::int64_t>({-1}), {}).passed);
    }

    void shapes() {
        const auto row = NdArray::zeros({1, 6}, DType::float32());
        QVERIFY(compare(row, NdArray::zeros({6}, DType::float64()), {}).passed);
        const auto result = compare(row, NdArray::zeros({2, 3}, DType::float32()), {});
        QVERIFY(!result.passed);
        QVERIFY(QString::fromStdString(result.problem).contains("(1, 6)"));
        QVERIFY(compare(NdArray::zeros({0}, DType::float32()), NdArray::zeros({0}, DType::float32()), {}).passed);
        const auto square = NdArray::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
        QVERIFY(compare(square, square.copy(Order::F), {}).passed);
    }

    void chunks_join() {
        auto a = NdArray::zeros({10000}, DType::float32());
        const auto b = NdArray::zeros({10000}, DType::float32());
        a.set_item(4095, 1);
        a.set_item(4096, 2);
        a.set_item(9999, 3);
        const auto result = compare(a, b, {});
        QCOMPARE(result.mismatches, std::uint64_t(3));
        QCOMPARE(result.first, std::uint64_t(4095));
        QCOMPARE(result.largest_absolute_at, std::uint64_t(9999));
    }

    void statistics_of_runs() {
        const auto few = statistics({3, 1, 2});
        QCOMPARE(few.min, 1.0);
        QCOMPARE(few.median, 2.0);
        QCOMPARE(few.p95, 3.0);
        std::vector<double> many;
        for (int i = 1; i <= 100; ++i)
            many.push_back(101 - i);
        QCOMPARE(statistics(many).p95, 95.0);
        QCOMPARE(statistics(many).median, 50.5);
        QCOMPARE(statistics({}).median, 0.0);
    }

    void five_runs_have_an_interval() {
        Report report;
        report.times.kernel_ms = {5, 1, 2, 3, 40};
        auto object = to_json(report)["statistics"]["kernel_ms"];
        QCOMPARE(object["outliers"].get<int>(), 1);
        QCOMPARE(object["median_interval"].get<std::vector<double>>(), (std::vector<double>{1, 40}));
        QVERIFY(to_text(report).find("1.00 ms … 40.0 ms (95 %), 1 outlier\n") != std::string::npos);
        report.times.kernel_ms.pop_back();
        object = to_json(report)["statistics"]["kernel_ms"];
        QVERIFY(!object.contains("outliers") && !object.contains("median_interval"));
    }

    void the_report_survives_json() {
        const auto report = full_report();
        const auto json = to_json(report);
        const auto text = json.dump();
        const auto again = to_json(report_from_json(nlohmann::json::parse(text)));
        QCOMPARE(QString::fromStdString(again.dump()), QString::fromStdString(text));
        QCOMPARE(json["times"]["kernel_ms"].size(), std::size_t(3));
        QCOMPARE(json["statistics"]["kernel_ms"]["median"].get<double>(), 2.0);
        QCOMPARE(json["comparison"][0]["largest_absolute_error"].get<std::string>(), std::string("inf"));
        QCOMPARE(json["exit_code"].get<int>(), 1);
        // Older reports have no index.
        auto older = json;
        older["comparison"][0].erase("index");
        QCOMPARE(report_from_json(older).comparisons[0].index, 2);
        older["outputs"].push_back(older["outputs"][0]);
        QCOMPARE(report_from_json(older).comparisons[0].index, -1);
        QVERIFY_THROWS_EXCEPTION(SessionError, report_from_json(nlohmann::json::parse("{}")));
        QVERIFY_THROWS_EXCEPTION(SessionError, report_from_json(nlohmann::json::parse("[1]")));
    }

    void the_text_names_what_matters() {
        const auto text = QString::fromStdString(to_text(full_report()));
        for (const char* part : {"T: NOT AS EXPECTED", "software:0  Device", "NVRTC 13.0", "from the cache", "2.00 ms",
                                 "12 registers", "50 %", "limited by registers", "y  float32 (2, 3)", "/a/y.npy",
                                 "1 of 6 elements differ", "f.cu:3:4: warning: unused", "| world", "error: it broke"})
            QVERIFY2(text.contains(part), qPrintable(QString(part) + "\n" + text));
    }

    void units_scale() {
        QCOMPARE(QString::fromStdString(format_ms(0.00123)), QString("1.23 µs"));
        QCOMPARE(QString::fromStdString(format_ms(12.345)), QString("12.3 ms"));
        QCOMPARE(QString::fromStdString(format_ms(1500)), QString("1.50 s"));
        QCOMPARE(QString::fromStdString(format_bytes(1023)), QString("1023 B"));
        QCOMPARE(QString::fromStdString(format_bytes(4 << 20)), QString("4.00 MiB"));
        QCOMPARE(QString::fromStdString(format_bytes(16ull << 30)), QString("16.0 GiB"));
    }

    void exit_codes() {
        QCOMPARE(exit_code(Status::ok), 0);
        QCOMPARE(exit_code(Status::expectation_failed), 1);
        QCOMPARE(exit_code(Status::input_error), 2);
        QCOMPARE(exit_code(Status::compile_error), 3);
        QCOMPARE(exit_code(Status::device_error), 4);
    }
};

QTEST_APPLESS_MAIN(CompareTest)
#include "compare_test.moc"
