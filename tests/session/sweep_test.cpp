// SPDX-License-Identifier: Apache-2.0
// Sweeps without a device: the points, the statistics, and the order in which points run.
#include "session/scalar_formula.hpp"
#include "session/session.hpp"
#include "session/sweep_points.hpp"
#include "session/sweep_report.hpp"
#include "session/sweep_runner.hpp"
#include "session/sweep_text.hpp"
#include "session/timing_statistics.hpp"

#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace warplight::session;
using Texts = std::vector<std::string>;

namespace {

Session session_with(const std::string& sweep) {
    return parse(R"({"warplight": 2, "source": {"text": "__global__ void f() {}"}, "kernel": "f", "arguments": [
        {"name": "n", "direction": "scalar", "type": "i32", "value": 1000},
        {"name": "m", "direction": "scalar", "type": "i32", "value": {"size_of": "x", "axis": 1}},
        {"name": "x", "direction": "in", "source": {"kind": "zeros", "dtype": "float32", "shape": [4, 6]}},
        {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [6]}, "save": "y.npy",
         "expect": {"path": "y.npy"}}],
        "launch": {"grid": [4], "block": [64]}, "sweep": )" +
                 sweep + "}");
}

QString refusal(const std::string& sweep) {
    try {
        const auto session = session_with(sweep);
        const SweepPoints points(session);
        const auto chosen = points.chosen();
        return "accepted";
    } catch (const SessionError& error) {
        return error.what();
    }
}

/// Compiles and runs nothing: a block of b threads takes 1 + |b - 64| / 64 ms, more in every second round for all.
class FakeDevice : public SweepDevice {
public:
    std::vector<Texts> compiled;
    std::vector<std::uint32_t> order; ///< the blocks of the runs
    std::vector<RunOptions> options;
    std::vector<Session> sessions;
    std::function<void()> before_run;
    std::function<void(const Session&, const RunOptions&, Report&)> conditions;

    std::vector<SweepCompilation> compile(const std::vector<Session>& all,
                                          const std::function<void(std::size_t)>& done) override {
        std::vector<SweepCompilation> results;
        for (const auto& each : all) {
            compiled.push_back(each.compile.options);
            const bool bad = each.compile.options == Texts{"-DTILE=7"};
            results.push_back({!bad, bad ? "f.cu does not compile: line 3" : "", 5});
            done(results.size());
        }
        return results;
    }
    Report run(const Session& session, const RunOptions& how) override {
        if (before_run) before_run();
        order.push_back(session.launch.block.front());
        options.push_back(how);
        sessions.push_back(session);
        const double threads = session.launch.block.front();
        Report report;
        report.grid = session.launch.grid;
        report.device.multiprocessors = 2;
        report.occupancy = ReportOccupancy{};
        report.occupancy->blocks_per_sm = 1;
        if (threads == 1024) {
            report.status = Status::device_error;
            report.error = ReportError{.kind = "device", .message = "an illegal memory access"};
            return report;
        }
        if (threads == 96 && session.arguments[3].expect) {
            report.status = Status::expectation_failed;
            Comparison comparison;
            comparison.argument = "y";
            comparison.elements = 6;
            comparison.mismatches = 2;
            report.comparisons.push_back(comparison);
        }
        report.wall_ms = 12;
        report.compile.ms = 2;
        const double drift = order.size() % 2 ? 1 : 1.01;
        for (int i = 0; i < how.repeat.value_or(1); ++i)
            report.times.kernel_ms.push_back(drift * (1 + std::abs(threads - 64) / 64));
        if (conditions) conditions(session, how, report);
        return report;
    }
};

/// P(X >= least) of a binomial distribution.
double binomial_tail(int count, double chance, int least) {
    double sum = 0;
    for (int k = least; k <= count; ++k)
        sum += std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1)) *
               std::pow(chance, k) * std::pow(1 - chance, count - k);
    return sum;
}

} // namespace

class SweepTest : public QObject {
    Q_OBJECT private slots : void reads_and_writes_a_sweep() {
        const std::string sweep =
            R"({"vary": [{"name": "block", "values": [[32, 8], "64x2", 128]}, {"name": "define:TILE", "values": [8, "x"]}],
                "set": [{"name": "grid", "formulas": ["n/bx", "2"]}], "zip": true, "where": "bx > 1", "sample": 3,
                "seed": 9, "rounds": 4, "stop_slower": 0, "bytes": "4*n", "operations": "n", "x-note": 1})";
        const auto session = session_with(sweep);
        QVERIFY(session.sweep.has_value());
        QCOMPARE(session.sweep->vary[0].values, (Texts{"32x8", "64x2", "128"}));
        QCOMPARE(session.sweep->set[0].formulas, (Texts{"n/bx", "2"}));
        const auto text = to_text(session);
        QVERIFY(text.find("\"warplight\": 2") != std::string::npos);
        const auto again = parse(text);
        QVERIFY(again.sweep->vary == session.sweep->vary);
        QVERIFY(again.sweep->set == session.sweep->set);
        QCOMPARE(again.sweep->rounds, 4);
        QCOMPARE(again.sweep->stop_slower, 0.0);
        QCOMPARE(again.sweep->sample, std::uint64_t(3));
        QVERIFY(again.sweep->zip);
        QCOMPARE(again.sweep->unknown, std::string("{\"x-note\":1}"));
        QVERIFY(session_from_json(to_json(session)).sweep->vary == session.sweep->vary);
    }

    void documents_without_a_sweep_stay_in_version_1() {
        const auto session = parse(R"({"warplight": 1, "source": "a.cu", "kernel": "f"})");
        QVERIFY(to_text(session).find("\"warplight\": 1") != std::string::npos);
        QVERIFY(to_text(session).find("sweep") == std::string::npos);
    }

    void refuses_what_it_cannot_vary_data() {
        QTest::addColumn<QString>("sweep");
        QTest::addColumn<QString>("words");
        const auto vary = [](const char* name, const char* values) {
            return QString(R"({"vary": [{"name": "%1", "values": %2}]})").arg(name, values);
        };
        QTest::newRow("nothing") << "{}" << "varies nothing";
        QTest::newRow("unknown") << vary("color", "[1]") << "cannot be varied";
        QTest::newRow("no values") << vary("block", "[]") << "one value at least";
        QTest::newRow("no name") << vary("define:", "[1]") << "needs a name";
        QTest::newRow("block 0") << vary("block", "[0]") << "whole numbers from 1";
        QTest::newRow("block text") << vary("block", R"(["32y8"])") << "such as 32x8";
        QTest::newRow("four extents") << vary("grid", R"(["1x1x1x1"])") << "more than 3 numbers";
        QTest::newRow("argument") << vary("argument:q", "[1]") << "no argument \"q\"";
        QTest::newRow("array") << vary("argument:x", "[1]") << "shape:x";
        QTest::newRow("scalar") << vary("shape:n", "[1]") << "argument:n";
        QTest::newRow("no integer") << vary("argument:n", "[0.5]") << "0.5";
        QTest::newRow("device") << vary("device", R"(["tpu"])") << "tpu";
        QTest::newRow("twice") << R"({"vary": [{"name": "block", "values": [1]}, {"name": "block", "values": [2]}]})"
                               << "twice";
        QTest::newRow("zip")
            << R"({"zip": true, "vary": [{"name": "block", "values": [1, 2]}, {"name": "grid", "values": [2]}]})"
            << "same number of values";
        QTest::newRow("set kernel")
            << R"({"vary": [{"name": "grid", "values": [1]}], "set": [{"name": "kernel", "formulas": ["1"]}]})"
            << "cannot follow by a formula";
        QTest::newRow("varied and set")
            << R"({"vary": [{"name": "grid", "values": [1]}], "set": [{"name": "grid", "formulas": ["1"]}]})"
            << "is varied";
        QTest::newRow("nothing left") << R"({"vary": [{"name": "block", "values": [1, 2]}], "where": "bx > 2"})"
                                      << "No point";
        QTest::newRow("unknown name") << R"({"vary": [{"name": "block", "values": [1, 2]}], "where": "q > 2"})"
                                      << "names \"q\", which is not known";
        QTest::newRow("formula") << R"({"vary": [{"name": "block", "values": [1, 2]}], "where": "bx >"})"
                                 << "The formula \"bx >\" ends too early, at its end.";
    }
    void refuses_what_it_cannot_vary() {
        QFETCH(QString, sweep);
        QFETCH(QString, words);
#ifndef WARPLIGHT_HAS_FORMULAS
        if (sweep.contains("where")) QSKIP("built without formulas");
#endif
        const auto message = refusal(sweep.toStdString());
        QVERIFY2(message.contains(words), qPrintable(message));
    }

    void values_are_split_outside_of_brackets() {
        QCOMPARE(parse_axis("kernel=scale<float, 4>,scale<double, 2>").values,
                 (Texts{"scale<float, 4>", "scale<double, 2>"}));
        QCOMPARE(parse_axis("option=,--use_fast_math").values, (Texts{"", "--use_fast_math"}));
        QCOMPARE(parse_setting("grid=max(n,m)/bx, n<5 ? 1 : 2").formulas, (Texts{"max(n,m)/bx", "n<5 ? 1 : 2"}));
        QVERIFY_THROWS_EXCEPTION(SessionError, parse_axis("block"));
    }

    void ranges_and_quoted_values() {
        QCOMPARE(parse_values("1..4, 7"), (Texts{"1", "2", "3", "4", "7"}));
        QCOMPARE(parse_values("64..256+64,-2..0"), (Texts{"64", "128", "192", "256", "-2", "-1", "0"}));
        QCOMPARE(parse_values("32..1024*2").size(), std::size_t(6));
        QCOMPARE(parse_values("9223372036854775806..9223372036854775807").size(), std::size_t(2));
        QCOMPARE(parse_values("\"-Xptxas -O1,-v\" , , \"a\"\"b\", 1..x"),
                 (Texts{"-Xptxas -O1,-v", "", "a\"b", "1..x"}));
        QCOMPARE(parse_values(""), Texts{""});
        for (const char* bad : {"8..1", "1..8*1", "0..8*2", "1..8+0", "1..9000000", "\"a", "\"a\"b, c"})
            QVERIFY_THROWS_EXCEPTION(SessionError, (void)parse_values(bad));
    }

    void values_are_written_as_they_are_read() {
        for (const Texts& values :
             {Texts{"64", "128", "256"}, Texts{""}, Texts{"", "--use_fast_math"}, Texts{"a,b", "f<int,2>"},
              Texts{"<", ">"}, Texts{" a"}, Texts{"\"x"}, Texts{"1..3"}, Texts{"007", "1e3", "2.5"}})
            QCOMPARE(parse_values(values_text(values)), values);
        QCOMPARE(values_text({"64", "128", "256"}), std::string("64, 128, 256"));
        QCOMPARE(values_text(parse_values("1..1000")), std::string("1..1000"));
        QCOMPARE(values_text(parse_values("1,2,32..4096*2,5")), std::string("1, 2, 32..4096*2, 5"));
        QCOMPARE(values_text(parse_values("0..100+10,7")), std::string("0..100+10, 7"));
    }

    void a_product_has_the_last_axis_fastest() {
        const auto session = session_with(
            R"({"vary": [{"name": "block", "values": ["32x2", 64]}, {"name": "define:TILE", "values": [8, 16, 32]}]})");
        const SweepPoints points(session);
        QCOMPARE(points.count(), std::uint64_t(6));
        QCOMPARE(points.values_at(4), (Texts{"64", "16"}));
        const auto at = points.session_at(1);
        QCOMPARE(at.launch.block, (std::vector<std::uint32_t>{32, 2, 1}));
        QCOMPARE(at.compile.options, (Texts{"-DTILE=16"}));
        QVERIFY(!at.sweep);
    }

    void axes_of_the_block_vary_alone() {
        const auto session =
            session_with(R"({"vary": [{"name": "bx", "values": [8, 16]}, {"name": "by", "values": [2, 4]}],
            "set": [{"name": "grid", "formulas": ["threads", "by"]}], "where": "threads >= 32"})");
        const SweepPoints points(session);
        QCOMPARE(points.chosen(), (std::vector<std::uint64_t>{1, 2, 3}));
        const auto last = points.session_at(3).launch;
        QCOMPARE(last.block, (std::vector<std::uint32_t>{16, 4, 1}));
        QCOMPARE(last.grid, (std::vector<std::uint32_t>{64, 4, 1}));
        QVERIFY(refusal(R"({"vary": [{"name": "block", "values": [8]}, {"name": "by", "values": [2]}]})")
                    .contains("a part of it"));
        QVERIFY(refusal(R"({"vary": [{"name": "gx", "values": [8]}], "set": [{"name": "grid", "formulas": ["1"]}]})")
                    .contains("cannot follow"));
        QVERIFY(refusal(R"({"vary": [{"name": "bz", "values": ["2x2"]}]})").contains("bz"));
    }

    void options_of_a_launch_and_template_arguments_vary() {
        auto session = session_with(R"({"vary": [{"name": "cluster", "values": ["", "2x1", 4]},
            {"name": "cooperative", "values": [false, true]}, {"name": "carveout", "values": ["", 50]},
            {"name": "cache", "values": ["l1", "shared"]}, {"name": "priority", "values": [0, -2]},
            {"name": "template:2", "values": [8, "g<int, 2>"]}]})");
        session.kernel = "scale<float, 4>";
        const SweepPoints points(session);
        QCOMPARE(points.count(), std::uint64_t(3 * 2 * 2 * 2 * 2 * 2));
        const auto first = points.session_at(0), last = points.session_at(points.count() - 1);
        QVERIFY(first.launch.options.cluster.empty() && !first.launch.cooperative && !first.launch.options.carveout);
        QCOMPARE(first.kernel, std::string("scale<float, 8>"));
        QCOMPARE(last.launch.options.cluster, (std::vector<std::uint32_t>{4, 1, 1}));
        QVERIFY(last.launch.cooperative && last.launch.options.carveout == 50);
        QCOMPARE(last.launch.options.cache, std::string("shared"));
        QCOMPARE(last.launch.options.priority, -2);
        QCOMPARE(last.kernel, std::string("scale<float, g<int, 2>>"));
        QVERIFY(to_text(session).find("\"warplight\": 4") != std::string::npos);
        QVERIFY(parse(to_text(session)).sweep->vary == session.sweep->vary);
        QVERIFY(refusal(R"({"vary": [{"name": "template:1", "values": [8]}]})").contains("0 template arguments"));
        QVERIFY(refusal(R"({"vary": [{"name": "carveout", "values": [101]}]})").contains("from 0 to 100"));
        QVERIFY(refusal(R"({"vary": [{"name": "cooperative", "values": [2]}]})").contains("true or false"));
        QVERIFY(refusal(R"({"vary": [{"name": "run_as", "values": ["graph"]}]})").contains("the session has none"));
        QVERIFY(refusal(R"({"vary": [{"name": "step:1.block", "values": [8]}]})").contains("the session has none"));
#ifdef WARPLIGHT_HAS_FORMULAS
        auto some = session_with(R"({"vary": [{"name": "cluster", "values": [1, 2, 3, 4]}], "where": "gx % cx == 0"})");
        QCOMPARE(SweepPoints(some).chosen(), (std::vector<std::uint64_t>{0, 1, 3}));
        some = session_with(R"({"vary": [{"name": "template:1", "values": [2, 4]}],
            "set": [{"name": "shared", "formulas": ["4*t1*threads"]}]})");
        some.kernel = "f<1>";
        QCOMPARE(SweepPoints(some).session_at(1).launch.shared, std::uint64_t(4 * 4 * 64));
#endif
    }

    void steps_of_a_pipeline_vary() {
        const auto with = [](const std::string& sweep) {
            return parse(R"j({"warplight": 3, "source": {"text": "x"}, "arguments": [
                {"name": "n", "direction": "scalar", "type": "i32", "value": 1000},
                {"name": "x", "direction": "inout", "source": {"kind": "zeros", "shape": [1000]}}],
                "pipeline": {"steps": [{"kind": "launch", "kernel": "f<int>", "arguments": ["x", "n"],
                                        "launch": {"block": 64, "grid": 2}, "grid": ["ceil(n/bx)"]},
                    {"kind": "loop", "times": 5, "steps": [
                        {"kind": "launch", "kernel": "g", "arguments": ["x", {"type": "f32", "value": 2}],
                         "launch": {"block": 32, "grid": 3}},
                        {"kind": "launch", "kernel": "f<int>", "arguments": ["x", "n"], "launch": {"block": 96}}]},
                    {"kind": "loop", "until": "x[0] > 1", "steps": [{"kind": "swap", "buffers": ["x", "x"]}]}]},
                "sweep": )j" +
                         sweep + "}");
        };
        const auto refused = [&](const std::string& sweep) -> QString {
            try {
                const auto session = with(sweep);
                (void)SweepPoints(session).session_at(0);
                return "accepted";
            } catch (const SessionError& error) {
                return error.what();
            }
        };
        const auto launch_at = [](const Session& session, int path) {
            const auto& steps = session.pipeline->steps;
            return std::get<LaunchStep>(
                path == 1 ? steps[0].what
                          : std::get<LoopStep>(steps[1].what).steps[static_cast<std::size_t>(path - 21)].what);
        };
        const auto session = with(R"({"vary": [{"name": "step:f.block", "values": [128, "16x2"]},
            {"name": "step:2.1.value:2", "values": [0.5]}, {"name": "step:2.times", "values": [7]},
            {"name": "step:2.1.gy", "values": [4]}, {"name": "step:3.at_most", "values": [9]},
            {"name": "step:f.template:1", "values": ["float"]}, {"name": "run_as", "values": ["graph"]}],
            "time": "2.1"})");
        QVERIFY(to_text(session).find("\"warplight\": 4") != std::string::npos);
        QCOMPARE(parse(to_text(session)).sweep->time, std::string("2.1"));
        const auto at = SweepPoints(session).session_at(1);
        QCOMPARE(launch_at(at, 1).launch.block, (std::vector<std::uint32_t>{16, 2, 1}));
        QCOMPARE(launch_at(at, 22).launch.block, (std::vector<std::uint32_t>{16, 2, 1}));
        QCOMPARE(launch_at(at, 21).launch.block, (std::vector<std::uint32_t>{32, 1, 1}));
        QCOMPARE(launch_at(at, 21).launch.grid, (std::vector<std::uint32_t>{3, 4, 1}));
        QCOMPARE(launch_at(at, 1).kernel, std::string("f<float>"));
        QVERIFY(!launch_at(at, 1).grid.empty());
        QCOMPARE(as_double(launch_at(at, 21).arguments[1].value), 0.5);
        QCOMPARE(std::get<LoopStep>(at.pipeline->steps[1].what).times, std::uint64_t(7));
        QCOMPARE(std::get<LoopStep>(at.pipeline->steps[2].what).at_most, std::uint64_t(9));
        QVERIFY(at.pipeline->graph);

        QVERIFY(refused(R"({"vary": [{"name": "block", "values": [8]}]})").contains("step:STEP.block"));
        QVERIFY(refused(R"({"vary": [{"name": "step:h.block", "values": [8]}]})").contains("1 (f<int>), 2 (loop"));
        QVERIFY(refused(R"({"vary": [{"name": "step:2.block", "values": [8]}]})").contains("is no launch"));
        QVERIFY(refused(R"({"vary": [{"name": "step:g.times", "values": [8]}]})").contains("is no loop"));
        QVERIFY(refused(R"({"vary": [{"name": "step:3.times", "values": [8]}]})").contains("ends by a condition"));
        QVERIFY(refused(R"({"vary": [{"name": "step:g.value:1", "values": [8]}]})").contains("argument:NAME"));
        QVERIFY(refused(R"({"vary": [{"name": "step:g.arch", "values": ["sm_80"]}]})").contains("of a step"));
        QVERIFY(
            refused(R"({"vary": [{"name": "step:f.block", "values": [8]}, {"name": "step:1.block", "values": [8]}]})")
                .contains("are both step 1"));
        QVERIFY(
            refused(R"({"vary": [{"name": "step:g.block", "values": [8]}], "time": "9"})").contains("no step \"9\""));
#ifdef WARPLIGHT_HAS_FORMULAS
        // One launch has the plain names; of several each formula of a step has its own, and the others have suffixes.
        auto one = with(R"({"vary": [{"name": "step:g.block", "values": [8, 16, 32]}], "where": "bx*gx <= 48",
            "set": [{"name": "step:g.shared", "formulas": ["4*threads"]}, {"name": "step:2.times", "formulas": ["threads/4"]}],
            "bytes": "n*times"})");
        QCOMPARE(SweepPoints(one).chosen(), (std::vector<std::uint64_t>{0, 1}));
        QCOMPARE(launch_at(SweepPoints(one).session_at(1), 21).launch.shared, std::uint64_t(64));
        QCOMPARE(*SweepPoints(one).bytes_at(1), 4000.0);
        auto two =
            with(R"({"vary": [{"name": "step:g.bx", "values": [8, 16]}, {"name": "step:1.block", "values": [32, 50]}],
            "where": "bx_g + bx_1 < 60",
            "set": [{"name": "step:g.grid", "formulas": ["bx", "bx_1"]}, {"name": "step:1.grid", "formulas": ["n/bx"]}]})");
        QCOMPARE(SweepPoints(two).chosen(), (std::vector<std::uint64_t>{0, 1, 2}));
        const auto set = SweepPoints(two).session_at(1);
        QCOMPARE(launch_at(set, 21).launch.grid, (std::vector<std::uint32_t>{8, 50, 1}));
        QCOMPARE(launch_at(set, 1).launch.grid, (std::vector<std::uint32_t>{20, 1, 1}));
        QVERIFY(launch_at(set, 1).grid.empty());
        QVERIFY(
            refused(R"({"vary": [{"name": "step:1.block", "values": [8]}], "where": "gx > 1"})").contains("\"gx\""));
#endif
    }

    void zipped_axes_go_together() {
        const auto session = session_with(
            R"({"zip": true, "vary": [{"name": "block", "values": [32, 64]}, {"name": "grid", "values": [8, 4]}]})");
        const SweepPoints points(session);
        QCOMPARE(points.count(), std::uint64_t(2));
        QCOMPARE(points.values_at(1), (Texts{"64", "4"}));
    }

    void formulas_follow_the_block_and_the_arguments() {
#ifndef WARPLIGHT_HAS_FORMULAS
        QSKIP("built without formulas");
#endif
        const auto session = session_with(
            R"j({"vary": [{"name": "block", "values": ["32x4", "64x2"]}, {"name": "argument:n", "values": [1000, 64]},
                          {"name": "define:TILE", "values": [8]}],
                 "set": [{"name": "shape:x", "formulas": ["2", "n/2"]},
                         {"name": "grid", "formulas": ["ceil(n/bx)", "m"]},
                         {"name": "shared", "formulas": ["4*threads*TILE"]}],
                 "bytes": "8*n", "operations": "gx*threads"})j");
        const SweepPoints points(session);
        const auto at = points.session_at(2); // 64x2, 1000
        QCOMPARE(at.launch.grid, (std::vector<std::uint32_t>{16, 500, 1}));
        QCOMPARE(at.launch.shared, std::uint64_t(4 * 128 * 8));
        QCOMPARE(std::get<ZerosSource>(at.arguments[2].source).shape, Shape({2, 500}));
        QCOMPARE(*points.bytes_at(2), 8000.0);
        QCOMPARE(*points.operations_at(2), 16.0 * 128);
        const auto half = session_with(
            R"({"vary": [{"name": "block", "values": [3]}], "set": [{"name": "grid", "formulas": ["n/bx"]}]})");
        QVERIFY_THROWS_EXCEPTION(SessionError, (void)SweepPoints(half).session_at(0));
    }

    void constraints_and_samples_choose_points() {
        const auto many = session_with(R"({"vary": [{"name": "block", "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]},
            {"name": "grid", "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}], "sample": 7, "seed": 5})");
        const auto chosen = SweepPoints(many).chosen();
        QCOMPARE(chosen.size(), std::size_t(7));
        QCOMPARE(std::set<std::uint64_t>(chosen.begin(), chosen.end()).size(), std::size_t(7));
        QVERIFY(std::ranges::is_sorted(chosen) && chosen.back() < 100);
        QCOMPARE(SweepPoints(many).chosen(), chosen);
#ifdef WARPLIGHT_HAS_FORMULAS
        auto some = many;
        some.sweep->where = "bx*gx <= 10 && bx != 3";
        for (const auto point : SweepPoints(some).chosen()) {
            const auto at = SweepPoints(some).session_at(point);
            QVERIFY(at.launch.block[0] * at.launch.grid[0] <= 10 && at.launch.block[0] != 3);
        }
        some.sweep->sample = 0;
        QCOMPARE(SweepPoints(some).count(), std::uint64_t(27 - 3));
#endif
    }

    void a_formula_computes() {
#ifndef WARPLIGHT_HAS_FORMULAS
        QVERIFY_THROWS_EXCEPTION(SessionError, ScalarFormula("1", {}));
#else
        const ScalarFormula formula("ceil(n/bx) + 2^3 * (bx >= 4 && n < 11)", {"n", "bx"});
        QCOMPARE(formula.value(std::vector<double>{10, 4}), 11.0);
        QCOMPARE(formula.value(std::vector<double>{11, 4}), 3.0);
        QVERIFY_THROWS_EXCEPTION(SessionError, (void)formula.value(std::vector<double>{1}));
        QVERIFY_THROWS_EXCEPTION(SessionError, ScalarFormula("1, 2", {}));
        QVERIFY_THROWS_EXCEPTION(SessionError, ScalarFormula("", {}));
        try {
            ScalarFormula("2*by", {"n", "bx"});
            QFAIL("a name that is not there");
        } catch (const SessionError& problem) {
            QCOMPARE(
                problem.what(),
                "The formula \"2*by\" names \"by\", which is not known (there are n, bx), at character 3: \"by\".");
            QVERIFY(problem.pointer.empty());
        }
#endif
    }

    void medians_quantiles_and_outliers() {
        QCOMPARE(median_of({3, 1, 2}), 2.0);
        QCOMPARE(median_of({4, 1, 2, 3}), 2.5);
        QCOMPARE(median_of({}), 0.0);
        // numpy.quantile([1, 2, 3, 4], [0.25, 0.9]) is [1.75, 3.7].
        const std::vector<double> four{1, 2, 3, 4};
        QCOMPARE(quantile_of(four, 0.25), 1.75);
        QCOMPARE(quantile_of(four, 0.9), 3.7);
        QCOMPARE(count_outliers({1, 2, 3, 4, 5, 6, 7, 8, 9, 14.4}), std::size_t(0));
        QCOMPARE(count_outliers({1, 2, 3, 4, 5, 6, 7, 8, 9, 14.6}), std::size_t(1));
        QCOMPARE(count_outliers({}), std::size_t(0));
    }

    void warm_up_ends_when_times_are_steady() {
        QVERIFY(!is_steady(std::vector<double>{10}));
        QVERIFY(!is_steady(std::vector<double>{10, 9}));
        QVERIFY(is_steady(std::vector<double>{10, 9, 8.9}));
        QVERIFY(is_steady(std::vector<double>{10, 11}));
        QVERIFY(!is_steady(std::vector<double>{10, 11, 9.7}));
    }

    // The median of n drawn values is at most the k-th one with the chance that at least (n + 1) / 2 of them are.
    void the_interval_of_a_median_is_the_exact_one_of_the_bootstrap() {
        for (const int n : {7, 11, 25}) {
            std::vector<double> values;
            for (int i = 1; i <= n; ++i)
                values.push_back(i * i);
            const auto quantile = [&](double fraction) {
                int k = 1;
                while (binomial_tail(n, static_cast<double>(k) / n, (n + 1) / 2) < fraction)
                    ++k;
                return static_cast<double>(k * k);
            };
            const auto interval = interval_of_median(std::vector<std::vector<double>>{values});
            QCOMPARE(interval.low, quantile(0.025));
            QCOMPARE(interval.high, quantile(0.975));
        }
    }

    void visits_that_differ_widen_the_interval() {
        std::vector<double> low(20, 1.0), high(20, 2.0);
        const auto apart = interval_of_median(std::vector{low, high, low, high});
        QCOMPARE(apart, (Interval{1, 2}));
        QCOMPARE(interval_of_median(std::vector{low, low}), (Interval{1, 1}));
        QCOMPARE(interval_of_median({}), (Interval{0, 0}));
    }

    void the_test_of_rounds_is_exact() {
        const std::vector<double> ones(8, 1.0);
        const auto p = [&](const std::vector<double>& logs) {
            std::vector<double> second;
            for (const double each : logs)
                second.push_back(std::exp(each));
            return compare_rounds(ones, second);
        };
        // Of the sums of ±1 ±2 ±3 ±4, two are less than 2 in size.
        QCOMPARE(p({1, 2, 3, -4}).p, 14.0 / 16);
        QCOMPARE(p({0.1, 0.1, 0.1, 0.1, 0.1, 0.1}).p, 2.0 / 64);
        QVERIFY(p({0.1, 0.2, 0.1, 0.2, 0.1, 0.1}).seen);
        QCOMPARE(p({0.1, 0.1, 0.1, 0.1, 0.1}).p, 2.0 / 32);
        QVERIFY(!p({0.1, 0.1, 0.1, 0.1, 0.1}).seen);
        QCOMPARE(p({0, 0, 0, 0, 0, 0}).p, 1.0);
        QVERIFY(!p({0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1}).seen);
        QVERIFY(std::abs(p({0.1, 0.3, 0.1, 0.3}).ratio - std::exp(0.2)) < 1e-12);
        const auto interval = p({0.1, 0.3, 0.1, 0.3}).interval;
        QVERIFY(interval.low >= std::exp(0.1) - 1e-12 && interval.high <= std::exp(0.3) + 1e-12);
        const std::vector<double> many(24, 1.0), more(24, 1.1);
        QVERIFY(compare_rounds(many, more).p < 1e-3);
        QCOMPARE(compare_rounds(many, many).p, 1.0);
        QCOMPARE(compare_rounds({}, {}).rounds, std::size_t(0));
    }

    void the_test_of_two_runs_is_exact() {
        const auto p = [](std::vector<double> first, std::vector<double> second) {
            return compare_samples(first, second);
        };
        // Of the 70 ways to part 1 … 8 into fours, two have all of the least in one.
        const auto apart = p({1, 2, 3, 4}, {5, 6, 7, 8});
        QCOMPARE(apart.p, 2.0 / 70);
        QVERIFY(apart.enough && apart.seen);
        QCOMPARE(apart.ratio, 6.5 / 2.5);
        QVERIFY(apart.interval.low >= 5.0 / 4 && apart.interval.low < apart.ratio);
        QVERIFY(apart.interval.high <= 8 && apart.interval.high > apart.ratio);
        QCOMPARE(p({1, 2, 3, 4}, {1, 2, 3, 4}).p, 1.0);
        const auto few = p({1, 1, 1}, {2, 2, 2});
        QVERIFY(!few.enough && !few.seen && few.p > 0.05);
        // By random parts: the same each time, and no less than what was observed itself.
        const std::vector<double> low(40, 1.0), high(40, 1.1);
        QVERIFY(p(low, high).seen);
        QCOMPARE(p(low, high), p(low, high));
        QVERIFY(p(low, high).p >= 1.0 / 5000);
        const std::vector<double> many(100000, 2.0);
        QVERIFY(p(low, many).seen); // thinned
        QCOMPARE(p(many, many).p, 1.0);
    }

    void noise_between_two_runs_is_seldom_a_difference() {
        std::uint64_t state = 7;
        const auto noise = [&] {
            state = state * 6364136223846793005u + 1442695040888963407u;
            return 1 + static_cast<double>(state >> 40) / (1 << 24);
        };
        int seen = 0;
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<double> first(6), second(6);
            for (auto* values : {&first, &second})
                for (double& value : *values)
                    value = noise();
            seen += compare_samples(first, second).seen;
        }
        QVERIFY2(seen >= 2 && seen <= 20, qPrintable(QString::number(seen)));
    }

    // Noise alone is taken for a difference about as often as the level says.
    void noise_is_seldom_a_difference() {
        std::uint64_t state = 7;
        const auto noise = [&] {
            state = state * 6364136223846793005u + 1442695040888963407u;
            return 1 + 0.05 * static_cast<double>(state >> 40) / (1 << 24);
        };
        int seen = 0;
        for (int i = 0; i < 200; ++i) {
            std::vector<double> first, second;
            for (int j = 0; j < 8; ++j) {
                first.push_back(noise());
                second.push_back(noise());
            }
            seen += compare_rounds(first, second).seen;
        }
        QVERIFY2(seen >= 2 && seen <= 20, qPrintable(QString::number(seen)));
    }

    /// Another program may have had the processor meanwhile.
    void a_disturbed_trial_stops_no_point() {
        const auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 65]}], "rounds": 3})");
        FakeDevice device;
        device.conditions = [&](const Session& of, const RunOptions&, Report& report) {
            const bool disturbed = of.launch.block.front() == 65 && device.order.size() <= 2;
            for (double& time : report.times.kernel_ms)
                time = disturbed ? 0.1 : time / 1000;
        };
        const auto report = run_sweep(session, device, {});
        QVERIFY(
            std::ranges::all_of(report.points, [](const auto& point) { return point.state == PointState::measured; }));
        QCOMPARE(device.order.size(), std::size_t(2 + 3 * 2));
    }

    void runs_points_in_turn() {
        const auto session =
            session_with(R"({"vary": [{"name": "block", "values": [64, 65, 96, 128, 512, 1024]}], "rounds": 6})");
        FakeDevice device;
        const auto report = run_sweep(session, device, {});
        QCOMPARE(device.compiled.size(), std::size_t(1)); // blocks need no other code
        std::vector<PointState> states;
        for (const auto& point : report.points)
            states.push_back(point.state);
        using enum PointState;
        QVERIFY((states == std::vector{measured, measured, wrong, measured, slower, failed}));
        QCOMPARE(report.points[5].message, std::string("an illegal memory access"));
        QVERIFY(report.points[2].message.find("y: 2 of 6 elements differ") != std::string::npos);
        // A trial of each, then rounds: one with the slow point, and five of the three that are left.
        QCOMPARE(device.order.size(), std::size_t(6 + 4 + 5 * 3));
        std::set<std::vector<std::uint32_t>> orders;
        for (std::size_t i = 10; i < device.order.size(); i += 3) {
            std::vector round(device.order.begin() + static_cast<std::ptrdiff_t>(i),
                              device.order.begin() + static_cast<std::ptrdiff_t>(i + 3));
            orders.insert(round);
            std::ranges::sort(round);
            QCOMPARE(round, (std::vector<std::uint32_t>{64, 65, 128}));
        }
        QVERIFY(orders.size() > 1);
        for (std::size_t i = 0; i < device.order.size(); ++i) {
            const bool trial = i < 6;
            QCOMPARE(device.options[i].steady, !trial);
            QCOMPARE(device.sessions[i].arguments[3].expect.has_value(), trial);
            QVERIFY(device.sessions[i].arguments[3].save.empty());
        }
        QCOMPARE(*device.options.back().repeat, device.order.back() == 128 ? 10 : 20);
        QCOMPARE(*report.best, std::size_t(0));
        QVERIFY(!report.points[0].against_best);
        QVERIFY(report.points[3].against_best->seen);
        QVERIFY(std::abs(report.points[3].against_best->ratio - 2) < 0.05);
        QCOMPARE(report.points[0].figures.waves, 2.0);
        QCOMPARE(report.points[0].figures.tail, 0.0);
        QCOMPARE(exit_code(report), 0);
        const auto json = to_json(report);
        QVERIFY(json.at("points").size() == 6 && json.at("best") == 0);
        const auto csv = QString::fromStdString(to_csv(report));
        QCOMPARE(csv.count('\n'), 7);
        QVERIFY(csv.startsWith("block,state,best,median_ms"));
        const auto text = QString::fromStdString(to_text(report));
        for (const char* words :
             {"best: block=64", "1 far slower", "1 wrong", "1 failed", "failed: an illegal memory access"})
            QVERIFY2(text.contains(words), qPrintable(text));
        QVERIFY(QString::fromStdString(to_text(report, 2)).contains("and 4 more points"));
    }

    void a_point_that_does_not_compile_is_recorded() {
        const auto session = session_with(
            R"({"vary": [{"name": "define:TILE", "values": [7, 8]}, {"name": "block", "values": [64, 128]}], "rounds": 1})");
        FakeDevice device;
        const auto report = run_sweep(session, device, {});
        QCOMPARE(device.compiled.size(), std::size_t(2));
        QCOMPARE(device.order.size(), std::size_t(2 + 2));
        QCOMPARE(report.count(PointState::failed), std::size_t(2));
        QCOMPARE(report.points[0].kind, std::string("compile"));
        QCOMPARE(report.count(PointState::measured), std::size_t(2));
        // One round tells no difference.
        QVERIFY(!report.points[3].against_best->seen);
        QVERIFY(to_text(report).find("too few rounds") != std::string::npos);
    }

    /// Clocks are those of the rounds. An empty launch is timed once for each of its kinds.
    void conditions_are_told_of_each_point() {
        const auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 65]},
            {"name": "cooperative", "values": [false, true]}, {"name": "l2", "values": ["warm", "cold"]}],
            "rounds": 2, "stop_slower": 0})");
        QVERIFY(to_text(session).find("\"warplight\": 4") != std::string::npos);
        FakeDevice device;
        int asked = 0, cold = 0;
        device.conditions = [&](const Session& run, const RunOptions& how, Report& report) {
            cold += run.cold_l2;
            report.clocks.emplace().samples = 1;
            report.clocks->sm_mhz = ClockRange{1980, 1980};
            if (!how.steady) report.clocks->held_by = {warplight::driver::ClockLimit::thermal}; // of the trial
            if (how.steady && run.launch.block.front() == 65 && run.cold_l2) {
                report.clocks->held_by = {warplight::driver::ClockLimit::power_cap};
                if (run.launch.cooperative) report.clocks->sm_mhz->low = 990;
            }
            if (how.no_empty_launch) return;
            ++asked;
            report.empty_launch = ReportEmptyLaunch{.kind = run.launch.cooperative ? "cooperative" : "launch",
                                                    .ms = run.launch.cooperative ? 0.7 : 0.2};
        };
        const auto report = run_sweep(session, device, {});
        QCOMPARE(report.points.size(), std::size_t{8});
        QCOMPARE(asked, 2);
        QCOMPARE(cold, 4 + 2 * 4); // of the trials, and of two rounds
        for (const auto& point : report.points) {
            const bool cooperative = point.values[1] == "true";
            QCOMPARE(point.empty_launch->ms, cooperative ? 0.7 : 0.2);
            QCOMPARE(point.is_mostly_launch(), cooperative);
            QCOMPARE(point.clocks->samples, 2);
            QCOMPARE(point.has_doubtful_clocks(), point.values[0] == "65" && point.values[2] == "cold");
        }
        QCOMPARE(report.doubtful_clocks(), std::size_t{2});
        QCOMPARE(*report.clocks()->sm_mhz, (ClockRange{990, 1980}));
        const auto json = to_json(report);
        QCOMPARE(json.at("doubtful_clocks").get<int>(), 2);
        QVERIFY(json.at("clocks").at("throttled").get<bool>());
        QVERIFY(json.at("points").at(0).at("empty_launch").at("ms").get<double>() == 0.2);
        const auto text = to_text(report);
        QVERIFY(text.find(", throttled, SM clock changed by 50 %, mostly its launch") != std::string::npos);
        QVERIFY(text.find("2 of 8 points were measured while clocks were held down or changed") != std::string::npos);
        QVERIFY(text.find("an empty kernel (cooperative) takes 700 µs") != std::string::npos);
        QVERIFY(to_csv(report).find(",0.7,1,") != std::string::npos);
        QVERIFY(refusal(R"({"vary": [{"name": "l2", "values": ["tepid"]}]})").contains("there are warm and cold"));
    }

    void only_failures_have_their_exit_code() {
        FakeDevice device;
        auto session = session_with(R"({"vary": [{"name": "define:TILE", "values": [7]}]})");
        QCOMPARE(exit_code(run_sweep(session, device, {})), 3);
        session = session_with(R"({"vary": [{"name": "block", "values": [1024]}]})");
        QCOMPARE(exit_code(run_sweep(session, device, {})), 4);
        session = session_with(R"({"vary": [{"name": "block", "values": [96]}]})");
        QCOMPARE(exit_code(run_sweep(session, device, {})), 1);
    }

    void a_stopped_sweep_keeps_what_is_done() {
        const auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 65, 66]}], "rounds": 8})");
        for (const std::size_t stop : {1, 5}) {
            FakeDevice device;
            SweepHooks hooks;
            hooks.cancelled = [&] { return device.order.size() >= stop; };
            const auto report = run_sweep(session, device, {}, hooks);
            QVERIFY(report.stopped);
            QCOMPARE(device.order.size(), stop);
            QCOMPARE(report.count(PointState::tried), std::size_t(1));
            QCOMPARE(report.count(PointState::waiting), std::size_t(stop == 1 ? 2 : 0));
            QCOMPARE(report.count(PointState::measured), std::size_t(stop == 1 ? 0 : 2));
            QVERIFY(to_text(report).find("STOPPED") != std::string::npos);
            QCOMPARE(exit_code(report), 4);
        }
    }

    void many_points_need_an_agreement() {
        auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 65]}], "rounds": 1})");
        for (int i = 0; i < 600; ++i)
            session.sweep->vary[0].values.push_back(std::to_string(65 + i % 4));
        session.sweep->vary.push_back({"grid", {"1", "2"}});
        FakeDevice device;
        try {
            (void)run_sweep(session, device, {});
            QFAIL("it ran");
        } catch (const SessionError& error) {
            const QString message = error.what();
            QVERIFY2(message.contains("1204 points") && message.contains("about 52 s") && message.contains("--yes"),
                     qPrintable(message));
        }
        QCOMPARE(device.order.size(), std::size_t(1));
        SweepOptions agreed;
        agreed.agreed = true;
        QCOMPARE(run_sweep(session, device, agreed).points.size(), std::size_t(1204));
    }

    void the_user_is_asked_about_many_points() {
        auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 65]}], "rounds": 1})");
        FakeDevice device;
        SweepOptions options;
        options.most_points = 1;
        SweepHooks hooks;
        std::uint64_t asked = 0;
        double seconds = 0;
        bool answer = false;
        hooks.agree = [&](std::uint64_t points, double estimate) {
            asked = points;
            seconds = estimate;
            return answer;
        };
        QVERIFY_THROWS_EXCEPTION(SessionError, (void)run_sweep(session, device, options, hooks));
        QCOMPARE(asked, std::uint64_t(2));
        QCOMPARE(device.order.size(), std::size_t(1)); // the estimate's
        // 9 ms besides the kernel of 1 ms, which runs twice in the trial, and 20 times after 3 to warm up in the round.
        QVERIFY2(std::abs(seconds - 2 * (0.011 + 0.032)) < 1e-9, qPrintable(QString::number(seconds)));
        answer = true;
        QCOMPARE(run_sweep(session, device, options, hooks).points.size(), std::size_t(2));
    }

    void points_are_told_as_they_come() {
        const auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 1024]}], "rounds": 2})");
        FakeDevice device;
        SweepHooks hooks;
        std::size_t listed = 0;
        std::vector<std::pair<std::size_t, PointState>> visits;
        hooks.listed = [&](const SweepReport& report) { listed = report.points.size(); };
        hooks.visited = [&](std::size_t index, const SweepPointResult& point) {
            visits.emplace_back(index, point.state);
            if (point.state == PointState::measured) QVERIFY(point.median_ms >= 1);
        };
        (void)run_sweep(session, device, {}, hooks);
        QCOMPARE(listed, std::size_t(2));
        QVERIFY((visits == std::vector<std::pair<std::size_t, PointState>>{{0, PointState::tried},
                                                                           {1, PointState::failed},
                                                                           {0, PointState::measured},
                                                                           {0, PointState::measured}}));
    }

    void tells_how_far_it_is() {
        const auto session = session_with(R"({"vary": [{"name": "block", "values": [64, 65]}], "rounds": 2})");
        FakeDevice device;
        std::vector<std::string> stages;
        SweepHooks hooks;
        hooks.progress = [&](const SweepProgress& progress) { stages.push_back(progress.stage); };
        (void)run_sweep(session, device, {}, hooks);
        QCOMPARE(stages, (Texts{"compile", "compile", "trial", "trial", "round", "round", "round", "round"}));
    }
};

QTEST_APPLESS_MAIN(SweepTest)
#include "sweep_test.moc"
