// SPDX-License-Identifier: Apache-2.0
// Workers behind a real SSH server: all that a client can ask, and what happens to the connection meanwhile.
// WARPLIGHT_TEST_DRIVER chooses the driver there, software by default.
#include "../sanitizers.hpp"
#include "remote/place.hpp"
#include "session/data_file.hpp"
#include "ssh_server.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"
#include "worker/client.hpp"
#include "worker/message.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

using namespace warplight;
using namespace std::chrono_literals;
using worker::json;

namespace {

namespace fs = std::filesystem;

QByteArray cli() {
    const QByteArray other = qgetenv("WARPLIGHT_TEST_CLI");
    return other.isEmpty() ? QByteArray(WARPLIGHT_CLI) : other;
}

std::string local_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return name.isEmpty() ? "software" : name.toStdString();
}

/// A client, and what it was told.
class Watched {
public:
    explicit Watched(const std::string& driver, worker::Access access = {})
        : client(options(driver, std::move(access))) {}

    worker::ClientOptions options(const std::string& driver, worker::Access access) {
        worker::ClientOptions options;
        options.driver = driver;
        options.program = cli().toStdString();
        options.access = std::move(access);
        options.on_log = [this](const std::string& level, const std::string& text) {
            const std::lock_guard lock(mutex);
            log += level + ": " + text + "\n";
            changed.notify_all();
        };
        options.on_progress = [this](int, const worker::Progress& progress) {
            const std::lock_guard lock(mutex);
            runs = runs || progress.stage == "run";
            changed.notify_all();
        };
        options.on_exit = [this](const worker::Exit& how) {
            const std::lock_guard lock(mutex);
            exit = how;
            ended = true;
            changed.notify_all();
        };
        return options;
    }
    /// The answer comes into what outlives this test's function, for a test may end early.
    std::future<worker::Reply> ask(const std::string& method, json params) {
        auto promise = std::make_shared<std::promise<worker::Reply>>();
        auto future = promise->get_future();
        client.call(method, std::move(params), [promise](const worker::Reply& reply) { promise->set_value(reply); });
        return future;
    }
    template <class Condition>
    bool wait(Condition condition, std::chrono::seconds patience = 60s) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, patience, condition);
    }
    bool says(const std::string& words, std::chrono::seconds patience = 60s) {
        return wait([&] { return log.find(words) != std::string::npos; }, patience);
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::string log;
    bool runs = false; ///< the kernel
    worker::Exit exit;
    bool ended = false;
    worker::Client client;
};

json array_of(const char* name, const char* direction, json source) {
    return {{"name", name}, {"direction", direction}, {"source", std::move(source)}};
}
json zeros(int count, const char* type = "float32") {
    return {{"kind", "zeros"}, {"dtype", type}, {"shape", json::array({count})}};
}
json session_of(const std::string& source, const char* kernel, json arguments, int blocks = 1, int threads = 32) {
    return {{"warplight", 4},
            {"source", {{"text", source}, {"name", "test.cu"}}},
            {"kernel", kernel},
            {"arguments", std::move(arguments)},
            {"launch", {{"grid", {blocks, 1, 1}}, {"block", {threads, 1, 1}}}}};
}
const char* const twice_source =
    "extern \"C\" __global__ void twice(float* x) { x[blockIdx.x * 32 + threadIdx.x] *= 2; }";
/// Takes a while.
const char* const slow_source =
    "extern \"C\" __global__ void slow(unsigned* x, unsigned rounds) {\n"
    "    unsigned v = x[0];\n"
    "    for (unsigned i = 0; i < rounds; ++i) { v = v * 1664525u + 1013904223u; x[1] = v; __threadfence(); }\n"
    "    x[0] = v;\n"
    "}\n";
const char* const endless_source = "extern \"C\" __global__ void endless(volatile float* x) { while (x[0] == 0) { } }";

std::vector<std::byte> bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    return {from, from + text.size()};
}

std::string status_of(const worker::Reply& reply) {
    if (!reply.ok) return "no report: " + reply.error;
    const std::string status = reply.result->value("status", "?");
    return status == "ok" || !reply.result->contains("error") ? status
                                                              : status + ": " + reply.result->at("error").dump();
}

} // namespace

class BridgeTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString none = SshServer::whyNone();
        QVERIFY2(none.isEmpty(), qPrintable(none));
        qputenv("WARPLIGHT_REMOTE_PROGRAM", cli());
        QVERIFY(folder_.isValid());
    }
    void init() {
        qputenv("WARPLIGHT_REMOTE_LINGER", "60");
        server_.reset();
    }
    void cleanup() { server_.reset(); }

    void aRunIsLikeALocalOne();
    void resultsOfALocalRunAreTheSame();
    void theConnectionMayBeCutAtAnyTime();
    void standingTrafficIsNoticed();
    void stopEndsTheWorkerThere();
    void aClientThatDiesLeavesNothingRunning();
    void anEndOfTheWorkerIsToldAsItWas();
    void afterTheLingerTimeTheRunIsLost();
    void nothingOfTheServersPrintsIsTakenForAnAnswer();
    void troubleIsTold_data();
    void troubleIsTold();
    void aFullDiskThereIsTold_data();
    void aFullDiskThereIsTold();
    void nvrtcIsLent();
    void severalClientsShareAMachine();
    void aClockThatIsHoursOffChangesNothing_data();
    void aClockThatIsHoursOffChangesNothing();
    void aLargeResultStaysThere();
    void keptBuffersOutliveTheWorker();
    void aHostileMachineHarmsNothing_data();
    void aHostileMachineHarmsNothing();

private:
    void start(SshServerSettings settings = {}) {
        // Of a bundle that brings its libraries along.
        if (const QByteArray libraries = qgetenv("LD_LIBRARY_PATH"); !libraries.isEmpty())
            settings.environment["LD_LIBRARY_PATH"] = QString::fromLocal8Bit(libraries);
        server_ = std::make_unique<SshServer>(std::move(settings));
        const QString problem = server_->start();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        server_->use();
    }
    /// Folders of connections that there are.
    int held() const {
        int count = 0;
        std::error_code none;
        for (const auto& each : fs::directory_iterator(far() / "held", none))
            count += each.is_directory() ? 1 : 0;
        return count;
    }
    fs::path far() const { return fs::path(server_->cache().toStdString()) / "warplight" / "remote"; }
    std::string driver() const { return server_->place(QString::fromStdString(local_driver())).toStdString(); }
    fs::path path(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }

    QTemporaryDir folder_;
    std::unique_ptr<SshServer> server_;
    int right_ = 0; ///< of the runs between cuts
};

void BridgeTest::aRunIsLikeALocalOne() {
    start();
    const fs::path work = path("like/session");
    fs::create_directories(work);
    fs::create_directories(path("like/data"));
    std::ofstream(work / "factor.h") << "#define FACTOR 3.0f\n";
    std::vector<float> values(100'000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % 1000) * 0.25F;
    std::ofstream(path("like/data/x.bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
    json output = array_of("y", "out", zeros(100'000));
    output["save"] = "y.npy";
    const json session =
        session_of("#include \"factor.h\"\nextern \"C\" __global__ void scale(const float* x, float* y) {\n"
                   "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 100000) y[i] = FACTOR * x[i]; }\n",
                   "scale",
                   json::array({array_of("x", "in",
                                         {{"kind", "file"},
                                          {"path", "../data/x.bin"},
                                          {"dtype", "float32"},
                                          {"shape", json::array({100'000})}}),
                                output}),
                   782, 128);
    Watched watched(driver(), {{work, path("like/data")}, {work}});
    watched.client.start();
    const json request = {{"session", session}, {"folder", work.string()}, {"allow", {path("like/data").string()}}};
    const auto reply = watched.client.call_wait("run", request);
    QCOMPARE(QString::fromStdString(status_of(reply)), QStringLiteral("ok"));
    QCOMPARE(QString::fromStdString(reply.result->value("machine", std::string())), QStringLiteral("lab"));
    const std::string text = reply.result->dump();
    QVERIFY2(text.find(far().string()) == std::string::npos, text.c_str());
    const NdArray saved = load_npy(work / "y.npy");
    QCOMPARE(saved.nbytes(), values.size() * 4);
    const auto* got = reinterpret_cast<const float*>(saved.data());
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(got[i], 3.0F * values[i]);
    // It may replace what it has saved itself, and the data need not be sent again.
    const auto again = watched.client.call_wait("run", request);
    QCOMPARE(QString::fromStdString(status_of(again)), QStringLiteral("ok"));
    // Views ask for ranges of what stays there.
    const auto buffers = watched.client.call_wait("buffer.list", json::object());
    QVERIFY(buffers.ok);
    const auto& list = buffers.result->at("buffers");
    const auto found = std::ranges::find_if(list, [](const json& each) { return each.at("name") == "y"; });
    QVERIFY(found != list.end());
    const auto range =
        watched.client.call_wait("buffer.read", {{"buffer", found->at("buffer")}, {"offset", 50'000}, {"count", 4}});
    QVERIFY2(range.ok, range.error.c_str());
    float four[4] = {};
    const auto& binary = range.result->at("data").get_binary();
    QCOMPARE(binary.size(), sizeof four);
    std::memcpy(four, binary.data(), sizeof four);
    QCOMPARE(four[3], 3.0F * values[50'003]);
    watched.client.shutdown(10s);
    QTRY_COMPARE(held(), 0);
}

void BridgeTest::resultsOfALocalRunAreTheSame() {
    start();
    const auto run_on = [&](const std::string& name, const json& session, const std::string& out) {
        fs::create_directories(path(out));
        Watched watched(name, {{path(out)}, {path(out)}});
        watched.client.start();
        return *watched.client.call_wait("run", {{"session", session}, {"folder", path(out).string()}}).result;
    };
    json inout = array_of("x", "inout", {{"kind", "random"}, {"dtype", "float32"}, {"shape", {4096}}, {"seed", 3}});
    inout["save"] = "x.npy";
    const json session = session_of(twice_source, "twice", json::array({inout}), 128);
    const json here = run_on(local_driver(), session, "same-here");
    const json there = run_on(driver(), session, "same-there");
    QCOMPARE(QString::fromStdString(here.value("status", "")), QStringLiteral("ok"));
    QCOMPARE(QString::fromStdString(there.value("status", "")), QStringLiteral("ok"));
    QVERIFY(bytes_of(path("same-here") / "x.npy") == bytes_of(path("same-there") / "x.npy"));
    // A mistake is told alike, by the paths of this machine.
    const json wrong = session_of("#include \"nothing.h\"\n__global__ void k() { }", "k", json::array());
    const json error_here = run_on(local_driver(), wrong, "wrong"), error_there = run_on(driver(), wrong, "wrong");
    QCOMPARE(QString::fromStdString(error_there.at("status").dump()),
             QString::fromStdString(error_here.at("status").dump()));
    QCOMPARE(QString::fromStdString(error_there.at("error").dump()),
             QString::fromStdString(error_here.at("error").dump()));
    // So is a file that is not there, and one outside of the folder.
    for (const char* file : {"missing.npy", "/etc/hostname", "../../outside.npy"}) {
        const json lacking = session_of(twice_source, "twice",
                                        json::array({array_of("x", "inout", {{"kind", "file"}, {"path", file}})}));
        const json one = run_on(local_driver(), lacking, "lacking"), other = run_on(driver(), lacking, "lacking");
        QCOMPARE(QString::fromStdString(other.at("status").dump()), QString::fromStdString(one.at("status").dump()));
        QCOMPARE(QString::fromStdString(other.at("error").dump()), QString::fromStdString(one.at("error").dump()));
    }
}

void BridgeTest::theConnectionMayBeCutAtAnyTime() {
    start();
    Watched watched(driver());
    watched.client.start();
    // A run that lasts longer than the connection.
    const json slow = session_of(
        slow_source, "slow",
        json::array({array_of("x", "inout", zeros(2, "uint32")),
                     {{"name", "rounds"}, {"direction", "scalar"}, {"type", "u32"}, {"value", 200'000'000}}}),
        1, 1);
    auto answer = watched.ask("run", {{"session", slow}});
    QVERIFY(watched.wait([&] { return watched.runs; }));
    server_->cutConnections();
    QVERIFY(watched.says("connection: lost"));
    QVERIFY(answer.wait_for(60s) == std::future_status::ready);
    QCOMPARE(QString::fromStdString(status_of(answer.get())), QStringLiteral("ok"));
    QVERIFY(watched.says("connection: reconnecting"));

    // Cuts at random points of many small runs: each gets its one answer, and the right one.
    std::atomic<bool> done = false;
    const auto connections = [&] {
        const std::lock_guard lock(watched.mutex);
        int count = 0;
        for (std::size_t at = 0; (at = watched.log.find("connection: connected", at)) != std::string::npos; ++at)
            ++count;
        return count;
    };
    std::thread cutter([&] {
        std::mt19937 random(7);
        // A login that is cut each time would never come to an end.
        for (int known = connections(); !done; known = connections()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
            if (done) return;
            server_->cutConnections();
            while (!done && connections() == known)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    });
    for (int i = 0; i < 30; ++i) {
        const json session = session_of(
            twice_source, "twice",
            json::array(
                {array_of("x", "inout",
                          {{"kind", "arange"}, {"dtype", "float32"}, {"shape", {32}}, {"start", i}, {"step", 1}})}));
        const auto reply = watched.client.call_wait("run", {{"session", session}});
        if (status_of(reply) != "ok") qWarning("%s", status_of(reply).c_str());
        if (!reply.ok) break;
        const auto& buffers = reply.result->at("buffers");
        const auto output =
            std::ranges::find_if(buffers, [](const json& each) { return each.value("role", "") == "output"; });
        if (output == buffers.end()) continue;
        const auto read =
            watched.client.call_wait("buffer.read", {{"buffer", output->at("buffer")}, {"offset", 31}, {"count", 1}});
        if (!read.ok) {
            qWarning("%s", read.error.c_str());
            continue;
        }
        float value = 0;
        std::memcpy(&value, read.result->at("data").get_binary().data(), sizeof value);
        if (value == 2.0F * static_cast<float>(i + 31)) ++right_;
    }
    done = true;
    cutter.join();
    QCOMPARE(right_, 30);
    QVERIFY(!watched.ended);
}

void BridgeTest::standingTrafficIsNoticed() {
    start();
    Watched watched(driver());
    watched.client.start();
    QVERIFY(watched.client.call_wait("devices", json::object()).ok);
    server_->freezeConnections();
    auto answer = watched.ask("devices", json::object());
    QVERIFY(watched.says("connection: lost", 30s));
    QVERIFY(answer.wait_for(30s) == std::future_status::ready);
    QVERIFY(answer.get().ok);
    server_->thawConnections();
}

void BridgeTest::stopEndsTheWorkerThere() {
    start();
    Watched watched(driver());
    watched.client.start();
    const json endless = session_of(endless_source, "endless", json::array({array_of("x", "inout", zeros(1))}), 1, 1);
    auto answer = watched.ask("run", {{"session", endless}});
    QVERIFY(watched.wait([&] { return watched.runs; }));
    QCOMPARE(held(), 1);
    QElapsedTimer timer;
    timer.start();
    watched.client.kill();
    QVERIFY(answer.get().worker_died);
    QVERIFY2(timer.elapsed() < 2500, qPrintable(QString::number(timer.elapsed())));
    QTRY_COMPARE(held(), 0);
    // And it can be started again.
    watched.client.restart();
    QVERIFY(watched.client.call_wait("devices", json::object()).ok);
}

void BridgeTest::aClientThatDiesLeavesNothingRunning() {
    qputenv("WARPLIGHT_REMOTE_LINGER", "2");
    start();
    Watched watched(driver());
    watched.client.start();
    QVERIFY(watched.client.call_wait("devices", json::object()).ok);
    const json endless = session_of(endless_source, "endless", json::array({array_of("x", "inout", zeros(1))}), 1, 1);
    watched.client.call("run", {{"session", endless}}, {});
    QVERIFY(watched.wait([&] { return watched.runs; }));
    ::kill(static_cast<pid_t>(watched.client.process_id()), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(held(), 0, 15'000);
}

void BridgeTest::anEndOfTheWorkerIsToldAsItWas() {
    start();
    Watched watched(driver());
    watched.client.start();
    const auto hello = watched.client.call_wait("devices", json::object());
    QVERIFY(hello.ok);
    const json endless = session_of(endless_source, "endless", json::array({array_of("x", "inout", zeros(1))}), 1, 1);
    auto answer = watched.ask("run", {{"session", endless}});
    QVERIFY(watched.wait([&] { return watched.runs; }));
    // The worker is the child of the holder that has its folder open.
    QProcess find;
    find.start("pgrep", {"-f", "worker --driver .*--lent-compiler"});
    QVERIFY(find.waitForFinished());
    const auto pids = find.readAllStandardOutput().split('\n');
    int killed = 0;
    for (const QByteArray& pid : pids) {
        if (pid.isEmpty()) continue;
        QFile line("/proc/" + pid + "/cmdline");
        if (!line.open(QIODevice::ReadOnly) || !line.readAll().contains(server_->home().toUtf8())) continue;
        ::kill(pid.toInt(), SIGKILL);
        ++killed;
    }
    QVERIFY(killed > 0);
    const auto reply = answer.get();
    QVERIFY(reply.worker_died);
    QVERIFY(watched.wait([&] { return watched.ended; }));
    QVERIFY2(watched.exit.reason.kind == worker::EndKind::killed, watched.exit.reason.text.c_str());
}

void BridgeTest::afterTheLingerTimeTheRunIsLost() {
    qputenv("WARPLIGHT_REMOTE_LINGER", "2");
    start();
    Watched watched(driver());
    watched.client.start();
    QVERIFY(watched.client.call_wait("devices", json::object()).ok);
    server_->stop();
    QVERIFY(watched.wait([&] { return watched.ended; }, 40s));
    QVERIFY(watched.exit.reason.kind == worker::EndKind::connection);
    QVERIFY2(watched.exit.reason.text.find("lab") != std::string::npos, watched.exit.reason.text.c_str());
}

void BridgeTest::nothingOfTheServersPrintsIsTakenForAnAnswer() {
    SshServerSettings settings;
    settings.banner = "Authorised users only.\n";
    settings.profile =
        "echo Welcome to the lab; echo 'WARPLIGHT-REMOTE {\"token\":\"0\",\"state\":\"new\"}'; printf no-newline";
    start(settings);
    Watched watched(driver());
    watched.client.start();
    const auto devices = watched.client.call_wait("devices", json::object());
    QVERIFY2(devices.ok, (devices.error + watched.exit.reason.text).c_str());
    QVERIFY(watched.says("remote: Welcome to the lab", 1s));
}

void BridgeTest::troubleIsTold_data() {
    QTest::addColumn<int>("trouble");
    QTest::addColumn<QString>("words");
    QTest::newRow("the host key is another one") << 0 << "key";
    QTest::newRow("the host key is not known") << 1 << "key";
    QTest::newRow("nobody is let in") << 2 << "lab";
    QTest::newRow("no program there") << 3 << "remote install";
    QTest::newRow("no server") << 4 << "refused";
    QTest::newRow("no home folder there") << 5 << "WARPLIGHT_REMOTE_FOLDER";
}

void BridgeTest::troubleIsTold() {
    QFETCH(int, trouble);
    QFETCH(QString, words);
    SshServerSettings settings;
    if (trouble == 0) settings.host_key = SshServerSettings::HostKey::other;
    if (trouble == 1) settings.host_key = SshServerSettings::HostKey::unknown;
    if (trouble == 2) settings.lets_in = false;
    if (trouble == 5) settings.home = SshServerSettings::Home::missing;
    start(settings);
    if (trouble == 3) qputenv("WARPLIGHT_REMOTE_PROGRAM", "/nowhere/warplight-cli");
    if (trouble == 4) server_->stop();
    Watched watched(driver());
    watched.client.start();
    const auto reply = watched.client.call_wait("devices", json::object());
    qputenv("WARPLIGHT_REMOTE_PROGRAM", cli());
    QVERIFY(!reply.ok);
    QVERIFY(reply.worker_died);
    QVERIFY2(reply.error.find(words.toStdString()) != std::string::npos, reply.error.c_str());
    QVERIFY(watched.wait([&] { return watched.ended; }));
    QVERIFY(watched.exit.reason.kind == worker::EndKind::connection);
}

void BridgeTest::aFullDiskThereIsTold_data() {
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("words");
    QTest::newRow("more than may be stored") << "" << "WARPLIGHT_REMOTE_LIMIT";
    QTest::newRow("more than the disk has") << "1G" << "remote clean";
}

void BridgeTest::aFullDiskThereIsTold() {
    QFETCH(QString, limit);
    QFETCH(QString, words);
    SshServerSettings settings;
    if (!limit.isEmpty()) settings.environment["WARPLIGHT_REMOTE_LIMIT"] = limit;
    settings.disk = std::int64_t{24} << 20;
    start(settings);
    const fs::path work = path("full");
    fs::create_directories(work);
    {
        std::ofstream file(work / "big.bin", std::ios::binary);
        std::mt19937 random(1);
        std::vector<std::uint32_t> noise(10 << 20);
        for (auto& each : noise)
            each = random();
        file.write(reinterpret_cast<const char*>(noise.data()), static_cast<std::streamsize>(noise.size() * 4));
    }
    Watched watched(driver(), {{work}, {}});
    watched.client.start();
    const json session = session_of(
        twice_source, "twice",
        json::array({array_of(
            "x", "inout",
            {{"kind", "file"}, {"path", "big.bin"}, {"dtype", "float32"}, {"shape", json::array({10 << 20})}})}));
    const auto reply = watched.client.call_wait("run", {{"session", session}, {"folder", work.string()}});
    const std::string told = reply.ok ? reply.result->dump() : reply.error;
    QVERIFY2(told.find(words.toStdString()) != std::string::npos, told.c_str());
    // The worker goes on.
    QVERIFY(watched.client.call_wait("devices", json::object()).ok);
}

void BridgeTest::nvrtcIsLent() {
    SshServerSettings settings;
    settings.environment["WARPLIGHT_NVRTC"] = "/nowhere/libnvrtc.so";
    start(settings);
    const fs::path work = path("lent");
    fs::create_directories(work);
    std::ofstream(work / "by.h") << "#define BY 5\n";
    Watched watched(driver(), {{work}, {}});
    watched.client.start();
    const auto compilers = watched.client.call_wait("compilers", json::object());
    QVERIFY(compilers.ok);
    if (!compilers.result->at("nvrtc").at("found").get<bool>()) QSKIP("no NVRTC here that could be lent");
    QVERIFY(compilers.result->at("nvrtc").at("lent").get<bool>());
    const json session =
        session_of("#include \"by.h\"\nextern \"C\" __global__ void k(int* x) { x[threadIdx.x] = BY; }", "k",
                   json::array({array_of("x", "out", zeros(32, "int32"))}));
    const auto reply = watched.client.call_wait("run", {{"session", session}, {"folder", work.string()}});
    QCOMPARE(QString::fromStdString(status_of(reply)), QStringLiteral("ok"));
    QVERIFY2(reply.result->at("compile").at("compiler").get<std::string>().ends_with(" of this machine"),
             reply.result->at("compile").dump().c_str());
}

void BridgeTest::severalClientsShareAMachine() {
    start();
    const fs::path work = path("shared");
    fs::create_directories(work);
    std::ofstream(work / "x.bin", std::ios::binary) << std::string(std::size_t{4} << 20, '\1');
    const json session = session_of(
        twice_source, "twice",
        json::array({array_of(
            "x", "inout",
            {{"kind", "file"}, {"path", "x.bin"}, {"dtype", "float32"}, {"shape", json::array({1 << 20})}})}));
    std::vector<std::unique_ptr<Watched>> all;
    std::vector<std::future<worker::Reply>> answers;
    for (int i = 0; i < 3; ++i) {
        auto& each = *all.emplace_back(std::make_unique<Watched>(driver(), worker::Access{{work}, {}}));
        each.client.start();
        answers.push_back(each.ask("run", {{"session", session}, {"folder", work.string()}}));
    }
    for (auto& answer : answers)
        QCOMPARE(QString::fromStdString(status_of(answer.get())), QStringLiteral("ok"));
    int stored = 0;
    for (const auto& each : fs::recursive_directory_iterator(far() / "data"))
        stored += each.is_regular_file() ? 1 : 0;
    QCOMPARE(stored, 1);
}

void BridgeTest::aClockThatIsHoursOffChangesNothing_data() {
    QTest::addColumn<QString>("offset");
    QTest::newRow("behind") << "-7h";
    QTest::newRow("ahead") << "+9h";
}

void BridgeTest::aClockThatIsHoursOffChangesNothing() {
    QFETCH(QString, offset);
    if (has_address_sanitizer) QSKIP("the address sanitizer must be the first library of a process");
    if (qEnvironmentVariableIsSet("WARPLIGHT_TEST_SSH")) QSKIP("the bundle does not bring libfaketime");
    QVERIFY2(QFile::exists(WARPLIGHT_FAKETIME), "libfaketime is missing: install faketime");
    SshServerSettings settings;
    settings.environment["LD_PRELOAD"] = WARPLIGHT_FAKETIME;
    settings.environment["FAKETIME"] = offset;
    settings.environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1";
    settings.environment["FAKETIME_NO_CACHE"] = "1";
    start(settings);
    const fs::path work = path("clock-" + offset.mid(1).toStdString());
    fs::create_directories(work);
    std::ofstream(work / "x.bin", std::ios::binary) << std::string(std::size_t{1} << 20, '\1');
    json inout = array_of(
        "x", "inout", {{"kind", "file"}, {"path", "x.bin"}, {"dtype", "float32"}, {"shape", json::array({1 << 18})}});
    inout["save"] = "y.npy";
    const json session = session_of(twice_source, "twice", json::array({inout}), 1 << 13);
    Watched watched(driver(), {{work}, {work}});
    watched.client.start();
    const json request = {{"session", session}, {"folder", work.string()}};
    QCOMPARE(QString::fromStdString(status_of(watched.client.call_wait("run", request))), QStringLiteral("ok"));
    server_->cutConnections();
    QCOMPARE(QString::fromStdString(status_of(watched.client.call_wait("run", request))), QStringLiteral("ok"));
    QVERIFY(watched.says("connection: reconnecting", 10s));
    // A second connection finds the data that the first one has sent, whatever the times of its files.
    Watched other(driver(), {{work}, {work}});
    other.client.start();
    QCOMPARE(QString::fromStdString(status_of(other.client.call_wait("run", request))), QStringLiteral("ok"));
}

void BridgeTest::aLargeResultStaysThere() {
    start();
    Watched watched(driver());
    watched.client.start();
    // 256 MiB, of which a line of 1 Mbit/s would take half an hour.
    const json session = session_of("extern \"C\" __global__ void fill(float* x) {\n"
                                    "  x[(size_t)blockIdx.x * 256 + threadIdx.x] = blockIdx.x; }",
                                    "fill", json::array({array_of("x", "out", zeros(1 << 26))}), 1 << 18, 256);
    // What the process here has read: from ssh, and little else.
    const auto sent_there = [&] {
        QFile file(QString("/proc/%1/io").arg(watched.client.process_id()));
        if (!file.open(QIODevice::ReadOnly)) return qint64{-1};
        return file.readAll().split('\n').value(0).split(' ').value(1).toLongLong();
    };
    const auto before = sent_there();
    const auto reply = watched.client.call_wait("run", {{"session", session}});
    QCOMPARE(QString::fromStdString(status_of(reply)), QStringLiteral("ok"));
    const auto buffer = reply.result->at("buffers").at(0).at("buffer");
    const auto view = watched.client.call_wait("buffer.view", {{"buffer", buffer}});
    QVERIFY2(view.ok, view.error.c_str());
    QCOMPARE(view.result->at("summary").at("elements").get<int>(), 1 << 26);
    QVERIFY(before > 0);
    QVERIFY2(sent_there() - before < (1 << 20), qPrintable(QString::number(sent_there() - before)));
}

void BridgeTest::keptBuffersOutliveTheWorker() {
    start();
    const fs::path keep = path("keep");
    fs::create_directories(keep);
    Watched watched(driver(), {{}, {}, {keep}});
    watched.client.start();
    const json session = session_of(
        twice_source, "twice",
        json::array({array_of(
            "x", "inout", {{"kind", "arange"}, {"dtype", "float32"}, {"shape", {32}}, {"start", 0}, {"step", 1}})}));
    const auto reply = watched.client.call_wait("run", {{"session", session}, {"keep", keep.string()}});
    QCOMPARE(QString::fromStdString(status_of(reply)), QStringLiteral("ok"));
    std::string kept;
    for (const json& each : reply.result->at("buffers"))
        if (each.contains("kept") && each.value("role", "") == "output") kept = each.at("kept").get<std::string>();
    QVERIFY2(!kept.empty(), reply.result->at("buffers").dump().c_str());
    watched.client.shutdown(10s);
    watched.client.start();
    // As the window names it.
    const fs::path name = fs::path(kept).is_absolute() ? fs::path(kept) : keep / kept;
    const auto opened = watched.client.call_wait("buffer.open", {{"path", name.string()}});
    QVERIFY2(opened.ok, opened.error.c_str());
    QCOMPARE(opened.result->at("elements").get<int>(), 32);
}

void BridgeTest::aHostileMachineHarmsNothing_data() {
    QTest::addColumn<QString>("after");
    QTest::newRow("noise") << "head -c 4000000 /dev/urandom";
    QTest::newRow("zeros") << "head -c 4000000 /dev/zero";
    QTest::newRow("nothing more") << "exit 0";
    QTest::newRow("lines without end") << "yes";
}

void BridgeTest::aHostileMachineHarmsNothing() {
    QFETCH(QString, after);
    start();
    const fs::path program = path("hostile");
    std::ofstream(program)
        << "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --token ] && token=$2; shift; done\n"
           "printf '\\nWARPLIGHT-REMOTE {\"token\":\"%s\",\"protocol\":1,\"version\":\"1\",\"state\":\"new\"}\\n' "
           "\"$token\"\n"
        << after.toStdString() << "\n";
    fs::permissions(program, fs::perms::owner_all);
    qputenv("WARPLIGHT_REMOTE_LINGER", "1");
    qputenv("WARPLIGHT_REMOTE_PROGRAM", program.c_str());
    Watched watched(driver());
    watched.client.start();
    qputenv("WARPLIGHT_REMOTE_PROGRAM", program.c_str());
    const auto reply = watched.client.call_wait("devices", json::object());
    qputenv("WARPLIGHT_REMOTE_PROGRAM", cli());
    QVERIFY(!reply.ok);
    QVERIFY(watched.wait([&] { return watched.ended; }));
    QVERIFY2(watched.exit.reason.kind == worker::EndKind::connection, watched.exit.reason.text.c_str());
}

QTEST_APPLESS_MAIN(BridgeTest)
#include "bridge_test.moc"
