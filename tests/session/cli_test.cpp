// SPDX-License-Identifier: Apache-2.0
// warplight-cli as its users meet it: exit codes, messages, files.
#include "cli_fixture.hpp"
#include "session/formula.hpp"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#ifndef _WIN32
#include <sys/resource.h>
#include <unistd.h>
#endif

using namespace warplight;
namespace fs = std::filesystem;
using nlohmann::json;

class CliTest : public CliFixture {
    Q_OBJECT
    QStringList scale(const QStringList& more = {}) const {
        return QStringList{"scale.cu", "--kernel",          "scale", "--grid",   "4",     "--block", "256",
                           "--arg",    "out=float32[1000]", "--arg", "in=x.npy", "--arg", "f32=2.5", "--arg",
                           "i32=1000"} +
               more;
    }
    /// A .npy file with any header.
    void write_npy(const char* name, const char* descr, const char* order, const char* shape,
                   const QByteArray& data) const {
        QByteArray header =
            QByteArray("{'descr': ") + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
        header = header.leftJustified(118 - 1, ' ') + '\n';
        write(name, QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header + data);
    }

private slots:
    void initTestCase() {
        const auto x = write_scale();
        save_npy(path("x64.npy").toStdString(), x.astype(DType::float64()));
        auto wrong = load_npy(path("right.npy").toStdString());
        wrong.set_item(17, 0);
        save_npy(path("wrong.npy").toStdString(), wrong);
        QByteArray little(4000, 0), big(4000, 0), columns(4000, 0);
        for (int i = 0; i < 1000; ++i) {
            const auto value = static_cast<float>(i);
            std::memcpy(little.data() + 4 * i, &value, 4);
            std::reverse_copy(little.data() + 4 * i, little.data() + 4 * i + 4, big.data() + 4 * i);
            // Element (row, column) of 10 x 100, column after column.
            std::memcpy(columns.data() + 4 * (i % 100 * 10 + i / 100), &value, 4);
        }
        write_npy("big.npy", "'>f4'", "False", "(1000,)", big);
        write_npy("columns.npy", "'<f4'", "True", "(10, 100)", columns);
        write_npy("truncated.npy", "'<f4'", "False", "(1000,)", little.left(100));
        write_npy("structured.npy", "[('a', '<f4'), ('b', '<i4')]", "False", "(500,)", little);
        write_npy("object.npy", "'|O'", "False", "(1000,)", little);
        write("broken_run.cu", "__global__ void f() {\n  undefined_name = 1;\n}\n");
        QVERIFY(QDir(temporary_.path()).mkdir("folder.cu"));
        write("include_run.cu", "#include \"missing_header.h\"\n__global__ void f() {}\n");
        write("bad.warplight", session(R"(, "expect": {"path": "wrong.npy"})"));
    }

    void usage_errors_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"fly"};
        QTest::newRow("unknown option") << QStringList{"run", "good.warplight", "--fast"};
        QTest::newRow("no file") << QStringList{"run"};
        QTest::newRow("repeat 0") << QStringList{"run", "good.warplight", "--repeat", "0"};
        QTest::newRow("driver") << QStringList{"worker", "--driver", "opencl"};
        QTest::newRow("emit") << QStringList{"compile", "scale.cu", "--emit", "ptxas"};
        QTest::newRow("compare PTX") << QStringList{"compile", "scale.cu", "--compare", "sm_90"};
        QTest::newRow("no block") << QStringList{"compile", "scale.cu", "--registers", "--block", "0"};
    }
    void usage_errors() {
        QFETCH(QStringList, arguments);
        const auto result = cli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY(!result.err.isEmpty());
    }

    void devices_are_listed() {
        const auto result = cli({"devices", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto devices = json::parse(result.out.toStdString());
        bool found = false;
        for (const auto& each : devices["devices"])
            found = found || QString::fromStdString(each["id"]).startsWith(device_ + ":");
        QVERIFY(found);
        QVERIFY(devices["devices"][0]["attributes"].size() > 20);
        const auto table = cli({"devices"});
        QVERIFY(table.out.contains(device_ + ":0"));
        auto none = environment();
        none.insert("WARPLIGHT_SOFTWARE_LIBRARY", "/nowhere/none.so");
        if (device_ == "software") QVERIFY(cli({"devices"}, none).out.contains("software: none"));
    }

    void compile_to_ptx_cubin_and_report() {
        auto result = cli({"compile", "scale.cu", "--arch", "sm_80"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY(result.out.contains(".entry scale"));
        result = cli({"compile", "scale.cu", "-o", "scale.ptx"});
        QCOMPARE(result.code, 0);
        QVERIFY(result.out.isEmpty());
        QVERIFY(QFile::exists(path("scale.ptx")));
        const auto as_json = json::parse(cli({"compile", "scale.cu", "--json"}).out.toStdString());
        QVERIFY(as_json["ok"].get<bool>());
        QCOMPARE(as_json["kernels"].size(), std::size_t(2));
        QCOMPARE(cli({"compile", "scale.cu", "--emit", "cubin"}).code, 2);
        QCOMPARE(cli({"compile", "missing.cu"}).code, 2);
    }

    void register_limits_are_a_table() {
        // The session names the kernel and the block.
        auto result = cli({"compile", "good.warplight", "--registers", "--arch", "sm_90", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const json table = json::parse(result.out.toStdString());
        QCOMPARE(table["kernel"].get<std::string>(), std::string("scale"));
        QCOMPARE(table["threads"].get<int>(), 256);
        QCOMPARE(table["rows"].size(), std::size_t(7));
        QCOMPARE(table["rows"][0]["blocks_per_sm"].get<int>(), 8);
        result = cli({"compile", "scale.cu", "--registers", "--kernel", "scale", "--block", "32,4"});
        QVERIFY2(result.out.contains("blocks of 128 threads") && result.out.contains("*none"),
                 qPrintable(result.all()));
        result = cli({"compile", "scale.cu", "--registers"}); // of which kernel?
        QCOMPARE(result.code, 3);
        QVERIFY2(result.err.contains("several kernels"), qPrintable(result.err));
    }

    void sessions_are_compiled_as_they_run() {
        write("embedded.warplight", R"({"warplight": 3, "kernel": "scale<int>", "launch": {"grid": 1, "block": 32},
            "source": {"name": "inside.cu", "text": "template <class T> __global__ void scale(T* x) { *x = 2; }\n"},
            "pipeline": {"steps": [{"kind": "launch", "kernel": "scale<float>", "arguments": ["x"]},
                                   {"kind": "launch", "kernel": "scale<double>", "arguments": ["y"]}]},
            "arguments": [
                {"name": "x", "direction": "out", "source": {"kind": "zeros", "shape": [4]}},
                {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float64", "shape": [4]}}]})");
        auto result = cli({"compile", "embedded.warplight"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY(result.out.contains(".entry _Z5scaleIfEvPT_") && result.out.contains(".entry _Z5scaleIdEvPT_"));
        QVERIFY(!result.out.contains(".entry _Z5scaleIiEvPT_")); // which no step launches
        for (const QStringList& part :
             {QStringList{}, QStringList{"--kernel", "scale<float>"}, QStringList{"--block", "32"}}) {
            result = cli(QStringList{"compile", "embedded.warplight", "--registers"} + part);
            QCOMPARE(result.code, 2);
            QVERIFY2(result.err.contains("has a pipeline"), qPrintable(result.err));
        }
        result = cli({"compile", "embedded.warplight", "--registers", "--kernel", "scale<float>", "--block", "64",
                      "--arch", "sm_90", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const json table = json::parse(result.out.toStdString());
        QCOMPARE(table["kernel"].get<std::string>(), std::string("scale<float>"));
        QCOMPARE(table["threads"].get<int>(), 64);
    }

    void sass_needs_a_disassembler() {
        QProcessEnvironment without = environment();
        without.insert("WARPLIGHT_NVDISASM", path("nowhere"));
        without.insert("WARPLIGHT_CUOBJDUMP", path("nowhere"));
        auto result = cli({"compile", "scale.cu", "--emit", "sass"}, without);
        QCOMPARE(result.code, 3);
        QVERIFY2(result.err.contains("toolkit install --with-nvcc"), qPrintable(result.err));
        QVERIFY(result.out.isEmpty());
        QVERIFY(cli({"inspect", "good.warplight", "--sass", "--arch", "x"}, without).err.contains("no architecture"));
#ifdef Q_OS_UNIX // a script plays nvdisasm
        write("nvdisasm", "#!/bin/sh\nprintf '.text.scale:\\n  /*0000*/  FMUL R1, R2, R3 ;\\n  /*0010*/  EXIT ;\\n'\n");
        QVERIFY(QFile::setPermissions(path("nvdisasm"), QFile::ReadOwner | QFile::ExeOwner));
        without.insert("WARPLIGHT_NVDISASM", path("nvdisasm"));
        result = cli({"compile", "good.warplight", "--emit", "sass", "--json"}, without);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const json object = json::parse(result.out.toStdString());
        QCOMPARE(object["functions"][0]["instructions"][0]["class"].get<std::string>(), std::string("float32"));
        result = cli({"compile", "scale.cu", "--emit", "sass", "--compare", "sm_90"}, without);
        QVERIFY2(result.out.contains("sm_80     sm_90") && result.out.contains("FMUL R1, R2, R3"),
                 qPrintable(result.all()));
#endif
    }

    void compile_errors_have_their_place() {
        write("broken.cu", "__global__ void f() {\n  undefined_name = 1;\n}\n");
        auto result = cli({"compile", "broken.cu"});
        QCOMPARE(result.code, 3);
        QVERIFY2(result.err.contains("broken.cu:2") && result.err.contains("undefined_name"), qPrintable(result.err));
        result = run({"broken.cu", "--kernel", "f", "--grid", "1", "--block", "1"});
        QCOMPARE(result.code, 3);
        QVERIFY2(result.all().contains("undefined_name"), qPrintable(result.all()));
        write("include.cu", "#include \"missing_header.h\"\n__global__ void f() {}\n");
        result = cli({"compile", "include.cu"});
        QCOMPARE(result.code, 3);
        QVERIFY(result.err.contains("missing_header.h"));
    }

    void inspect_loads_ptx() {
        QCOMPARE(cli({"compile", "scale.cu", "-o", "inspect.ptx"}).code, 0);
        const auto result = cli({"inspect", "inspect.ptx", "--device", device_, "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto kernels = json::parse(result.out.toStdString())["kernels"];
        QCOMPARE(kernels.size(), std::size_t(2));
        for (const auto& kernel : kernels)
            if (kernel["name"] == "scale") {
                QCOMPARE(kernel["parameters"].size(), std::size_t(4));
                QVERIFY(kernel["attributes"].contains("num_regs"));
                QCOMPARE(kernel["registers_from"] == "driver", device_ == "cuda");
            }
        QCOMPARE(cli({"inspect", "none.ptx", "--device", device_}).code, 2);
        write("garbage.ptx", "this is not PTX\n");
        const auto garbage = cli({"inspect", "garbage.ptx", "--device", device_});
        QCOMPARE(garbage.code, 4);
        QVERIFY(garbage.err.contains("error:"));
    }

    void a_source_file_runs_and_saves() {
        QFile::remove(path("y.npy"));
        const auto result = run(scale({"--save", "0=y.npy", "--repeat", "3", "--warmup", "1", "--json"}));
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto report = json::parse(result.out.toStdString());
        QCOMPARE(report["times"]["kernel_ms"].size(), std::size_t(3));
        QCOMPARE(report["times"]["htod_ms"].size(), std::size_t(3));
        for (const char* key : {"device", "kernel", "compile", "times", "statistics", "function", "memory", "outputs"})
            QVERIFY2(report.contains(key), key);
        QVERIFY(report["compile"]["ms"].get<double>() > 0);
        const auto y = load_npy(path("y.npy").toStdString());
        QCOMPARE(y.as<float>()[999], 2497.5f);
    }

    /// The record of a warp has the addresses of its lanes, with the names of the session's arrays.
    void a_warp_tells_of_its_lanes() {
        write("strided.cu", "extern \"C\" __global__ void strided(float* y, const float* x) {\n"
                            "    __shared__ float tile[32 * 32];\n"
                            "    int t = threadIdx.x;\n"
                            "    float v = x[(blockIdx.x * blockDim.x + t) * 8];\n"
                            "    tile[t % 32 * 32] = v;\n"
                            "    __syncthreads();\n"
                            "    if (t < 40) y[t] = tile[t];\n"
                            "}\n");
        const QStringList strided{"strided.cu", "--kernel",        "strided", "--grid",           "2", "--block", "64",
                                  "--arg",      "out=float32[64]", "--arg",   "out=float32[1024]"};
        for (const QStringList& manner : {QStringList(), QStringList{"--in-process"}}) {
            const auto result = run(strided + manner + QStringList{"--warp", "1,0,0:1", "--json"});
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            const auto report = json::parse(result.out.toStdString());
            QVERIFY(!report.contains("warp_problem"));
            QVERIFY(!report.contains("profile"));
            const auto& warp = report["warp"];
            QVERIFY(warp["warp"] == 1 && warp["block"][0] == 1);
            const auto at = [&](int line, const char* access) {
                return std::find_if(warp["instructions"].begin(), warp["instructions"].end(),
                                    [&](const json& each) { return each["line"] == line && each["access"] == access; });
            };
            const auto load = at(4, "read"), store = at(5, "write"), branch = at(7, "branch");
            QVERIFY(load != warp["instructions"].end() && store != warp["instructions"].end() &&
                    branch != warp["instructions"].end());
            QVERIFY((*load)["file"] == "strided.cu");
            QVERIFY((*load)["groups"][0]["stride"] == 32);
            QVERIFY((*store)["groups"][0]["space"] == "shared");
            QVERIFY((*store)["groups"][0]["stride"] == 128);
            QCOMPARE((*branch)["groups"][0]["ways"].size(), std::size_t(2));
        }
        const auto text = run(strided + QStringList{"--warp", "1:1"});
        QVERIFY2(text.out.contains("32 lanes read 32 sectors where 4 would do: neighbours are 32 bytes apart."),
                 qPrintable(text.all()));
        QVERIFY2(text.out.contains("[768, 776 … 1016]"), qPrintable(text.all()));
        QVERIFY2(text.out.contains("32 different words lie in one bank"), qPrintable(text.all()));
        QVERIFY2(text.out.contains("The warp parts: "), qPrintable(text.all()));
        const auto plain = run(strided + QStringList{"--json"});
        QVERIFY(!json::parse(plain.out.toStdString()).contains("warp"));
        const std::pair<const char*, const char*> wrong[] = {{"first", "names no warp"},
                                                             {"2:0", "in x the last one is 1"},
                                                             {"0,1:0", "in y the last one is 0"},
                                                             {"0:2", "has no warp 2"}};
        for (const auto& [choice, says] : wrong) {
            const auto refused = run(strided + QStringList{"--warp", choice});
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.all().contains(says), qPrintable(refused.all()));
        }
        // A run that failed has no record, as it has no profile.
        write("wild.cu", "extern \"C\" __global__ void wild(float* y) { y[1ll << 38] = 1; }\n");
        const auto fault = run({"wild.cu", "--kernel", "wild", "--grid", "1", "--block", "32", "--arg",
                                "out=float32[64]", "--warp", "0:0", "--json"});
        QCOMPARE(fault.code, 4);
        QVERIFY(!json::parse(fault.out.toStdString()).contains("warp"));
    }

    /// A profile has the lines of the source, and is no part of what is measured or printed.
    void a_profile_tells_of_each_line() {
        write("strided.cu", "#include <cstdio>\n"
                            "extern \"C\" __global__ void strided(float* y, const float* x) {\n"
                            "    if (threadIdx.x == 0) printf(\"once\\n\");\n"
                            "    float v = x[threadIdx.x * 8];\n"
                            "    y[threadIdx.x] = 2 * v;\n"
                            "}\n");
        const QStringList strided{
            "strided.cu",      "--kernel", "strided",          "--grid",   "1", "--block",   "64",         "--arg",
            "out=float32[64]", "--arg",    "out=float32[512]", "--repeat", "3", "--profile", "--roofline", "h100"};
        for (const QStringList& manner : {QStringList(), QStringList{"--in-process"}}) {
            const auto result = run(strided + manner + QStringList{"--json"});
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            const auto report = json::parse(result.out.toStdString());
            QVERIFY(!report.contains("profile_problem"));
            QVERIFY(report["output"] == "once\nonce\nonce\n");
            QVERIFY(report["repeat"] == 3);
            const auto& profile = report["profile"];
            QVERIFY(profile["kernel"]["launches"] == 1);
            QVERIFY(profile["kernel"]["warps"] == 2);
            QVERIFY(profile["kernel"]["achieved"]["gigabytes_a_second"] > 0);
            QVERIFY(profile["kernel"]["roofline"]["gpu"] == "H100");
            const auto line = std::find_if(profile["lines"].begin(), profile["lines"].end(),
                                           [](const json& each) { return each["line"] == 4; });
            QVERIFY(line != profile["lines"].end());
            QVERIFY((*line)["file"] == "strided.cu");
            QVERIFY((*line)["requests"] == 2);
            QVERIFY((*line)["sectors"] == 64);
            QVERIFY((*line)["sectors_ideal"] == 8);
            QVERIFY((*line)["bytes"] == 256);
            const auto& hint = profile["hints"].at(0);
            QVERIFY(hint["kind"] == "uncoalesced");
            QVERIFY(hint["file"] == "strided.cu");
            QVERIFY(hint["line"] == 4);
            QVERIFY(hint["anchor"] == "accesses-that-are-spread");
        }
        const auto text = run(strided);
        QVERIFY2(text.out.contains("strided.cu:4") && text.out.contains("32.0/4.0"), qPrintable(text.all()));
        QVERIFY2(text.out.contains("hint: strided.cu:4: A read of a warp takes 32 sectors"), qPrintable(text.all()));
        const auto plain = run(scale({"--json"}));
        QVERIFY(!json::parse(plain.out.toStdString()).contains("profile"));
        const auto unknown = run(scale({"--profile", "--roofline", "nonsense"}));
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.all().contains("\"nonsense\"") && unknown.all().contains("A100"), qPrintable(unknown.all()));
        QCOMPARE(run(scale({"--roofline", "H100"})).code, 2);
    }

    void checks_find_what_is_wrong() {
        if (device_ == "cuda") QSKIP("checks need the software device");
        write("past.cu", "extern \"C\" __global__ void past(float* y, int n) {\n"
                         "    int i = threadIdx.x;\n"
                         "    if (i <= n)\n"
                         "        y[i] = 2;\n"
                         "}\n");
        const QStringList past{"past.cu",        "--kernel", "past",  "--grid", "1",       "--block", "64", "--arg",
                               "out=float32[3]", "--arg",    "i32=3", "--save", "0=y.npy", "--check", "all"};
        for (const QStringList& manner : {QStringList(), QStringList{"--in-process"}}) {
            const auto result = run(past + manner + QStringList{"--json"});
            QVERIFY2(result.code == 5, qPrintable(result.all()));
            const auto report = json::parse(result.out.toStdString());
            QVERIFY(report["status"] == "findings");
            QVERIFY(report["exit_code"] == 5);
            QVERIFY(report["checks"] == json({"memory", "init", "race", "sync", "arithmetic", "leak"}));
            QCOMPARE(report["findings"].size(), std::size_t(1));
            const auto& finding = report["findings"][0];
            QVERIFY(finding["file"] == "past.cu");
            QVERIFY(finding["line"] == 4);
            QVERIFY(finding["argument"] == "arg0");
            QVERIFY(finding["thread"] == json({3, 0, 0}));
            QVERIFY(finding["count"] == 1);
            QVERIFY2(finding["message"].get<std::string>().find("arg0, float32[3]") != std::string::npos,
                     qPrintable(result.out));
        }
        QCOMPARE(load_npy(path("y.npy").toStdString()).as<float>()[2], 2.0f); // results are there
        const auto text = run(past);
        QCOMPARE(text.code, 5);
        QVERIFY2(text.out.contains("past.cu:4") && text.out.contains("doubtful"), qPrintable(text.all()));

        // A session fills an output; another program would not.
        write("sum.cu", "extern \"C\" __global__ void sum(float* y, float x) { y[threadIdx.x] += x; }\n");
        const auto sum = run({"sum.cu", "--grid", "1", "--block", "8", "--arg", "out=float32[8]", "--arg", "f32=1",
                              "--check", "init", "--json"});
        QVERIFY2(sum.code == 5, qPrintable(sum.all()));
        const auto unwritten = json::parse(sum.out.toStdString())["findings"];
        QCOMPARE(unwritten.size(), std::size_t(1));
        QVERIFY(unwritten[0]["kind"] == "init" && unwritten[0]["argument"] == "arg0" && unwritten[0]["count"] == 8);

        const auto right = run(scale({"--check", "memory", "--json"}));
        QVERIFY2(right.code == 0, qPrintable(right.all()));
        QVERIFY(json::parse(right.out.toStdString())["findings"].empty());
        const auto unknown = run(scale({"--check", "nonsense"}));
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.all().contains("no check \"nonsense\"") && unknown.all().contains("memory"),
                 qPrintable(unknown.all()));
    }

    void variables_are_set_and_saved() {
        write("tally.cu", "__constant__ int step;\n__device__ int total[2];\n"
                          "__global__ void tally() { atomicAdd(&total[threadIdx.x % 2], step); }\n");
        const QStringList launch{"tally.cu",   "--grid",     "1",          "--block",           "64",
                                 "--variable", "step=i32=3", "--variable", "total=out=int32[2]"};
        auto result = run(launch + QStringList{"--save", "total=total.npy"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(load_npy(path("total.npy").toStdString()).as<int>()[1], 96);
        const auto fails = [&](const QStringList& more, const char* says) {
            const auto failed = run(launch + more);
            QVERIFY2(failed.code == 2 && failed.all().contains(says), qPrintable(failed.all()));
        };
        fails({"--variable", "none=i32=1"}, "There is no variable \"none\" in the source. It has: step, total");
        fails({"--variable", "none=i32=1"}, "(--variable none=i32=1)");
        fails({"--variable", "i32"}, "--variable i32: write NAME=in=x.npy");
        fails({"--variable", "step=i8"}, "--variable step=i8: there is no \"=\"");
        fails({"--save", "none=x.npy"}, "there is no --variable none");
        fails({"--save", "0=x.npy"}, "there is no argument 0");
        fails({"--save", "step=x.npy"}, "variable step is not an output");
    }

    void formulas_vectors_and_expectations() {
        if (!session::has_formulas()) QSKIP("built without muParser");
        write("mix.cu", "__global__ void mix(const float* x, float* y, float4 v, bool on) {\n"
                        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (on) y[i] += v.w * x[i];\n}\n");
        const QStringList launch{"mix.cu",
                                 "--grid",
                                 "4",
                                 "--block",
                                 "64",
                                 "--arg",
                                 "in=formula:float32[256]:i % 2 ? 0.5 : i",
                                 "--arg",
                                 "inout=formula:float32[256]:arg0[n - 1 - i]"};
        const QStringList values{"--arg", "float4=1,2,3,0.25", "--arg", "bool=true"};
        auto result = run(launch + values + QStringList{"--expect", "1=formula:0.25*arg0 + arg1", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto comparison = json::parse(result.out.toStdString())["comparison"][0];
        QVERIFY(comparison["formula"] == "0.25*arg0 + arg1" && comparison["passed"] == true);
        result = run(launch + values + QStringList{"--expect", "1=formula:0.26*arg0 + arg1", "--atol", "0.1"});
        QVERIFY2(result.code == 1 && result.all().contains("allowed: rtol 0, atol 0.1"), qPrintable(result.all()));
        const auto fails = [&](const QStringList& more, const char* says) {
            const auto failed = run(launch + more);
            QVERIFY2(failed.code == 2 && failed.all().contains(says), qPrintable(failed.all()));
        };
        fails(values + QStringList{"--expect", "1=formula:2*q"}, "the name \"q\"");
        fails(values + QStringList{"--expect", "1=formula:2*q"}, "(--expect 1=");
        fails(values + QStringList{"--expect", "1"}, "--expect 1: write INDEX=FILE.npy");
        fails(values + QStringList{"--expect", "0=x.npy"}, "argument 0 is not an output");
        fails({"--arg", "float4=1,2"}, "--arg float4=1,2: The value of float4 has 4 numbers, but there are 2");
        fails({"--arg", "float4=1,2,,4"}, "\"\" is not a number");
        fails({"--arg", "bool=maybe"}, "--arg bool=maybe: \"maybe\" is not a number");
        fails({"--arg", "in=formula:float32:i"}, "needs a type and shape");
    }

    void in_process_gives_the_same() {
        const auto inside = run(scale({"--save", "0=in.npy", "--in-process"}));
        QVERIFY2(inside.code == 0, qPrintable(inside.all()));
        const auto outside = run(scale({"--save", "0=out.npy"}));
        QCOMPARE(outside.code, 0);
        const auto a = load_npy(path("in.npy").toStdString()), b = load_npy(path("out.npy").toStdString());
        QVERIFY(std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end()));
    }

    void ptx_runs() {
        QCOMPARE(cli({"compile", "scale.cu", "-o", "run.ptx"}).code, 0);
        auto arguments = scale();
        arguments[0] = "run.ptx";
        const auto result = run(arguments);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
    }

    void textures_and_surfaces_of_options() {
        if (!session::has_formulas()) QSKIP("built without muParser");
        write("copy.cu", "__global__ void copy(cudaTextureObject_t t, cudaSurfaceObject_t s) {\n"
                         "    float value = tex2D<float>(t, (threadIdx.x + 0.5f) / 8, 0.5f);\n"
                         "    surf1Dwrite(value, s, threadIdx.x * 4);\n}\n");
        const QStringList values{
            "copy.cu", "--kernel",      "copy", "--grid", "1", "--block", "8", "--arg", "in=arange:uint8[1,8]",
            "--arg",   "out=float32[8]"};
        const QStringList texture{"--texture",
                                  R"(0={"kind": "2d", "read": "normalized_float", "normalized_coordinates": true})"};
        const auto result =
            run(values + texture + QStringList{"--surface", "1=1d", "--expect", "1=formula:i/255", "--atol", "1e-6"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY(result.out.contains("2d texture, normalised values") && result.out.contains("1d surface"));
        const auto fails = [&](const QStringList& more, const char* says) {
            const auto failed = run(values + more);
            QVERIFY2(failed.code == 2 && failed.all().contains(says), qPrintable(failed.all()));
        };
        fails({"--texture", "0"}, "write INDEX=2d");
        fails({"--texture", "0={"}, "no JSON object");
        fails({"--texture", "0=4d"}, "\"kind\" is \"4d\"");
        fails({"--texture", "7=2d"}, "there is no argument 7");
        fails({"--texture", "0=1d", "--surface", "1=1d"}, "has 8 components");
        fails({"--texture", R"(0={"filter": "linear"})", "--surface", "1=1d"}, "(--texture 0=…)");
    }

    void expectations_decide_the_exit_code() {
        auto result = run({"good.warplight"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY(result.out.contains("as expected"));
        QVERIFY2(result.out.startsWith("scale: passed\n"), qPrintable(result.out));
        result = run({"bad.warplight"});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.out.contains("1 of 1000 elements differ") && result.out.contains("number 17"),
                 qPrintable(result.out));
        result = run({"bad.warplight", "--json"});
        QCOMPARE(result.code, 1);
        const auto report = json::parse(result.out.toStdString());
        QCOMPARE(report["comparison"][0]["first"].get<int>(), 17);
    }

    void bad_input_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* says) {
            QTest::newRow(name) << arguments << code << QString(says);
        };
        const auto with = [&](int index, const char* value) {
            auto arguments = scale();
            arguments[index] = value;
            return arguments;
        };
        row("unknown kernel", with(2, "scael"), 2, "It has: scale, other");
        row("grid of 0", with(4, "0"), 2, "x is 0");
        row("grid text", with(4, "many"), 2, "--grid many");
        row("grid of four", with(4, "1,1,1,1"), 2, "one to three");
        row("block of 2048", with(6, "2048"), 4, "1024");
        row("too much shared memory", scale({"--shared", "100000000"}), 4, "shared memory");
        row("wrong dtype", with(10, "in=x64.npy"), 2, "needs float32");
        row("missing file", with(10, "in=none.npy"), 2, "does not exist");
        row("truncated .npy", with(10, "in=truncated.npy"), 2, "is cut short");
        row(".npy of structures", with(10, "in=structured.npy"), 2, "holds structures of 8 bytes");
        row(".npy of objects", with(10, "in=object.npy"), 2, "holds Python objects");
        row("source that does not compile", {"broken_run.cu", "--grid", "1", "--block", "1"}, 3, "undefined_name");
        row("missing include", {"include_run.cu", "--grid", "1", "--block", "1"}, 3, "missing_header.h");
        row("wrong size", with(10, "in=x.npy:float32[77]"), 2, "77");
        row("scalar out of range", with(14, "i8=1000"), 2, "--arg i8=1000: The value 1000 does not fit the type i8");
        row("scalar text", with(14, "i32=many"), 2, "many is a name, but the kernel's type is int");
        row("scalar type", with(12, "f64=2.5"), 2, "Use type f32");
        row("unknown direction", with(14, "i128=4"), 2, "neither a scalar type");
        row("no shape", with(8, "out=float32"), 2, "type and shape");
        row("too few arguments", scale().mid(0, 13), 2, "takes 4 arguments");
        row("save of a scalar", scale({"--save", "2=y.npy"}), 2, "is not an output");
        row("save of nothing", scale({"--save", "9=y.npy"}), 2, "there is no argument 9");
        row("save as a document", scale({"--save", "0=y.pdf"}), 2, ".npy, .npz, .h5");
        row("save numbers as an image", scale({"--save", "0=y.png"}), 2, "uint8 of shape [height, width]");
        row("file without a name", with(10, "in="), 2, "--arg in=: the name of the file is missing");
        row("shape beyond counting", with(10, "in=zeros:float32[18446744073709551615,2]"), 2,
            "--arg in=zeros:float32[18446744073709551615,2]: an array of shape");
        row("no grid", {"scale.cu"}, 2, "--grid and --block");
        row("size of nothing", with(14, "i32=size:9"), 2, "--arg i32=size:9: there is no argument 9");
        row("size of a scalar", with(14, "i32=size:2"), 2, "--arg i32=size:2: argument 2 is a scalar");
        row("size of a name", with(14, "i32=size:x"), 2, "--arg i32=size:x: after size: stands the number");
        row("unknown architecture", scale({"--arch", "sm_12"}), 3, "\"sm_12\" (--arch sm_12)");
        row("no text", {"folder.cu", "--grid", "1", "--block", "1"}, 2, "folder.cu: is a folder.\n");
        row("no such file", {"none.warplight"}, 2, "does not exist");
        row("another kind of file", {"x.npy"}, 2, "neither a session");
        row("option of a source", {"good.warplight", "--grid", "4"}, 2, "belongs to a source file");
    }
    void bad_input() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        const auto result = run(arguments);
        QVERIFY2(result.all().contains(says), qPrintable(result.all()));
        QCOMPARE(result.code, code);
        QVERIFY(result.all().contains("error:"));
        // Nothing has run: nothing has failed there, and no key of a session is of any use here.
        QVERIFY2(!result.all().contains("FAILED ON THE DEVICE"), qPrintable(result.all()));
        QVERIFY2(!result.all().contains(QRegularExpression("\"[a-z]+\":|/launch/|/arguments/")),
                 qPrintable(result.all()));
        const bool of_source = arguments.first().endsWith(".cu"); // there is no session, and no folder of one
        const auto told = result.all().remove(temporary_.path());
        QVERIFY2(!of_source || !told.contains("session", Qt::CaseInsensitive), qPrintable(told));
        QVERIFY2(!result.all().contains(QRegularExpression("compiled .* for \n")), qPrintable(result.all()));
    }

    void advice_speaks_of_options_or_of_the_session() {
        auto arguments = scale();
        arguments[6] = "2048";
        QVERIFY(run(arguments).out.contains("(--block 2048)"));
        arguments = scale();
        arguments[10] = "in=x64.npy";
        QVERIFY(run(arguments).out.contains("(--arg in=x64.npy)"));
        auto large = session("");
        large.replace("\"block\": 256", "\"block\": 2048");
        write("large.warplight", large);
        const auto result = run({"large.warplight"});
        QVERIFY2(result.out.contains("(at /launch/block in the session)"), qPrintable(result.out));
        QVERIFY2(result.out.startsWith("scale: DID NOT RUN\n"), qPrintable(result.out));
        QVERIFY(!result.out.contains("--block"));
    }

    void misspelled_words_are_named_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const QStringList& arguments, const char* says) {
            QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString(says);
        };
        row({"runn", "scale.cu", "--grid", "4"}, "no command \"runn\". Did you mean run?");
        row({"dveices"}, "no command \"dveices\". Did you mean devices?");
        row({"fly"}, "no command \"fly\". There are: devices,");
        row({"toolkit", "instal"}, "no command \"instal\". Did you mean install?");
        row({"run", "scale.cu", "--gird", "4"}, "run has no option --gird. Did you mean --grid?");
        row({"compile", "scale.cu", "--arhc=sm_80"}, "compile has no option --arhc. Did you mean --arch?");
        row({"run", "scale.cu", "other.cu"}, "\"other.cu\" is one argument too many");
    }
    void misspelled_words_are_named() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto result = cli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(says), qPrintable(result.err));
    }

    void a_whole_program_is_told_what_is_wanted() {
        write("program.cu", "#include <vector>\n__global__ void k(float* x) { *x = 1; }\n"
                            "int main() { k<<<1, 1>>>(nullptr); return 0; }\n");
        for (const auto& result : {cli({"compile", "program.cu"}), run({"program.cu", "--grid", "1", "--block", "1"}),
                                   run({"program.cu"}), run({"program.cu", "--kernel", "k", "--grid", "1"})}) {
            QCOMPARE(result.code, 3);
            QVERIFY2(result.all().contains("program.cu:3: error: this is a whole program"), qPrintable(result.all()));
            QVERIFY(result.all().contains("warplight-cli exec -- ./PROGRAM"));
            QVERIFY(!result.all().contains("-default-device"));
        }
    }

    void a_fault_names_the_source_as_it_was_given() {
        if (device_ != "software") QSKIP("a GPU does not name lines");
        write("far.cu", "extern \"C\" __global__ void far(float* x) {\n  x[1ll << 40] = 1;\n}\n");
        const auto result = run({"far.cu", "--grid", "1", "--block", "1", "--arg", "inout=x.npy"});
        QVERIFY2(result.out.startsWith("far: FAILED ON THE DEVICE\n"), qPrintable(result.out));
        QVERIFY2(result.out.contains("far.cu:2") && !result.out.contains(path("far.cu")), qPrintable(result.out));
    }

    void other_orders_and_byte_orders_are_read() {
        for (const char* file : {"big.npy", "columns.npy"}) {
            auto arguments = scale({"--save", "0=ordered.npy"});
            arguments[10] = QStringLiteral("in=") + file;
            const auto result = run(arguments);
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            const auto y = load_npy(path("ordered.npy").toStdString());
            for (std::size_t i = 0; i < 1000; ++i)
                QCOMPARE(y.as<float>()[i], 2.5f * static_cast<float>(i));
        }
    }

    void damaged_ptx_data() {
        QTest::addColumn<QByteArray>("find");
        QTest::addColumn<QByteArray>("put");
        QTest::newRow("unknown instruction") << QByteArray("ret;") << QByteArray("frobnicate.u32 %r1, %r1;\n\tret;");
        QTest::newRow("wrong version") << QByteArray(".version ") << QByteArray(".version 9");
        QTest::newRow("cut in half") << QByteArray() << QByteArray();
    }
    void damaged_ptx() {
        QFETCH(QByteArray, find);
        QFETCH(QByteArray, put);
        QCOMPARE(cli({"compile", "scale.cu", "-o", "whole.ptx"}).code, 0);
        QFile file(path("whole.ptx"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray ptx = file.readAll();
        if (find.isEmpty())
            ptx.truncate(ptx.indexOf("ret;"));
        else
            ptx.replace(ptx.indexOf(find), find.size(), put);
        write("damaged.ptx", ptx);
        auto arguments = scale({"--save", "0=damaged.npy"});
        arguments[0] = "damaged.ptx";
        const auto result = run(arguments);
        QVERIFY2(result.code == 4 || result.code == 2, qPrintable(result.all()));
        QVERIFY2(result.all().contains("error: "), qPrintable(result.all()));
        if (device_ == "software" && put.contains("frobnicate"))
            QVERIFY2(result.all().contains("frobnicate"), qPrintable(result.all()));
        QVERIFY(!QFile::exists(path("damaged.npy")));
    }

    void a_fault_is_told_once() {
        write("wild.cu", "extern \"C\" __global__ void wild(float* x) { x[1ll << 40] = 1; }\n");
        for (const QStringList& more : {QStringList{}, QStringList{"--in-process"}}) {
            const auto result =
                run(QStringList{"wild.cu", "--grid", "1", "--block", "1", "--arg", "inout=x.npy"} + more);
            QVERIFY2(result.code == 4, qPrintable(result.all()));
            QCOMPARE(result.all().count("error:"), 1);
            QVERIFY2(!result.all().contains("clean-up failed"), qPrintable(result.all()));
            QVERIFY2(!result.all().contains("0 B after"), qPrintable(result.all()));
        }
    }

    void what_a_kernel_prints_comes_while_it_runs_data() {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("worker") << QStringList{};
        QTest::newRow("in process") << QStringList{"--in-process"};
    }
    void what_a_kernel_prints_comes_while_it_runs() {
        QFETCH(QStringList, more);
        write("chatty.cu", "#include <cstdio>\nextern \"C\" __global__ void chatty() { printf(\"I live\\n\"); }\n");
        const QStringList job{"run", "chatty.cu", "--grid", "1", "--block", "1", "--device", device_};
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environment());
        process.start(WARPLIGHT_CLI, job + QStringList{"--repeat", "1000000"} + more);
        QByteArray text;
        const auto lives = [&] {
            text += process.readAllStandardOutput();
            return text.contains("I live\n") || text.contains("I live\r\n");
        };
        QTRY_VERIFY_WITH_TIMEOUT(lives(), 60000);
        QCOMPARE(process.state(), QProcess::Running);
        QVERIFY(!text.contains("chatty:"));
        process.kill();
        QVERIFY(process.waitForFinished());
        // It is not said twice, and the report begins on a line of its own.
        const auto result = cli(job + more);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(result.out.count("I live"), 1);
        QVERIFY2(result.out.startsWith("I live\n\nchatty: ran; nothing was checked"), qPrintable(result.out));
        const auto report = json::parse(cli(job + more + QStringList{"--json"}).out.toStdString());
        QCOMPARE(report["output"].get<std::string>(), std::string("I live\n"));
    }

    void bad_sessions() {
        write("future.warplight", R"({"warplight": 99})");
        auto result = run({"future.warplight"});
        QCOMPARE(result.code, 2);
        QVERIFY(result.err.contains("version 99") && result.err.contains("Update"));
        write("malformed.warplight", "{\"warplight\": 1,\n \"kernel\" \"x\"}");
        result = run({"malformed.warplight"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("line 2"), qPrintable(result.err));
        result = run({"malformed.warplight", "--json"});
        QCOMPARE(result.code, 2);
        const auto report = json::parse(result.out.toStdString());
        QCOMPARE(report["status"].get<std::string>(), std::string("input_error"));
        QCOMPARE(report["exit_code"].get<int>(), 2);
        write("escape.warplight", session(R"(, "save": "../stolen.npy")"));
        result = run({"escape.warplight"});
        QCOMPARE(result.code, 2);
        QVERIFY(!QFile::exists(path("../stolen.npy")));
    }

    void out_folder_takes_the_results() {
        write("save.warplight", session(R"(, "save": "deep/y.npy")"));
        const auto result = run({"save.warplight", "--out", "results"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY(QFile::exists(path("results/deep/y.npy")));
        QVERIFY(!QFile::exists(path("deep")));
    }

    void read_only_out_folder() {
        if (!fs::exists("/proc/self/task")) QSKIP("needs a folder that refuses files");
        write("save.warplight", session(R"(, "save": "y.npy")"));
        QFile::remove(path("y.npy")); // another test's
        // Even root cannot make files here.
        const auto result = run({"save.warplight", "--out", "/proc/self/task"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.all().contains("cannot be saved"), qPrintable(result.all()));
        QVERIFY2(result.all().contains("ran; a result could not be saved"), qPrintable(result.all()));
        QVERIFY2(result.all().contains(". Choose another folder, or make room.") && result.all().contains("--out"),
                 qPrintable(result.all()));
    }

    void full_disk() {
#ifdef _WIN32
        QSKIP("Windows has no limit on the size of files");
#else
        // A limit on the size of files behaves like a disk that is full after 512 bytes.
        write("save.warplight", session(R"(, "save": "full.npy")"));
        QVERIFY(run(QStringList{"good.warplight"}).code == 0); // the compile cache has it: only the result is written
        const auto limit = [] {
            const rlimit few{512, 512};
            setrlimit(RLIMIT_FSIZE, &few);
            signal(SIGXFSZ, SIG_IGN);
        };
        const auto result = cli({"run", "save.warplight", "--device", device_, "--in-process"}, environment(), limit);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.all().contains("cannot be saved"), qPrintable(result.all()));
        QVERIFY(!QFile::exists(path("full.npy")));
        QVERIFY(QDir(temporary_.path()).entryList({"*full*"}).isEmpty());
#endif
    }

    void full_standard_output() {
#ifdef _WIN32
        QSKIP("Windows has no device that is always full");
#endif
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environment());
        process.setStandardOutputFile("/dev/full");
        process.start(WARPLIGHT_CLI, {"compile", "scale.cu"});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("cannot be written"));
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "cli_test.moc"
