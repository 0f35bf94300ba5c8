// SPDX-License-Identifier: Apache-2.0
// Many runs: side by side on one cache, and one after the other in one worker.
// WARPLIGHT_LONG_RUNS=10000 repeats the latter as often as the record in docs/security.md did.
#include "endurance_fixture.hpp"
#include "warplight/npy.hpp"
#include "worker/client.hpp"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr int kSideBySide = 64;

json session(int factor, const char* more = "") {
    const std::string source = "extern \"C\" __global__ void scale(float* x, int n) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] *= " +
                               std::to_string(factor) + ";" + more + "\n}";
    return {{"warplight", 1},
            {"source", {{"text", source}, {"name", "scale.cu"}}},
            {"kernel", "scale"},
            {"arguments",
             {{{"name", "x"},
               {"direction", "inout"},
               {"source", {{"kind", "arange"}, {"dtype", "float32"}, {"shape", {100000}}, {"start", 0}, {"step", 1}}}},
              {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", {{"size_of", "x"}}}}}},
            {"launch", {{"grid", {391, 1, 1}}, {"block", {256, 1, 1}}}}};
}

/// Bytes of a process's memory that are in use.
std::uint64_t resident(std::int64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    std::uint64_t size = 0, pages = 0;
    file >> size >> pages;
    return pages * 4096;
}

} // namespace

class EnduranceTest : public QObject {
    Q_OBJECT

private slots:
    void parallel_runs_share_one_cache() {
        const OwnHome home;
        home.write_session(7);
        const auto start = [&](QProcess& process, const QString& out) {
            process.setProcessEnvironment(home.environment());
            process.setWorkingDirectory(home.work());
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(WARPLIGHT_CLI, {"run", "k.warplight", "--out", out});
        };
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < kSideBySide; ++i) {
            QVERIFY(QDir().mkpath(home.work(QString::number(i))));
            start(*processes.emplace_back(std::make_unique<QProcess>()), QString::number(i));
        }
        for (int i = 0; i < kSideBySide; ++i) {
            QProcess& process = *processes[static_cast<std::size_t>(i)];
            QVERIFY(process.waitForFinished(120000));
            const QByteArray said = process.readAll();
            QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said.constData());
            const QString file = home.work(QString::number(i) + "/y.npy");
            const auto y = warplight::load_npy(file.toStdString());
            QCOMPARE(y.as<float>()[999], 2005.0f);
            QCOMPARE(OwnHome::names(home.work(QString::number(i))), QStringList{"y.npy"});
        }
        QCOMPARE(home.strange_cache_files(), QStringList());
        QTRY_COMPARE(OwnHome::names(home.path("tmp")).join(' '), QString()); // processes end after the worker
        // One more finds everything: as many entries as before, of which each is there once. Code is there of the
        // kernel, and two of the one that does nothing, whose launch is timed: for any block, and for its own.
        const QStringList entries = OwnHome::files(home.path("cache"));
        QVERIFY(entries.filter(".wlobj").size() == 3 && !entries.filter(".wlc").isEmpty());
        QProcess again;
        start(again, "again");
        QVERIFY(again.waitForFinished(60000));
        QCOMPARE(OwnHome::files(home.path("cache")), entries);
    }

    void memory_of_a_worker_stays_flat() {
        const int runs = count_from("WARPLIGHT_LONG_RUNS", 300);
        const OwnHome home;
        for (const char* name : {"TMPDIR", "WARPLIGHT_CACHE_DIR"})
            qputenv(name, home.environment().value(name).toUtf8());
        std::int64_t process = 0;
        {
            warplight::worker::Client client({.driver = "software", .program = WARPLIGHT_CLI});
            client.start();
            const auto hello = client.call_wait("hello", {{"protocol", 1}}, {}, 60s);
            QVERIFY2(hello.ok, hello.error.c_str());
            process = hello.result->at("pid").get<std::int64_t>();
            std::uint64_t before = 0;
            const int warm = std::max(50, runs / 10);
            for (int i = 0; i < runs; ++i) {
                // Three kernels, and now and then one that does not compile.
                const json asked = i % 10 == 9 ? session(1, " oops;") : session(i % 3 + 2);
                const auto reply = client.call_wait(
                    "run", {{"session", asked}, {"folder", ""}, {"keep", home.path("kept").toStdString()}}, {}, 60s);
                QVERIFY2(reply.ok, reply.error.c_str());
                const bool good = reply.result->at("status") == "ok";
                QVERIFY2(good == (i % 10 != 9), reply.result->dump().substr(0, 2000).c_str());
                if (i == warm) before = resident(process);
            }
            const std::uint64_t after = resident(process);
            qInfo("%d runs: %.1f MiB after %d, %.1f MiB at the end", runs, static_cast<double>(before) / 1048576, warm,
                  static_cast<double>(after) / 1048576);
            QVERIFY(before > 0 && after > 0);
#ifndef WARPLIGHT_SANITIZED // AddressSanitizer keeps freed memory and stacks of calls; it looks for leaks itself
            QVERIFY2(after < before + (std::uint64_t{16} << 20), std::to_string(after - before).c_str());
#endif
            client.shutdown();
            QTRY_VERIFY_WITH_TIMEOUT(!client.running(), 20000);
        }
        QTRY_COMPARE(OwnHome::names(home.path("tmp")).join(' '), QString()); // processes end after the worker
        QCOMPARE(home.strange_cache_files(), QStringList());
    }
};

QTEST_GUILESS_MAIN(EnduranceTest)
#include "endurance_test.moc"
