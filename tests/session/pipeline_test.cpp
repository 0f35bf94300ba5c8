// SPDX-License-Identifier: Apache-2.0
// Sessions of several steps, on the driver that WARPLIGHT_TEST_DRIVER names.
#include "session/pipeline_text.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/ndarray.hpp"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

using namespace warplight;
using namespace warplight::session;
using nlohmann::json;

namespace {

constexpr const char* kernels = R"(
template <class T> __global__ void add(T* x, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
__global__ void shift(const int* from, int* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[(i + 1) % n] + 1;
}
__global__ void halve(float* rest) { rest[0] *= 0.5f; }
__global__ void break_at(int* x, int round, int bad, int place) { x[round == bad ? place : threadIdx.x] = round; }
__global__ void say(int round) { printf("round %d\n", round); }
__global__ void spin(int* x) { while (atomicAdd(x, 0) == 0) {} }
struct Dot { float2 at; int hits; };
struct Push { float by; int most; };
__global__ void push(const Dot* from, Dot* to, Push p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Dot dot = from[i];
    dot.at.y += p.by;
    dot.hits = min(dot.hits + 1, p.most);
    to[i] = dot;
}
__global__ void count(const Dot* dots, int* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, dots[i].hits);
}
)";

/// Compilers differ on whether {item} is a list of one, or the item.
json list_of(json items) { return items.is_array() ? items : json::array({std::move(items)}); }

json launch(const char* kernel, json arguments, json grid = 1, json block = 32) {
    return {{"kind", "launch"},
            {"kernel", kernel},
            {"arguments", list_of(std::move(arguments))},
            {"launch", {{"grid", std::move(grid)}, {"block", std::move(block)}}}};
}
json formula(const char* type, const char* text) { return {{"type", type}, {"formula", text}}; }
json loop(int times, json steps) { return {{"kind", "loop"}, {"times", times}, {"steps", list_of(std::move(steps))}}; }
json swap(const char* first, const char* second) { return {{"kind", "swap"}, {"buffers", {first, second}}}; }

json array(const char* name, const char* kind, const char* dtype, int count, const char* direction = "inout") {
    return {{"name", name},
            {"direction", direction},
            {"source", {{"kind", kind}, {"dtype", dtype}, {"shape", {count}}, {"value", 1}}}};
}

Session session_of(json arguments, json steps, const char* run_as = "launches") {
    const json document = {{"warplight", 3},
                           {"source", {{"name", "steps.cu"}, {"text", kernels}}},
                           {"arguments", list_of(std::move(arguments))},
                           {"pipeline", {{"run_as", run_as}, {"steps", list_of(std::move(steps))}}}};
    return session_from_json(document);
}

/// Shifts to and fro, which only works where the swaps do: behind `rounds` rounds x is i + rounds in a circle, plus
/// rounds.
Session shifting(int rounds, const char* run_as = "launches") {
    return session_of({array("x", "arange", "int32", 50),
                       array("y", "zeros", "int32", 50, "out"),
                       {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", {{"size_of", "x"}}}}},
                      {loop(rounds, {launch("shift", {"x", "y", "n"}, 2), swap("x", "y")})}, run_as);
}

std::string problem(const RunResult& result) { return result.report.error ? result.report.error->message : ""; }

} // namespace

class PipelineTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    std::optional<driver::Driver> driver_;

    RunResult run_it(const Session& session, RunOptions options = {}, const RunHooks& hooks = {}) {
        options.folder = temporary_.path().toStdString();
        return run(session, *driver_, options, hooks);
    }
    void failed(const Session& session, Status status, const char* pointer, const char* says) {
        const auto report = run_it(session).report;
        QVERIFY2(report.status == status, report.error ? report.error->message.c_str() : "it ran");
        QCOMPARE(QString::fromStdString(report.error->pointer), QString(pointer));
        QVERIFY2(QString::fromStdString(report.error->message).contains(says), report.error->message.c_str());
    }
    void is_shifted(const RunResult& result, int rounds) {
        QVERIFY2(result.report.status == Status::ok, problem(result).c_str());
        const auto x = result.buffers[0].output->as<int>();
        for (int i = 0; i < 50; ++i)
            QCOMPARE(x[static_cast<std::size_t>(i)], (i + rounds) % 50 + rounds);
    }

    static void ways() {
        QTest::addColumn<bool>("graph");
        QTest::newRow("launches") << false;
        QTest::newRow("graph") << true;
    }

private slots:
    void initTestCase() {
        const auto name = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software").toStdString();
        if (name != "cuda" && !qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        qputenv("XDG_STATE_HOME", (temporary_.path() + "/state").toUtf8());
        driver_ = driver::Driver::from_name(name);
    }

    void documents_come_back() {
        auto session = shifting(7, "graph");
        const auto text = to_text(session);
        QVERIFY(text.find("\"warplight\": 3") != std::string::npos);
        QCOMPARE(to_text(parse(text)), text);
        json document = json::parse(text);
        document["pipeline"]["frames"] = {{"buffer", "x"}, {"every", 2}, {"at_most", 9}, {"later", 1}};
        document["pipeline"]["steps"][0]["steps"].push_back(
            {{"kind", "fill"}, {"buffer", "y"}, {"value", 2}, {"of", 3}});
        document["pipeline"]["steps"].push_back({{"kind", "copy"}, {"from", "x"}, {"to", "y"}, {"count", 4}});
        document["pipeline"]["steps"].push_back(
            {{"kind", "loop"}, {"until", "x[0] > 3"}, {"every", 2}, {"at_most", 10}, {"steps", json::array()}});
        const auto whole = to_text(session_from_json(document));
        QCOMPARE(to_text(parse(whole)), whole);
        QVERIFY(whole.find("\"later\": 1") != std::string::npos && whole.find("\"of\": 3") != std::string::npos);
        session.pipeline.reset();
        QVERIFY(to_text(session).find("\"warplight\": 1") != std::string::npos);
    }

    void wrong_documents_are_refused_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("pointer");
        const auto row = [](const char* step, const char* pointer) { QTest::newRow(step) << step << pointer; };
        row(R"({"kind": "jump"})", "/kind");
        row(R"({})", "/kind");
        row(R"({"kind": "loop", "steps": []})", "/times");
        row(R"({"kind": "loop", "times": 2, "until": "x[0]", "steps": []})", "/times");
        row(R"({"kind": "loop", "times": 2})", "/steps");
        row(R"({"kind": "loop", "until": "x[0]", "at_most": 0, "steps": []})", "/at_most");
        row(R"({"kind": "swap", "buffers": ["x"]})", "/buffers");
        row(R"({"kind": "copy", "from": "x"})", "/to");
        row(R"({"kind": "launch", "arguments": [{"type": "i32"}]})", "/arguments/0/value");
        row(R"({"kind": "launch", "arguments": [{"type": "u8", "value": 300}]})", "/arguments/0/value");
    }
    void wrong_documents_are_refused() {
        QFETCH(QString, step);
        QFETCH(QString, pointer);
        try {
            (void)session_of(json::array(), {json::parse(step.toStdString())});
            QFAIL("it was accepted");
        } catch (const SessionError& error) {
            QCOMPARE(QString::fromStdString(error.pointer), "/pipeline/steps/0" + pointer);
        }
    }

    void rounds_and_swaps_data() {
        QTest::addColumn<int>("rounds");
        for (const int rounds : {0, 1, 2, 7, 600, 5003})
            QTest::addRow("%d", rounds) << rounds;
    }
    void rounds_and_swaps() {
        QFETCH(int, rounds);
        const auto launched = run_it(shifting(rounds));
        is_shifted(launched, rounds);
        RunOptions twice;
        twice.repeat = 2;
        const auto graph = run_it(shifting(rounds, "graph"), twice);
        is_shifted(graph, rounds);
        QCOMPARE(graph.report.outputs[0].digest, launched.report.outputs[0].digest);
        QCOMPARE(graph.report.outputs[1].digest, launched.report.outputs[1].digest);
        const auto& pipeline = *graph.report.pipeline;
        QCOMPARE(pipeline.run_as, std::string("graph"));
        if (rounds == 7) QVERIFY(pipeline.graphs == 1 && pipeline.graph_nodes == 7);
        QCOMPARE(pipeline.note.empty(), rounds < 4096);
        QCOMPARE(pipeline.steps.size(), std::size_t(3));
        QCOMPARE(pipeline.steps[1].path, std::string("1.1"));
        QCOMPARE(pipeline.steps[1].rounds, static_cast<std::uint64_t>(rounds));
        QVERIFY(rounds == 0 || (pipeline.steps[1].sum_ms > 0 && pipeline.steps[1].median_ms > 0));
        QCOMPARE(graph.report.times.kernel_ms.size(), std::size_t(2));
        const auto text = to_text(report_from_json(to_json(graph.report)));
        QVERIFY(text.find("swap x and y") != std::string::npos);
        QCOMPARE(text, to_text(graph.report));
    }

    void values_of_a_launch() {
        // Instances of a template, values that are typed, and one that changes with the round: 0 + 1 + … + 9.
        const json arguments = {array("x", "zeros", "int32", 40),
                                array("f", "zeros", "float64", 40),
                                {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", 40}}};
        json first = launch("add<int>", {"x", formula("i32", "round"), "n"});
        first["grid"] = json::array({"ceil(n/bx)"});
        const json steps = {loop(10, {first}),
                            launch("add<double>", {"f", {{"type", "f64"}, {"value", 0.25}}, "n"}, 2)};
        for (const char* run_as : {"launches", "graph"}) {
            const auto result = run_it(session_of(arguments, steps, run_as));
            QVERIFY2(result.report.status == Status::ok, problem(result).c_str());
            QCOMPARE(result.buffers[0].output->as<int>()[39], 45);
            QCOMPARE(result.buffers[1].output->as<double>()[39], 0.25);
            QCOMPARE(result.report.grid[0], 2u);
            QCOMPARE(result.report.kernel, std::string("add<int>, add<double>"));
        }
    }

    void structs_go_through_steps() {
        const json arguments = {
            {{"name", "dots"},
             {"direction", "inout"},
             {"source", {{"kind", "fields"}, {"shape", {40}}, {"fields", {{"at[1]", "2*i"}}}}}},
            {{"name", "other"},
             {"direction", "out"},
             {"source", {{"kind", "zeros"}, {"dtype", "struct"}, {"shape", {40}}}}},
            {{"name", "p"}, {"direction", "scalar"}, {"type", "struct"}, {"value", {{"by", 0.5}, {"most", 4}}}},
            array("sum", "zeros", "int32", 1),
            {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", {{"size_of", "dots"}}}}};
        const json steps = {loop(7, {launch("push", {"dots", "other", "p", "n"}, 2), swap("dots", "other")}),
                            {{"kind", "copy"}, {"from", "dots"}, {"to", "dots"}, {"from_start", 39}, {"count", 1}},
                            launch("count", {"dots", "sum", "n"}, 2)};
        for (const char* run_as : {"launches", "graph"}) {
            const auto result = run_it(session_of(arguments, steps, run_as));
            QVERIFY2(result.report.status == Status::ok, problem(result).c_str());
            const auto dots = result.buffers[0].output->bytes();
            QCOMPARE(dots.size(), std::size_t(40 * 16)); // as C++ lays them out: a float2, an int, and padding
            for (std::size_t i = 0; i < 40; ++i) {
                float y = 0;
                int hits = 0;
                std::memcpy(&y, dots.data() + i * 16 + 4, sizeof y);
                std::memcpy(&hits, dots.data() + i * 16 + 8, sizeof hits);
                QCOMPARE(y, static_cast<float>(2 * (i == 0 ? 39 : i)) + 3.5f); // the last one was copied to the first
                QCOMPARE(hits, 4);
            }
            QCOMPARE(result.buffers[2].output->as<int>()[0], 160);
        }
        json filled = steps;
        filled.insert(filled.begin(), json{{"kind", "fill"}, {"buffer", "dots"}, {"value", 1}});
        failed(session_of(arguments, filled), Status::input_error, "/pipeline/steps/0/buffer", "cannot be filled");
    }

    void copies_and_fills_data() {
        QTest::addColumn<QString>("dtype");
        for (const char* dtype : {"int8", "uint16", "float16", "int32", "float32", "float64", "uint64"})
            QTest::newRow(dtype) << dtype;
    }
    void copies_and_fills() {
        QFETCH(QString, dtype);
        const std::string name = dtype.toStdString();
        const json arguments = {array("x", "arange", name.c_str(), 10), array("y", "zeros", name.c_str(), 20, "out")};
        const json steps = {
            {{"kind", "fill"}, {"buffer", "y"}, {"value", 7}, {"start", 3}},
            {{"kind", "fill"}, {"buffer", "y"}, {"value", 9}, {"start", 18}, {"count", 1}},
            {{"kind", "copy"}, {"from", "x"}, {"to", "y"}, {"from_start", 2}, {"to_start", 5}, {"count", 4}},
            {{"kind", "copy"}, {"from", "y"}, {"to", "y"}, {"from_start", 18}, {"count", 2}}, // beside each other
            launch("say", {{{"type", "i32"}, {"value", 1}}}, 1, 1)};
        for (const char* run_as : {"launches", "graph"}) {
            const auto result = run_it(session_of(arguments, steps, run_as));
            QVERIFY2(result.report.status == Status::ok, problem(result).c_str());
            const double expected[] = {9, 7, 0, 7, 7, 2, 3, 4, 5, 7, 7, 7, 7, 7, 7, 7, 7, 7, 9, 7};
            for (std::size_t i = 0; i < 20; ++i)
                QCOMPARE(result.buffers[1].output->item(i), expected[i]);
            QCOMPARE(result.report.output, std::string("round 1\n")); // of the measured run alone
        }
    }

    void loops_end_by_a_condition() {
        json until = {{"kind", "loop"},
                      {"until", "rest[0] < 0.1"},
                      {"every", 3},
                      {"at_most", 100},
                      {"steps", {launch("halve", {"rest"}, 1, 1), swap("rest", "other"), swap("rest", "other")}}};
        const json arguments = {array("rest", "constant", "float32", 1), array("other", "zeros", "float32", 1)};
        for (const char* run_as : {"launches", "graph"}) {
            const auto result = run_it(session_of(arguments, {until}, run_as));
            QVERIFY2(result.report.status == Status::ok, problem(result).c_str());
            QCOMPARE(result.buffers[0].output->as<float>()[0], 1.0f / 64); // behind round 6, not 4
            QCOMPARE(result.report.pipeline->steps[0].rounds, std::uint64_t(6));
            QVERIFY(result.report.pipeline->steps[0].held == true);
        }
        until["until"] = "rest[0] < 0";
        until["at_most"] = 20;
        for (const char* run_as : {"launches", "graph"}) {
            const auto result = run_it(session_of(arguments, {until}, run_as));
            QVERIFY2(result.report.status == Status::ok, problem(result).c_str());
            QCOMPARE(result.report.pipeline->steps[0].rounds, std::uint64_t(20));
            QVERIFY(result.report.pipeline->steps[0].held == false);
            QVERIFY(to_text(*result.report.pipeline).find("NEVER HELD") != std::string::npos);
        }
        until["until"] = "round >= 5";
        until["every"] = 1;
        const auto result = run_it(session_of(arguments, {loop(3, {until})}));
        QCOMPARE(result.report.pipeline->steps[1].rounds, std::uint64_t(15));
    }

    void frames_are_kept() {
        auto session = shifting(10);
        session.pipeline->frames = PipelineFrames{"x", 3, 3, {}};
        session.repeat = 2;
        const auto result = run_it(session);
        is_shifted(result, 10);
        const auto& frames = result.report.pipeline->frames;
        QVERIFY(frames && result.frames);
        QVERIFY(frames->rounds == (std::vector<std::uint64_t>{0, 3, 6}));
        QVERIFY(result.frames->shape() == (Shape{3, 50}));
        for (std::size_t frame = 0; frame < 3; ++frame)
            QCOMPARE(result.frames->at<int>(frame, std::size_t{4}), static_cast<int>(4 + 6 * frame));
        session.pipeline->frames->buffer = "z";
        failed(session, Status::input_error, "/pipeline/frames/buffer", "no argument \"z\"");
        session.pipeline->frames = PipelineFrames{"x", 1, 100'000'000, {}};
        failed(session, Status::input_error, "/pipeline/frames/at_most", "\"at_most\" may be 2684354");
    }

    void mistakes_are_told_before_anything_runs() {
        const json arguments = {array("x", "zeros", "int32", 40),
                                array("f", "zeros", "float32", 20),
                                {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", 40}}};
        const auto refused = [&](const json& step, const char* pointer, const char* says) {
            failed(session_of(arguments, {launch("say", {{{"type", "i32"}, {"value", 1}}}), loop(2, {step})}),
                   Status::input_error, pointer, says);
        };
        refused(launch("shift", {"x", "f", "n"}), "/arguments/1/source/dtype", "needs int32");
        refused(launch("shift", {"x", "y", "n"}), "/pipeline/steps/1/steps/0/arguments/1", "It has: x, f, n");
        refused(launch("shift", {"x", "n"}), "/pipeline/steps/1/steps/0/arguments",
                "Step 2.1 (shift): The kernel shift takes 3 arguments, but there are 2");
        refused(launch("shaft", {"x"}), "/pipeline/steps/1/steps/0/kernel", "There is no kernel \"shaft\"");
        refused(launch("halve", {"f"}, 0), "/pipeline/steps/1/steps/0/launch/grid",
                "Step 2.1 (halve): The grid's x is 0");
        refused(swap("x", "f"), "/pipeline/steps/1/steps/0/buffers", "one type and shape");
        refused({{"kind", "copy"}, {"from", "x"}, {"to", "x"}, {"to_start", 39}, {"count", 2}},
                "/pipeline/steps/1/steps/0/count", "do not fit");
        refused({{"kind", "fill"}, {"buffer", "x"}, {"value", 0.5}}, "/pipeline/steps/1/steps/0/value", "0.5");
        refused({{"kind", "copy"}, {"from", "x"}, {"to", "x"}, {"to_start", 4}, {"count", 5}},
                "/pipeline/steps/1/steps/0/to_start", "overlap");
        refused({{"kind", "copy"}, {"from", "x"}, {"to", "x"}}, "/pipeline/steps/1/steps/0/to_start", "overlap");
        refused({{"kind", "loop"}, {"until", "z[0] > 1"}, {"steps", json::array({swap("x", "x")})}},
                "/pipeline/steps/1/steps/0/until", "z");
        refused(loop(1'000'000'000, json::array()), "/pipeline/steps/1/steps/0/steps", "has no steps");
        json with_grid = launch("halve", {"f"});
        with_grid["grid"] = json::array({"n/3"});
        refused(with_grid, "/pipeline/steps/1/steps/0/grid/0", "ceil()");
        failed(session_of(arguments, json::array()), Status::input_error, "/pipeline/steps", "launches no kernel");
    }

    void checks_are_of_one_pass() {
        if (!driver::Driver::from_name("software").available()) QSKIP("the software device, which checks, is not here");
        auto session = session_of({array("x", "zeros", "int32", 32)},
                                  {loop(3, {launch("break_at", {"x",
                                                                formula("i32", "round"),
                                                                {{"type", "i32"}, {"value", 1}},
                                                                {{"type", "i32"}, {"value", 40}}})})});
        session.repeat = 3;
        session.checks = *findings::Checks::parse("memory");
        const auto report = run_it(session).report;
        QCOMPARE(report.status, Status::findings);
        QCOMPARE(report.findings.all.size(), std::size_t(1));
        QCOMPARE(report.findings.all[0].count, std::uint64_t(32));
        if (!report.checked_beside) QCOMPARE(report.times.kernel_ms.size(), std::size_t(1));
    }

    void profiles_are_of_the_chosen_step() {
        if (!driver::Driver::from_name("software").available()) QSKIP("the software device, which counts, is not here");
        const json arguments = {array("x", "zeros", "int32", 50),
                                array("y", "zeros", "int32", 50),
                                {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", 50}}};
        const auto session = session_of(
            arguments, {launch("shift", {"x", "y", "n"}, 2), loop(5, {launch("add<int>", {"x", "n", "n"}, 4)})});
        RunOptions options;
        options.profile = true;
        const auto warps = [&] {
            const auto report = run_it(session, options).report;
            return report.profile ? report.profile->warps : 0;
        };
        QCOMPARE(warps(), std::uint64_t(2 + 5 * 4));
        options.step = "1";
        QCOMPARE(warps(), std::uint64_t(2));
        options.step = "2.1";
        QCOMPARE(warps(), std::uint64_t(5 * 4));
        options.warp = "3,0,0:0";
        QVERIFY(run_it(session, options).report.warp.has_value());
        options.step = "2";
        const auto report = run_it(session, options).report;
        QVERIFY(report.error && report.error->message.find("Its launches are 1, 2.1") != std::string::npos);
    }

    void a_run_can_be_stopped_data() { ways(); }
    void a_run_can_be_stopped() {
        QFETCH(bool, graph);
        int asked = 0;
        RunHooks hooks;
        hooks.cancelled = [&] { return ++asked > 12; };
        const auto report = run_it(shifting(1'000'000, graph ? "graph" : "launches"), {}, hooks).report;
        QCOMPARE(report.status, Status::cancelled);
        QCOMPARE(report.end, std::string("cancelled"));
        QVERIFY(report.launched);
    }

    /// Their rounds give the device nothing to do.
    void loops_of_swaps_can_be_stopped() {
        json steps = json::array({swap("x", "y")});
        for (const int times : {4000, 4000, 1'000'000'000}) // the inner ones have few rounds each
            steps = json::array({loop(times, steps)});
        steps.push_back(launch("halve", {"x"}, 1, 1));
        const auto session =
            session_of({array("x", "constant", "float32", 1), array("y", "zeros", "float32", 1)}, steps);
        bool running = false;
        int asked = 0;
        RunHooks hooks;
        hooks.progress = [&](std::string_view stage, double, std::string_view) { running = stage == "run"; };
        hooks.cancelled = [&] { return running && ++asked > 3; };
        QCOMPARE(run_it(session, {}, hooks).report.status, Status::cancelled);
    }

    // The last one: it may leave a GPU that runs nothing more for this process.
    void faults_name_the_step_and_the_round_data() { ways(); }
    void faults_name_the_step_and_the_round() {
        QFETCH(bool, graph);
        const bool is_gpu = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == "cuda";
        if (is_gpu && graph) QSKIP("a GPU's context does not live on after the fault of the row before");
        const json arguments = {array("x", "zeros", "int32", 32)};
        const json bad = launch("break_at", {"x",
                                             formula("i32", "round"),
                                             {{"type", "i32"}, {"value", 300}},
                                             {{"type", "i32"}, {"value", 100'000'000}}});
        const auto session = session_of(arguments,
                                        {launch("say", {{{"type", "i32"}, {"value", 1}}}, 1, 1),
                                         loop(2, {loop(400, {launch("say", {formula("i32", "round")}, 1, 1), bad})})},
                                        graph ? "graph" : "launches");
        const auto report = run_it(session).report;
        QCOMPARE(report.status, Status::device_error);
        const auto message = QString::fromStdString(report.error->message);
        QVERIFY2(message.startsWith("Step 2.1.2 (break_at) failed in round 301 of round 1: "), qPrintable(message));
        QVERIFY(report.launched);
    }
};

QTEST_GUILESS_MAIN(PipelineTest)
#include "pipeline_test.moc"
