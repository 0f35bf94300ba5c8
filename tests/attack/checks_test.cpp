// SPDX-License-Identifier: Apache-2.0
// Bad input for the checks, the profile and the record of a warp: each run ends soon, in a clear error, and with what
// was found. Tried elsewhere: damaged DWARF (debug_info_test); nonsense, huge lengths, disconnecting and what is not
// there in the debugger (debug_adapter, debugger_test); limits without checks (attack_limits_test); findings of
// programs that are stopped, or of a full disk (exec_test).
#include "../session/cli_fixture.hpp"
#include "worker/client.hpp"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QtTest>
#include <algorithm>

#include <chrono>
#include <future>
#include <random>
#include <string>
#include <sys/resource.h>
#include <thread>

using namespace warplight::worker;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// Each writes behind the end of its array, before all else.
const char* const sources = R"(
#include <cstdio>
extern "C" __global__ void past(int* x) { x[4 + threadIdx.x] = 1; }
extern "C" __global__ void traps(int* x) { x[4] = 1; __syncthreads(); asm volatile("trap;"); }
extern "C" __global__ void endless(volatile int* x) { x[4] = 1; while (x[0] == 0) { } }
extern "C" __global__ void stuck(volatile int* x) { x[4] = 1; if (threadIdx.x < 64) __syncthreads(); while (x[0] == 0) { } }
extern "C" __global__ void prints(int* x) { x[4] = 1; for (int i = 0; i < 10000; ++i) printf("%d\n", i); }
extern "C" __global__ void flood(volatile int* x) { x[4] = 1; while (x[0] == 0) printf("0123456789012345678901234567890\n"); }
#ifdef __CUDACC_RDC__
extern "C" __global__ void launches(int* x, int without_end) {
    x[4] = 1;
    if (threadIdx.x == 0 && without_end) launches<<<1, 32>>>(x, without_end);
}
#endif
)";

} // namespace

class ChecksTest : public CliFixture {
    Q_OBJECT

    static QStringList kernel(const QString& file, const QString& name, const QStringList& more) {
        return QStringList{"run",
                           file,
                           "--kernel",
                           name,
                           "--grid",
                           "2",
                           "--block",
                           "64",
                           "--device",
                           "software",
                           "--json",
                           "--arg",
                           "inout=zeros:int32[4]"} +
               more;
    }
    static json report_of(const Result& result) { return json::parse(result.out.toStdString(), nullptr, false); }
    static std::string error_of(const json& report) { return report.value("/error/message"_json_pointer, ""); }
    /// The write behind the end is there.
    static bool has_found(const json& report) {
        for (const json& each : report.value("findings", json::array()))
            if (each["kind"] == "memory" && each["argument"] == "arg0") return true;
        return false;
    }
    QString read(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private slots:
    void initTestCase() {
        device_ = "software";
        qputenv("WARPLIGHT_CACHE_DIR", path("cache").toUtf8());
        write("kernels.cu", sources);
        const auto compiled = cli({"compile", "kernels.cu", "-o", "lines.ptx"});
        if (compiled.all().contains("NVRTC was not found")) QSKIP("no NVRTC here");
        QVERIFY2(compiled.code == 0, qPrintable(compiled.all()));
    }

    // --- PTX

    void ptx_without_lines() {
        QString text = read("lines.ptx");
        text.remove(QRegularExpression(R"(^\s*\.(loc|file)\b.*$)", QRegularExpression::MultilineOption));
        write("plain.ptx", text.toUtf8());
        const auto result = cli(kernel("plain.ptx", "past", {"--check", "all", "--profile"}));
        QVERIFY2(result.code == 5, qPrintable(result.all()));
        const json report = report_of(result);
        QCOMPARE(report["findings"].size(), std::size_t{1});
        const json& finding = report["findings"][0];
        QVERIFY(!finding.contains("file") && !finding.contains("line") && finding["ptx_line"] > 0);
        QVERIFY(finding["count"] == 128);
        const json& instructions = report["profile"]["instructions"];
        QVERIFY(!instructions.empty());
        for (const json& each : instructions)
            QVERIFY(!each.contains("file") && each["ptx_line"] > 0);
        QVERIFY(report["profile"]["lines"].empty());
    }

    /// Lines of PTX are for people: kernels run, and are checked, whatever they say. A text that is refused is refused
    /// with its line.
    void damaged_lines() {
        const QString text = read("lines.ptx");
        static const QRegularExpression directive(R"(^\s*\.(loc|file)\b.*$)", QRegularExpression::MultilineOption);
        std::vector<QRegularExpressionMatch> places;
        for (auto all = directive.globalMatch(text); all.hasNext();)
            places.push_back(all.next());
        QVERIFY(places.size() > 10);
        Client client({.program = WARPLIGHT_CLI, .access = {.read = {temporary_.path().toStdString()}, .write = {}}});
        client.start();
        std::mt19937 random(1); // NOLINT: the same each time
        const auto below = [&](std::size_t count) { return random() % count; };
        static constexpr const char* pieces[] = {
            "0", "-1",         "99999999999999999999",   "4294967295", ".loc", "x", "\"", "{",
            ",", "inlined_at", "function_name $nowhere", "1 1 1",      "\xff", "/*"};
        static constexpr const char* numbers[] = {"0", "1", "5", "77", "70000", "2147483648", "4294967295", "01"};
        int ran = 0, refused = 0;
        for (int round = 0; round < 250; ++round) {
            QString damaged = text;
            for (std::size_t change = 0; change < 1 + below(4); ++change) {
                const auto& place = places[below(places.size())];
                if (round % 4 != 0) { // numbers that mean nothing
                    static const QRegularExpression digits(R"(\b\d+\b)");
                    const auto number = digits.match(damaged, place.capturedStart());
                    const char* other = numbers[below(std::size(numbers))];
                    damaged.replace(number.capturedStart(), number.capturedLength(), QString::fromLatin1(other));
                    continue;
                }
                const auto at = place.capturedStart() + qsizetype(below(std::size_t(place.capturedLength())));
                const QString piece = QString::fromLatin1(pieces[below(std::size(pieces))]);
                if (below(3) == 0)
                    damaged.remove(at, qsizetype(1 + below(6)));
                else
                    damaged.insert(at, piece);
            }
            write("damaged.ptx", damaged.toUtf8());
            json session{
                {"warplight", 1},
                {"source", "damaged.ptx"},
                {"kernel", "past"},
                {"device", "software:0"},
                {"checks", {"all"}},
                {"profile", round % 4 == 0},
                {"arguments", json::array({{{"name", "arg0"},
                                            {"direction", "inout"},
                                            {"source", {{"kind", "zeros"}, {"dtype", "int32"}, {"shape", {4}}}}}})},
                {"launch", {{"grid", 2}, {"block", 64}}}};
            const auto reply =
                client.call_wait("run", {{"session", session}, {"folder", temporary_.path().toStdString()}}, {}, 60s);
            const std::string what = "round " + std::to_string(round) + ": " + reply.error;
            QVERIFY2(reply.ok, what.c_str());
            const json& report = *reply.result;
            if (report["status"] == "findings") {
                QVERIFY2(has_found(report) && report["findings"].size() == 1, report.dump().c_str());
                ++ran;
            } else {
                const std::string told = report.value("error", json::object()).dump();
                QVERIFY2(told.find("line ") != std::string::npos, report.dump().c_str());
                ++refused;
            }
        }
        qInfo("%d texts ran with their finding, %d were refused with a line", ran, refused);
        QVERIFY(ran > 60 && refused > 10);
    }

    // --- kernels

    void kernels_that_go_wrong_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const QStringList& more, int code, const char* error) {
            QTest::addRow("%s %s", name, qPrintable(more.join(' '))) << QString(name) << more << code << QString(error);
        };
        const QStringList soon{"--timeout", "2s"};
        for (const QStringList& look : {QStringList(), QStringList{"--profile"}, QStringList{"--warp", "0:0"}}) {
            row("traps", look, 4, "failed");
            row("endless", look + soon, 6, "running the kernel");
            row("stuck", look + soon, 6, "running the kernel");
            row("flood", look + soon, 6, "running the kernel");
        }
        row("prints", {"--profile"}, 5, "");
        row("launches", {"--option=-rdc=true", "--arg", "i32=0", "--profile"}, 5, "");
        row("launches", {"--option=-rdc=true", "--arg", "i32=1", "--timeout", "2s"}, 6, "running the kernel");
    }
    /// What was found until then is told.
    void kernels_that_go_wrong() {
        QFETCH(QString, name);
        QFETCH(QStringList, more);
        QFETCH(QString, error);
        QElapsedTimer timer;
        timer.start();
        const auto result = cli(kernel("kernels.cu", name, more + QStringList{"--check", "all"}));
        QVERIFY(timer.elapsed() < 60'000);
        const QByteArray all = result.all().right(4000).toUtf8();
        QVERIFY2(result.code >= 0, all.constData());
        const json report = report_of(result);
        QVERIFY2(report.is_object(), all.constData());
        QTEST(result.code, "code");
        QVERIFY2(error_of(report).find(error.toStdString()) != std::string::npos, all.constData());
        QVERIFY2(has_found(report), all.constData());
        if (name == "prints") {
            const std::string printed = report["output"];
            QVERIFY(printed.size() < (16U << 20));
            QVERIFY(printed.starts_with("0\n") || report["output_truncated"] == true);
        }
    }

    /// Profiles and records of kernels that fail end in the kernel's error.
    void only_looked_at_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("look");
        for (const char* name : {"traps", "endless", "flood"})
            for (const QStringList& look : {QStringList{"--profile"}, QStringList{"--warp", "1:1"}})
                QTest::addRow("%s %s", name, qPrintable(look[0])) << QString(name) << look;
    }
    void only_looked_at() {
        QFETCH(QString, name);
        QFETCH(QStringList, look);
        const auto result = cli(kernel("kernels.cu", name, look + QStringList{"--timeout", "2s"}));
        QVERIFY2(result.code == (name == "traps" ? 4 : 6), qPrintable(result.all().right(4000)));
        QVERIFY(!error_of(report_of(result)).empty());
    }

    void cancelled_while_it_is_checked_data() {
        QTest::addColumn<bool>("profile");
        QTest::newRow("checks") << false;
        QTest::newRow("profile") << true;
    }
    /// As the window's Stop does it.
    void cancelled_while_it_is_checked() {
        QFETCH(bool, profile);
        Client client({.program = WARPLIGHT_CLI, .access = {.read = {temporary_.path().toStdString()}, .write = {}}});
        client.start();
        json session{
            {"warplight", 1},
            {"source", "kernels.cu"},
            {"kernel", "endless"},
            {"device", "software:0"},
            {"arguments", json::array({{{"name", "arg0"},
                                        {"direction", "inout"},
                                        {"source", {{"kind", "zeros"}, {"dtype", "int32"}, {"shape", {4}}}}}})},
            {"launch", {{"grid", 2}, {"block", 64}}}};
        session[profile ? "profile" : "checks"] = profile ? json(true) : json::array({"all"});
        const json job{{"session", session}, {"folder", temporary_.path().toStdString()}};
        std::promise<Reply> answer;
        const int id = client.call("run", job, [&](const Reply& reply) { answer.set_value(reply); });
        std::this_thread::sleep_for(3s); // it is compiled, and runs
        client.cancel(id);
        const Reply reply = answer.get_future().get();
        QVERIFY2(reply.ok, reply.error.c_str());
        QCOMPARE((*reply.result)["status"].get<std::string>(), "cancelled");
        if (!profile) QVERIFY2(has_found(*reply.result), reply.result->dump().c_str());
        // The next run knows nothing of it.
        session["kernel"] = "past";
        session["checks"] = json::array({"memory"});
        const auto next =
            client.call_wait("run", {{"session", session}, {"folder", temporary_.path().toStdString()}}, {}, 60s);
        QVERIFY2(next.ok && (*next.result)["findings"].size() == 1, next.ok ? next.result->dump().c_str() : "");
    }

    /// 1,200 places, each with a thousand threads: the report stays small, and says how many more there were.
    void a_million_findings_from_many_places() {
        QByteArray source =
            "extern \"C\" __global__ void many(int* x) {\n    int t = blockIdx.x * 100 + threadIdx.x;\n";
        constexpr int places = 1200;
        for (int k = 0; k < places; ++k)
            source += "    x[1000 + t + " + QByteArray::number(k) + "] = t;\n";
        write("many.cu", source + "}\n");
        const QStringList run{"run",     "many.cu", "--kernel", "many",     "--grid", "10",
                              "--block", "100",     "--device", "software", "--arg",  "inout=zeros:int32[4]",
                              "--check", "memory"};
        QElapsedTimer timer;
        timer.start();
        const auto result = cli(run + QStringList{"--json"});
        qInfo("%lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY2(result.code == 5, qPrintable(result.all().right(4000)));
        QVERIFY(result.out.size() < 2'000'000);
        const json report = report_of(result);
        QCOMPARE(report["findings"].size(), std::size_t{1000});
        std::uint64_t count = 0;
        for (const json& each : report["findings"])
            count += each["count"].get<std::uint64_t>();
        QCOMPARE(count, std::uint64_t{1000} * 1000);
        QCOMPARE(report["more"].get<std::uint64_t>(), std::uint64_t{places - 1000} * 1000);
        const auto text = cli(run);
        QVERIFY2(text.out.contains("came 200000 more times to places that are not listed"),
                 qPrintable(text.out.right(2000)));
    }

    // --- limits

    void little_memory_data() {
        QTest::addColumn<qint64>("megabytes");
        QTest::addColumn<QStringList>("look");
        for (const int megabytes : {300, 500, 700, 1000, 1500, 2500, 4000})
            for (const QStringList& look : {QStringList{"--check", "init"}, QStringList{"--check", "race"},
                                            QStringList{"--profile"}, QStringList{"--warp", "0:0"}})
                QTest::addRow("%d MB of addresses %s", megabytes, qPrintable(look.join(' ')))
                    << qint64{megabytes} << look;
    }
    void little_memory() {
#ifdef WARPLIGHT_SANITIZED
        QSKIP("a sanitizer needs memory of its own");
#endif
        QFETCH(qint64, megabytes);
        QFETCH(QStringList, look);
        const auto result = cli(kernel("kernels.cu", "past", look), environment(), [megabytes] {
            const auto most = static_cast<rlim_t>(megabytes) << 20;
            const rlimit none{}, limit{most, most};
            setrlimit(RLIMIT_CORE, &none);
            setrlimit(RLIMIT_AS, &limit);
        });
        const QByteArray all = result.all().toUtf8();
        QVERIFY2(result.code >= 0, all.constData());
        for (const char* never : {"terminate called", "CUDA_ERROR_UNKNOWN", "was not found", "--device"})
            if (const auto at = all.indexOf(never); at >= 0) // long texts are cut off
                QFAIL(all.mid(std::max<qsizetype>(0, at - 400), 800).constData());
        if (result.code == 0 || result.code == 5) return;
        QVERIFY2(all.contains("memory") || all.contains("ulimit"), all.constData());
        if (all.contains("'init'")) QVERIFY2(all.contains("run without it, or raise the limit"), all.constData());
    }

    void small_devices_data() {
        QTest::addColumn<QString>("memory");
        QTest::addColumn<QStringList>("look");
        for (const char* memory : {"1M", "16M", "1G", "nonsense"})
            for (const char* check : {"init", "race", "all"})
                QTest::addRow("%s %s", memory, check) << QString(memory) << QStringList{"--check", check};
        QTest::newRow("1M profile") << "1M" << QStringList{"--profile"};
    }
    void small_devices() {
        QFETCH(QString, memory);
        QFETCH(QStringList, look);
        auto small = environment();
        small.insert("WARPLIGHT_SOFTWARE_MEMORY", memory);
        const auto result = cli(kernel("kernels.cu", "past", look), small);
        QVERIFY2(result.code == (look[0] == "--check" && look[1] == "all" ? 5 : result.code), qPrintable(result.all()));
        QVERIFY2(result.code == 0 || result.code == 4 || result.code == 5, qPrintable(result.all()));
        if (result.code == 4) QVERIFY2(result.all().contains("memory"), qPrintable(result.all()));
        // The limit of a run leaves room for the shadows.
        const auto limited = cli(kernel("kernels.cu", "past", look + QStringList{"--memory", "1G"}));
        QVERIFY2(limited.code == 0 || limited.code == 5, qPrintable(limited.all()));
    }

    // --- words

    void a_full_disk() {
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environment());
        process.setStandardOutputFile("/dev/full");
        process.start(WARPLIGHT_CLI, kernel("kernels.cu", "past", {"--check", "all"}));
        const auto result = finish(process);
        QVERIFY2(result.code == 2 && result.err.contains("No space left"), qPrintable(result.all()));
    }

    void words_that_are_no_checks_data() {
        QTest::addColumn<QString>("checks");
        QTest::addColumn<QString>("says");
        QTest::newRow("a number") << "7" << "checks";
        QTest::newRow("a text") << "\"all\"" << "checks";
        QTest::newRow("an object") << "{\"memory\": true}" << "checks";
        QTest::newRow("numbers") << "[1, 2]" << "checks";
        QTest::newRow("null in a list") << "[null]" << "checks";
        QTest::newRow("no such check") << "[\"memory\", \"colour\"]" << "colour";
        QTest::newRow("an empty word") << "[\"\"]" << "checks";
        QTest::newRow("very long") << '[' + QString(100000, 'x').prepend('"') + "\"]" << "checks";
        QTest::newRow("very many") << "[\"memory\"" + QString(",\"memory\"").repeated(200000) + ']' << "";
    }
    void words_that_are_no_checks() {
        QFETCH(QString, checks);
        QFETCH(QString, says);
        write("words.warplight", R"({"warplight": 1, "source": "kernels.cu", "kernel": "past", "device": "software:0",
            "arguments": [{"name": "arg0", "direction": "inout",
                           "source": {"kind": "zeros", "dtype": "int32", "shape": [4]}}],
            "launch": {"grid": 1, "block": 1}, "checks": )" +
                                     checks.toUtf8() + "}");
        const auto result = cli({"run", "words.warplight"});
        QVERIFY2(result.code == (says.isEmpty() ? 5 : 2), qPrintable(result.all().left(2000)));
        QVERIFY2(result.all().contains(says) && result.all().size() < 20000, qPrintable(result.all().left(2000)));
        // In one option a comma stands between them.
        const auto option = cli(kernel("kernels.cu", "past", {"--check", "memory,,race, sync"}));
        QVERIFY2(option.code == 2 && option.all().contains("There is no check"), qPrintable(option.all()));
    }
};

QTEST_GUILESS_MAIN(ChecksTest)
#include "checks_test.moc"
