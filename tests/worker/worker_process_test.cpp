// SPDX-License-Identifier: Apache-2.0
// The real worker process: sessions, faults, hangs, kills at any moment, hostile input.
// WARPLIGHT_TEST_DRIVER chooses the driver, software by default.
#include "worker/client.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <future>
#include <mutex>
#include <random>
#include <set>
#include <thread>

using namespace warplight::worker;
using namespace std::chrono_literals;

namespace {

std::string driver_name() {
    QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return name.isEmpty() ? "software" : name.toStdString();
}

json session_of(const char* source, const char* kernel, json arguments, int blocks = 1, int threads = 32) {
    return {{"warplight", 1},
            {"source", {{"text", source}, {"name", "test.cu"}}},
            {"kernel", kernel},
            {"arguments", std::move(arguments)},
            {"launch", {{"grid", {blocks, 1, 1}}, {"block", {threads, 1, 1}}}}};
}

json array(const char* name, const char* direction, int count) {
    return {{"name", name},
            {"direction", direction},
            {"source", {{"kind", "arange"}, {"dtype", "float32"}, {"shape", {count}}, {"start", 0}, {"step", 1}}}};
}

const char* kDouble = "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }";
json doubling() { return session_of(kDouble, "twice", json::array({array("x", "inout", 32)})); }

const char* kEndless = "extern \"C\" __global__ void endless(volatile float* x) { while (x[0] == 0) { } }";
json endless() { return session_of(kEndless, "endless", json::array({array("x", "inout", 4)}), 1, 1); }

const char* kWild = "extern \"C\" __global__ void wild(float* x) {\n    x[1ll << 38] = 1;\n}";
json wild() { return session_of(kWild, "wild", json::array({array("x", "inout", 4)}), 1, 1); }

const char* kPrint = "extern \"C\" __global__ void print(float* x) { printf(\"line %d\\n\", (int)threadIdx.x); }";
json printing() { return session_of(kPrint, "print", json::array({array("x", "inout", 4)}), 1, 3); }

/// A client that writes down what it is told.
struct Watched {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Exit> exits;
    std::string output, log;
    int ready = 0;
    std::set<std::string> stages;
    Client client;

    explicit Watched(ClientOptions options = {}) : client(fill(std::move(options))) {}
    ClientOptions fill(ClientOptions options) {
        options.driver = driver_name();
        if (options.program.empty()) options.program = WARPLIGHT_CLI;
        options.on_exit = [this](const Exit& exit) { note([&] { exits.push_back(exit); }); };
        options.on_output = [this](int, const std::string& text) { note([&] { output += text; }); };
        options.on_log = [this](const std::string& level, const std::string& text) {
            note([&] { log += level + ": " + text + "\n"; });
        };
        options.on_ready = [this](const json&) { note([&] { ++ready; }); };
        options.on_progress = [this](int, const Progress& progress) { note([&] { stages.insert(progress.stage); }); };
        return options;
    }
    template <class F>
    void note(F&& change) {
        std::lock_guard lock(mutex);
        change();
        changed.notify_all();
    }
    template <class F>
    bool wait(F&& condition, std::chrono::milliseconds most = 20s) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, most, condition);
    }
    Reply run(const json& session) { return client.call_wait("run", {{"session", session}, {"folder", ""}}, {}, 120s); }
};

QByteArray explain(const Reply& reply) {
    return QByteArray::fromStdString(
        reply.error + " " + reply.result->dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 3000));
}

#define VERIFY_OK(reply) QVERIFY2((reply).ok && (*(reply).result)["status"] == "ok", explain(reply))

/// A worker without a client: raw bytes in, messages out.
struct Raw {
    platform::Child child{WARPLIGHT_CLI, {"worker", "--driver", driver_name()}};
    FrameReader frames{[](void* stream, std::byte* to, std::size_t size) {
                           return static_cast<platform::Child*>(stream)->read_output(to, size);
                       },
                       &child};
    void send(const json& message) {
        auto bytes = encode_message(message);
        child.write(bytes.data(), bytes.size());
    }
    void request(int id, const std::string& method, json params) {
        send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    }
    /// The next message that has an id; a discarded value at the end.
    json answer() {
        std::vector<std::byte> bytes;
        json message;
        std::string problem;
        while (frames.next(bytes) == FrameReader::Result::message) {
            if (!decode_message(bytes, message, problem)) break;
            if (message.contains("id")) return message;
        }
        return json(json::value_t::discarded);
    }
    void hello() {
        request(0, "hello", {{"protocol", kProtocolVersion}});
        answer();
    }
};

} // namespace

class WorkerProcessTest : public QObject {
    Q_OBJECT
    QTemporaryDir cache_;

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_CACHE_DIR", cache_.path().toUtf8());
        Watched watched;
        watched.client.start();
        Reply devices = watched.client.call_wait("devices", json::object(), {}, 60s);
        QVERIFY2(devices.ok, explain(devices));
        if ((*devices.result)["devices"].empty()) QSKIP("no device of this driver");
        Reply compilers = watched.client.call_wait("compilers", json::object(), {}, 60s);
        QVERIFY2(compilers.ok, explain(compilers));
        if (!(*compilers.result)["nvrtc"]["found"].get<bool>()) QSKIP("no NVRTC here");
        Reply warm = watched.run(doubling());
        VERIFY_OK(warm);
    }

    void hello_devices_memory() {
        Watched watched;
        watched.client.start();
        QVERIFY(watched.wait([&] { return watched.ready == 1; }));
        Reply devices = watched.client.call_wait("devices", json::object());
        const json& first = (*devices.result)["devices"][0];
        QVERIFY(!first["name"].get<std::string>().empty());
        QCOMPARE(first["attributes"]["WARP_SIZE"].get<int>(), 32);
        Reply memory = watched.client.call_wait("memory", {{"device", 0}});
        QVERIFY2(memory.ok, explain(memory));
        QVERIFY((*memory.result)["free"].get<std::uint64_t>() > 0);
        QVERIFY((*memory.result)["free"] <= (*memory.result)["total"]);
        Reply none = watched.client.call_wait("memory", {{"device", 99}});
        QVERIFY(!none.ok);
        watched.client.shutdown();
        QVERIFY(watched.wait([&] { return watched.exits.size() == 1; }));
        QVERIFY(watched.exits[0].asked && !watched.exits[0].by_signal);
        QCOMPARE(watched.exits[0].code, 0);
    }

    void run_and_look() {
        Watched watched;
        watched.client.start();
        Reply reply = watched.run(doubling());
        VERIFY_OK(reply);
        QVERIFY(!(*reply.result)["restart_needed"].get<bool>());
        int seen = 0;
        for (const json& buffer : (*reply.result)["buffers"]) {
            float factor = buffer["role"] == "output" ? 2 : 1;
            Reply data =
                watched.client.call_wait("buffer.read", {{"buffer", buffer["buffer"]}, {"offset", 5}, {"count", 100}});
            QVERIFY2(data.ok, explain(data));
            const auto& bytes = (*data.result)["data"].get_binary();
            QCOMPARE(bytes.size(), std::size_t{27 * 4});
            for (int i = 0; i < 27; ++i) {
                float value = 0;
                std::memcpy(&value, bytes.data() + 4 * i, 4);
                QCOMPARE(value, factor * static_cast<float>(i + 5));
            }
            ++seen;
        }
        QCOMPARE(seen, 2);
        QVERIFY(watched.stages.count("compile") && watched.stages.count("run"));
        // The next run's buffers take their place.
        Reply again = watched.run(doubling());
        VERIFY_OK(again);
        Reply gone = watched.client.call_wait("buffer.info", {{"buffer", (*reply.result)["buffers"][0]["buffer"]}});
        QVERIFY(!gone.ok);
        Reply list = watched.client.call_wait("buffer.list", json::object());
        QCOMPARE((*list.result)["buffers"].size(), std::size_t{2});
    }

    void printed_text_arrives() {
        Watched watched;
        watched.client.start();
        Reply reply = watched.run(printing());
        VERIFY_OK(reply);
        QVERIFY(watched.wait([&] { return watched.output.find("line 2") != std::string::npos; }));
        QCOMPARE(watched.output, std::string("line 0\nline 1\nline 2\n"));
        QCOMPARE((*reply.result)["output"].get<std::string>(), watched.output);
    }

    void compile_signatures_occupancy() {
        Watched watched;
        watched.client.start();
        Reply good = watched.client.call_wait("compile", {{"source", kDouble}, {"name", "d.cu"}, {"arch", "sm_80"}});
        QVERIFY2(good.ok && (*good.result)["ok"].get<bool>(), explain(good));
        QCOMPARE((*good.result)["kernels"][0]["parameters"][0]["dtype"].get<std::string>(), std::string("float32"));
        QCOMPARE((*good.result)["report"].size(), std::size_t{1});
        QVERIFY(!(*good.result)["lines"].empty());
        Reply bad =
            watched.client.call_wait("compile", {{"source", "__global__ void k() { oops; }"}, {"name", "b.cu"}});
        QVERIFY(bad.ok && !(*bad.result)["ok"].get<bool>());
        QCOMPARE((*bad.result)["diagnostics"][0]["line"].get<int>(), 1);
        Reply signatures = watched.client.call_wait("signatures", {{"source", kWild}});
        QCOMPARE((*signatures.result)["kernels"][0]["name"].get<std::string>(), std::string("wild"));
        Reply occupancy = watched.client.call_wait(
            "occupancy", {{"source", kDouble}, {"kernel", "twice"}, {"block", {256, 1, 1}}, {"device", 0}});
        QVERIFY2(occupancy.ok, explain(occupancy));
        QVERIFY((*occupancy.result)["blocks_per_sm"].get<int>() > 0);
        QVERIFY(!(*occupancy.result)["limiter"].get<std::string>().empty());
        if (driver_name() == "software" && !(*good.result)["report"].empty()) {
            // As a window asks: the PTX of the compilation before.
            Reply asked = watched.client.call_wait("occupancy", {{"ptx", (*good.result)["ptx"]},
                                                                 {"kernel", (*good.result)["kernels"][0]["lowered"]},
                                                                 {"block", {256, 1, 1}},
                                                                 {"device", 0}});
            QVERIFY2(asked.ok, explain(asked));
            QCOMPARE((*asked.result)["estimated"].get<bool>(), false);
            QCOMPARE((*asked.result)["function"]["NUM_REGS"].get<int>(),
                     (*good.result)["report"][0]["registers"].get<int>());
        }
        for (const json& block : {json(0), json(-1), json("x"), json({1, 2, 3, 4}), json({100000}), json::array()}) {
            Reply refused = watched.client.call_wait(
                "occupancy", {{"source", kDouble}, {"kernel", "twice"}, {"block", block}, {"device", 0}});
            QVERIFY(!refused.ok && !refused.worker_died);
        }
    }

    void an_endless_kernel_is_killed() {
        Watched watched;
        QElapsedTimer timer;
        timer.start();
        watched.client.start();
        QVERIFY(watched.client.call_wait("buffer.list", json::object(), {}, 20s).ok);
        const qint64 usual = timer.elapsed(); // of a start, on a machine as busy as it is
        VERIFY_OK(watched.run(doubling()));
        std::promise<Reply> promise;
        auto future = promise.get_future();
        watched.client.call("run", {{"session", endless()}, {"folder", ""}},
                            [&](const Reply& reply) { promise.set_value(reply); });
        QVERIFY(watched.wait([&] { return watched.stages.count("run") != 0; }));
        QVERIFY(future.wait_for(300ms) == std::future_status::timeout);
        // Questions are answered meanwhile.
        Reply list = watched.client.call_wait("buffer.list", json::object(), {}, 20s);
        QVERIFY2(list.ok, explain(list));
        json buffer = (*list.result)["buffers"][0]["buffer"];
        QVERIFY(watched.client.call_wait("buffer.read", {{"buffer", buffer}, {"count", 10}}, {}, 20s).ok);
        QVERIFY(watched.client.call_wait("devices", json::object(), {}, 20s).ok);
        QVERIFY(watched.client.call_wait("signatures", {{"source", kDouble}}, {}, 20s).ok);
        timer.start();
        watched.client.restart();
        Reply hello = watched.client.call_wait("buffer.list", json::object(), {}, 20s);
        qint64 took = timer.elapsed();
        QVERIFY2(hello.ok, explain(hello));
        Reply died = future.get();
        QVERIFY(!died.ok && died.worker_died);
        QCOMPARE(watched.exits.size(), std::size_t{1});
        QVERIFY(watched.exits[0].asked);
        if (driver_name() == "software") QVERIFY2(took < 500 + 3 * usual, qPrintable(QString::number(took)));
        VERIFY_OK(watched.run(doubling()));
    }

    void a_wild_access_is_reported_and_the_next_worker_works() {
        Watched watched;
        watched.client.start();
        Reply reply = watched.run(wild());
        QVERIFY2(reply.ok, explain(reply));
        QCOMPARE((*reply.result)["status"].get<std::string>(), std::string("device_error"));
        const json& error = (*reply.result)["error"];
        QVERIFY2(error["code"] == 700 || error["code"] == 719, explain(reply));
        QVERIFY((*reply.result)["restart_needed"].get<bool>());
        watched.client.restart();
        VERIFY_OK(watched.run(doubling()));
    }

    void cancel_a_run_between_repeats() {
        std::atomic<int> code{0}; // these outlive the client, which answers what is open when it ends
        std::promise<Reply> promise;
        Watched watched;
        watched.client.start();
        json session = doubling();
        session["repeat"] = 1000000;
        auto future = promise.get_future();
        int id = watched.client.call("run", {{"session", session}, {"folder", ""}},
                                     [&](const Reply& reply) { promise.set_value(reply); });
        QVERIFY(watched.wait([&] { return watched.stages.count("run") != 0; }));
        watched.client.cancel(id);
        QVERIFY(future.wait_for(20s) == std::future_status::ready);
        Reply reply = future.get();
        QVERIFY2(reply.ok && (*reply.result)["status"] == "cancelled", explain(reply));
        // One that waits is cancelled before it starts.
        watched.client.call("run", {{"session", session}, {"folder", ""}}, {});
        int waiting = watched.client.call("run", {{"session", doubling()}, {"folder", ""}},
                                          [&](const Reply& r) { code = r.code; });
        watched.client.cancel(waiting);
        Reply unknown = watched.client.call_wait("cancel", {{"id", 123456}});
        QVERIFY(unknown.ok && !(*unknown.result)["known"].get<bool>());
        watched.client.kill();
    }

    /// The software device ends the kernel, and the worker goes on.
    void an_endless_kernel_is_cancelled() {
        if (driver_name() != "software") QSKIP("a GPU's kernels end with their process");
        std::promise<Reply> promise, next;
        Watched watched;
        watched.client.start();
        VERIFY_OK(watched.run(doubling()));
        QVERIFY(watched.client.call_wait("memory", {{"device", 0}}, {}, 20s).ok); // makes a context, and keeps it
        watched.stages.clear();
        auto future = promise.get_future(), after = next.get_future();
        int id = watched.client.call("run", {{"session", endless()}, {"folder", ""}},
                                     [&](const Reply& reply) { promise.set_value(reply); });
        watched.client.call("run", {{"session", doubling()}, {"folder", ""}},
                            [&](const Reply& reply) { next.set_value(reply); });
        QVERIFY(watched.wait([&] { return watched.stages.count("run") != 0; }));
        QVERIFY(future.wait_for(200ms) == std::future_status::timeout);
        watched.client.cancel(id);
        QVERIFY(future.wait_for(20s) == std::future_status::ready);
        Reply reply = future.get();
        QVERIFY2(reply.ok && (*reply.result)["status"] == "cancelled", explain(reply));
        QVERIFY2((*reply.result)["error"]["details"].get<std::string>().find("endless") != std::string::npos,
                 explain(reply));
        QVERIFY(!(*reply.result)["restart_needed"].get<bool>());
        // What was queued behind runs, in the same worker.
        QVERIFY(after.wait_for(20s) == std::future_status::ready);
        Reply behind = after.get();
        VERIFY_OK(behind);
        QVERIFY(watched.client.call_wait("memory", {{"device", 0}}, {}, 20s).ok);
        VERIFY_OK(watched.run(doubling()));
        QVERIFY(watched.exits.empty());
    }

    /// Though what was cancelled before it is still open, because it waits for that kernel.
    void an_endless_kernel_is_cancelled_after_what_waits_for_it() {
        if (driver_name() != "software") QSKIP("a GPU's kernels end with their process");
        std::promise<Reply> promise, next;
        Watched watched;
        watched.client.start();
        VERIFY_OK(watched.run(doubling()));
        watched.stages.clear();
        auto future = promise.get_future(), after = next.get_future();
        int id = watched.client.call("run", {{"session", endless()}, {"folder", ""}},
                                     [&](const Reply& reply) { promise.set_value(reply); });
        int waiting = watched.client.call("run", {{"session", doubling()}, {"folder", ""}},
                                          [&](const Reply& reply) { next.set_value(reply); });
        QVERIFY(watched.wait([&] { return watched.stages.count("run") != 0; }));
        watched.client.cancel(waiting);
        QVERIFY(future.wait_for(200ms) == std::future_status::timeout);
        watched.client.cancel(id);
        QVERIFY(future.wait_for(5s) == std::future_status::ready); // the other alone would be waited for for ten
        Reply reply = future.get();
        QVERIFY2(reply.ok && (*reply.result)["status"] == "cancelled", explain(reply));
        QVERIFY(after.wait_for(20s) == std::future_status::ready);
        QVERIFY(!after.get().ok);
        VERIFY_OK(watched.run(doubling()));
        QVERIFY(watched.exits.empty());
    }

    void a_cancelled_run_leaves_the_buffers_of_the_run_before() {
        if (driver_name() != "software") QSKIP("a GPU's kernels end with their process");
        std::promise<Reply> promise;
        Watched watched;
        watched.client.start();
        Reply first = watched.run(doubling());
        VERIFY_OK(first);
        QVERIFY(!(*first.result)["buffers"].empty());
        watched.stages.clear();
        auto future = promise.get_future();
        int id = watched.client.call("run", {{"session", endless()}, {"folder", ""}},
                                     [&](const Reply& reply) { promise.set_value(reply); });
        QVERIFY(watched.wait([&] { return watched.stages.count("run") != 0; }));
        watched.client.cancel(id);
        QVERIFY(future.wait_for(20s) == std::future_status::ready);
        Reply reply = future.get();
        QVERIFY2(reply.ok && (*reply.result)["status"] == "cancelled", explain(reply));
        QVERIFY((*reply.result)["buffers"].empty());
        for (const json& buffer : (*first.result)["buffers"])
            QVERIFY(watched.client.call_wait("buffer.info", {{"buffer", buffer["buffer"]}}, {}, 20s).ok);
    }

    void killed_at_any_moment() {
        std::mt19937 random(11);
        std::atomic<int> asked{0}, answered{0};
        for (int round = 0; round < 20; ++round) {
            Watched watched;
            watched.client.start();
            auto count = [&](const Reply&) { ++answered; };
            json params = {{"session", round % 3 ? doubling() : endless()}, {"folder", ""}};
            watched.client.call("run", params, count), ++asked;
            watched.client.call("compile", {{"source", kDouble + std::string(random() % 20, ' ')}}, count), ++asked;
            watched.client.call("devices", json::object(), count), ++asked;
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 250));
            switch (round % 3) {
            case 0: watched.client.kill(); break;
#ifdef _WIN32
            case 1: watched.client.kill(); break;
#else
            case 1: ::kill(static_cast<pid_t>(watched.client.process_id()), SIGABRT); break;
#endif
            default: watched.client.restart();
            }
            if (round % 3 == 2) watched.client.kill();
            QVERIFY(watched.wait([&] { return watched.exits.size() == (round % 3 == 2 ? 2u : 1u); }));
            QCOMPARE(answered.load(), asked.load());
            QVERIFY(!watched.client.running());
            // And it can be started again.
            if (round % 4 == 0) {
                watched.client.start();
                VERIFY_OK(watched.run(doubling()));
            }
        }
    }

#ifndef _WIN32
    void how_it_ended_is_told() {
        Watched watched;
        watched.client.start();
        QVERIFY(watched.wait([&] { return watched.ready == 1; }));
        ::kill(static_cast<pid_t>(watched.client.process_id()), SIGABRT);
        QVERIFY(watched.wait([&] { return watched.exits.size() == 1; }));
        QVERIFY(watched.exits[0].by_signal && !watched.exits[0].asked);
        QCOMPARE(watched.exits[0].code, SIGABRT);
        Reply late = watched.client.call_wait("devices", json::object());
        QVERIFY(!late.ok && !late.error.empty());

        Watched other(ClientOptions{.program = "/bin/sh", .arguments = {"-c", "echo boom >&2; exit 3"}});
        other.client.start();
        QVERIFY(other.wait([&] { return other.exits.size() == 1; }));
        QCOMPARE(other.exits[0].code, 3);
        QVERIFY(other.exits[0].stderr_tail.find("boom") != std::string::npos);
        QVERIFY(other.log.find("boom") != std::string::npos);

        // A program that is no worker: refused, and not waited for.
        Watched talker(ClientOptions{.program = "/bin/sh", .arguments = {"-c", "echo hello everybody; sleep 100"}});
        talker.client.start();
        QVERIFY(talker.wait([&] { return talker.exits.size() == 1; }));

        Watched missing(ClientOptions{.program = "/no/such/program"});
        bool thrown = false;
        try {
            missing.client.start();
        } catch (const std::runtime_error& error) {
            thrown = std::strstr(error.what(), "/no/such/program") != nullptr;
        }
        QVERIFY(thrown);
        QVERIFY(!missing.client.call_wait("devices", json::object()).ok);
    }
#endif

    void ends_with_its_owner() {
        Raw raw;
        raw.hello();
        raw.request(1, "run", {{"session", endless()}, {"folder", ""}});
        std::this_thread::sleep_for(300ms);
        QElapsedTimer timer;
        timer.start();
        raw.child.close_input();
        platform::EndOfProcess end = raw.child.wait();
        QVERIFY(!end.by_signal);
        QVERIFY(timer.elapsed() < 20000); // the kernel would never
    }

    void hostile_streams_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a length without a message") << QByteArray("\x10\0\0\0", 4);
        QTest::newRow("the largest length") << QByteArray("\xff\xff\xff\xff", 4);
        QTest::newRow("a large length and little data") << QByteArray("\0\0\0\x0f", 4) + QByteArray(1000, 'x');
        QTest::newRow("an empty message") << QByteArray(4, '\0');
        QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\n\r\n");
        QTest::newRow("zeros") << QByteArray(100000, '\0');
        QByteArray deep("\xa1\x61\x61", 3);
        deep += QByteArray(100000, '\x81');
        QByteArray head(4, '\0');
        for (int i = 0; i < 4; ++i)
            head[i] = static_cast<char>(deep.size() >> (8 * i));
        QTest::newRow("deep nesting") << head + deep;
        std::mt19937 random(5);
        QByteArray noise;
        for (int i = 0; i < 100000; ++i)
            noise.append(static_cast<char>(random()));
        QTest::newRow("noise") << noise;
    }
    void hostile_streams() {
        QFETCH(QByteArray, bytes);
        for (bool greet : {false, true}) {
            Raw raw;
            if (greet) raw.hello();
            raw.child.write(reinterpret_cast<const std::byte*>(bytes.constData()),
                            static_cast<std::size_t>(bytes.size()));
            raw.child.close_input();
            while (!raw.answer().is_discarded()) {
            }
            platform::EndOfProcess end = raw.child.wait();
            QVERIFY2(!end.by_signal, end.text.c_str());
        }
    }

    void hostile_requests() {
        {
            Raw raw;
            raw.request(1, "devices", json::object());
            QCOMPARE(raw.answer()["error"]["code"].get<int>(), static_cast<int>(hello_first));
            QVERIFY(raw.answer().is_discarded());
        }
        {
            Raw raw;
            raw.request(1, "hello", {{"protocol", 99}});
            QCOMPARE(raw.answer()["error"]["code"].get<int>(), static_cast<int>(wrong_protocol));
            QVERIFY(raw.answer().is_discarded());
        }
        Raw raw;
        raw.hello();
        for (const json& bad : {json::object(), json{{"jsonrpc", "1.0"}, {"id", 1}, {"method", "devices"}},
                                json{{"jsonrpc", "2.0"}, {"id", "one"}, {"method", "devices"}},
                                json{{"jsonrpc", "2.0"}, {"id", -1}, {"method", "devices"}},
                                json{{"jsonrpc", "2.0"}, {"id", std::uint64_t{1} << 63}, {"method", "devices"}},
                                json{{"jsonrpc", "2.0"}, {"id", 1.5}, {"method", "devices"}},
                                json{{"jsonrpc", "2.0"}, {"id", 1}}, json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", 5}},
                                json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "devices"}, {"params", {1, 2}}}}) {
            raw.send(bad);
            QCOMPARE(raw.answer()["error"]["code"].get<int>(), static_cast<int>(invalid_request));
        }
        // Every method with parameters of every wrong kind: an error, and the worker lives.
        int id = 1000;
        for (const char* method : {"memory", "compile", "signatures", "occupancy", "run", "cancel", "buffer.open",
                                   "buffer.info", "buffer.close", "buffer.read", "buffer.bytes", "buffer.window",
                                   "buffer.summary", "buffer.plot", "buffer.compare", "buffer.save", "no.such"}) {
            for (const json& value : {json(), json(-1), json(1e300), json("\xff\xfe"), json::array({1, nullptr}),
                                      json::object(), json(true), json(std::uint64_t{1} << 63)}) {
                if (value.is_null() && method == std::string("memory")) continue;       // the first device
                if (value.is_string() && method == std::string("signatures")) continue; // a source without kernels
                json params;
                for (const char* name : {"device", "source",  "folder", "options", "arch",   "compiler", "kernel",
                                         "block",  "session", "id",     "path",    "dtype",  "buffer",   "offset",
                                         "count",  "row",     "rows",   "with",    "points", "bins"})
                    params[name] = value;
                raw.request(++id, method, params);
                json answer = raw.answer();
                QVERIFY2(!answer.is_discarded(), method);
                QCOMPARE(answer["id"].get<int>(), id);
                QVERIFY2(answer.contains("error") && !answer["error"]["message"].get<std::string>().empty(), method);
            }
        }
        raw.request(++id, "shutdown", json::object());
        QVERIFY(raw.answer().contains("result"));
        QCOMPARE(raw.child.wait().code, 0);
    }
};

QTEST_GUILESS_MAIN(WorkerProcessTest)
#include "worker_process_test.moc"
