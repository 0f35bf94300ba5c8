// SPDX-License-Identifier: Apache-2.0
// The session document: text ⇄ structs, and what is refused with which words.
#include "session/rename.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"

#include <QCoreApplication>
#include <QTest>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

using namespace warplight::session;

namespace {

const std::string complete = R"({
  "warplight": 1,
  "title": "T",
  "x-window": {"zoom": 2},
  "description": "D",
  "source": {"text": "__global__ void f() {}", "name": "f.cu", "x-cursor": 7},
  "compile": {"compiler": "nvcc", "arch": "sm_90", "options": ["-DN=4", "--std=c++17"], "x-fast": true},
  "kernel": "f<float>",
  "arguments": [
    {"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "x", "axis": 1}, "x-note": "count"},
    {"name": "big", "direction": "scalar", "type": "u64", "value": 18446744073709551615},
    {"name": "nothing", "direction": "scalar", "type": "f32", "value": "nan"},
    {"name": "x", "direction": "in",
     "source": {"kind": "file", "path": "x.bin", "dtype": "float32", "shape": [2, 3], "offset": 16, "x-seen": []}},
    {"name": "z", "direction": "in", "source": {"kind": "zeros", "dtype": "int8", "shape": [4]}},
    {"name": "c", "direction": "inout", "source": {"kind": "constant", "dtype": "float64", "shape": [4], "value": -0.5}},
    {"name": "a", "direction": "in", "source": {"kind": "arange", "dtype": "int64", "shape": [4], "start": 5, "step": -2}},
    {"name": "l", "direction": "in", "source": {"kind": "linspace", "dtype": "float32", "shape": [4], "start": 0, "stop": 2}},
    {"name": "u", "direction": "in", "source": {"kind": "random", "dtype": "float32", "shape": [4],
     "distribution": "uniform", "low": -1, "high": 1, "seed": 18446744073709551614}},
    {"name": "g", "direction": "in", "source": {"kind": "random", "dtype": "float16", "shape": [4],
     "distribution": "normal", "mean": 1.5, "stddev": 0.25, "seed": 3}},
    {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [2, 3]},
     "save": "out/y.npy", "expect": {"path": "y.npy", "rtol": 1e-5, "atol": 1e-6, "x-why": "rounding"}},
    {"name": "w", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": []},
     "expect": {"session": "other.warplight", "argument": "w"}}
  ],
  "launch": {"grid": [4, 2], "block": 64, "shared": 1024, "cooperative": true, "x-cluster": [2]},
  "device": "software:1",
  "repeat": 7,
  "warmup": 2,
  "checks": ["memory"],
  "profile": true
})";

/// @ stands before each name of an argument.
const std::string referring = R"json({
  "warplight": 4,
  "source": "f.cu",
  "arguments": [
    {"name": "@px", "direction": "in", "source": {"kind": "formula", "dtype": "float32", "shape": [8, 4],
     "expression": "x + @cnt*n0 + 1e5"}},
    {"name": "@q", "direction": "inout", "source": {"kind": "fields", "shape": [8],
     "fields": {"px": "@px.x", "cnt": "@px[i, 2] + px1"}}, "save": "px.npy"},
    {"name": "@cnt", "direction": "scalar", "type": "i32", "value": {"size_of": "@px", "axis": 1}},
    {"name": "@out", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [8, 4]},
     "expect": {"expression": "@q.px[i0]*@px - cnt2"}},
    {"name": "@out2", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [8, 4]},
     "expect": {"session": "other.warplight", "argument": "px"}}
  ],
  "pipeline": {"steps": [
    {"kind": "launch", "kernel": "f", "arguments": ["@px", {"type": "i32", "formula": "@cnt + round"}],
     "launch": {"block": 32}, "grid": ["ceil(@cnt/bx)"]},
    {"kind": "loop", "until": "@px[0] > @cnt", "at_most": 9, "steps": [
      {"kind": "copy", "from": "@px", "to": "@out"}, {"kind": "fill", "buffer": "@px", "value": 1},
      {"kind": "swap", "buffers": ["@px", "@out"]}]}],
    "frames": {"buffer": "@px"}},
  "sweep": {"vary": [{"name": "argument:@cnt", "values": [1, 2]}, {"name": "define:px", "values": [1, 2]}],
    "set": [{"name": "shape:@px", "formulas": ["@cnt*bx"]}], "where": "@cnt > 1", "bytes": "4*@cnt", "operations": "@cnt"},
  "exercise": {"cases": [{"name": "px", "arguments": {"@px": {"source": {"expression": "@cnt + i"}},
    "@cnt": {"value": {"size_of": "@px"}}, "@out": {"expect": {"expression": "@px + px1"}}}}]}
})json";

Session named_so(const std::string& px, const std::string& cnt) {
    QString text = QString::fromStdString(referring);
    text.replace("@px", QString::fromStdString(px)).replace("@cnt", QString::fromStdString(cnt)).remove('@');
    return parse(text.toStdString());
}

std::string minimal(const std::string& more) { return R"({"warplight": 1, )" + more + "}"; }
std::string with_argument(const std::string& argument) { return minimal(R"("arguments": [)" + argument + "]"); }

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT private slots : void reads_every_key() {
        const auto session = parse(complete);
        QCOMPARE(session.title, std::string("T"));
        QCOMPARE(session.source.text, std::string("__global__ void f() {}"));
        QVERIFY(session.source.path.empty());
        QCOMPARE(session.compile.compiler, std::string("nvcc"));
        QCOMPARE(session.compile.options.size(), std::size_t(2));
        QCOMPARE(session.kernel, std::string("f<float>"));
        QCOMPARE(session.arguments.size(), std::size_t(12));
        const auto& n = std::get<SizeOf>(session.arguments[0].value);
        QCOMPARE(n.argument, std::string("x"));
        QCOMPARE(n.axis.value(), 1);
        QCOMPARE(std::get<std::uint64_t>(std::get<Number>(session.arguments[1].value)),
                 std::numeric_limits<std::uint64_t>::max());
        QVERIFY(std::isnan(as_double(std::get<Number>(session.arguments[2].value))));
        const auto& file = std::get<FileSource>(session.arguments[3].source);
        QCOMPARE(file.offset, std::uint64_t(16));
        QCOMPARE(file.shape.value(), Shape({2, 3}));
        const auto& arange = std::get<ArangeSource>(session.arguments[6].source);
        QCOMPARE(std::get<std::int64_t>(arange.step), std::int64_t(-2));
        const auto& normal = std::get<RandomSource>(session.arguments[9].source);
        QVERIFY(normal.distribution == RandomSource::Distribution::normal);
        QCOMPARE(normal.stddev, 0.25);
        QCOMPARE(session.arguments[10].save, std::string("out/y.npy"));
        QCOMPARE(session.arguments[10].expect->rtol, 1e-5);
        QCOMPARE(session.arguments[11].expect->session, std::string("other.warplight"));
        QCOMPARE(session.launch.grid, std::vector<std::uint32_t>({4, 2, 1}));
        QCOMPARE(session.launch.block, std::vector<std::uint32_t>({64, 1, 1}));
        QVERIFY(session.launch.cooperative);
        QCOMPARE(session.repeat, 7);
        QVERIFY(session.checks.has(warplight::findings::Check::memory));
        QVERIFY(!parse(R"({"warplight": 1})").checks.any());
        QVERIFY(session.profile);
        QVERIFY(!parse(R"({"warplight": 1})").profile);
    }

    void keeps_what_it_does_not_know() {
        const auto text = to_text(parse(complete));
        for (const char* key : {"x-window", "x-cursor", "x-fast", "x-note", "x-seen", "x-why", "x-cluster", "zoom"})
            QVERIFY2(text.find(std::string("\"") + key + "\"") != std::string::npos, key);
    }

    void writing_and_reading_again_changes_nothing() {
        const auto once = to_text(parse(complete));
        QCOMPARE(to_text(parse(once)), once);
        QVERIFY(once.find("18446744073709551615") != std::string::npos);
        QVERIFY(once.find("18446744073709551614") != std::string::npos);
        QVERIFY(once.find("\"nan\"") != std::string::npos);
    }

    void a_default_session_can_be_written_and_read() {
        const auto text = to_text(Session());
        QCOMPARE(to_text(parse(text)), text);
    }

    /// A session of the first version stays one until it has something that is later.
    void the_first_version_that_has_all_is_written() {
        auto session = parse(complete);
        QVERIFY(to_text(session).starts_with("{\n  \"warplight\": 1,"));
        session.arguments[3].variable = true;
        const auto text = to_text(session);
        QVERIFY(text.starts_with("{\n  \"warplight\": 2,"));
        const auto again = parse(text);
        QVERIFY(again.arguments[3].variable && !again.arguments[2].variable);
        QCOMPARE(to_text(again), text);
    }

    void other_files_than_npy_are_of_the_fourth_version() {
        const auto argument = [](const char* source, const char* rest) {
            return with_argument(std::string(R"({"name": "y", "direction": "inout", "source": {"kind": "file", )") +
                                 source + "}" + rest + "}");
        };
        const auto version = [](std::string text) {
            text.replace(text.find(':') + 2, 1, "4");
            const auto written = to_text(parse(text));
            QTest::qVerify(to_text(parse(written)) == written, "", "", __FILE__, __LINE__);
            return written.substr(written.find(':') + 2, 1);
        };
        QCOMPARE(version(argument(R"("path": "x.npy")", R"(, "save": "y.npy")")), std::string("1"));
        QCOMPARE(version(argument(R"("path": "x.npy", "dtype": "uint8", "raw": true)", "")), std::string("4"));
        // Earlier versions read these as raw numbers, and so they are read from their sessions.
        const auto before = parse(argument(R"("path": "x.txt", "dtype": "uint8")", ""));
        QVERIFY(std::get<FileSource>(before.arguments[0].source).raw);
        QVERIFY(to_text(before).starts_with("{\n  \"warplight\": 1,"));
        // What they refused is read as now.
        for (const char* file : {R"("path": "x.wav")", R"("path": "x.h5", "member": "x", "dtype": "float32")"})
            QVERIFY(!std::get<FileSource>(parse(argument(file, "")).arguments[0].source).raw);
        QCOMPARE(version(argument(R"("path": "x.npz", "member": "x")", "")), std::string("4"));
        QCOMPARE(version(argument(R"("path": "x.H5", "member": "group/x")", "")), std::string("4"));
        QCOMPARE(version(argument(R"("path": "x.wav")", "")), std::string("4"));
        // With an offset they are raw, as before.
        QCOMPARE(version(argument(R"("path": "x.wav", "dtype": "int16", "offset": 44)", "")), std::string("1"));
        QCOMPARE(version(argument(R"("path": "x.npy")", R"(, "save": "y.png")")), std::string("4"));
        QCOMPARE(version(argument(R"("path": "x.npy")", R"(, "expect": {"path": "y.npz", "member": "y"})")),
                 std::string("4"));
        // The same of files that are expected.
        const auto expected = parse(argument(R"("path": "x.npy")", R"(, "expect": {"path": "y.wav"})"));
        QVERIFY(expected.arguments[0].expect->raw);
        QVERIFY(to_text(expected).starts_with("{\n  \"warplight\": 1,"));
        QVERIFY(parse(to_text(expected)).arguments[0].expect->raw);
        QCOMPARE(version(argument(R"("path": "x.npy")", R"(, "expect": {"path": "y.wav"})")), std::string("4"));
        QCOMPARE(version(argument(R"("path": "x.npy")", R"(, "expect": {"path": "y.wav", "raw": true})")),
                 std::string("1"));
        QCOMPARE(version(argument(R"("path": "x.npy")", R"(, "expect": {"path": "y.npy", "raw": true})")),
                 std::string("4"));
        QVERIFY(!parse(argument(R"("path": "x.npy")", R"(, "expect": {"path": "y.npy"})")).arguments[0].expect->raw);
        const auto session =
            parse(argument(R"("path": "x.npz", "member": "x")", R"(, "expect": {"path": "y.npz", "member": "y"})"));
        QCOMPARE(std::get<FileSource>(session.arguments[0].source).member, std::string("x"));
        QCOMPARE(session.arguments[0].expect->member, std::string("y"));
        try {
            (void)parse(argument(R"("path": "x.npy")", R"(, "expect": {"expression": "2*y", "member": "y"})"));
            QFAIL("it was accepted");
        } catch (const SessionError& error) {
            QCOMPARE(error.pointer, std::string("/arguments/0/expect/member"));
        }
    }

    void a_rate_is_that_of_a_sound() {
        const auto argument = [](const char* rest) {
            return with_argument(std::string(R"({"name": "y", "direction": "out", "source": {"kind": "zeros",
                                                "dtype": "int16", "shape": [4]}, )") +
                                 rest + "}");
        };
        const auto session = parse(argument(R"("save": "y.WAV", "rate": 48000)"));
        QCOMPARE(session.arguments[0].rate, 48000);
        QVERIFY(to_text(session).starts_with("{\n  \"warplight\": 4,"));
        QCOMPARE(parse(to_text(session)).arguments[0].rate, 48000);
        for (const char* wrong :
             {R"("save": "y.npy", "rate": 48000)", R"("rate": 48000)", R"("save": "y.wav", "rate": 0)",
              R"("save": "y.wav", "rate": 2000001)", R"("save": "y.wav", "rate": 0.5)"}) {
            try {
                (void)parse(argument(wrong));
                QFAIL(wrong);
            } catch (const SessionError& error) {
                QCOMPARE(error.pointer, std::string("/arguments/0/rate"));
            }
        }
    }

    void launch_options_are_of_the_second_version() {
        auto session = parse(
            minimal(R"("launch": {"cluster": [2, 1], "carveout": 0, "cache": "shared", "priority": -2, "x-mine": 1})"));
        const LaunchOptions& options = session.launch.options;
        QCOMPARE(options.cluster, (std::vector<std::uint32_t>{2, 1, 1}));
        QCOMPARE(options.carveout, std::optional<int>(0));
        QCOMPARE(options.cache, std::string("shared"));
        QCOMPARE(options.priority, -2);
        QCOMPARE(session.launch.unknown, std::string(R"({"x-mine":1})"));
        const auto text = to_text(session);
        QVERIFY(text.starts_with("{\n  \"warplight\": 2,"));
        QCOMPARE(to_text(parse(text)), text);
        session.launch.options = {};
        QVERIFY(to_text(session).starts_with("{\n  \"warplight\": 1,"));
    }

    void formulas_are_of_the_second_version() {
        const auto text = with_argument(
            R"json({"name": "y", "direction": "inout", "source": {"kind": "formula", "shape": [4],
                "expression": "sin(2*pi*i/n)", "x-mine": 1}, "expect": {"expression": "2*y", "rtol": 1e-6}})json");
        auto session = parse(text);
        const auto& formula = std::get<FormulaSource>(session.arguments[0].source);
        QCOMPARE(formula.expression, std::string("sin(2*pi*i/n)"));
        QCOMPARE(formula.dtype, std::string("float32"));
        QCOMPARE(session.arguments[0].expect->expression, std::string("2*y"));
        const auto written = to_text(session);
        QVERIFY(written.starts_with("{\n  \"warplight\": 2,"));
        QVERIFY(written.find("x-mine") != std::string::npos);
        QCOMPARE(to_text(parse(written)), written);
        session.arguments[0].source = ZerosSource{"float32", {4}};
        QVERIFY(to_text(session).starts_with("{\n  \"warplight\": 2,"));
        session.arguments[0].expect.reset();
        QVERIFY(to_text(session).starts_with("{\n  \"warplight\": 1,"));
    }

    void scalars_of_several_numbers() {
        const auto session = parse(minimal(R"("arguments": [
            {"name": "v", "direction": "scalar", "type": "float4", "value": [1, 2.5, "nan", -3]},
            {"name": "d", "direction": "scalar", "type": "dim3", "value": [4294967295, 0, 1]},
            {"name": "b", "direction": "scalar", "type": "bool", "value": true},
            {"name": "n", "direction": "scalar", "type": "bool", "value": 0},
            {"name": "e", "direction": "scalar", "type": "f8e5m2", "value": 0.5}])"));
        QCOMPARE(std::get<Components>(session.arguments[0].value).size(), std::size_t(4));
        QCOMPARE(as_double(std::get<Number>(session.arguments[2].value)), 1.0);
        const auto written = to_text(session);
        QVERIFY(written.starts_with("{\n  \"warplight\": 2,"));
        QVERIFY(written.find("\"value\": true") != std::string::npos);
        QVERIFY(written.find("\"value\": false") != std::string::npos);
        QCOMPARE(to_text(parse(written)), written);
        for (const char* wrong : {R"("type": "float4", "value": 1)", R"("type": "float4", "value": [1, 2, 3])",
                                  R"("type": "float4", "value": [])", R"("type": "float4", "value": [1, 2, 3, "x"])",
                                  R"("type": "uchar2", "value": [256, 0])", R"("type": "int2", "value": [0.5, 0])",
                                  R"("type": "bool", "value": 2)", R"("type": "i32", "value": [1])",
                                  R"("type": "i32", "value": true)", R"("type": "float5", "value": [1])",
                                  R"("type": "Body", "value": 1)", R"("type": "cuComplex", "value": 1)"})
            QVERIFY_THROWS_EXCEPTION(
                SessionError,
                parse(with_argument(std::string(R"({"name": "v", "direction": "scalar", )") + wrong + "}")));
    }

    /// Against values of CUDA's own conversions.
    void small_floats_are_rounded_as_in_cuda() {
        const auto code = [](const char* type, double value) {
            std::uint16_t bits = 0;
            const auto bytes = pack_scalar(type, Number(value));
            std::memcpy(&bits, bytes.data(), bytes.size());
            return int(bits);
        };
        const double infinite = std::numeric_limits<double>::infinity();
        QCOMPARE(code("bf16", 1), 0x3f80);
        QCOMPARE(code("bf16", -2.5), 0xc020);
        QCOMPARE(code("bf16", 1.00390625), 0x3f80); // half way: to even
        QCOMPARE(code("bf16", 1.01171875), 0x3f82);
        QCOMPARE(code("bf16", 3.5e38), 0x7f80);
        QCOMPARE(code("bf16", -infinite), 0xff80);
        QCOMPARE(code("bf16", 1e-40), 0x0001);
        QCOMPARE(code("f8e4m3", 0), 0x00);
        QCOMPARE(code("f8e4m3", -0.0), 0x80);
        QCOMPARE(code("f8e4m3", 1), 0x38);
        QCOMPARE(code("f8e4m3", 448), 0x7e);
        QCOMPARE(code("f8e4m3", 1e9), 0x7e);
        QCOMPARE(code("f8e4m3", -infinite), 0xfe);
        QCOMPARE(code("f8e4m3", 0.001953125), 0x01); // the smallest one
        QCOMPARE(code("f8e4m3", 0.0009765625), 0x00);
        QCOMPARE(code("f8e4m3", 0.0146484375), 0x08); // rounds up to the smallest normal number
        QCOMPARE(code("f8e4m3", std::nan("")), 0x7f);
        QCOMPARE(code("f8e5m2", 1), 0x3c);
        QCOMPARE(code("f8e5m2", 57344), 0x7b);
        QCOMPARE(code("f8e5m2", infinite), 0x7b);
        QCOMPARE(code("f8e5m2", 1.125), 0x3c);
        QCOMPARE(code("f8e5m2", 1.375), 0x3e);
    }

    void a_program_is_kept() {
        const auto text = minimal(R"("source": "p.cu", "program": {"arguments": ["a b", "", "ж"], "folder": "data",
            "input": "in.txt", "x-mine": [1]})");
        const auto session = parse(text);
        QVERIFY(session.program.has_value());
        QCOMPARE(session.program->arguments, (std::vector<std::string>{"a b", "", "ж"}));
        QCOMPARE(session.program->folder, std::string("data"));
        QCOMPARE(session.program->input, std::string("in.txt"));
        const auto written = to_text(session);
        QCOMPARE(to_text(parse(written)), written);
        QVERIFY(written.find("x-mine") != std::string::npos && written.find("\"launch\"") == std::string::npos);
        QVERIFY(!parse(minimal("\"source\": \"k.cu\"")).program);
        for (const char* wrong : {R"("program": 1)", R"("program": {"arguments": "a"})", R"("program": {"folder": 3})",
                                  R"("program": {"arguments": ["a\u0000b"]})"})
            QVERIFY_THROWS_EXCEPTION(SessionError, parse(minimal(wrong)));
    }

    void malformed_text_has_line_and_column() {
        try {
            parse("{\n  \"warplight\": 1,\n  \"kernel\": oops\n}");
            QFAIL("it was accepted");
        } catch (const SessionError& error) {
            QCOMPARE(error.line, 3);
            QCOMPARE(error.column, 13);
            QVERIFY(QString(error.what()).contains("line 3, column 13"));
        }
    }

    void truncated_text_is_refused_at_every_length() {
        for (std::size_t length = 0; length < complete.size(); ++length)
            QVERIFY_THROWS_EXCEPTION(SessionError, parse(std::string_view(complete).substr(0, length)));
    }

    void structs_are_of_the_third_version() {
        const char* const text = R"({"warplight": 3, "source": "k.cu", "arguments": [
            {"name": "p", "direction": "scalar", "type": "struct", "value": {"x": 1.5, "v": [0, "nan"], "in": {"b": true}}},
            {"name": "b", "direction": "scalar", "type": "struct", "value": "0x00ff"},
            {"name": "o", "direction": "out", "source": {"kind": "zeros", "dtype": "struct", "shape": [4]}},
            {"name": "f", "direction": "in",
             "source": {"kind": "fields", "shape": [4], "fields": {"pos.x": "2*i",
        "mass" : 1
    }
}
}]
})";
        const Session session = parse(text);
        const auto document = nlohmann::json::parse(to_text(session));
        QVERIFY(document["warplight"] == 3);
        QVERIFY(document["arguments"][0]["value"] ==
                nlohmann::json::parse(R"({"x": 1.5, "v": [0, "nan"], "in": {"b": true}})"));
        QVERIFY(document["arguments"][1]["value"] == "0x00ff");
        QVERIFY(document["arguments"][2]["source"]["dtype"] == "struct");
        QVERIFY(document["arguments"][3]["source"]["fields"]["mass"] == "1");
        QVERIFY(to_text(parse(to_text(session))) == to_text(session));
        for (const char* value : {"1", "[1]", "\"0x1\"", "\"00\"", "true"})
            QVERIFY_THROWS_EXCEPTION(SessionError,
                                     parse(std::string(R"({"warplight": 3, "arguments": [{"name": "p", "direction":
                                     "scalar", "type": "struct", "value": )") +
                                           value + "}]}"));
    }

    void a_future_version_is_named() {
        try {
            parse(R"({"warplight": 5, "arguments": "something new"})");
            QFAIL("it was accepted");
        } catch (const SessionError& error) {
            const QString text = error.what();
            QVERIFY2(text.contains("version 5") && text.contains("up to version 4") && text.contains("Update"),
                     error.what());
        }
    }

    void deep_nesting_is_refused() {
        const std::string deep = minimal("\"x\": " + std::string(100000, '[') + std::string(100000, ']'));
        QVERIFY_THROWS_EXCEPTION(SessionError, parse(deep));
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& text, const char* pointer, const char* says) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(pointer) << QString(says);
        };
        row("no session", "[]", "", "must be an object");
        row("other json", R"({"name": "x"})", "/warplight", "not a Warplight session");
        row("version text", R"({"warplight": "1"})", "/warplight", "whole number");
        row("kernel number", minimal(R"("kernel": 3)"), "/kernel", "must be a text, but is a number");
        row("direction", with_argument(R"({"name": "x", "direction": "input"})"), "/arguments/0/direction",
            "in, out, inout or scalar");
        row("no direction", with_argument(R"({"name": "x"})"), "/arguments/0/direction", "is missing");
        row("variable without a name",
            with_argument(R"({"direction": "scalar", "type": "i32", "value": 1, "variable": true})"),
            "/arguments/0/name", "is missing");
        row("variable number", with_argument(R"({"name": "x", "direction": "in", "variable": 1})"),
            "/arguments/0/variable", "must be");
        row("no source", with_argument(R"({"direction": "in"})"), "/arguments/0/source", "is missing");
        row("kind", with_argument(R"({"direction": "in", "source": {"kind": "ones"}})"), "/arguments/0/source/kind",
            "use file, zeros");
        row("shape", with_argument(R"({"direction": "in", "source": {"kind": "zeros", "shape": 5}})"),
            "/arguments/0/source/shape", "must be a list");
        row("negative shape", with_argument(R"({"direction": "in", "source": {"kind": "zeros", "shape": [-1]}})"),
            "/arguments/0/source/shape", "not negative");
        row("huge shape",
            with_argument(R"({"direction": "in", "source": {"kind": "zeros", "shape": [4294967296, 4294967296, 4]}})"),
            "/arguments/0/source/shape", "more elements than any memory");
        row("dtype",
            with_argument(R"({"direction": "in", "source": {"kind": "zeros", "dtype": "float", "shape": [1]}})"),
            "/arguments/0/source/dtype", "float32");
        row("scalar type", with_argument(R"({"direction": "scalar", "type": "int", "value": 1})"), "/arguments/0/type",
            "i32");
        row("scalar range", with_argument(R"({"direction": "scalar", "type": "u8", "value": 256})"),
            "/arguments/0/value", "0 to 255");
        row("scalar fraction", with_argument(R"({"direction": "scalar", "type": "i32", "value": 0.5})"),
            "/arguments/0/value", "whole numbers");
        row("size of nothing",
            with_argument(R"({"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "x"}})"),
            "/arguments/0/value/size_of", "no array argument");
        row("twice", with_argument(R"({"name": "x", "direction": "scalar", "type": "i32", "value": 1},
                                      {"name": "x", "direction": "scalar", "type": "i32", "value": 2})"),
            "/arguments/1/name", "own name");
        row("expect of in", with_argument(R"({"direction": "in", "source": {"kind": "zeros", "shape": [1]},
                                             "expect": {"path": "x.npy"}})"),
            "/arguments/0/expect", "out or inout");
        row("negative tolerance", with_argument(R"({"direction": "out", "source": {"kind": "zeros", "shape": [1]},
                                                   "expect": {"path": "x.npy", "rtol": -1}})"),
            "/arguments/0/expect/rtol", "0 or more");
        row("grid of four", minimal(R"("launch": {"grid": [1, 1, 1, 1]})"), "/launch/grid", "one to three");
        row("negative block", minimal(R"("launch": {"block": -5})"), "/launch/block", "whole numbers");
        row("cluster of nothing", minimal(R"("launch": {"cluster": [2, 0]})"), "/launch/cluster", "1 or more blocks");
        row("carve-out", minimal(R"("launch": {"carveout": 101})"), "/launch/carveout", "from 0 to 100");
        row("huge carve-out", minimal(R"("launch": {"carveout": 18446744073709551615})"), "/launch/carveout",
            "from 0 to 100");
        row("cache", minimal(R"("launch": {"cache": "L2"})"), "/launch/cache", "one of shared, l1, equal");
        row("priority", minimal(R"("launch": {"priority": 0.5})"), "/launch/priority", "must be a whole number");
        row("device", minimal(R"("device": "gpu")"), "/device", "auto, cuda");
        row("device number", minimal(R"("device": "cuda:x")"), "/device", "auto, cuda");
        row("repeat", minimal(R"("repeat": 0)"), "/repeat", "1 or more");
        row("compiler", minimal(R"("compile": {"compiler": "gcc"})"), "/compile/compiler", "nvrtc or nvcc");
    }
    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, pointer);
        QFETCH(QString, says);
        try {
            parse(text.toStdString());
            QFAIL("it was accepted");
        } catch (const SessionError& error) {
            QCOMPARE(QString::fromStdString(error.pointer), pointer);
            QVERIFY2(QString(error.what()).contains(says), error.what());
        }
    }

    void scalars_are_packed_exactly() {
        const auto packed = [](const char* type, Number number) { return pack_scalar(type, number); };
        std::int8_t i8 = 0;
        std::memcpy(&i8, packed("i8", std::int64_t{-128}).data(), 1);
        QCOMPARE(int(i8), -128);
        std::uint64_t u64 = 0;
        std::memcpy(&u64, packed("u64", std::numeric_limits<std::uint64_t>::max()).data(), 8);
        QCOMPARE(u64, std::numeric_limits<std::uint64_t>::max());
        std::uint16_t f16 = 0;
        std::memcpy(&f16, packed("f16", 1.5).data(), 2);
        QCOMPARE(f16, std::uint16_t(0x3E00));
        float f32 = 0;
        std::memcpy(&f32, packed("f32", 0.1).data(), 4);
        QCOMPARE(f32, 0.1f);
        std::int32_t whole = 0;
        std::memcpy(&whole, packed("i32", 3.0).data(), 4);
        QCOMPARE(whole, 3);
        QVERIFY_THROWS_EXCEPTION(SessionError, packed("i64", 9223372036854775808.0));
        QVERIFY_THROWS_EXCEPTION(SessionError, packed("u32", std::int64_t{-1}));
        QVERIFY_THROWS_EXCEPTION(SessionError, packed("i32", std::numeric_limits<double>::quiet_NaN()));
    }

    void saving_replaces_the_file_and_a_missing_one_is_an_error() {
        const auto folder = std::filesystem::temp_directory_path() /
                            ("warplight-document-" + std::to_string(QCoreApplication::applicationPid()));
        std::filesystem::create_directories(folder);
        const auto file = folder / "a.warplight";
        auto session = parse(complete);
        save(session, file);
        session.title = "again";
        save(session, file);
        QCOMPARE(load(file).title, std::string("again"));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder), {}), std::ptrdiff_t(1));
        std::filesystem::remove_all(folder);
        QVERIFY_THROWS_EXCEPTION(SessionError, load(file));
    }

    void compile_options_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<bool>("accepted");
        const auto row = [](const char* name, QStringList options, bool accepted, const char* compiler = "nvrtc") {
            QTest::newRow(name) << options << QString(compiler) << accepted;
        };
        row("fast math", {"--use_fast_math"}, true);
        row("macro", {"-DN=4"}, true);
        row("macro apart", {"-D", "N=4"}, true);
        row("standard", {"--std=c++17", "-maxrregcount=32", "-lineinfo"}, true);
        row("include", {"-Iinclude", "--include-path=/usr/include"}, true);
        row("output", {"-o", "/home/me/.bashrc"}, false, "nvcc");
        row("time file", {"--time=/home/me/x"}, false);
        row("trace file", {"--fdevice-time-trace=x"}, false);
        row("host compiler", {"-ccbin", "./evil"}, false, "nvcc");
        row("plug-in", {"-Xcompiler", "-fplugin=./evil.so"}, false, "nvcc");
        row("run", {"--run"}, false, "nvcc");
        row("options file", {"--options-file=x"}, false, "nvcc");
        row("hidden as a value", {"-D", "--run"}, false, "nvcc");
        row("shell", {"-DX=`touch x`"}, false, "nvcc");
        row("shell apart", {"-D", "X=$(touch x)"}, false, "nvcc");
        row("keep", {"--keep-dir=/tmp"}, false, "nvcc");
        row("second file", {"evil.cu"}, false, "nvcc");
    }
    void arguments_get_other_names() {
        Session session = named_so("px", "cnt");
        rename_arguments(session, {{"px", "particles"}, {"cnt", "n_all"}});
        QCOMPARE(QString::fromStdString(to_text(session)),
                 QString::fromStdString(to_text(named_so("particles", "n_all"))));
        rename_arguments(session, {{"particles", "n_all"}, {"n_all", "particles"}}); // at once
        QCOMPARE(QString::fromStdString(to_text(session)),
                 QString::fromStdString(to_text(named_so("n_all", "particles"))));
    }
    void names_that_arguments_cannot_have() {
        const Session session = named_so("px", "cnt");
        for (const char* name : {"", "2x", "a b", "a.b", "ä", "x-y", "a::b"})
            QVERIFY2(!argument_name_problem(name).empty(), name);
        for (const char* name : {"cnt", "out", "px1", "i0", "x", "round", "bx"}) // arguments, and words of formulas
            QVERIFY2(!rename_problem(session, "px", name).empty(), name);
        for (const char* name : {"px", "Px", "_p2", "i3", "tag"})
            QCOMPARE(rename_problem(session, "px", name), std::string());
    }
    void compile_options() {
        QFETCH(QStringList, options);
        QFETCH(QString, compiler);
        QFETCH(bool, accepted);
        CompileOptions compile;
        compile.compiler = compiler.toStdString();
        for (const auto& each : options)
            compile.options.push_back(each.toStdString());
        if (accepted)
            check_compile_options(compile);
        else
            QVERIFY_THROWS_EXCEPTION(SessionError, check_compile_options(compile));
    }
};

QTEST_APPLESS_MAIN(DocumentTest)
#include "document_test.moc"
