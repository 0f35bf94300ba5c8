// SPDX-License-Identifier: Apache-2.0
// warplight-cli sweep: real kernels that are right, wrong, broken and stopped.
#include "cli_fixture.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <csignal>
#include <map>

class SweepCliTest : public CliFixture {
    Q_OBJECT
    Result sweep(const QStringList& arguments) const {
        return cli(QStringList{"sweep"} << arguments << "--device" << device_);
    }
    QJsonObject json(const char* name) const {
        QFile file(path(name));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QJsonDocument::fromJson(file.readAll()).object();
    }
    static std::map<QString, QString> states_of(const QJsonObject& report, const char* axis) {
        std::map<QString, QString> states;
        for (const auto& point : report["points"].toArray())
            states[point.toObject()["values"].toObject()[axis].toString()] = point.toObject()["state"].toString();
        return states;
    }

private slots:
    void initTestCase() {
        write_scale();
        write("vary.cu", R"(
#ifndef TILE
#define TILE 1
#endif
template <class T> __global__ void scale_all(float* y, const float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = T(a) * x[i];
}
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if TILE == 3
    undefined_name = 1;
#elif TILE == 4
    y[(1ll << 36) + i] = 1;
#endif
    if (i < n) y[i] = a * x[i] + (TILE == 5);
}
extern "C" __global__ void endless(float* y, const float* x, float a, int n) {
    volatile float* v = y;
    while (v[0] == 0) {}
}
)");
        auto text = session(R"(, "expect": {"path": "right.npy"}, "save": "saved.npy")");
        write("vary.warplight", text.replace("scale.cu", "vary.cu"));
    }

    void steps_of_a_pipeline_are_swept() {
        write("steps.cu", R"(
__global__ void grow(int* y, int by) { y[blockIdx.x * blockDim.x + threadIdx.x] += by; }
__global__ void turn(int* y) { y[threadIdx.x] = -y[threadIdx.x]; }
)");
        write("steps.warplight", R"({"warplight": 3, "source": "steps.cu", "arguments": [
            {"name": "y", "direction": "inout", "source": {"kind": "zeros", "dtype": "int32", "shape": [256]},
             "expect": {"expression": "40"}}],
            "pipeline": {"steps": [
                {"kind": "loop", "times": 10, "steps": [
                    {"kind": "launch", "kernel": "grow", "arguments": ["y", {"type": "i32", "value": 4}],
                     "launch": {"block": 64}, "grid": ["256/bx"]}]},
                {"kind": "launch", "kernel": "turn", "arguments": ["y"], "launch": {"block": 256}},
                {"kind": "launch", "kernel": "turn", "arguments": ["y"], "launch": {"block": 256}}],
                "frames": {"buffer": "y"}}})");
        auto result =
            sweep({"steps.warplight", "--vary", "step:grow.block=32,64,2048", "--vary", "step:1.times=10,11", "--vary",
                   "run_as=launches,graph", "--rounds", "2", "--stop-slower", "0", "--json", "out.json"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        auto report = json("out.json");
        QCOMPARE(report["kernel"].toString(), "grow, turn");
        QCOMPARE(report["compilations"].toInt(), 1);
        for (const auto& each : report["points"].toArray()) {
            const auto point = each.toObject(), values = point["values"].toObject();
            const bool fits = values["step:grow.block"].toString() != "2048", right = values["step:1.times"] == "10";
            QCOMPARE(point["state"].toString(), !fits ? "failed" : right ? "measured" : "wrong");
            if (!fits) QVERIFY(point["error"].toObject()["message"].toString().startsWith("Step 1.1 (grow): "));
            if (fits && right) QVERIFY(point["median_ms"].toDouble() > 0 && !point.contains("launch"));
        }
        // The time of a step is a part of the whole.
        const auto whole = report["points"].toArray()[0].toObject()["trial_ms"].toDouble();
        result = sweep({"steps.warplight", "--vary", "step:grow.block=64,128", "--time", "2", "--rounds", "2",
                        "--stop-slower", "0", "--json", "out.json"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        report = json("out.json");
        QCOMPARE(report["time_of"].toString(), "2");
        for (const auto& each : report["points"].toArray()) {
            const auto point = each.toObject();
            QCOMPARE(point["state"].toString(), "measured");
            QVERIFY(point["median_ms"].toDouble() > 0 && point["min_ms"].toDouble() < whole);
        }
        result = sweep({"steps.warplight", "--vary", "step:grow.block=64,128", "--time", "turn"});
        QVERIFY2(result.code == 2 && result.err.contains("in the steps 2, 3"), qPrintable(result.err));
        result = sweep({"steps.warplight", "--vary", "block=64"});
        QVERIFY2(result.code == 2 && result.err.contains("step:STEP.block"), qPrintable(result.err));
    }

    void tells_right_wrong_and_broken_points_apart() {
        const auto result = sweep({"vary.warplight", "--vary", "define:TILE=1,2,3,4,5", "--rounds", "2",
                                   "--stop-slower", "0", "--json", "out.json", "--csv", "out.csv", "--profile"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        const auto report = json("out.json");
        const std::map<QString, QString> expected{
            {"1", "measured"}, {"2", "measured"}, {"3", "failed"}, {"4", "failed"}, {"5", "wrong"}};
        QVERIFY2(states_of(report, "define:TILE") == expected, qPrintable(result.out));
        const auto points = report["points"].toArray();
        QCOMPARE(points[2].toObject()["error"].toObject()["kind"].toString(), "compile");
        QVERIFY(points[2].toObject()["error"].toObject()["message"].toString().contains("undefined_name"));
        QCOMPARE(points[3].toObject()["error"].toObject()["kind"].toString(), "device");
        QVERIFY(
            points[4].toObject()["error"].toObject()["message"].toString().contains("y: 1000 of 1000 elements differ"));
        const auto first = points[0].toObject();
        QCOMPARE(first["rounds"].toArray().size(), 2);
        QVERIFY(first["median_ms"].toDouble() > 0);
        const auto figures = first["figures"].toObject();
        QCOMPARE(figures["bytes"].toDouble(), 8000.0); // a float is read and one is written
        QCOMPARE(figures["operations"].toDouble(), 2000.0);
        QVERIFY(figures["waves"].toDouble() > 0);
        QCOMPARE(report["compilations"].toInt(), 5);
        const auto seconds = report["seconds"].toObject();
        QVERIFY(seconds["wall"].toDouble() > 0 && seconds["sum_of_runs"].toDouble() > 0);
        QFile csv(path("out.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), 6);
        QVERIFY(result.out.contains("best: ") && result.out.contains("too few rounds"));
        QVERIFY(!QFile::exists(path("saved.npy"))); // a sweep saves no results
    }

    void a_sweep_of_the_document_varies_kernels_and_blocks() {
        auto text = session(R"(, "expect": {"path": "right.npy"})").replace("scale.cu", "vary.cu");
        text.insert(text.lastIndexOf('}'), R"(, "sweep": {"rounds": 1, "stop_slower": 0, "vary": [
            {"name": "kernel", "values": ["scale", "scale_all<float>", "scale_all<double>"]},
            {"name": "block", "values": [256, [512, 1], 4096]}]})");
        write("document.warplight", text.replace("\"warplight\": 1", "\"warplight\": 2"));
        const auto result = sweep({"document.warplight", "--json", "-", "--quiet"});
        const auto report = QJsonDocument::fromJson(result.out.toUtf8()).object();
        QVERIFY2(result.code == 0 && report["points"].toArray().size() == 9, qPrintable(result.out + result.err));
        QCOMPARE(result.err, QString());
        for (const auto& point : report["points"].toArray()) {
            const auto object = point.toObject();
            const bool large = object["values"].toObject()["block"] == "4096";
            QCOMPARE(object["state"].toString(), large ? "failed" : "measured");
        }
        QCOMPARE(report["compilations"].toInt(), 3);
    }

    void zip_sample_and_where() {
        auto result = sweep({"vary.warplight", "--vary", "block=128,256", "--vary", "grid=8,4", "--zip", "--rounds",
                             "1", "--csv", "-"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        QVERIFY(result.out.contains("\n128,8,") && result.out.contains("\n256,4,"));
        QCOMPARE(result.out.count('\n'), 3);
        result =
            sweep({"vary.warplight", "--vary", "block=256,512,1024", "--sample", "2", "--rounds", "1", "--csv", "-"});
        QCOMPARE(result.out.count('\n'), 3);
#ifdef WARPLIGHT_HAS_FORMULAS
        result = sweep({"vary.warplight", "--vary", "block=32x1,32x8,64x4,1024", "--set", "grid=ceil(1000/threads)",
                        "--where", "bx*by <= 256 && bx < 64", "--rounds", "1", "--csv", "-"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        QCOMPARE(result.out.count('\n'), 3);
#endif
    }

    void refuses_bad_usage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("no axis") << QStringList{"vary.warplight"} << "varies nothing";
        QTest::newRow("no file") << QStringList{"none.warplight", "--vary", "block=1"} << "does not exist";
        QTest::newRow("source") << QStringList{"vary.cu", "--vary", "block=1"} << "is no session";
        QTest::newRow("axis") << QStringList{"vary.warplight", "--vary", "size=1"} << "cannot be varied";
        QTest::newRow("slower") << QStringList{"vary.warplight", "--vary", "block=1", "--stop-slower", "0.5"}
                                << "greater than 1";
        QTest::newRow("gpu") << QStringList{"vary.warplight", "--vary", "block=1", "--profile", "--roofline", "X9"}
                             << "No peak figures";
        QTest::newRow("roofline") << QStringList{"vary.warplight", "--vary", "block=1", "--roofline", "H100"}
                                  << "--profile, --bytes or --operations";
        QTest::newRow("both to stdout") << QStringList{"vary.warplight", "--vary", "block=1", "--json", "-",
                                                       "--csv",          "-"}
                                        << "standard output";
    }
    void refuses_bad_usage() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const auto result = sweep(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), qPrintable(result.err));
    }

    void many_points_are_counted_and_refused() {
        QStringList blocks;
        for (int i = 1; i <= 1024; ++i)
            blocks << QString::number(i);
        const auto axis = blocks.join(',');
        const auto result = sweep({"vary.warplight", "--vary", "block=" + axis, "--vary", "grid=" + axis});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("1048576 points") && result.err.contains("--yes"), qPrintable(result.err));
    }

    void a_run_that_does_not_end_is_one_failed_point() {
        const auto result = sweep({"vary.warplight", "--vary", "kernel=scale,endless,scale_all<float>", "--rounds", "1",
                                   "--stop-slower", "0", "--timeout", "10s", "--json", "out.json"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        const auto states = states_of(json("out.json"), "kernel");
        QCOMPARE(states.at("scale"), "measured");
        QCOMPARE(states.at("endless"), "failed");
        QCOMPARE(states.at("scale_all<float>"), "measured");
    }

    void ctrl_c_keeps_what_is_done() {
#ifdef Q_OS_UNIX
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environment());
        process.start(WARPLIGHT_CLI, {"sweep", "vary.warplight", "--vary", "kernel=scale,endless", "--json",
                                      "stop.json", "--device", device_});
        // The second point never ends by itself.
        QByteArray told;
        QVERIFY(QTest::qWaitFor([&] { return (told += process.readAllStandardError()).contains("compiled"); }, 120000));
        QTest::qWait(6000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 4);
        const auto report = json("stop.json");
        QVERIFY(report["stopped"].toBool());
        QCOMPARE(states_of(report, "kernel").at("endless"), "waiting");
        QVERIFY(process.readAllStandardOutput().contains("STOPPED"));
#endif
    }
};

QTEST_GUILESS_MAIN(SweepCliTest)
#include "sweep_cli_test.moc"
