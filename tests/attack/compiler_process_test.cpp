// SPDX-License-Identifier: Apache-2.0
// Compilations that take too long, too much memory or whose process is killed. They end when they are told to, with all
// that they have started, and leave nothing behind.
#include "worker/client.hpp"
#include "worker/compiler_processes.hpp"

#include "compiler/temporary_folder.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace warplight;
using namespace warplight::worker;
using compiler::Backend;
using compiler::CompileRequest;
using compiler::CompileResult;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Says who it is and never ends, nor does what it has started.
constexpr char kFakeNvcc[] = R"(#!/bin/sh
case $1 in
--version) echo "fake compiler, release 12.3, V12.3.45"; exit 0 ;;
--list-gpu-arch) echo compute_80; exit 0 ;;
esac
sleep 600 &
echo $$ $! >"$WARPLIGHT_TEST_PIDS.new" && mv "$WARPLIGHT_TEST_PIDS.new" "$WARPLIGHT_TEST_PIDS"
touch "$TMPDIR/left"
wait
)";

// 16 million classes.
constexpr char kEndless[] = "template <int Depth, int Path> struct Sum {\n"
                            "    static constexpr long value = Sum<Depth - 1, 2 * Path>::value\n"
                            "                                + Sum<Depth - 1, 2 * Path + 1>::value;\n"
                            "};\n"
                            "template <int Path> struct Sum<0, Path> { static constexpr long value = Path; };\n"
                            "__global__ void k(long* x) { *x = Sum<24, 0>::value; }\n";
constexpr char kShort[] = "__global__ void k(float* x) { x[threadIdx.x] *= 2; }\n";

bool alive(long process) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(stat, text);
    const std::size_t state = text.rfind(") ");
    return state != std::string::npos && text[state + 2] != 'Z';
}

std::vector<long> children_of(long process) {
    std::vector<long> result;
    std::error_code error;
    for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(process) + "/task", error)) {
        std::ifstream list(thread.path() / "children");
        for (long child = 0; list >> child;)
            if (alive(child)) result.push_back(child);
    }
    return result;
}

std::vector<long> descendants_of(long process) {
    std::vector<long> result;
    for (const long child : children_of(process)) {
        result.push_back(child);
        const auto below = descendants_of(child);
        result.insert(result.end(), below.begin(), below.end());
    }
    return result;
}

std::string message_of(const CompileResult& result) {
    return result.diagnostics.empty() ? result.log : result.diagnostics.front().message;
}

CompileRequest request(const char* source, Backend backend = Backend::nvrtc) {
    return {.source = source, .arch = "sm_80", .backend = backend, .use_cache = false};
}

} // namespace

class CompilerProcessTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    long broker_ = 0;

    fs::path base() const { return folder_.path().toStdString(); }
    std::vector<long> nvcc_processes() const {
        std::ifstream file(base() / "pids");
        std::vector<long> result;
        for (long process = 0; file >> process;)
            result.push_back(process);
        return result;
    }
    /// Those of an ended process go a moment after its answer.
    bool temporary_files() const {
        return std::ranges::any_of(fs::directory_iterator(base() / "tmp"), [](const fs::directory_entry& each) {
            std::error_code gone;
            return each.path().filename().string().starts_with("warplight") && !fs::is_empty(each.path(), gone) &&
                   !gone;
        });
    }
    /// Compiles in a thread, so that this one may act meanwhile.
    static std::future<CompileResult> begin(CompileRequest request) {
        return std::async(std::launch::async, [request] { return compiler::compile(request); });
    }

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_WORKER", WARPLIGHT_CLI);
        qputenv("WARPLIGHT_CACHE_DIR", folder_.filePath("cache").toUtf8());
        fs::create_directories(base() / "tmp");
        qputenv("TMPDIR", folder_.filePath("tmp").toUtf8());
        qputenv("WARPLIGHT_TEST_PIDS", folder_.filePath("pids").toUtf8());
        std::ofstream(base() / "nvcc") << kFakeNvcc;
        fs::permissions(base() / "nvcc", fs::perms::owner_all);
        qputenv("WARPLIGHT_NVCC", folder_.filePath("nvcc").toUtf8());
        const auto before = children_of(getpid());
        compiler::set_toolchain(remote_toolchain(start_compiler_broker({}, find_worker())));
        for (const long child : children_of(getpid()))
            if (!std::ranges::count(before, child)) broker_ = child;
        QVERIFY(broker_ != 0);
        if (!compiler::compiler_info(Backend::nvrtc).found) QSKIP("no NVRTC here");
    }
    void init() { fs::remove(base() / "pids"); }

    void results_are_those_of_this_process() {
        CompileRequest each = request("#include <cuda_fp16.h>\n"
                                      "template <class T> __global__ void scale(T* x) { *x = *x + *x; }\n");
        each.name_expressions = {"scale<float>", "scale<__half>"};
        each.report = each.cubin = true;
        each.folder = base();
        const CompileResult remote = compiler::compile(each);
        QVERIFY2(remote.ok, message_of(remote).c_str());
        const compiler::Job job{each, *compiler::parse_architecture("sm_80"), (base() / "kernel.cu").string(),
                                each.source};
        const compiler::Products local = compiler::local_toolchain().compile(job);
        QCOMPARE(remote.ptx, local.ptx);
        QCOMPARE(remote.command, local.command);
        QCOMPARE(remote.cubin.size(), local.cubin.size());
        QCOMPARE(remote.lowered_name("scale<__half>"), local.lowered_names.at(1).lowered);
        const auto info = compiler::compiler_info(Backend::nvrtc);
        QCOMPARE(info.architectures, compiler::local_toolchain().identity(Backend::nvrtc, "nvcc").info.architectures);
        CompileRequest wrong = request("__global__ void k() { nothere; }\n");
        QVERIFY(message_of(compiler::compile(wrong)).find("nothere") != std::string::npos);
        QTRY_VERIFY(children_of(broker_).empty());
        QTRY_VERIFY(!temporary_files());
    }

    void many_at_once() {
        std::vector<std::future<CompileResult>> all(6);
        for (auto& each : all)
            each = begin(request(kShort));
        for (auto& each : all)
            QVERIFY(each.get().ok);
    }

    void nvrtc_is_cancelled() {
        std::atomic<bool> cancel = false;
        CompileRequest endless = request(kEndless);
        endless.cancelled = [&] { return cancel.load(); };
        auto result = begin(endless);
        QVERIFY(result.wait_for(std::chrono::milliseconds(1500)) == std::future_status::timeout);
        QCOMPARE(children_of(broker_).size(), std::size_t{1});
        QElapsedTimer timer;
        timer.start();
        cancel = true;
        QVERIFY(result.get().cancelled);
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
        QTRY_VERIFY(children_of(broker_).empty());
        QVERIFY(compiler::compile(request(kShort)).ok);
    }

    void nvcc_and_what_it_started_are_cancelled() {
        std::atomic<bool> cancel = false;
        CompileRequest endless = request(kShort, Backend::nvcc);
        endless.cancelled = [&] { return cancel.load(); };
        auto result = begin(endless);
        QTRY_COMPARE(nvcc_processes().size(), std::size_t{2});
        QVERIFY(temporary_files());
        cancel = true;
        QVERIFY(result.get().cancelled);
        QTRY_VERIFY(std::ranges::none_of(nvcc_processes(), alive)); // a killed process takes a moment to end
        QTRY_VERIFY(!temporary_files());
    }

    void a_killed_compiler_is_replaced() {
        auto result = begin(request(kEndless));
        QTRY_COMPARE(children_of(broker_).size(), std::size_t{1});
        ::kill(static_cast<pid_t>(children_of(broker_).at(0)), SIGKILL);
        const std::string message = message_of(result.get());
        QVERIFY2(message.starts_with("the compiler ended unexpectedly (it was killed by signal 9, out of memory?)"),
                 message.c_str());
        QVERIFY(compiler::compile(request(kShort)).ok);
        QTRY_VERIFY(!temporary_files());
    }

    void memory_is_bounded() {
#if defined(WARPLIGHT_SANITIZED)
        QSKIP("sanitizers take address space without bounds");
#endif
        CompilerRules rules;
        rules.memory = std::uint64_t{1} << 30;
        const auto bounded = remote_toolchain(start_compiler_broker(rules, find_worker()));
        const CompileRequest endless = request(kEndless);
        std::string message;
        try {
            const auto products =
                bounded->compile({endless, *compiler::parse_architecture("sm_80"), "kernel.cu", endless.source});
            QVERIFY(!products.ok);
            message = products.log;
        } catch (const std::runtime_error& error) {
            message = error.what();
        }
        QVERIFY2(message.find("out of memory") != std::string::npos, message.c_str());
        const CompileRequest small = request(kShort);
        QVERIFY(bounded->compile({small, *compiler::parse_architecture("sm_80"), "kernel.cu", small.source}).ok);
    }

    void damaged_messages_are_refused() {
        const CompileRequest sample = request(kShort);
        const auto whole =
            encode(compiler::Job{sample, *compiler::parse_architecture("sm_80"), "kernel.cu", sample.source});
        std::mt19937 random(7);
        int refused = 0;
        for (int i = 0; i < 20000; ++i) {
            auto bytes = whole;
            for (int change = 0; change < 3; ++change)
                bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            bytes.resize(bytes.size() - random() % 3);
            try {
                const CompileTask task = decode_compile_task(bytes);
                QVERIFY(task.arch.suffix.size() <= 4);
            } catch (const std::runtime_error&) {
                ++refused;
            }
        }
        QVERIFY(refused > 1000);
    }

    void a_worker_cancels_and_goes_on() {
        Client client({});
        client.start();
        std::promise<Reply> answer;
        const int id = client.call("compile", {{"source", kEndless}, {"report", false}, {"cache", false}},
                                   [&](const Reply& reply) { answer.set_value(reply); });
        auto reply = answer.get_future();
        const auto pid = client.process_id();
        QTRY_COMPARE(descendants_of(pid).size(), std::size_t{2});
        QElapsedTimer timer;
        timer.start();
        client.cancel(id);
        QVERIFY(!reply.get().ok);
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(descendants_of(pid).size(), std::size_t{1});
        const Reply next = client.call_wait("compile", {{"source", kShort}, {"report", false}, {"cache", false}});
        QVERIFY(next.ok && next.result->at("ok").get<bool>());
        QCOMPARE(client.process_id(), pid);
    }

    /// The run before it keeps its buffers, and the run after it works.
    void a_run_is_cancelled_while_it_compiles() {
        Client client({});
        client.start();
        const auto session = [](const char* source) {
            const json data = {{"kind", "arange"}, {"dtype", "float32"}, {"shape", json::array({32})}};
            const json argument = {{"name", "x"}, {"direction", "inout"}, {"source", data}};
            const json launch = {{"grid", json::array({1})}, {"block", json::array({32})}};
            const json document = {{"warplight", 1},
                                   {"source", {{"text", source}}},
                                   {"arguments", json::array({argument})},
                                   {"launch", launch}};
            return json{{"session", document}, {"folder", ""}};
        };
        const Reply first = client.call_wait("run", session(kShort));
        QVERIFY2(first.ok && first.result->at("status") == "ok", first.result->dump().substr(0, 2000).c_str());
        const json buffer = first.result->at("buffers").at(0).at("buffer");
        std::promise<Reply> answer;
        const int id = client.call("run", session(kEndless), [&](const Reply& reply) { answer.set_value(reply); });
        QTRY_COMPARE(descendants_of(client.process_id()).size(), std::size_t{2});
        QElapsedTimer timer;
        timer.start();
        client.cancel(id);
        const Reply cancelled = answer.get_future().get();
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(cancelled.result->value("status", ""), std::string("cancelled"));
        QVERIFY(client.call_wait("buffer.read", {{"buffer", buffer}, {"count", 32}}).ok);
        QCOMPARE(client.call_wait("run", session(kShort)).result->value("status", ""), std::string("ok"));
    }

    /// Nothing goes on after a killed worker, and nothing is left.
    void a_killed_worker_takes_all_with_it() {
        Client client({.confined = false}); // its nvcc writes a list of its processes
        client.start();
        client.call("compile", {{"source", kShort}, {"compiler", "nvcc"}, {"arch", "sm_80"}, {"report", false}}, {});
        QTRY_COMPARE(nvcc_processes().size(), std::size_t{2});
        const auto pid = client.process_id();
        const std::vector<long> processes = descendants_of(pid);
        QVERIFY(processes.size() >= 4); // the broker, its process, nvcc, what nvcc has started
        ::kill(static_cast<pid_t>(pid), SIGKILL);
        for (const long process : processes)
            QTRY_VERIFY_WITH_TIMEOUT(!alive(process), 2000);
        QTRY_VERIFY(!temporary_files());
    }

    /// The last, because the broker is gone then.
    void a_killed_broker_is_replaced() {
        auto result = begin(request(kShort, Backend::nvcc));
        QTRY_COMPARE(nvcc_processes().size(), std::size_t{2});
        const std::vector<long> processes = descendants_of(broker_);
        ::kill(static_cast<pid_t>(broker_), SIGKILL);
        const std::string message = message_of(result.get());
        QVERIFY2(message.starts_with("the compiler ended unexpectedly"), message.c_str());
        for (const long process : processes)
            QTRY_VERIFY_WITH_TIMEOUT(!alive(process), 2000);
        const CompileResult next = compiler::compile(request(kShort));
        QVERIFY2(next.ok, message_of(next).c_str());
        // Programs take the place of the broker's forks, and can be cancelled as well.
        fs::remove(base() / "pids");
        std::atomic<bool> cancel = false;
        CompileRequest endless = request(kShort, Backend::nvcc);
        endless.cancelled = [&] { return cancel.load(); };
        result = begin(endless);
        QTRY_COMPARE(nvcc_processes().size(), std::size_t{2});
        cancel = true;
        QVERIFY(result.get().cancelled);
        for (const long process : nvcc_processes())
            QTRY_VERIFY_WITH_TIMEOUT(!alive(process), 2000);
    }
    void cleanupTestCase() { compiler::set_toolchain(nullptr); }
};

QTEST_GUILESS_MAIN(CompilerProcessTest)
#include "compiler_process_test.moc"
