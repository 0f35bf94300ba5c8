// SPDX-License-Identifier: Apache-2.0
// Requests and answers as values: they survive their JSON, and no option of a run is forgotten anywhere.
#include "../json_text.hpp"
#include "worker/compile_json.hpp"
#include "worker/layout_json.hpp"
#include "worker/message.hpp"
#include "worker/occupancy_reply.hpp"
#include "worker/request.hpp"
#include "worker/run_request.hpp"

#include "../finished_process.hpp"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

using namespace warplight;
using namespace warplight::worker;
using session::RunOption;
using session::RunOptions;

namespace {

// A value other than the default; one overload for each type of option.
void change(bool& value, const RunOption&) { value = !value; }
void change(std::uint64_t& value, const RunOption&) { value += 1; }
void change(std::optional<int>& value, const RunOption& option) { value = static_cast<int>(option.values.least); }
void change(std::string& value, const RunOption&) { value = "Grüße"; }
void change(std::optional<std::string>& value, const RunOption&) { value = ""; }
void change(std::filesystem::path& value, const RunOption&) { value = std::filesystem::path(u8"/tmp/Grüße"); }
void change(std::vector<std::filesystem::path>& value, const RunOption&) { value = {u8"/tmp/Grüße", u8"/tmp/ß"}; }

/// As the worker gets it.
json sent(const json& params) {
    const auto bytes = encode_message(params);
    json received;
    std::string problem;
    if (!decode_message(std::span(bytes).subspan(4), received, problem)) throw std::runtime_error(problem);
    return received;
}

QString file(const QString& name) {
    QFile file(QStringLiteral(WARPLIGHT_SOURCE_DIR "/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// "--repeat" of "--repeat N", and not of "--repeats".
bool has_word(const QString& text, const QString& word) {
    return text.contains(QRegularExpression("(?<![\\w-])" + QRegularExpression::escape(word) + "(?![\\w-])"));
}

} // namespace

class WorkerValuesTest : public QObject {
    Q_OBJECT
private slots:
    void every_option_of_a_run_reaches_the_worker() {
        session::visit_run_options([](const RunOption& option, auto member) {
            RunRequest request;
            change(request.options.*member, option);
            QVERIFY2(request.options != RunOptions(), option.name);
            const json params = sent(to_json(request));
            QVERIFY2(params.contains(option.name), option.name);
            QVERIFY2(run_request_from_json(params).options == request.options, option.name);
        });
    }

    void defaults_are_left_out() {
        const json params = to_json(RunRequest{});
        QCOMPARE(params.size(), std::size_t(1)); // the session
        QVERIFY(run_request_from_json(sent(params)).options == RunOptions());
    }

    void every_option_of_a_run_is_checked() {
        session::visit_run_options([](const RunOption& option, auto) {
            json params = to_json(RunRequest{});
            params[option.name] = json::array({json::array()});
            QVERIFY_THROWS_EXCEPTION(RequestError, run_request_from_json(params));
            params[option.name] = option.values.least - 1;
            QVERIFY_THROWS_EXCEPTION(RequestError, run_request_from_json(params));
        });
    }

    void every_option_of_a_run_is_in_the_protocol() {
        const auto row = QRegularExpression("^\\| `run` \\|.*$", QRegularExpression::MultilineOption)
                             .match(file("docs/architecture.md"))
                             .captured();
        QVERIFY(!row.isEmpty());
        session::visit_run_options([&](const RunOption& option, auto) {
            QVERIFY2(row.contains(QString("`%1`").arg(option.name)), option.name);
        });
    }

    void every_option_of_a_run_has_code_that_reads_it() {
        QString code;
        for (const char* folder : {"/core/session", "/core/worker"}) {
            QDirIterator files(QString(WARPLIGHT_SOURCE_DIR) + folder, {"*.cpp"}, QDir::Files);
            while (files.hasNext()) {
                QFile source(files.next());
                QVERIFY(source.open(QIODevice::ReadOnly));
                code += QString::fromUtf8(source.readAll());
            }
        }
        session::visit_run_options([&](const RunOption& option, auto) {
            QVERIFY2(code.contains(QRegularExpression(QString("\\boptions_?\\.%1\\b").arg(option.name))), option.name);
        });
    }

    void every_flag_of_run_is_in_the_guide() {
#ifdef WARPLIGHT_CLI
        QProcess process;
        process.start(WARPLIGHT_CLI, {"run", "--help"});
        const QString help = finish(process).out;
        session::visit_run_options([&](const RunOption& option, auto) {
            QVERIFY2(!*option.flag || (has_word(help, option.flag) && help.contains(option.help)), option.name);
        });
        QString guide = file("docs/session-format.md");
        for (const QString& line : file("docs/user-guide.md").split('\n'))
            if (line.startsWith("warplight-cli run ")) guide += line + '\n';
        auto flags =
            QRegularExpression("^ +(?:-\\w,)?(--[\\w-]+)", QRegularExpression::MultilineOption).globalMatch(help);
        QVERIFY(flags.hasNext());
        while (flags.hasNext()) {
            const QString flag = flags.next().captured(1);
            if (flag != "--help") QVERIFY2(has_word(guide, flag), qPrintable(flag));
        }
#endif
    }

    void sessions_survive_the_way_to_the_worker() {
        RunRequest request;
        request.session = session::parse(R"({"warplight": 1, "source": {"text": "Grüße", "name": "a.cu"}, "kernel": "k",
            "arguments": [
                {"name": "x", "direction": "in", "source": {"kind": "random", "shape": [3], "seed": 18446744073709551615}},
                {"name": "y", "direction": "out", "source": {"kind": "constant", "shape": [3], "value": "nan", "z": 1},
                 "expect": {"path": "y.npy", "rtol": 1e-5}},
                {"name": "n", "direction": "scalar", "type": "i64", "value": -9223372036854775808}],
            "launch": {"grid": [4, 2]}, "more": {"b": [1, {"a": null}], "a": true}})");
        const std::string text = session::to_text(request.session);
        const auto again = run_request_from_json(sent(to_json(request)));
        // Keys of later versions come in alphabetical order out of a message.
        QCOMPARE(json::parse(session::to_text(again.session)), json::parse(text));
    }

    void wrong_sessions_are_refused_with_their_place() {
        const auto refused = [](const json& document, const char* pointer, const char* says) {
            try {
                run_request_from_json(sent({{"session", document}}));
            } catch (const RequestError& error) {
                QCOMPARE(error.code, invalid_parameters);
                QCOMPARE(QString::fromStdString(error.data.at("pointer")), QString(pointer));
                QVERIFY2(QString(error.what()).contains(says), error.what());
                return;
            }
            QFAIL("it was read");
        };
        refused(5, "", "A session must be an object");
        refused({{"warplight", 1}, {"kernel", 5}}, "/kernel", "must be a text, but is a number");
        refused({{"warplight", 1}, {"kernel", json::binary({1, 2})}}, "/kernel", "must be a text, but is binary data");
        refused({{"warplight", 1}, {"device", "opencl"}}, "/device", "is not a device");
        refused("{\"warplight\": 1,\n oops}", "", "line 2");
    }

    void compile_results_survive_their_json() {
        compiler::CompileResult result;
        result.ok = result.cached = result.compiler_missing = true;
        result.diagnostics = {{"a.cu", 1, 2, compiler::Severity::remark, "m", {"n", "o"}}};
        result.ptx = "p";
        result.lowered_names = {{"k<float>", "_Zk"}};
        result.kernels = {{"k",
                           "_Zk",
                           3,
                           true,
                           true,
                           true,
                           4,
                           2,
                           3,
                           {{"x", "float*", true, true, true, "float32", 5, 6, 7, 8, "texture"}}}};
        result.lines = {{9, 10, "a.cu"}};
        result.report.resize(2);
        result.report[0].barriers = -1;
        result.report[1].barriers = 2;
        result.report[1].registers = 11;
        result.report_problem = "q";
        result.log = "l";
        result.command = "c";
        result.arch = "sm_90";
        result.compiler = "NVRTC 13.0";
        result.ms = 0.5;
        const json object = to_json(result);
        QVERIFY(object["report"][0]["barriers"].is_null());
        QCOMPARE(object["kernels"][0]["parameters"][0]["offset"], 8);
        const auto again = compile_result_from_json(sent(object));
        QCOMPARE(to_json(again), object);
        QCOMPARE(again.report[0].barriers, -1);
        QCOMPARE(to_json(compile_result_from_json(5)), to_json(compiler::CompileResult()));
    }

    void layouts_survive_their_json() {
        debug::Layout bits{"b", 4, debug::Layout::Kind::bits, "unsigned int", "u32", 4, {}, {}, {}, 3, 5};
        debug::Layout mode{"m", 8, debug::Layout::Kind::number, "Mode", "i32", 4, {2, 3}, {}, {{"slow", -1}}};
        debug::Layout all{"p", 0, debug::Layout::Kind::structure, "P", "", 32, {}, {bits, mode}, {}};
        const json object = sent({{"list", to_json(std::vector<debug::Layout>{all})}})["list"];
        const auto again = layouts_from_json(object);
        QCOMPARE(again.size(), std::size_t(1));
        QVERIFY(debug::is_sound(again.front()));
        QCOMPARE(to_json(again), object);
    }

    /// What another process says of sizes is believed only where it fits.
    void damaged_layouts_are_unknown_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("a field past the end") << "offset" << "30";
        QTest::newRow("an offset that overflows") << "offset" << "18446744073709551612";
        QTest::newRow("a negative offset") << "offset" << "-4";
        QTest::newRow("too large a field") << "size" << "33";
        QTest::newRow("extents that overflow") << "extents" << "[4294967296, 4294967296]";
        QTest::newRow("too many bits") << "bits" << "33";
        QTest::newRow("bits past the number") << "first_bit" << "31";
        QTest::newRow("no bits") << "bits" << "0";
        QTest::newRow("a number without a type") << "number" << "5";
        QTest::newRow("an unknown kind") << "fields" << "[{\"kind\": \"number\", \"size\": 1}]";
    }
    void damaged_layouts_are_unknown() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        json object = json::parse(R"([{"name": "p", "kind": "struct", "type": "P", "size": 32, "fields": [
            {"name": "b", "offset": 4, "kind": "bits", "type": "int", "number": "i32", "size": 4, "bits": 5,
             "first_bit": 3}]}])");
        QCOMPARE(layouts_from_json(object).front().fields.size(), std::size_t(1));
        object[0]["fields"][0][key.toStdString()] = json::parse(value.toStdString());
        const auto layouts = layouts_from_json(object);
        QCOMPARE(layouts.size(), std::size_t(1));
        QCOMPARE(layouts.front().name, std::string("p"));
        QCOMPARE(layouts.front().size, std::uint64_t(0));
        QVERIFY(layouts.front().fields.empty());
        json deep = json::parse(R"({"name": "p", "kind": "struct", "type": "P", "size": 1})");
        for (int k = 0; k < 200; ++k)
            deep = {{"name", "p"}, {"kind", "struct"}, {"type", "P"}, {"size", 1}, {"fields", json::array({deep})}};
        QVERIFY(layouts_from_json(json::array({deep})).front().fields.empty());
        QVERIFY(layouts_from_json(5).empty());
    }

    void occupancy_survives_its_json() {
        OccupancyReply reply;
        reply.occupancy = {1, 2, 3, 0.5, "registers", 4, 5, true};
        reply.function = {{"NUM_REGS", 6}};
        const json object = sent(to_json(reply));
        QCOMPARE(object.size(), std::size_t(9));
        const auto again = occupancy_reply_from_json(object);
        QCOMPARE(to_json(again), to_json(reply));
        QCOMPARE(again.attribute("NUM_REGS"), 6);
        QCOMPARE(again.attribute("PTX_VERSION"), 0);
    }
};

QTEST_GUILESS_MAIN(WorkerValuesTest)
#include "worker_values_test.moc"
