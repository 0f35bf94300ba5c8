// SPDX-License-Identifier: Apache-2.0
// What a launch may have beside its extents: clusters, preferences of the caches, priority. On a device of compute
// capability 9.0, which the environment asks for.
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/ndarray.hpp"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>
#include <optional>

using namespace warplight;
using namespace warplight::session;

namespace {

// Each block writes how many blocks its cluster has along x and y, and which of them it is.
constexpr const char* kernel = R"(
__device__ unsigned blocks_x() { unsigned n; asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(n)); return n; }
__device__ unsigned blocks_y() { unsigned n; asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(n)); return n; }
__device__ unsigned rank() { unsigned n; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(n)); return n; }
extern "C" __global__ void where(unsigned* out) {
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) out[block] = 10000 * blocks_x() + 100 * blocks_y() + rank();
})";

Session session_on(std::vector<std::uint32_t> grid) {
    Session session;
    session.source.text = kernel;
    session.source.name = "where.cu";
    session.kernel = "where";
    Argument out;
    out.name = "out";
    out.direction = Direction::out;
    out.source = ZerosSource{"uint32", {std::size_t{grid[0]} * grid[1]}};
    session.arguments = {out};
    session.launch.grid = std::move(grid);
    session.launch.block = {32, 1, 1};
    return session;
}

} // namespace

class LaunchTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    std::optional<driver::Driver> driver_;

    RunResult run_it(const Session& session) {
        RunOptions options;
        options.folder = temporary_.path().toStdString();
        return run(session, *driver_, options, {});
    }
    void failed(const Session& session, Status status, const char* pointer, const char* says) {
        const auto report = run_it(session).report;
        QVERIFY2(report.status == status, report.error ? report.error->message.c_str() : "it ran");
        QVERIFY(report.error.has_value());
        QCOMPARE(QString::fromStdString(report.error->pointer), QString(pointer));
        QVERIFY2(QString::fromStdString(report.error->message).contains(says), report.error->message.c_str());
    }

private slots:
    void initTestCase() {
        const auto name = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software").toStdString();
        if (name != "cuda" && !qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        qputenv("XDG_STATE_HOME", (temporary_.path() + "/state").toUtf8());
        driver_ = driver::Driver::from_name(name);
    }

    void clusters() {
        for (const auto& cluster : {std::vector<std::uint32_t>{4, 2, 1}, {2, 1, 1}, {1, 1, 1}, {8, 2, 1}}) {
            auto session = session_on({8, 4, 1});
            session.launch.options.cluster = cluster;
            const auto result = run_it(session);
            QVERIFY2(result.report.status == Status::ok,
                     result.report.error ? result.report.error->message.c_str() : "");
            QVERIFY(result.report.launch_options == session.launch.options);
            const auto out = result.buffers[0].output->as<unsigned>();
            for (unsigned y = 0; y < 4; ++y)
                for (unsigned x = 0; x < 8; ++x)
                    QCOMPARE(out[y * 8 + x],
                             10000 * cluster[0] + 100 * cluster[1] + y % cluster[1] * cluster[0] + x % cluster[0]);
        }
    }

    void clusters_that_do_not_fit() {
        auto session = session_on({6, 4, 1});
        session.launch.options.cluster = {4, 1, 1};
        failed(session, Status::input_error, "/launch/cluster", "6, which is no multiple of the cluster's 4");
        session = session_on({64, 1, 1});
        session.launch.options.cluster = {32, 1, 1};
        failed(session, Status::device_error, "/launch/cluster", "has clusters of 16 at most");
    }

    void preferences_reach_the_kernel() {
        auto session = session_on({4, 1, 1});
        session.launch.options.carveout = 50;
        session.launch.options.cache = "l1";
        const auto report = run_it(session).report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        QCOMPARE(report.function.at("preferred_shared_memory_carveout"), 50);
        const auto read = report_from_json(to_json(report));
        QVERIFY(read.launch_options == session.launch.options);
        QVERIFY(to_text(report).find(", carve-out 50 %, cache preference l1") != std::string::npos);
    }

    void priorities() {
        auto session = session_on({4, 1, 1});
        session.launch.options.priority = -1;
        QVERIFY(run_it(session).report.status == Status::ok);
        session.launch.options.priority = 3;
        failed(session, Status::device_error, "/launch/priority", "have -5 (first) to 0 (last)");
    }
};

QTEST_GUILESS_MAIN(LaunchTest)
#include "launch_test.moc"
