// SPDX-License-Identifier: Apache-2.0
// What runs leave, over failed runs and lost workers: in the worker's memory, and in the folder that outlives it.
#include "../json_text.hpp"
#include "worker/client.hpp"
#include "worker/keeper.hpp"

#include "warplight/npy.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QtTest>
#include <cstring>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::worker;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

std::string driver_name() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return name.isEmpty() ? "software" : name.toStdString();
}

/// x[i] = x[i] * factor over 0, 1, 2, …
json scaling(int factor, int count = 64) {
    const std::string source = "extern \"C\" __global__ void scale(float* x, int n) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] *= " +
                               std::to_string(factor) + ";\n}";
    return {{"warplight", 1},
            {"source", {{"text", source}, {"name", "scale.cu"}}},
            {"kernel", "scale"},
            {"arguments",
             {{{"name", "x"},
               {"direction", "inout"},
               {"source", {{"kind", "arange"}, {"dtype", "float32"}, {"shape", {count}}, {"start", 0}, {"step", 1}}}},
              {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", count}}}},
            {"launch", {{"grid", {(count + 63) / 64, 1, 1}}, {"block", {64, 1, 1}}}}};
}

/// The same arguments into a kernel that writes far outside.
json wild() {
    json session = scaling(1, 16);
    session["source"]["text"] = "extern \"C\" __global__ void scale(float* x, int n) { x[1ll << 38] = n; }";
    return session;
}

json broken() {
    json session = scaling(1, 16);
    session["source"]["text"] = "extern \"C\" __global__ void scale(float* x, int n) { oops; }";
    return session;
}

QByteArray explain(const Reply& reply) {
    return QByteArray::fromStdString(
        reply.error + " " + reply.result->dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 2000));
}

json buffer_of(const Reply& reply, const char* role) {
    for (const json& buffer : reply.result->at("buffers"))
        if (buffer["role"] == role) return buffer;
    return json();
}

} // namespace

class WorkerKeepTest : public QObject {
    Q_OBJECT
    QTemporaryDir home_;
    QTemporaryDir folder_;
    std::unique_ptr<Client> client_;

    Reply run(const json& session, const QString& folder, json more = json::object()) {
        more["session"] = session;
        more["folder"] = "";
        if (!folder.isEmpty()) more["keep"] = folder.toStdString();
        return client_->call_wait("run", more, {}, 120s);
    }
    Reply call(const char* method, const json& params) { return client_->call_wait(method, params, {}, 60s); }
    std::vector<float> floats(std::int64_t buffer, std::int64_t count) {
        const Reply reply = call("buffer.read", {{"buffer", buffer}, {"offset", 0}, {"count", count}});
        if (!reply.ok) return {};
        const auto& data = reply.result->at("data").get_binary();
        std::vector<float> values(data.size() / sizeof(float));
        if (!values.empty()) std::memcpy(values.data(), data.data(), data.size());
        return values;
    }
    QStringList files(const QString& folder) { return QDir(folder).entryList({"*.npy"}, QDir::Files, QDir::Name); }
    QString path(const char* name) { return folder_.filePath(QLatin1String(name)); }

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_CACHE_DIR", home_.path().toUtf8());
        Client client({.driver = driver_name(), .program = WARPLIGHT_CLI});
        client.start();
        const Reply devices = client.call_wait("devices", json::object(), {}, 60s);
        QVERIFY2(devices.ok, explain(devices));
        if (devices.result->at("devices").empty()) QSKIP("no device of this driver");
        const Reply compilers = client.call_wait("compilers", json::object(), {}, 60s);
        QVERIFY2(compilers.ok, explain(compilers));
        if (!compilers.result->at("nvrtc").at("found").get<bool>()) QSKIP("no NVRTC here");
    }
    void init() {
        client_ = std::make_unique<Client>(ClientOptions{
            .driver = driver_name(), .program = WARPLIGHT_CLI, .access = {{}, {folder_.path().toStdString()}}});
        client_->start();
    }
    void cleanup() { client_.reset(); }

    void results_outlive_a_killed_worker() {
        const QString folder = path("killed");
        const Reply reply = run(scaling(3), folder);
        QVERIFY2(reply.ok && reply.result->at("status") == "ok", explain(reply));
        const json output = buffer_of(reply, "output"), input = buffer_of(reply, "input");
        QVERIFY2(output.contains("kept") && input.contains("kept"), explain(reply));
        const QString file = QString::fromStdString(output["kept"].get<std::string>());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(files(folder).size(), 2, 20000);
        client_->kill();
        QTRY_VERIFY(!client_->running());
        client_->start();
        // A number of the worker that is gone is not by chance one of this worker's.
        QVERIFY(!call("buffer.info", {{"buffer", output["buffer"]}}).ok);
        const Reply opened = call("buffer.open", {{"path", output["kept"]}});
        QVERIFY2(opened.ok, explain(opened));
        QCOMPARE(opened.result->at("shape"), output["shape"]);
        QCOMPARE(opened.result->at("dtype"), output["dtype"]);
        const std::vector<float> values = floats(opened.result->at("buffer").get<std::int64_t>(), 64);
        QCOMPARE(values.size(), std::size_t(64));
        for (int i = 0; i < 64; ++i)
            QCOMPARE(values[static_cast<std::size_t>(i)], 3.0f * static_cast<float>(i));
    }

    void a_failed_run_adds_its_inputs() {
        const QString folder = path("failed");
        const Reply good = run(scaling(2), folder);
        QVERIFY2(good.ok && good.result->at("status") == "ok", explain(good));
        const auto output = buffer_of(good, "output")["buffer"].get<std::int64_t>();
        for (const json& session : {broken(), wild()}) {
            const Reply bad = run(session, folder);
            QVERIFY2(bad.ok && bad.result->at("status") != "ok", explain(bad));
            QVERIFY2(bad.result->at("outputs").empty(), explain(bad));
            QCOMPARE(bad.result->at("inputs").size(), std::size_t(1));
            const json input = buffer_of(bad, "input");
            QCOMPARE(bad.result->at("inputs")[0]["buffer"], input["buffer"]);
            QCOMPARE(floats(input["buffer"].get<std::int64_t>(), 16).at(7), 7.0f);
            QCOMPARE(floats(output, 64).at(5), 10.0f); // the results are still there
            if (session == wild()) QCOMPARE(bad.result->at("restart_needed"), json(true));
            if (bad.result->at("restart_needed") == true) QVERIFY(QFile::exists(QString::fromStdString(input["kept"])));
        }
        // Of both failed runs only the last one's inputs; all of it goes with the next results.
        QTRY_COMPARE_WITH_TIMEOUT(files(folder).filter("failed-").size(), 1, 20000);
        QCOMPARE(files(folder).filter("results-").size(), 2);
        client_->restart();
        const Reply next = run(scaling(5), folder);
        QVERIFY2(next.ok && next.result->at("status") == "ok", explain(next));
        const QFileInfo kept(QString::fromStdString(buffer_of(next, "output")["kept"]));
        QTRY_VERIFY_WITH_TIMEOUT(files(folder).size() == 2 && kept.exists(), 20000);
    }

    /// What is killed in the middle of a run has the files of the run before, however soon it came after it.
    void the_next_run_waits_for_the_files() {
        const QString folder = path("soon");
        const int count = 6'000'000;
        const Reply good = run(scaling(2, count), folder);
        QVERIFY2(good.ok && good.result->at("status") == "ok", explain(good));
        std::atomic<bool> running = false;
        json session = scaling(1, 16);
        session["source"]["text"] =
            "extern \"C\" __global__ void scale(volatile float* x, int n) { while (x[0] == 0); }";
        client_->call(
            "run", {{"session", session}, {"folder", ""}, {"keep", folder.toStdString()}}, [](const Reply&) {},
            [&](const Progress& progress) { running = running || progress.stage == "run"; });
        QTRY_VERIFY_WITH_TIMEOUT(running, 60000);
        client_->kill();
        QTRY_VERIFY(!client_->running());
        const auto kept = buffer_of(good, "output")["kept"].get<std::string>();
        const NdArray array = open_npy(kept);
        QCOMPARE(array.size(), static_cast<std::size_t>(count));
        QCOMPARE(array.at<float>(4'999'999), 9'999'998.0f);
    }

    /// The copy takes the place of a large buffer in memory, and what is read is the same.
    void large_buffers_are_mapped() {
        const QString folder = path("large");
        const int count = 4'000'000;
        static_assert(count * sizeof(float) > Keeper::large_buffer);
        const Reply good = run(scaling(1, count), folder);
        QVERIFY2(good.ok && good.result->at("status") == "ok", explain(good));
        const json output = buffer_of(good, "output");
        QTRY_COMPARE_WITH_TIMEOUT(files(folder).size(), 2, 30000);
        const Reply info = call("buffer.summary", {{"buffer", output["buffer"]}});
        QVERIFY2(info.ok, explain(info));
        QCOMPARE(info.result->at("max").get<double>(), count - 1.0);
        // Still the run's: it goes with the next results.
        const Reply next = run(scaling(2), folder);
        QVERIFY2(next.ok, explain(next));
        QVERIFY(!call("buffer.info", {{"buffer", output["buffer"]}}).ok);
    }

    void more_than_the_limit_is_not_kept() {
        const QString folder = path("limit");
        const Reply good = run(scaling(1, 1000), folder, {{"keep_limit", 5000}});
        QVERIFY2(good.ok && good.result->at("status") == "ok", explain(good));
        QVERIFY(buffer_of(good, "output").contains("kept")); // results come first
        QVERIFY(!buffer_of(good, "input").contains("kept"));
        const Reply none = run(scaling(1, 1000), folder, {{"keep_limit", 0}});
        QVERIFY(!buffer_of(none, "output").contains("kept"));
        QVERIFY(!run(scaling(1), {}).result->dump().empty());
    }

    void a_folder_that_cannot_be_written_harms_nothing() {
        QTemporaryFile file;
        QVERIFY(file.open());
        const Reply good = run(scaling(4), file.fileName() + "/nowhere");
        QVERIFY2(good.ok && good.result->at("status") == "ok", explain(good));
        QVERIFY(!buffer_of(good, "output").contains("kept"));
        QCOMPARE(floats(buffer_of(good, "output")["buffer"].get<std::int64_t>(), 64).at(2), 8.0f);
    }
};

QTEST_GUILESS_MAIN(WorkerKeepTest)
#include "worker_keep_test.moc"
