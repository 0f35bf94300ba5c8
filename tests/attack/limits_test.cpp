// SPDX-License-Identifier: Apache-2.0
// Runs that want more than they get: time, memory, threads, a reader of their output. Each ends soon, in an error that
// names the cause, and with the exit code that a grader looks for.
#include "../session/cli_fixture.hpp"
#include "worker/client.hpp"
#include "worker/crash_report.hpp"
#include "worker/end_reason.hpp"
#include "worker/limits.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>
#include <future>
#include <grp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warplight::worker;
using namespace std::chrono_literals;

namespace {

const char* const sources = R"(
#include <cstdio>
template <int D, int S> struct Tree { static const long v = Tree<D - 1, 2 * S>::v + Tree<D - 1, 2 * S + 1>::v; };
template <int S> struct Tree<0, S> { static const long v = S; };
extern "C" __global__ void endless(volatile int* x) { while (x[0] == 0) { } }
extern "C" __global__ void count(int* x) { atomicAdd(x, 1); }
extern "C" __global__ void take(int* x) {
    for (;;) {
        int* p = (int*)malloc(1 << 16);
        if (!p) atomicAdd(x, 1);
        else for (int i = 0; i < 1 << 14; i += 1024) p[i] = 1;
    }
}
extern "C" __global__ void flood(int* x) { while (*(volatile int*)x == 0) printf("0123456789012345678901234567890\n"); }
extern "C" __global__ void recurse(int* x) { volatile int big[4096]; big[x[0]] = 1; if (x[1] == 0) x[0] = big[x[0] + 1]; }
#ifdef BOMB
extern "C" __global__ void bomb(int* x) { *x = (int)Tree<22, 1>::v; }
#endif
)";

/// Runs `body` in a child of this process. Returns what it printed to standard error, and how it ended.
std::pair<std::string, int> in_child(const std::function<void()>& body) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        const rlimit none{};
        setrlimit(RLIMIT_CORE, &none);
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) // those of the test framework
            std::signal(signal, SIG_DFL);
        const stack_t off{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
        sigaltstack(&off, nullptr);
        body();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return {text, status};
}

__attribute__((noinline)) int overflow(volatile int* depth) { // NOLINT(misc-no-recursion)
    volatile int frame[256] = {};
    *depth = *depth + 1;
    frame[*depth & 255] = *depth;
    return *depth < 0 ? 0 : overflow(depth) + frame[0];
}

/// Threads of a user now.
int threads_of(uid_t user) {
    int count = 0;
    for (const QFileInfo& process : QDir("/proc").entryInfoList({"[0-9]*"}, QDir::Dirs))
        if (process.ownerId() == user)
            count += static_cast<int>(QDir(process.filePath() + "/task").entryList(QDir::Dirs).size()) - 2;
    return count;
}

/// Another user than root, for whom limits on processes do not count.
constexpr uid_t stranger = 64321;

void become_stranger() {
    if (geteuid() != 0) return;
    if (setgroups(0, nullptr) != 0 || setgid(stranger) != 0 || setuid(stranger) != 0) _exit(125);
}

void set_limit(int resource, rlim_t most) {
    const rlimit none{}, limit{most, most};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

} // namespace

class LimitsTest : public CliFixture {
    Q_OBJECT

    QStringList kernel(const char* name, const QStringList& more = {}) const {
        return QStringList{"run",     "kernels.cu", "--kernel", name,       "--grid", "1",
                           "--block", "1",          "--device", "software", "--json"} +
               more;
    }

private slots:
    void initTestCase() {
        QVERIFY(QFile::setPermissions(temporary_.path(), QFile::Permissions(0x7777)));
        qputenv("WARPLIGHT_CACHE_DIR", path("cache").toUtf8());
        QVERIFY(QDir().mkdir(path("cache")));
        QVERIFY(QFile::setPermissions(path("cache"), QFile::Permissions(0x7777)));
        write("kernels.cu", sources);
        const auto warm = cli(kernel("count", {"--arg", "inout=zeros:int32[4]"}));
        if (warm.all().contains("NVRTC was not found")) QSKIP("no NVRTC here");
        QVERIFY2(warm.code == 0, qPrintable(warm.all()));
    }

    void a_limit_ends_the_run_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QStringList& arguments, const char* end, const char* words) {
            QTest::newRow(name) << arguments << QString(end) << QString(words);
        };
        const QString one = "inout=zeros:int32[4]";
        row("an endless kernel", kernel("endless", {"--arg", one, "--timeout", "3s"}), "timeout", "running the kernel");
        row("no time to begin", kernel("count", {"--arg", one, "--timeout", "1ms"}), "timeout",
            "the limit of --timeout");
        row("an endless compilation", kernel("bomb", {"--option=-DBOMB", "--arg", one, "--timeout", "700ms"}),
            "timeout", "compiling");
        row("a compilation that eats memory",
            kernel("bomb", {"--option=-DBOMB", "--arg", one, "--memory", "200M", "--timeout", "60s"}), "memory",
            "200 MiB");
        row("arrays that the host has no memory for",
            kernel("count", {"--arg", "inout=zeros:int32[1500000000]", "--memory", "256M"}), "memory", "256 MiB");
        row("an array that the device has no memory for",
            kernel("count", {"--arg", "inout=zeros:int32[100000000]", "--memory", "256M"}), "memory", "256 MiB");
        row("arrays that are used", kernel("count", {"--arg", "inout=random:int32[60000000]", "--memory", "256M"}),
            "memory", "256 MiB");
        row("a heap without end", kernel("take", {"--arg", one, "--timeout", "1s", "--memory", "400M"}), "timeout",
            "running the kernel");
        row("a flood of text", kernel("flood", {"--arg", one, "--timeout", "1s", "--memory", "400M"}), "timeout",
            "running the kernel");
        row("a huge grid",
            QStringList{"run", "kernels.cu", "--kernel", "count", "--grid", "2000000000", "--block", "256", "--device",
                        "software", "--json", "--arg", one, "--timeout", "1s"},
            "timeout", "running the kernel");
    }
    void a_limit_ends_the_run() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, end);
        QFETCH(QString, words);
#ifdef WARPLIGHT_SANITIZED
        if (arguments.contains("--memory")) QSKIP("a sanitizer needs memory of its own");
#endif
        QElapsedTimer timer;
        timer.start();
        const auto result = cli(arguments);
        QVERIFY2(result.code == 6, qPrintable(result.all()));
        QVERIFY(timer.elapsed() < 20'000);
        const auto report = QJsonDocument::fromJson(result.out.toUtf8()).object();
        QCOMPARE(report["status"].toString(), "limit_reached");
        QCOMPARE(report["end"].toString(), end);
        QCOMPARE(report["exit_code"].toInt(), 6);
        const auto message = report["error"]["message"].toString();
        QVERIFY2(message.contains(words), qPrintable(message));
        QVERIFY2(message.contains(end == "timeout" ? "--timeout" : "--memory"), qPrintable(message));
    }

    void within_the_limits_nothing_changes() {
#ifdef WARPLIGHT_SANITIZED
        QSKIP("a sanitizer needs memory of its own");
#endif
        const auto result =
            cli(kernel("count", {"--arg", "inout=zeros:int32[4]", "--timeout", "1m", "--memory", "1.5G"}));
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto report = QJsonDocument::fromJson(result.out.toUtf8()).object();
        QCOMPARE(report["end"].toString(), "finished");
        QCOMPARE(report["device"]["total_memory"].toDouble(), 1.5 * (1 << 30));
    }

    void bad_limits_data() {
        QTest::addColumn<QStringList>("flags");
        for (const char* value : {"abc", "0", "-1s", "10x", "s", "1e9", "nan", "inf", "99999999999999h"})
            QTest::addRow("timeout '%s'", value) << QStringList{QString("--timeout=%1").arg(value)};
        for (const char* value : {"abc", "0", "-2G", "2X", "G", "1M", "1e9", "nan", "99999999999999T"})
            QTest::addRow("memory '%s'", value) << QStringList{QString("--memory=%1").arg(value)};
        QTest::addRow("in process") << QStringList{"--in-process", "--timeout=1s"};
    }
    void bad_limits() {
        QFETCH(QStringList, flags);
        const auto result = cli(kernel("count", QStringList{"--arg", "inout=zeros:int32[4]"} + flags));
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("error: --"), qPrintable(result.all()));
    }

    void limits_are_read() {
        QCOMPARE(parse_duration("10s"), 10s);
        QCOMPARE(parse_duration("500ms"), 500ms);
        QCOMPARE(parse_duration("2m"), 120s);
        QCOMPARE(parse_duration("1.5h"), 90min);
        QCOMPARE(parse_duration("3"), 3s);
        QCOMPARE(parse_bytes("2G"), std::uint64_t{2} << 30);
        QCOMPARE(parse_bytes("1.5MiB"), std::uint64_t{3} << 19);
        QCOMPARE(parse_bytes("4096"), std::uint64_t{4096});
        QVERIFY(!parse_bytes("2 G") && !parse_duration("1 s") && !parse_bytes("2GG"));
    }

    void a_killed_worker_is_not_a_crashed_kernel() {
        ClientOptions options;
        options.program = WARPLIGHT_CLI;
        std::promise<Exit> ended;
        options.on_exit = [&](const Exit& exit) { ended.set_value(exit); };
        Client client(options);
        client.start();
        QVERIFY(client.call_wait("buffer.list", nlohmann::json::object(), {}, 20s).ok);
        ::kill(static_cast<pid_t>(client.process_id()), SIGKILL);
        auto future = ended.get_future();
        QVERIFY(future.wait_for(20s) == std::future_status::ready);
        const Exit exit = future.get();
        QVERIFY(exit.reason.kind == EndKind::killed || exit.reason.kind == EndKind::system_memory);
        QVERIFY(exit.reason.advice.find("kernel") == std::string::npos);
    }

    void reasons_data() {
        using Cause = platform::EndOfProcess::Cause;
        QTest::addColumn<int>("cause");
        QTest::addColumn<QString>("errors");
        QTest::addColumn<int>("limit");
        QTest::addColumn<QString>("kind");
        const auto row = [](const char* name, Cause cause, const char* errors, int limit, const char* kind) {
            QTest::newRow(name) << static_cast<int>(cause) << QString(errors) << limit << QString(kind);
        };
        row("kernel", Cause::fault, "x\nwarplight crash: signal 11 at 0x1 in the code of a kernel\n", 0,
            "kernel_crash");
        row("library", Cause::fault, "warplight crash: signal 11 at 0x1 in libnvrtc.so.12\n", 0, "crash");
        row("no place", Cause::fault, "", 0, "crash");
        row("not at the start", Cause::fault, "hello warplight crash: nothing", 0, "crash");
        row("abort", Cause::abort, "terminate called", 0, "abort");
        row("abort for memory", Cause::abort, "what():  std::bad_alloc", 0, "system_memory");
        row("abort at the limit", Cause::abort, "LLVM ERROR: out of memory", 1, "memory");
        row("killed", Cause::killed, "", 1, "killed");
        row("time", Cause::processor_time, "", 0, "processor_time");
        row("file", Cause::file_size, "", 0, "file_size");
        row("call", Cause::forbidden_call, "", 0, "confinement");
        row("exit", Cause::exit, "", 0, "exit");
        row("terminated", Cause::other, "", 0, "killed");
    }
    void reasons() {
        QFETCH(int, cause);
        QFETCH(QString, errors);
        QFETCH(int, limit);
        QFETCH(QString, kind);
        EndEvidence evidence;
        evidence.end.cause = static_cast<platform::EndOfProcess::Cause>(cause);
        evidence.end.text = "was ended by signal 99";
        evidence.errors = errors.toStdString();
        evidence.memory_limit = limit ? 1 << 30 : 0;
        const EndReason reason = end_reason(evidence);
        QCOMPARE(QString::fromUtf8(end_name(reason.kind).data()), kind);
        QVERIFY(!reason.text.empty());
        evidence.over_memory = true;
        evidence.memory_limit = 1 << 30;
        QVERIFY(end_reason(evidence).kind == EndKind::memory);
    }

    void a_crash_names_its_place_data() {
        QTest::addColumn<QString>("where");
        QTest::newRow("program") << "program";
        QTest::newRow("generated code") << "generated";
        QTest::newRow("no code") << "none";
        QTest::newRow("a full stack") << "stack";
        QTest::newRow("sent") << "sent";
    }
    void a_crash_names_its_place() {
#ifdef WARPLIGHT_SANITIZED
        QSKIP("the sanitizer has a handler of its own");
#endif
        QFETCH(QString, where);
        const auto [text, status] = in_child([&] {
            install_crash_report();
            if (where == "program") {
                *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1;
            } else if (where == "generated") {
                void* code =
                    mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                std::memcpy(code, "\x0f\x0b", 2); // an instruction that does not exist
                reinterpret_cast<void (*)()>(code)();
            } else if (where == "none") {
                reinterpret_cast<void (*)()>(std::uintptr_t{4096 * 3})();
            } else if (where == "stack") {
                std::thread([] {
                    prepare_thread_for_crash();
                    int depth = 0;
                    overflow(&depth);
                }).join();
            } else {
                raise(SIGSEGV);
            }
        });
        QVERIFY(WIFSIGNALED(status));
        const auto place = crash_place(text);
        if (where == "sent") {
            QVERIFY(!place);
            return;
        }
        QVERIFY2(place.has_value(), text.c_str());
        const std::string own = "attack_limits_test";
        QCOMPARE(*place, where == "generated" ? std::string(kernel_place) : where == "none" ? "unknown code" : own);
    }

    /// Threads that cannot be started, and memory that is not there, are errors like others.
    void small_limits_of_the_system_data() {
        QTest::addColumn<int>("resource");
        QTest::addColumn<qint64>("most");
        QTest::addColumn<QStringList>("more");
        for (const int most : {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 26})
            QTest::addRow("%d threads", most) << static_cast<int>(RLIMIT_NPROC) << qint64{most} << QStringList();
        for (const int most : {1, 2, 3})
            QTest::addRow("%d threads in process", most)
                << static_cast<int>(RLIMIT_NPROC) << qint64{most} << QStringList{"--in-process"};
        for (const int megabytes : {100, 200, 300, 400, 500, 600, 800, 1000, 1400, 3000})
            QTest::addRow("%d MB of addresses", megabytes)
                << static_cast<int>(RLIMIT_AS) << (qint64{megabytes} << 20) << QStringList();
    }
    void small_limits_of_the_system() {
        QFETCH(int, resource);
        QFETCH(qint64, most);
        QFETCH(QStringList, more);
#ifdef WARPLIGHT_SANITIZED
        QSKIP("a sanitizer needs memory and threads of its own");
#endif
        const bool threads = resource == RLIMIT_NPROC;
        if (threads && cli({"--version"}, environment(), become_stranger).code != 0)
            QSKIP("another user cannot start the program here");
        if (threads) most += threads_of(geteuid() == 0 ? stranger : geteuid());
        const auto result =
            cli(kernel("count", QStringList{"--arg", "inout=zeros:int32[4]"} + more), environment(), [=] {
                if (threads) become_stranger();
                set_limit(resource, static_cast<rlim_t>(most));
            });
        const QByteArray all = result.all().toUtf8();
        QVERIFY2(result.code >= 0, all.constData()); // -1: by a signal
        QVERIFY2(!all.contains("terminate called"), all.constData());
        QVERIFY2(!all.contains("CUDA_ERROR_UNKNOWN"), all.constData());
        QVERIFY2(!all.contains("was not found"), all.constData());
        if (result.code == 0) return;
        const bool named = all.contains("limit") || all.contains("memory") || all.contains("temporarily unavailable");
        QVERIFY2(named, all.constData());
    }

    /// Nobody reads what the worker writes, and its input is at its end: it must end, too.
    void a_worker_whose_output_nobody_reads_ends_data() {
        QTest::addColumn<QString>("method");
        QTest::newRow("answers of a queue") << "devices";
        QTest::newRow("answers of the thread that reads") << "hello";
    }
    void a_worker_whose_output_nobody_reads_ends() {
        QFETCH(QString, method);
        platform::Child child(WARPLIGHT_CLI, {"worker", "--driver", "software"});
        for (int id = 0; id < 900; ++id) {
            const auto bytes = encode_message({{"jsonrpc", "2.0"},
                                               {"id", id},
                                               {"method", id == 0 ? "hello" : method.toStdString()},
                                               {"params", {{"protocol", kProtocolVersion}}}});
            QVERIFY(child.write(bytes.data(), bytes.size()));
        }
        std::this_thread::sleep_for(300ms); // the pipe is full now
        child.close_input();
        auto end = std::async(std::launch::async, [&] { return child.wait(); });
        const bool ended = end.wait_for(20s) == std::future_status::ready;
        if (!ended) child.kill();
        end.wait();
        QVERIFY(ended);
    }
};

QTEST_GUILESS_MAIN(LimitsTest)
#include "limits_test.moc"
