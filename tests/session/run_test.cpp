// SPDX-License-Identifier: Apache-2.0
// The runner in this process, on the driver that WARPLIGHT_TEST_DRIVER names.
#include "formats/array_writer.hpp"
#include "formats/sound.hpp"
#include "session/formula.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/driver.hpp"
#include "warplight/file_io.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

using namespace warplight;
using namespace warplight::session;
namespace fs = std::filesystem;

namespace {

const char* const accumulate = R"(
extern "C" __global__ void accumulate(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += 2.0f * x[i];
}
)";

Argument array(const std::string& name, Direction direction, DataSource source) {
    Argument argument;
    argument.name = name;
    argument.direction = direction;
    argument.source = std::move(source);
    return argument;
}

Argument scalar(const std::string& name, const std::string& type, ScalarValue value) {
    Argument argument;
    argument.name = name;
    argument.direction = Direction::scalar;
    argument.type = type;
    argument.value = std::move(value);
    return argument;
}

Session accumulate_session() {
    Session session;
    session.source.text = accumulate;
    session.kernel = "accumulate";
    session.arguments = {array("x", Direction::in, ArangeSource{"float32", {1000}, std::int64_t{0}, std::int64_t{1}}),
                         array("y", Direction::inout, ConstantSource{"float32", {1000}, 1.0}),
                         scalar("n", "i32", SizeOf{"x", {}})};
    session.launch.grid = {8, 1, 1};
    session.launch.block = {128, 1, 1};
    return session;
}

const char* const with_variables = R"(
__constant__ float filter[3];
namespace physics { struct Body { float mass; int kind; }; __constant__ Body body; }
__constant__ double scale;
__device__ int counter = 5;
__device__ float4 last[2];
static __device__ unsigned visits;
__global__ void smooth(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 || i + 1 >= n) return;
    y[i] = float(scale) * physics::body.mass * (filter[0] * x[i - 1] + filter[1] * x[i] + filter[2] * x[i + 1]);
    atomicAdd(&counter, physics::body.kind);
    atomicAdd(&visits, 1u);
    if (i == 1) last[1].z = y[i];
}
)";

Argument variable(Argument argument) {
    argument.variable = true;
    return argument;
}

/// The numbers 2.0f and 2 in the structure, by their bits.
Session session_with_variables() {
    Session session;
    session.source.text = with_variables;
    session.arguments = {array("x", Direction::in, ArangeSource{"float32", {100}, std::int64_t{0}, std::int64_t{1}}),
                         array("y", Direction::out, ZerosSource{"float32", {100}}),
                         scalar("n", "i32", SizeOf{"x", {}}),
                         variable(array("filter", Direction::in, LinspaceSource{"float32", {3}, 1.0, 3.0})),
                         variable(array("physics::body", Direction::in,
                                        ArangeSource{"int64", {1}, std::int64_t{0x240000000}, std::int64_t{0}})),
                         variable(scalar("scale", "f64", Number{0.5})),
                         variable(array("counter", Direction::inout, ConstantSource{"int32", {1}, std::int64_t{7}})),
                         variable(array("last", Direction::out, ZerosSource{"float32", {2, 4}})),
                         variable(array("visits", Direction::out, ZerosSource{"uint32", {}}))};
    session.launch.grid = {1, 1, 1};
    session.launch.block = {128, 1, 1};
    return session;
}

} // namespace

class RunTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path folder_;
    std::optional<driver::Driver> driver_;
    bool cuda_ = false;

    RunResult run_it(const Session& session, const RunHooks& hooks = {}, bool trusted = false) {
        RunOptions options;
        options.folder = folder_;
        options.trusted = trusted;
        return run(session, *driver_, options, hooks);
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
        cuda_ = name == "cuda";
        if (!cuda_ && !qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        driver_ = driver::Driver::from_name(name);
        folder_ = temporary_.path().toStdString();
        qputenv("XDG_STATE_HOME", (temporary_.path() + "/state").toUtf8());
    }

    void variables_of_the_module() {
        auto session = session_with_variables();
        session.repeat = 3;
        session.arguments[6].save = "counter.npy";
        const auto result = run_it(session);
        const auto& report = result.report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        const auto output = [&](std::string_view name) -> const NdArray& {
            const auto found = std::ranges::find(result.buffers, name, &RunBuffer::name);
            return *found->output;
        };
        const auto y = output("y").as<float>();
        for (int i = 1; i < 99; ++i)
            QCOMPARE(y[std::size_t(i)], 0.5f * 2.0f * float(1 * (i - 1) + 2 * i + 3 * (i + 1)));
        QCOMPARE(output("counter").as<int>()[0], 7 + 98 * 2); // of one run, not of three
        QCOMPARE(output("visits").as<unsigned>()[0], 98u);
        QCOMPARE(output("last").as<float>()[6], y[1]);
        QCOMPARE(output("last").as<float>()[5], 0.0f);
        QCOMPARE(load_npy(folder_ / "counter.npy").as<int>()[0], 7 + 98 * 2);
        QCOMPARE(report.outputs.size(), std::size_t(4));
        QCOMPARE(report.outputs[1].name, std::string("counter"));
        QCOMPARE(report.outputs[1].index, 6);
        QCOMPARE(report.memory.allocated, std::uint64_t(800));
        if (cuda_) return;
        RunOptions checked;
        checked.folder = folder_;
        checked.check = "all";
        const auto with_checks = run(session, *driver_, checked, {}).report;
        for (const auto& each : with_checks.findings.all)
            QFAIL(each.message.c_str());
    }

    /// Each local array has bounds of its own, where the source tells them.
    void local_arrays() {
        if (cuda_) return; // checks are made beside a run there
        auto session = accumulate_session();
        session.source.text = R"(
extern "C" __global__ void accumulate(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float first[8];
    float second[6];
    for (int k = 0; k < 8; ++k) first[k] = x[k] + i;
    for (int k = 0; k < 6; ++k) second[k] = x[k] - i;
    first[n / 125] = 3;
    second[n / 200] = 4;
    y[i] = first[n / 250] + second[n / 500];
}
)";
        RunOptions checked;
        checked.folder = folder_;
        checked.check = "memory";
        const auto report = run(session, *driver_, checked, {}).report;
        QCOMPARE(report.status, Status::findings);
        QCOMPARE(report.findings.all.size(), std::size_t(1));
        const auto& finding = report.findings.all[0];
        QCOMPARE(finding.place.line, 9);
        QCOMPARE(finding.count, std::uint64_t(1000));
        QCOMPARE(finding.variable, std::string("first"));
        QVERIFY2(finding.message.find("right behind the 32 bytes of the local variable 'first' (declared in line 5)") !=
                     std::string::npos,
                 finding.message.c_str());
        checked.check = "none";
        QCOMPARE(run(session, *driver_, checked, {}).report.status, Status::ok);
        // Without lines nothing tells which array an access is of.
        checked.check = "memory";
        session.compile.line_info = false;
        QCOMPARE(run(session, *driver_, checked, {}).report.status, Status::ok);
    }

    void variables_of_ptx() {
        compiler::CompileRequest request;
        request.source = with_variables;
        const auto compiled = compiler::compile(request);
        QVERIFY(compiled.ok);
        auto session = session_with_variables();
        session.source.text = compiled.ptx;
        session.source.name = "kernel.ptx";
        session.arguments[4].name = "body"; // its namespace may be left out
        const auto result = run_it(session);
        QVERIFY2(result.report.status == Status::ok, result.report.error ? result.report.error->message.c_str() : "");
        QCOMPARE(result.buffers[4].output->as<int>()[0], 7 + 98 * 2);
    }

    void variables_that_do_not_fit_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such variable") << 0 << "/name" << "There is no variable \"nothing\" in the source. It has: ";
        QTest::newRow("too much data") << 1 << "/source" << "Variable filter has 12 bytes, but the data of it have 16.";
        QTest::newRow("a scalar of another size")
            << 2 << "/type" << "Variable scale has 8 bytes, but the value of it has 4.";
        QTest::newRow("another type") << 3 << "/source/dtype"
                                      << "Variable counter is uint32, but what it is given is float32.";
        QTest::newRow("a result that is constant") << 4 << "/direction" << "Variable filter is __constant__: no kernel";
    }
    void variables_that_do_not_fit() {
        QFETCH(int, index);
        QFETCH(QString, place);
        QFETCH(QString, says);
        const Argument wrong[] = {
            array("nothing", Direction::in, ZerosSource{"float32", {3}}),
            array("filter", Direction::in, ZerosSource{"float32", {4}}),
            scalar("scale", "f32", Number{0.5}),
            array("counter", Direction::inout, ZerosSource{"float32", {}}),
            array("filter", Direction::out, ZerosSource{"float32", {3}}),
        };
        auto session = session_with_variables();
        session.arguments.resize(3);
        session.arguments.push_back(variable(wrong[index]));
        failed(session, Status::input_error, ("/arguments/3" + place).toUtf8(), says.toUtf8());
    }

    void every_repeat_starts_from_the_same_inputs() {
        auto session = accumulate_session();
        session.repeat = 5;
        session.warmup = 2;
        const auto result = run_it(session);
        const auto& report = result.report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        QCOMPARE(report.times.kernel_ms.size(), std::size_t(5));
        QCOMPARE(report.times.htod_ms.size(), std::size_t(5));
        QCOMPARE(report.times.dtoh_ms.size(), std::size_t(5));
        for (const auto each : report.times.kernel_ms)
            QVERIFY(each >= 0 && each < 10000);
        QCOMPARE(result.buffers.size(), std::size_t(2));
        const auto values = result.buffers[1].output->as<float>();
        for (std::size_t i = 0; i < values.size(); ++i)
            QCOMPARE(values[i], 1.0f + 2.0f * static_cast<float>(i));
        QCOMPARE(result.buffers[1].input->as<float>()[7], 1.0f);
        QVERIFY(!result.buffers[0].output);
        QCOMPARE(report.lowered, std::string("accumulate"));
        QVERIFY(report.function.at("max_threads_per_block") > 0);
        QVERIFY(report.occupancy && report.occupancy->blocks_per_sm > 0 && report.occupancy->occupancy > 0);
        QVERIFY(report.memory.total >= report.memory.free_before);
        QCOMPARE(report.memory.allocated, std::uint64_t(8000));
        QVERIFY(!report.device.name.empty());
    }

    void outputs_start_as_their_source_says_each_time() {
        auto session = accumulate_session();
        session.repeat = 3;
        session.arguments[1] = array("y", Direction::out, ZerosSource{"float32", {1000}});
        QCOMPARE(run_it(session).buffers[1].output->as<float>()[3], 6.0f);
        session.arguments[1] = array("y", Direction::out, ConstantSource{"float32", {1000}, 5.0});
        QCOMPARE(run_it(session).buffers[1].output->as<float>()[3], 11.0f);
    }

    void expectations_pass_and_fail() {
        auto expected = NdArray::zeros({1000}, DType::float32());
        for (std::size_t i = 0; i < 1000; ++i)
            expected.set_item(i, 1.0 + 2.0 * static_cast<double>(i));
        save_npy(folder_ / "expected.npy", expected);
        auto session = accumulate_session();
        session.arguments[1].expect = Expectation{.path = "expected.npy",
                                                  .session = {},
                                                  .argument = {},
                                                  .expression = {},
                                                  .rtol = 0,
                                                  .atol = 0,
                                                  .unknown = {}};
        auto report = run_it(session).report;
        QVERIFY(report.status == Status::ok);
        QVERIFY(report.comparisons.size() == 1 && report.comparisons[0].passed);
        expected.set_item(500, 0);
        save_npy(folder_ / "expected.npy", expected);
        report = run_it(session).report;
        QVERIFY(report.status == Status::expectation_failed);
        QCOMPARE(report.comparisons[0].mismatches, std::uint64_t(1));
        QCOMPARE(report.comparisons[0].first, std::uint64_t(500));
        QCOMPARE(report.comparisons[0].first_actual, 1001.0);
        session.arguments[1].expect->path = "nowhere.npy";
        failed(session, Status::input_error, "/arguments/1/expect/path", "does not exist");
    }

    /// As sessions of versions before 4 have it.
    void a_file_is_expected_to_hold_raw_numbers() {
        std::vector<float> expected(1000);
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = 1.0F + 2.0F * static_cast<float>(i);
        std::ofstream(folder_ / "raw.wav", std::ios::binary)
            .write(reinterpret_cast<const char*>(expected.data()), std::streamsize{4} * 1000);
        auto session = accumulate_session();
        session.arguments[1].expect = Expectation{};
        session.arguments[1].expect->path = "raw.wav";
        session.arguments[1].expect->raw = true;
        auto text = to_text(session);
        QVERIFY(text.starts_with("{\n  \"warplight\": 1,"));
        text.erase(text.find("\"raw\": true,"), std::string_view("\"raw\": true,").size());
        for (const Session& each : {session, parse(text)}) {
            const auto report = run_it(each).report;
            QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "differs");
            QVERIFY(report.comparisons.size() == 1 && report.comparisons[0].passed);
        }
        session.arguments[1].expect->raw = false;
        failed(session, Status::input_error, "/arguments/1/expect/path", "raw.wav");
    }

    void sounds_keep_their_rate() {
        try {
            formats::check_can_write("x.wav");
        } catch (const FileError&) {
            QSKIP("libsndfile is not installed");
        }
        const auto x = NdArray::zeros({1000}, DType::float32());
        const auto output = formats::output_of("x", x);
        for (const auto& [name, rate] : {std::pair{"slow.wav", 8000}, {"fast.wav", 96000}})
            formats::write_array_file(folder_ / name, std::span(&output, 1), {.rate = rate}, {});
        auto session = accumulate_session();
        session.arguments[1].save = "result.wav";
        const auto rate = [&] {
            const auto report = run_it(session).report;
            if (report.status != Status::ok) qWarning("%s", report.error ? report.error->message.c_str() : "differs");
            const int saved = formats::sound_rate(folder_ / "result.wav");
            return report.outputs.empty() || (report.outputs[0].rate != saved && saved != 44100) ? -1 : saved;
        };
        QCOMPARE(rate(), 44100);
        session.arguments[0].source = FileSource{"slow.wav", {}, {}, 0};
        QCOMPARE(rate(), 8000);
        session.arguments[1].source = FileSource{"fast.wav", {}, {}, 0};
        QCOMPARE(rate(), 96000); // its own
        session.arguments[1].rate = 22050;
        QCOMPARE(rate(), 22050);
        // Where two others have different rates, none is meant.
        session.arguments[1].rate = 0;
        session.arguments[1].source = ConstantSource{"float32", {1000}, 1.0};
        session.arguments.push_back(array("z", Direction::in, FileSource{"fast.wav", {}, {}, 0}));
        session.source.text = "extern \"C\" __global__ void accumulate(const float* x, float* y, int n, float* z) {}";
        QCOMPARE(rate(), 44100);
    }

    /// y = 2x + y, where x and y are formulas of each other and of n.
    void formulas_make_inputs_and_expectations() {
        if (!has_formulas()) QSKIP("built without muParser");
        auto session = accumulate_session();
        session.arguments[0].source = FormulaSource{"float32", {1000}, "i % 17 - y[i/2] + n/1000"};
        session.arguments[1].source = FormulaSource{"float32", {1000}, "(i + 1) / 4"};
        Expectation expectation;
        expectation.expression = "2*x + y";
        session.arguments[1].expect = expectation;
        std::vector<std::string> told;
        RunHooks hooks;
        hooks.progress = [&](std::string_view stage, double fraction, std::string_view text) {
            if (stage == "data" && fraction >= 0) told.emplace_back(text);
        };
        const auto result = run_it(session, hooks);
        QVERIFY2(result.report.status == Status::ok,
                 result.report.error ? result.report.error->message.c_str() : "not as expected");
        QCOMPARE(result.report.comparisons.at(0).formula, std::string("2*x + y"));
        QCOMPARE(result.report.comparisons[0].elements, std::uint64_t(1000));
        for (std::size_t i = 0; i < 1000; ++i) {
            const float y = (float(i) + 1) / 4, x = float(i % 17) - (float(i / 2) + 1) / 4 + 1;
            QCOMPARE(result.buffers[0].input->as<float>()[i], x);
            QCOMPARE(result.buffers[1].output->as<float>()[i], 2 * x + y);
            QCOMPARE(result.buffers[1].expected->as<float>()[i], 2 * x + y);
        }
        QCOMPARE(told, (std::vector<std::string>{"y", "x", "y"})); // each when it is filled, and what is expected
        session.arguments[1].expect->expression = "2*x + y + (i == 700)";
        const auto report = run_it(session).report;
        QVERIFY(report.status == Status::expectation_failed);
        QCOMPARE(report.comparisons[0].mismatches, std::uint64_t(1));
        QCOMPARE(report.comparisons[0].first, std::uint64_t(700));
    }

    void formulas_that_cannot_be() {
        if (!has_formulas()) QSKIP("built without muParser");
        auto session = accumulate_session();
        session.arguments[0].source = FormulaSource{"float32", {1000}, "sin(i) + q"};
        failed(session, Status::input_error, "/arguments/0/source/expression", "Argument 0 (x): The formula has the");
        session.arguments[0].source = FormulaSource{"float32", {1000}, "y"};
        session.arguments[1].source = FormulaSource{"float32", {1000}, "x + 1"};
        failed(session, Status::input_error, "/arguments/0/source/expression", "needs its own values");
        session.arguments[0].source = FormulaSource{"float32", {1000}, "x[0]"};
        failed(session, Status::input_error, "/arguments/0/source/expression", "names x");
        session = accumulate_session();
        session.arguments[1].expect.emplace().expression = "x[i + 1]";
        failed(session, Status::input_error, "/arguments/1/expect/expression", "x[1000]");
        session = accumulate_session();
        session.arguments[0].source = FormulaSource{"float32", {1000}, "i"};
        RunHooks hooks;
        bool data = false;
        hooks.progress = [&](std::string_view stage, double fraction, std::string_view) {
            data = stage == "data" && fraction < 0;
        };
        hooks.cancelled = [&] { return data; };
        const auto report = run_it(session, hooks).report;
        QVERIFY(report.status == Status::cancelled);
        QCOMPARE(report.end, std::string("cancelled"));
    }

    void values_of_several_numbers() {
        Session session;
        session.source.text = R"(
#include <cuda_fp16.h>
enum Mode { add, multiply };
enum class Small : unsigned char { no, yes };
__global__ void k(float4 v, bool flag, uchar3 c, dim3 d, double2 z, Mode mode, Small small, half2 h, float* out) {
    const float all[] = {v.x, v.y, v.z, v.w, float(flag), float(c.x), float(c.y), float(c.z), float(d.x), float(d.y),
                         float(d.z), float(z.x), float(z.y), float(mode), float(small), float(h.x), float(h.y)};
    for (int i = 0; i < 17; ++i) out[i] = all[i];
})";
        const auto numbers = [](std::initializer_list<double> list) {
            Components components;
            for (const double each : list)
                components.emplace_back(each);
            return components;
        };
        session.arguments = {scalar("v", "float4", numbers({1, 2.5, -3, 1e20})),
                             scalar("flag", "bool", Number(std::int64_t{1})),
                             scalar("c", "uchar3", numbers({7, 0, 255})),
                             scalar("d", "dim3", numbers({4, 5, 4294967295.0})),
                             scalar("z", "double2", numbers({0.5, -0.25})),
                             scalar("mode", "i32", Number(std::int64_t{1})),
                             scalar("small", "u8", Number(std::int64_t{1})),
                             scalar("h", "half2", numbers({0.125, -8})),
                             array("out", Direction::out, ZerosSource{"float32", {17}})};
        const auto result = run_it(session);
        QVERIFY2(result.report.status == Status::ok, result.report.error ? result.report.error->message.c_str() : "");
        const float expected[] = {1, 2.5, -3, 1e20f, 1, 7, 0, 255, 4, 5, 4294967296.0f, 0.5, -0.25, 1, 1, 0.125, -8};
        for (std::size_t i = 0; i < 17; ++i)
            QCOMPARE(result.buffers.at(0).output->as<float>()[i], expected[i]);
        session.arguments[0] = scalar("v", "int4", numbers({1, 2, 3, 4}));
        failed(session, Status::input_error, "/arguments/0/type", "Use type float4");
        session.arguments[0] = scalar("v", "float2", numbers({1, 2}));
        failed(session, Status::input_error, "/arguments/0/type", "Use type float4");
        session.arguments[0] = scalar("v", "i32", Number(std::int64_t{1}));
        failed(session, Status::input_error, "/arguments/0/type", "Use type float4");
        session.arguments[0] = scalar("v", "float4", numbers({1, 2}));
        failed(session, Status::input_error, "/arguments/0/value", "has 4 numbers, but there are 2");
    }

    /// Types that the device computes with, and the host has no type for.
    void small_floating_point_values() {
        Session session;
        session.source.text = R"(
#include <cuda_bf16.h>
#include <cuda_fp8.h>
__global__ void k(__nv_bfloat16 b, __nv_fp8_e4m3 p, __nv_fp8_e5m2 q, const __nv_bfloat16* in, float* out) {
    out[0] = __bfloat162float(b);
    out[1] = float(p);
    out[2] = float(q);
    out[3] = __bfloat162float(in[0]);
})";
        session.arguments = {scalar("b", "bf16", Number(3.14159)), scalar("p", "f8e4m3", Number(0.1)),
                             scalar("q", "f8e5m2", Number(1e9)),
                             array("in", Direction::in, ConstantSource{"uint16", {1}, std::int64_t{0x3f80}}),
                             array("out", Direction::out, ZerosSource{"float32", {4}})};
        const auto result = run_it(session);
        if (result.report.status == Status::compile_error) QSKIP("a compiler without 8-bit floats");
        QVERIFY2(result.report.status == Status::ok, result.report.error ? result.report.error->message.c_str() : "");
        const auto out = result.buffers.at(1).output->as<float>();
        QCOMPARE(out[0], 3.140625f);
        QCOMPARE(out[1], 0.1015625f);
        QCOMPARE(out[2], 57344.0f);
        QCOMPARE(out[3], 1.0f);
        session.arguments[0] = scalar("b", "f16", Number(1.0));
        failed(session, Status::input_error, "/arguments/0/type", "Use type bf16");
        session.arguments[0] = scalar("b", "bf16", Number(1.0));
        session.arguments[3].source = ZerosSource{"float32", {1}};
        failed(session, Status::input_error, "/arguments/3/source/dtype", "needs uint16");
    }

    void a_result_can_be_expected_by_another_session() {
        auto first = accumulate_session();
        first.arguments[1].save = "results/y.npy";
        save(first, folder_ / "first.warplight");
        auto second = accumulate_session();
        second.arguments[1].expect = Expectation{.path = {},
                                                 .session = "first.warplight",
                                                 .argument = "y",
                                                 .expression = {},
                                                 .rtol = 0,
                                                 .atol = 0,
                                                 .unknown = {}};
        failed(second, Status::input_error, "/arguments/1/expect", "run");
        auto report = run_it(first).report;
        QVERIFY(report.status == Status::ok);
        QCOMPARE(fs::path(report.outputs[0].saved), fs::canonical(folder_) / "results/y.npy");
        report = run_it(second).report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "differs");
        second.arguments[1].expect->argument = "z";
        failed(second, Status::input_error, "/arguments/1/expect", "no argument");
    }

    void results_are_not_saved_outside_or_over_inputs() {
        auto session = accumulate_session();
        session.arguments[1].save = "../escape.npy";
        failed(session, Status::input_error, "/arguments/1/save", "only below its own folder");
        session.arguments[1].save = "kernel.cu";
        failed(session, Status::input_error, "/arguments/1/save", ".npy");
        save_npy(folder_ / "in.npy", NdArray::zeros({1000}, DType::float32()));
        session.arguments[0].source = FileSource{"in.npy", {}, {}, 0};
        session.arguments[1].save = "./in.npy";
        failed(session, Status::input_error, "/arguments/1/save", "which the run reads");
        QVERIFY(!fs::exists(folder_.parent_path() / "escape.npy"));
    }

    void what_a_kernel_prints_is_kept_without_the_warm_up() {
        Session session;
        session.source.text = R"(#include <cstdio>
extern "C" __global__ void hello(int n) { printf("thread %d of %d\n", (int)threadIdx.x, n); })";
        session.kernel = "hello";
        session.arguments = {scalar("n", "i32", Number(std::int64_t{2}))};
        session.launch.block = {2, 1, 1};
        session.repeat = 2;
        session.warmup = 3;
        std::string live;
        RunHooks hooks;
        hooks.output = [&](std::string_view text) { live += text; };
        const auto report = run_it(session, hooks).report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        QCOMPARE(QString::fromStdString(report.output).count("thread 0 of 2\n"), 2);
        QCOMPARE(QString::fromStdString(report.output).count("thread 1 of 2\n"), 2);
        QCOMPARE(live, report.output);
    }

    void kernels_that_are_not_there() {
        auto session = accumulate_session();
        session.kernel = "acumulate";
        failed(session, Status::input_error, "/kernel", "It has: accumulate");
        session.source.text = "__device__ int x;";
        failed(session, Status::input_error, "/kernel", "no __global__ function");
        session.source.text.clear();
        failed(session, Status::input_error, "/source", "no source");
        session.source.path = "missing.cu";
        failed(session, Status::input_error, "/source",
               "missing.cu: no such file. Paths start at the session's folder.");
    }

    void instances_of_templates() {
        auto session = accumulate_session();
        session.source.text = R"(template <class T> __global__ void accumulate(const T* x, T* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += T(2) * x[i];
})";
        failed(session, Status::input_error, "/kernel", "accumulate<float>");
        session.kernel = "accumulate<float>";
        const auto result = run_it(session);
        QVERIFY2(result.report.status == Status::ok, result.report.error ? result.report.error->message.c_str() : "");
        QCOMPARE(result.buffers[1].output->as<float>()[10], 21.0f);
    }

    void the_only_kernel_needs_no_name() {
        auto session = accumulate_session();
        session.kernel.clear();
        const auto report = run_it(session).report;
        QVERIFY(report.status == Status::ok);
        QCOMPARE(report.kernel, std::string("accumulate"));
    }

    void ptx_runs_too() {
        compiler::CompileRequest request;
        request.source = accumulate;
        const auto compiled = compiler::compile(request);
        QVERIFY(compiled.ok);
        std::ofstream(folder_ / "k.ptx") << compiled.ptx;
        auto session = accumulate_session();
        session.source = {"k.ptx", {}, {}, {}};
        const auto result = run_it(session);
        QVERIFY2(result.report.status == Status::ok, result.report.error ? result.report.error->message.c_str() : "");
        QCOMPARE(result.buffers[1].output->as<float>()[10], 21.0f);
        session.kernel = "other";
        failed(session, Status::input_error, "/kernel", "accumulate");
    }

    void damaged_ptx_is_an_error_of_the_device() {
        compiler::CompileRequest request;
        request.source = accumulate;
        const auto ptx = compiler::compile(request).ptx;
        auto session = accumulate_session();
        session.source.name = "k.ptx";
        const auto loads = [&](const std::string& text) {
            session.source.text = text;
            const auto report = run_it(session).report;
            return report.status == Status::ok;
        };
        QVERIFY(!loads(ptx.substr(0, ptx.size() / 2)));
        auto unknown = ptx;
        unknown.insert(unknown.rfind("ret;"), "frobnicate.u32 %r1, %r1;\n\t");
        QVERIFY(!loads(unknown));
        auto version = ptx;
        const auto at = version.find(".version ");
        version.replace(at, version.find('\n', at) - at, ".version 99.9");
        QVERIFY(!loads(version));
    }

    void wrong_arguments() {
        auto session = accumulate_session();
        session.arguments[0].source = ZerosSource{"float64", {1000}};
        failed(session, Status::input_error, "/arguments/0/source/dtype", "needs float32");
        session = accumulate_session();
        session.arguments.pop_back();
        failed(session, Status::input_error, "/arguments", "takes 3 arguments, but there are 2");
        session = accumulate_session();
        session.arguments[2] = scalar("n", "f32", Number(1.0));
        failed(session, Status::input_error, "/arguments/2/type", "Use type i32");
        session = accumulate_session();
        session.arguments[0] = scalar("x", "u64", Number(std::int64_t{0}));
        session.arguments[2] = scalar("n", "i32", Number(std::int64_t{1000}));
        failed(session, Status::input_error, "/arguments/0/direction", "needs an array");
        session = accumulate_session();
        session.arguments[2] = array("n", Direction::in, ZerosSource{"int32", {1}});
        failed(session, Status::input_error, "/arguments/2/direction", "scalar");
        session = accumulate_session();
        session.arguments[2] = scalar("n", "i32", SizeOf{"x", 1});
        failed(session, Status::input_error, "/arguments/2/value/axis", "axis 1");
    }

    void launches_that_cannot_be() {
        auto session = accumulate_session();
        session.launch.grid = {0, 1, 1};
        failed(session, Status::input_error, "/launch/grid", "x is 0");
        session = accumulate_session();
        session.launch.block = {2048, 1, 1};
        failed(session, Status::device_error, "/launch/block", "1024");
        session.launch.block = {64, 64, 1};
        failed(session, Status::device_error, "/launch/block", "4096 threads");
        session = accumulate_session();
        session.launch.grid = {1, 70000, 1};
        failed(session, Status::device_error, "/launch/grid", "65535");
        session = accumulate_session();
        session.launch.shared = 10 << 20;
        failed(session, Status::device_error, "/launch/shared", "shared memory");
    }

    void a_launch_that_the_driver_refuses() {
        auto session = accumulate_session();
        session.launch.cooperative = true;
        session.launch.grid = {100000, 1, 1};
        const auto report = run_it(session).report;
        QVERIFY(report.status == Status::device_error);
        QCOMPARE(report.error->code_name, std::string("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"));
        QVERIFY(!report.launched);
        QVERIFY(run_it(accumulate_session()).report.launched);
    }

    void the_first_run_is_timed_without_its_compilation() {
        if (cuda_) QSKIP("the driver of a GPU compiles when it loads");
        // For blocks of three threads the kernel is compiled anew, when it is launched.
        std::string source = "extern \"C\" __global__ void slow(float* x) {\n    float v = x[threadIdx.x], w = v;\n";
        for (int i = 0; i < 150; ++i)
            source +=
                "    v = v * 1." + std::to_string(i) + "f + w;\n    w = fminf(w * 0." + std::to_string(i) + "f, v);\n";
        // No cache has this one.
        source += "    x[threadIdx.x] = v + w + " + std::to_string(std::random_device{}()) + ".f;\n}\n";
        auto session = accumulate_session();
        session.source.text = source;
        session.kernel = "slow";
        session.arguments = {array("x", Direction::inout, ConstantSource{"float32", {3}, 0.5})};
        session.launch.grid = {1, 1, 1};
        session.launch.block = {3, 1, 1};
        session.repeat = 3;
        const auto report = run_it(session).report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        const double first = report.times.kernel_ms.front();
        qInfo("first %.3f ms, last %.3f ms, loaded in %.1f ms", first, report.times.kernel_ms.back(),
              report.compile.load_ms);
        QVERIFY(first < report.compile.load_ms / 10);
    }

    void registers_are_those_of_ptxas() {
        if (cuda_) QSKIP("the driver of a GPU counts them itself");
        auto session = accumulate_session();
        // 48 values that live at once.
        session.source.text = R"(
extern "C" __global__ void accumulate(const float* x, float* y, int n) {
    float v[48];
    #pragma unroll
    for (int k = 0; k < 48; ++k) v[k] = x[(threadIdx.x * 48 + k) % n];
    __syncthreads();
    float sum = 0;
    #pragma unroll
    for (int k = 0; k < 48; ++k) sum += v[k] * v[47 - k];
    y[threadIdx.x] = sum;
})";
        compiler::CompileRequest request;
        request.source = session.source.text;
        request.arch = "sm_80";
        request.report = true;
        const auto compiled = compiler::compile(request);
        QVERIFY(compiled.ok);
        if (compiled.report.empty()) QSKIP("no ptxas here");
        const int registers = compiled.report.front().registers;
        const auto report = run_it(session).report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        QCOMPARE(report.function.at("num_regs"), registers);
        QCOMPARE(report.registers_from, std::string("ptxas"));
        QVERIFY(!report.occupancy->estimated);
        // 65,536 registers of a multiprocessor of compute capability 8.0, given out to warps by 256.
        const int warps = 65536 / ((registers * 32 + 255) / 256 * 256) / 4 * 4;
        QCOMPARE(report.occupancy->blocks_per_sm, std::min(warps / 4, 16));
        // PTX as it was compiled has the same.
        auto from_ptx = session;
        from_ptx.source = {};
        write_file_atomically(folder_ / "registers.ptx", compiled.ptx);
        from_ptx.source.path = "registers.ptx";
        const auto again = run_it(from_ptx).report;
        QVERIFY2(again.status == Status::ok, again.error ? again.error->message.c_str() : "");
        if (again.registers_from == "ptxas")
            QCOMPARE(again.function.at("num_regs"), registers);
        else
            QCOMPARE(again.registers_from, std::string("estimate"));
        QCOMPARE(again.occupancy->estimated, again.registers_from == "estimate");
    }

    void source_that_does_not_compile() {
        auto session = accumulate_session();
        session.source.text = "extern \"C\" __global__ void accumulate() {\n  int x = ;\n}\n";
        auto report = run_it(session).report;
        QVERIFY(report.status == Status::compile_error);
        QVERIFY(!report.diagnostics.empty());
        QCOMPARE(report.diagnostics[0].line, 2);
        session.source.text = "#include \"not_there.h\"\n";
        report = run_it(session).report;
        QVERIFY(report.status == Status::compile_error);
        QVERIFY(QString::fromStdString(report.error->message).contains("not_there.h"));
        session = accumulate_session();
        session.compile.options = {"--time=stolen.txt"};
        failed(session, Status::input_error, "/compile/options/0", "not accepted");
    }

    void devices_that_are_not_there() {
        RunOptions options;
        options.device = 99;
        const auto report = run(accumulate_session(), *driver_, options).report;
        QVERIFY(report.status == Status::device_error);
        QVERIFY(QString::fromStdString(report.error->message).contains(":99"));
        const auto missing = driver::Driver::open("/nonexistent/libcuda.so");
        const auto none = run(accumulate_session(), missing, {}).report;
        QVERIFY(none.status == Status::device_error);
    }

    void a_run_can_be_stopped_between_repeats() {
        auto session = accumulate_session();
        session.repeat = 1000000;
        int runs = 0;
        RunHooks hooks;
        hooks.progress = [&](std::string_view stage, double, std::string_view) { runs += stage == "run"; };
        hooks.cancelled = [&] { return runs >= 3; };
        const auto report = run_it(session, hooks).report;
        QVERIFY(report.status == Status::cancelled);
        QCOMPARE(runs, 3);
    }

    void empty_arrays_have_an_address() {
        auto session = accumulate_session();
        session.arguments[0].source = ZerosSource{"float32", {0}};
        session.arguments[1].source = ZerosSource{"float32", {0}};
        const auto result = run_it(session);
        QVERIFY2(result.report.status == Status::ok, result.report.error ? result.report.error->message.c_str() : "");
        QCOMPARE(result.buffers[1].output->size(), std::size_t(0));
    }

    // Last, for on a GPU it ends the usefulness of the process.
    void z_an_illegal_address_is_reported_with_its_place() {
        auto session = accumulate_session();
        session.source.text = R"(extern "C" __global__ void accumulate(const float* x, float* y, int n) {
    long long far = 1ll << 42;
    y[threadIdx.x + far] = x[0];
})";
        const auto result = run_it(session);
        QVERIFY(result.report.status == Status::device_error);
        QCOMPARE(result.report.error->code, 700);
        QCOMPARE(result.report.error->code_name, std::string("CUDA_ERROR_ILLEGAL_ADDRESS"));
        QVERIFY(!result.buffers[1].output);
        if (cuda_) return;
        const auto details = QString::fromStdString(result.report.error->details);
        QVERIFY2(details.contains("accumulate") && details.contains("3"), qPrintable(details));
        const auto after = run_it(accumulate_session()).report;
        QVERIFY2(after.status == Status::ok, after.error ? after.error->message.c_str() : "");
    }

    void z_a_fault_names_the_argument_and_the_load() {
        if (cuda_) QSKIP("a GPU's driver tells no address");
        const auto details_of = [&](std::size_t elements, const char* index) {
            auto session = accumulate_session();
            session.source.text = std::string(
                                      R"(extern "C" __global__ void accumulate(const float* x, float* y, int n) {
    int i = threadIdx.x;
    y[i] =
        x[)") + index + "];\n}";
            session.arguments[0].source = ZerosSource{"float32", {elements}};
            session.arguments[1].source = ZerosSource{"float32", {64, 16}};
            session.launch.grid = {1, 1, 1};
            const auto report = run_it(session).report;
            return QString::fromStdString(report.error ? report.error->details : "no error");
        };
        const auto before = details_of(1024, "i - 1");
        // Before 13.0 NVRTC gives the load the line of the statement that it is in.
        const bool of_statement = compiler::compiler_info(compiler::Backend::nvrtc).major < 13;
        QVERIFY2(before.contains(of_statement ? ":3:" : ":4:") && before.contains("ld.global") &&
                     before.contains("thread (0,0,0)"),
                 qPrintable(before));
        QVERIFY2(before.contains(": 4 bytes before x, float32[1024]"), qPrintable(before));
        const auto past = details_of(1024, "i + 1024");
        QVERIFY2(past.contains(": 0 bytes past the end of x, float32[1024]"), qPrintable(past));
        // Its allocation is longer than it is.
        const auto small = details_of(2, "i + 2048");
        QVERIFY2(small.contains(": 8184 bytes past the end of x, float32[2]"), qPrintable(small));
    }

    void instances_with_nvcc_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<double>("result");
        QTest::newRow("in the source") << "scale<double, 3>" << 6.0;
        QTest::newRow("not in the source") << "scale<double, 5>" << 10.0;
    }
    void instances_with_nvcc() {
        if (!compiler::compiler_info(compiler::Backend::nvcc).found) QSKIP("no nvcc here");
        QFETCH(QString, kernel);
        Session session;
        session.source.text = "template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }\n"
                              "template __global__ void scale<double, 3>(double*);\n";
        session.compile.compiler = "nvcc";
        session.kernel = kernel.toStdString();
        session.arguments = {array("x", Direction::inout, ConstantSource{"float64", {32}, 2.0})};
        session.launch.grid = {1, 1, 1};
        session.launch.block = {32, 1, 1};
        const auto result = run_it(session);
        QVERIFY2(result.report.status == Status::ok,
                 result.report.error ? result.report.error->message.c_str() : "it ran");
        QTEST(result.buffers[0].output->as<double>()[31], "result");
    }

    void failed_inputs_show_the_others_data() {
        QTest::addColumn<bool>("cut");
        QTest::newRow("the second file is cut short") << true;
        QTest::newRow("an expectation is missing") << false;
    }
    void failed_inputs_show_the_others() {
        QFETCH(bool, cut);
        auto session = accumulate_session();
        FileSource file;
        file.path = "y.raw";
        file.dtype = "float32";
        file.shape = Shape{1000};
        std::ofstream(folder_ / "y.raw", std::ios::binary) << std::string(cut ? 3999 : 4000, '\0');
        session.arguments[1].source = file;
        session.arguments.push_back(
            array("z", Direction::in, ConstantSource{"float32", {5}, 1.0})); // after the one that fails
        if (!cut) session.arguments[1].expect = Expectation{};
        if (!cut) session.arguments[1].expect->path = "nothere.npy";
        const auto result = run_it(session);
        QVERIFY(result.report.status == Status::input_error);
        QCOMPARE(QString::fromStdString(result.report.error->pointer).section('/', 0, 3),
                 QString(cut ? "/arguments/1/source" : "/arguments/1/expect"));
        QStringList names;
        for (const auto& buffer : result.buffers) {
            QVERIFY(buffer.input && !buffer.output);
            names << QString::fromStdString(buffer.name);
        }
        QCOMPARE(names.join(" "), QString(cut ? "x" : "x y z"));
        QCOMPARE(result.report.inputs.size(), result.buffers.size());
    }

    void z_a_fault_names_the_source_as_the_session_does_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("beside the session") << "far.cu";
        QTest::newRow("in a folder of it") << "inner/far.cu";
        QTest::newRow("outside of its folder") << "../outer/far.cu";
        QTest::newRow("two folders up") << "../../far.cu";
        QTest::newRow("absolute") << QString::fromStdString((folder_ / "here/there/far.cu").string());
    }
    void z_a_fault_names_the_source_as_the_session_does() {
        if (cuda_) QSKIP("a GPU's driver tells no place");
        QFETCH(QString, path);
        const auto folder = folder_ / "here/there";
        const auto file = folder / path.toStdString();
        fs::create_directories(folder);
        fs::create_directories(file.lexically_normal().parent_path());
        std::ofstream(file.lexically_normal()) << R"(#include "below.h"
extern "C" __global__ void far_away(float* x) {
    x[1ll << 40] = 1;
})";
        std::ofstream(file.lexically_normal().parent_path() / "below.h") << "\n";
        auto session = accumulate_session();
        session.source = {};
        session.source.path = path.toStdString();
        session.kernel = "far_away";
        session.arguments.resize(1);
        RunOptions options;
        options.folder = folder;
        options.allow = {folder_}; // some of the sources lie above the session
        const auto report = run(session, *driver_, options).report;
        const auto details = QString::fromStdString(report.error ? report.error->details : "no error");
        QVERIFY2(details.contains("\n  at " + path + ":3:"), qPrintable(details));
        QCOMPARE(details.count("/there/"), path.count("/there/"));
    }

    void z_advice_fits_the_device() {
        auto session = accumulate_session();
        session.source.text = R"(extern "C" __global__ void accumulate(const float*, float*, int) { asm("trap;"); })";
        const auto report = run_it(session).report;
        QVERIFY(report.error);
        const auto message = QString::fromStdString(report.error->message);
        QVERIFY2(message.contains("software device") == cuda_, qPrintable(message));
    }
};

QTEST_GUILESS_MAIN(RunTest)
#include "run_test.moc"
