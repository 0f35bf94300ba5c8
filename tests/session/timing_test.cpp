// SPDX-License-Identifier: Apache-2.0
// The conditions that times are measured under: clocks, which a stand-in for NVML plays; a cold L2 cache; what an empty
// launch costs; and a stream that is held until all is queued. On the driver that WARPLIGHT_TEST_DRIVER names.
#include "cli_fixture.hpp"

#include "session/report.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "session/stream_hold.hpp"
#include "session/timing_kernels.hpp"
#include "session/timing_statistics.hpp"

#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/memory.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>
#include <vector>

using namespace warplight;
using namespace warplight::session;
using driver::ClockLimit;

namespace {

/// One thread that goes from element to element, so that each access waits for the one before.
const char* const chase = R"(
extern "C" __global__ void chase(const int* next, int* end, int steps) {
    int at = 0;
    for (int i = 0; i < steps; ++i) at = next[at];
    *end = at;
}
extern "C" __global__ void nothing() {}
)";

/// 4 MiB, each step in another line of a cache.
Session chase_session() {
    return parse(std::string(R"({"warplight": 1, "source": {"name": "chase.cu", "text": )") +
                 nlohmann::json(chase).dump() + R"(},
        "kernel": "chase", "arguments": [
        {"name": "next", "direction": "in", "source": {"kind": "formula", "dtype": "int32", "shape": [1048576],
            "expression": "(i + 160016) % 1048576"}},
        {"name": "end", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [1]}},
        {"name": "steps", "direction": "scalar", "type": "i32", "value": 65536}],
        "launch": {"grid": 1, "block": 1}, "repeat": 7, "warmup": 1})");
}

Session nothing_session(const char* more = "") {
    return parse(std::string(R"({"warplight": 1, "source": {"name": "chase.cu", "text": )") +
                 nlohmann::json(chase).dump() + R"(}, "kernel": "nothing", "launch": {"grid": 1, "block": 1)" + more +
                 R"(}, "repeat": 15, "warmup": 2})");
}

double least(const Report& report) { return *std::ranges::min_element(report.times.kernel_ms); }

} // namespace

class TimingTest : public CliFixture {
    Q_OBJECT

    driver::Driver driver_ =
        driver::Driver::from_name(qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software").toStdString());
    [[nodiscard]] bool on_gpu() const { return driver_.name() == "cuda"; }

    Report run_session(const Session& session, const RunOptions& options = {}) const {
        Report report = session::run(session, driver_, options).report;
        if (report.error) qWarning("%s", report.error->message.c_str());
        return report;
    }
    /// A run while these clocks are played.
    Report played(const char* play) const {
        qputenv("WARPLIGHT_NVML_PLAY", play);
        return run_session(nothing_session());
    }

private slots:
    void initTestCase() {
        if (!driver_.available()) QSKIP(driver_.unavailable_because().c_str());
        if (!on_gpu()) qputenv("WARPLIGHT_NVML_LIBRARY", NVML_STAND_IN);
        qputenv("WARPLIGHT_NVML_PLAY", "init=1;device=1");
        write_scale();
    }

    void clocks_are_told() {
        if (on_gpu()) {
            const Report report = run_session(chase_session());
            if (!report.clocks) QSKIP("NVML does not know this GPU");
            const auto& clocks = *report.clocks;
            QVERIFY(clocks.samples >= 1);
            QVERIFY(clocks.sm_mhz && clocks.most_sm_mhz);
            QVERIFY(clocks.sm_mhz->low >= 100 && clocks.sm_mhz->high <= *clocks.most_sm_mhz);
            QVERIFY(to_text(report).find("clocks ") != std::string::npos);
            qInfo("%s", clocks_text(clocks).c_str());
            return;
        }
        const Report report = played("init=1;device=1;clock=300 1755;most=1980;memory=2619;most_memory=2619;"
                                     "temperature=54 50;power=612000 700000 650000;reasons=1 1;mig=0");
        QVERIFY(report.clocks);
        const ReportClocks expected{.samples = 2,
                                    .sm_mhz = ClockRange{1755, 1755}, // without that before the runs
                                    .memory_mhz = ClockRange{2619, 2619},
                                    .most_sm_mhz = 1980,
                                    .most_memory_mhz = 2619,
                                    .temperature_c = 50,
                                    .power_w = 700.0,
                                    .held_by = {}};
        QCOMPARE(*report.clocks, expected);
        QVERIFY(!report.clocks->doubtful()); // an idle GPU is not throttled
        QVERIFY(clock_notes(*report.clocks).empty());
        QCOMPARE(clocks_text(*report.clocks), "SM 1755 of 1980 MHz, memory 2619 of 2619 MHz, 50 °C, 700 W");
        const Report read = report_from_json(to_json(report));
        QCOMPARE(*read.clocks, expected);
        QCOMPARE(*read.empty_launch, *report.empty_launch);
    }

    void throttling_is_marked() {
        if (on_gpu()) QSKIP("plays clocks");
        const Report report = played("init=1;device=1;clock=1980;reasons=0 0x25 0x40");
        QVERIFY(report.clocks);
        QCOMPARE(report.clocks->held_by,
                 (std::vector{ClockLimit::power_cap, ClockLimit::thermal, ClockLimit::hardware_thermal}));
        QVERIFY(report.clocks->throttled() && report.clocks->doubtful() && !report.clocks->changed());
        const auto json = to_json(report);
        QVERIFY(json.at("clocks").at("throttled").get<bool>());
        QCOMPARE(json.at("clocks").at("held_by").at(0).get<std::string>(), "power_cap");
        QVERIFY(to_text(report).find("Throttled: the clocks were held down by the power cap, heat, heat, by the "
                                     "hardware.") != std::string::npos);
    }

    void clocks_that_change_are_marked() {
        if (on_gpu()) QSKIP("plays clocks");
        const Report report = played("init=1;device=1;clock=1980 1980 1485");
        QVERIFY(report.clocks && report.clocks->changed() && !report.clocks->throttled());
        QVERIFY(to_text(report).find("The SM clock changed by 25 % while") != std::string::npos);
        QVERIFY(!played("init=1;device=1;clock=1980 1980 1900").clocks->changed());
    }

    void time_that_clocks_were_held_down_counts() {
        if (on_gpu()) QSKIP("plays clocks");
        // No reason is seen at the moments between the runs.
        const Report report = played("init=1;device=1;clock=1980;reasons=0;power_ns=7 60000000000;thermal_ns=9 9");
        QCOMPARE(report.clocks->held_by, std::vector{ClockLimit::power_cap});
        QVERIFY(!played("init=1;device=1;clock=1980;power_ns=7 8").clocks->throttled());
        QVERIFY(!played("init=1;device=1;clock=1980;power_ns=60000000000 7").clocks->throttled());
    }

    void what_somebody_has_set_is_no_throttling() {
        if (on_gpu()) QSKIP("plays clocks");
        const Report report = played("init=1;device=1;clock=1200;reasons=0x112;mig=1");
        QVERIFY(!report.clocks->doubtful());
        QCOMPARE(clock_notes(*report.clocks).size(), std::size_t{1});
        QVERIFY(report.clocks->split);
        QVERIFY(to_text(report).find("of the whole GPU, which is split") != std::string::npos);
        QVERIFY(to_text(report).find("The clocks are held by clocks that were set for applications, other GPUs of its "
                                     "group, clocks that were set for the display.") != std::string::npos);
    }

    void answers_that_cannot_be_right_are_none_data() {
        QTest::addColumn<QByteArray>("play");
        QTest::newRow("no GPU of that bus") << QByteArray("init=1;clock=1980");
        QTest::newRow("no handle") << QByteArray("init=1;device=0;clock=1980");
        QTest::newRow("nothing is known") << QByteArray("init=1;device=1");
        QTest::newRow("everything fails") << QByteArray("init=1;device=1;clock=error;power=error;reasons=error");
        QTest::newRow("hostile numbers") << QByteArray("init=1;device=1;clock=4294967295;memory=0;power=4294967295;"
                                                       "temperature=4000000000;reasons=0xfffffffffffffe00");
    }
    void answers_that_cannot_be_right_are_none() {
        if (on_gpu()) QSKIP("plays clocks");
        QFETCH(QByteArray, play);
        const Report report = played(play);
        QCOMPARE(report.status, Status::ok);
        QVERIFY(!report.clocks);
        QVERIFY(!to_json(report).contains("clocks"));
    }

    void reports_of_other_versions_are_read() {
        const auto clocks = clocks_from_json({{"held_by", {"power_cap", "tomorrow's reason"}}, {"sm_mhz", {1, 2}}});
        QCOMPARE(clocks.held_by, std::vector{ClockLimit::power_cap});
        QCOMPARE(*clocks.sm_mhz, (ClockRange{1, 2}));
        auto json = to_json(run_session(nothing_session()));
        for (const char* key : {"l2", "clocks", "empty_launch", "mostly_launch"})
            json.erase(key);
        const Report report = report_from_json(json);
        QVERIFY(!report.clocks && !report.empty_launch && !report.cold_l2);
        json["clocks"] = {{"sm_mhz", 5}};
        QVERIFY_THROWS_EXCEPTION(SessionError, (void)report_from_json(json));
    }

    /// In a worker, which is confined.
    void the_worker_opens_the_library_data() {
        QTest::addColumn<QString>("library");
        QTest::addColumn<bool>("found");
        QTest::newRow("a new one") << NVML_STAND_IN << true;
        QTest::newRow("one that lacks most") << NVML_THAT_LACKS_MOST << true;
        QTest::newRow("none") << "/nowhere/libnvidia-ml.so.1" << false;
    }
    void the_worker_opens_the_library() {
        if (on_gpu()) QSKIP("plays clocks");
        QFETCH(QString, library);
        QFETCH(bool, found);
        auto environment = this->environment();
        environment.insert("WARPLIGHT_NVML_LIBRARY", library);
        environment.insert("WARPLIGHT_NVML_PLAY", "init=1;device=1;clock=1980;reasons=4");
        const auto result = cli({"run", "good.warplight", "--device", device_, "--json"}, environment);
        QCOMPARE(result.code, 0);
        const auto report = nlohmann::json::parse(result.out.toStdString());
        QCOMPARE(report.contains("clocks"), found);
        if (found) QCOMPARE(report.at("clocks").at("sm_mhz").at(1).get<int>(), 1980);
        QVERIFY(report.at("empty_launch").at("ms").get<double>() > 0);
    }

    void a_cache_is_made_cold() {
        auto session = chase_session();
        const Report warm = run_session(session);
        QCOMPARE(warm.status, Status::ok);
        QVERIFY(!warm.cold_l2);
        QVERIFY(to_text(warm).find("L2 cache warm") != std::string::npos);
        session.cold_l2 = true;
        const Report cold = run_session(session);
        QCOMPARE(cold.status, Status::ok);
        QVERIFY(cold.cold_l2);
        QCOMPARE(to_json(cold).at("l2").get<std::string>(), "cold");
        QVERIFY(report_from_json(to_json(cold)).cold_l2);
        QVERIFY(to_text(cold).find("L2 cache cold") != std::string::npos);
        // A processor's cache may be full of other programs' data, but a GPU is this program's alone.
        qInfo("warm %g ms, cold %g ms", median_of(warm.times.kernel_ms), median_of(cold.times.kernel_ms));
        if (on_gpu()) QVERIFY(median_of(cold.times.kernel_ms) > 1.2 * median_of(warm.times.kernel_ms));
        // Both have gone the same way.
        QCOMPARE(cold.outputs.at(0).digest, warm.outputs.at(0).digest);
        QVERIFY(!run_session(session, {.l2 = "warm"}).cold_l2);
        QCOMPARE(run_session(session, {.l2 = "tepid"}).status, Status::input_error);
        QCOMPARE(parse(to_text(session)).cold_l2, true);
        QVERIFY(to_text(session).find("\"warplight\": 4") != std::string::npos);
    }

    void all_of_the_cache_is_displaced() {
        const driver::Device device(0, driver_);
        const auto context = device.retain_primary_context();
        const driver::ContextScope current(context);
        const driver::Stream stream;
        const L2Displacer displacer(TimingKernels(".version 7.0\n.target sm_80\n"), device);
        const auto bytes = static_cast<std::size_t>(device.l2_cache_size());
        QCOMPARE(displacer.memory().size(), 2 * bytes);
        if (!on_gpu()) { // what the system tells of this machine
            QFile size("/sys/devices/system/cpu/cpu0/cache/index3/size");
            if (size.open(QIODevice::ReadOnly))
                QVERIFY(bytes >= QString::fromLatin1(size.readAll()).remove("K\n").toULongLong() * 1024);
        }
        for (int i = 0; i < 3; ++i)
            displacer.displace(stream);
        stream.synchronize();
        std::vector<std::uint32_t> words(2 * bytes / 4);
        driver::memcpy_dtoh(std::as_writable_bytes(std::span(words)), displacer.memory());
        QVERIFY(std::ranges::all_of(words, [](std::uint32_t word) { return word == 3; }));
    }

    void memory_for_a_cold_cache_may_be_missing() {
        if (on_gpu()) QSKIP("the memory of a GPU cannot be limited");
        auto environment = this->environment();
        environment.insert("WARPLIGHT_SOFTWARE_MEMORY", "4194304");
        const QStringList arguments{"run", "good.warplight", "--device", device_, "--json"};
        QCOMPARE(cli(arguments, environment).code, 0);
        const auto result = cli(arguments + QStringList{"--l2", "cold"}, environment);
        QCOMPARE(result.code, 4);
        const auto error = nlohmann::json::parse(result.out.toStdString()).at("error");
        QCOMPARE(error.at("kind").get<std::string>(), "memory");
        QCOMPARE(error.at("pointer").get<std::string>(), "/l2");
        QVERIFY(error.at("message").get<std::string>().find("twice the size of the cache") != std::string::npos);
    }

    void an_empty_launch_is_timed() {
        const Report long_one = run_session(chase_session());
        QVERIFY(long_one.empty_launch);
        QCOMPARE(long_one.empty_launch->kind, "launch");
        QVERIFY(long_one.empty_launch->ms > 0);
        QVERIFY(long_one.empty_launch->ms < least(long_one));
        QVERIFY(!is_mostly_launch(long_one));
        if (on_gpu()) QVERIFY(long_one.empty_launch->ms < 0.05);
        // A kernel that does nothing is nothing but its launch.
        const Report empty = run_session(nothing_session());
        QVERIFY(is_mostly_launch(empty));
        QVERIFY(to_json(empty).at("mostly_launch").get<bool>());
        QVERIFY(to_text(empty).find("most of the kernel's time is its launch") != std::string::npos);
        QCOMPARE(run_session(nothing_session(R"(, "cooperative": true)")).empty_launch->kind, "cooperative");
        QVERIFY(!run_session(nothing_session(), {.no_empty_launch = true}).empty_launch);
    }

    void an_empty_graph_is_timed() {
        const auto session = parse(std::string(R"({"warplight": 3, "source": {"name": "chase.cu", "text": )") +
                                   nlohmann::json(chase).dump() + R"(}, "pipeline": {"run_as": "graph", "steps": [
                      {"kind": "launch", "kernel": "nothing", "launch": {"grid": 1, "block": 1}},
                      {"kind": "launch", "kernel": "nothing", "launch": {"grid": 1, "block": 1}}]}})");
        const Report report = run_session(session);
        QCOMPARE(report.status, Status::ok);
        QCOMPARE(report.empty_launch->kind, "graph");
        QVERIFY(report.empty_launch->ms > 0);
        QVERIFY(!is_mostly_launch(report)); // two launches are not judged by one
    }

    void checks_and_profiles_are_not_of_these_kernels() {
        if (on_gpu()) QSKIP("a GPU makes no checks");
        auto session = nothing_session();
        session.cold_l2 = true;
        const Report checked = run_session(session, {.check = "all"});
        QVERIFY(!checked.empty_launch && !checked.cold_l2);
        const Report profiled = run_session(session, {.profile = true});
        QVERIFY(profiled.empty_launch && profiled.cold_l2);
        QCOMPARE(profiled.profile->warps, std::uint64_t{1});
    }

    void a_stream_is_held() {
        const driver::Device device(0, driver_);
        const auto context = device.retain_primary_context();
        const driver::ContextScope current(context);
        const driver::Stream stream;
        const auto memory = driver::mem_alloc(4);
        const auto hold = StreamHold::make(stream);
        if (!hold) QSKIP("streams of this device cannot wait for memory");
        for (int i = 0; i < 3; ++i) {
            hold->hold(stream);
            driver::memset_d32_async(memory, 7, 1, &stream);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            QVERIFY(!stream.is_done());
            hold->release();
            stream.synchronize();
        }
        QVERIFY(hold->works());
        // Whoever waits for the device while the stream is held does not wait for ever.
        hold->hold(stream);
        stream.synchronize();
        QVERIFY(!hold->works());
        hold->release();
        qputenv("CUDA_LAUNCH_BLOCKING", "1");
        QVERIFY(!StreamHold::make(stream));
        qunsetenv("CUDA_LAUNCH_BLOCKING");
    }
};

QTEST_GUILESS_MAIN(TimingTest)
#include "timing_test.moc"
