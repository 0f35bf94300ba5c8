// SPDX-License-Identifier: Apache-2.0
// Exercises: the document's part, the cases as sessions, the exercises that come with the program, and a class with
// every kind of solution.
#include "cli_fixture.hpp"

#include "session/exercise_grades.hpp"
#include "session/exercise_runner.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QScopeGuard>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

using namespace warplight::session;
using nlohmann::json;

namespace {

constexpr const char* fill_task = R"({"warplight": 3, "title": "Fill", "notes": "# Fill", "source": "fill.cu",
    "kernel": "fill", "arguments": [
    {"name": "out", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [64]},
     "expect": {"expression": "i + k"}},
    {"name": "k", "direction": "scalar", "type": "i32", "value": 1}],
    "launch": {"grid": 2, "block": 32}, "device": "software", "checks": ["memory"],
    "exercise": {"time_limit": 20, "forbidden": ["asm"], "hints": ["First", "Second"], "cases": [
    {"name": "one"},
    {"name": "other", "points": 2, "hidden": true, "hint": "k is no constant.",
     "arguments": {"k": {"value": 7}, "out": {"source": {"shape": [40]}}}, "launch": {"grid": [3, 1, 1]}}]}})";

QByteArray fill_with(const QByteArray& body) {
    return R"(#include <cstdio>
extern "C" __global__ void fill(int* out, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    )" + body +
           "\n}\n";
}
/// 40 and 64 are the lengths of the cases.
const QByteArray good_body = "if (i < (gridDim.x == 3 ? 40 : 64)) out[i] = i + k;";

/// By Qt's SHA-256: the length of the text, the text, and the numbers.
QByteArray hashed(const QByteArray& type, const warplight::NdArray& numbers) {
    QCryptographicHash sum(QCryptographicHash::Sha256);
    sum.addData(QByteArray::number(type.size()) + ':' + type);
    const auto bytes = numbers.bytes();
    sum.addData(QByteArrayView(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
    return sum.result().toHex();
}

/// Runs in this process, and sees whether a case compiles anything anew.
class CountingDevice : public ExerciseDevice {
public:
    explicit CountingDevice(QString cache) : cache_(std::move(cache)) {}

    Report run(const Session& session, const RunOptions& options, std::chrono::milliseconds) override {
        auto report = warplight::session::run(session, driver_, options).report;
        const auto entries = QDir(cache_).count();
        if (!options.compile_only && entries != entries_) ++compiling_cases;
        entries_ = entries;
        return report;
    }

    int compiling_cases = 0;

private:
    const QString cache_;
    const warplight::driver::Driver driver_ = warplight::driver::Driver::from_name("software");
    decltype(QDir().count()) entries_ = 0;
};

QString problem_of(const QByteArray& text) {
    try {
        check_exercise(parse(text.toStdString()));
    } catch (const SessionError& error) {
        return QString::fromStdString(error.pointer) + ' ' + error.what();
    }
    return {};
}

QByteArray changed(const char* from, const char* to) {
    QByteArray text = fill_task;
    Q_ASSERT(text.contains(from));
    return text.replace(from, to);
}

} // namespace

class ExerciseTest : public CliFixture {
    Q_OBJECT
    const QDir exercises_{QStringLiteral(WARPLIGHT_SOURCE_DIR "/resources/exercises")};
    const QDir solutions_{QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/session/exercises")};

    void write_solution(const QString& name, const QByteArray& text) const {
        const QString file = temporary_.filePath("class/" + name);
        QVERIFY(QDir().mkpath(QFileInfo(file).absolutePath()));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    /// The table as lists of cells.
    std::vector<std::vector<std::string>> table(const char* name) const {
        std::vector<std::vector<std::string>> rows;
        QFile file(path(name));
        if (!file.open(QIODevice::ReadOnly)) return rows;
        static const QRegularExpression cell(QStringLiteral("(?:^|,)(\"(?:[^\"]|\"\")*\"|[^,]*)"));
        for (const QByteArray& line : file.readAll().trimmed().split('\n')) {
            auto& row = rows.emplace_back();
            auto found = cell.globalMatch(QString::fromUtf8(line));
            while (found.hasNext()) {
                QString text = found.next().captured(1);
                if (text.startsWith('"')) text = text.mid(1, text.size() - 2).replace("\"\"", "\"");
                row.push_back(text.toStdString());
            }
        }
        return rows;
    }

private slots:
    void notes_and_exercise_are_written_as_they_were() {
        const auto session = parse(fill_task);
        QCOMPARE(session.notes.text, std::string("# Fill"));
        QVERIFY(session.exercise.has_value());
        QCOMPARE(session.exercise->cases.size(), std::size_t(2));
        QVERIFY(session.exercise->cases[1].hidden);
        const auto text = to_text(session);
        QVERIFY(text.starts_with("{\n  \"warplight\": 3,"));
        QCOMPARE(to_text(parse(text)), text);
        auto plain = session;
        plain.notes = {};
        plain.exercise.reset();
        QVERIFY(to_text(plain).starts_with("{\n  \"warplight\": 2,"));
        plain.notes.path = "notes.md";
        QVERIFY(QByteArray::fromStdString(to_text(plain)).contains("\"path\": \"notes.md\""));
        QCOMPARE(parse(to_text(plain)).notes.path, std::string("notes.md"));
    }

    void cases_follow_from_their_sessions() {
        for (const QString& name : exercises_.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const auto session = load(exercises_.filePath(name + '/' + name + ".warplight").toStdString());
            for (const auto& each : session.exercise->cases) {
                const auto made = session_of_case(session, each);
                ExerciseCase again = each;
                again.arguments.clear();
                again.launch.clear();
                change_case(again, session, made);
                QCOMPARE(again.arguments.empty(), each.arguments.empty());
                QCOMPARE(again.launch.empty(), each.launch.empty());
                QCOMPARE(to_text(session_of_case(session, again)), to_text(made));
            }
        }
        // Only the keys that differ, so that the others follow the session.
        auto session = parse(fill_task);
        ExerciseCase each = session.exercise->cases[1];
        change_case(each, session, session_of_case(session, each));
        QCOMPARE(each.arguments, std::string(R"({"out":{"source":{"shape":[40]}},"k":{"value":7}})"));
        QCOMPARE(each.launch, std::string(R"({"grid":[3,1,1]})"));
        auto made = session_of_case(session, each);
        made.arguments[0].expect.reset();
        try {
            change_case(each, session, made);
            QFAIL("an expectation cannot be taken away");
        } catch (const SessionError& error) {
            QVERIFY2(QByteArray(error.what()).contains("\"out\""), error.what());
        }
    }

    void unknown_keys_are_kept() {
        const auto text =
            to_text(parse(changed("\"name\": \"one\"", "\"name\": \"one\", \"x-mine\": [1]").toStdString()));
        QVERIFY(text.find("x-mine") != std::string::npos);
        QCOMPARE(to_text(parse(text)), text);
    }

    void what_is_wrong_is_told_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& text, const char* says) {
            QTest::newRow(name) << text << QString(says);
        };
        row("good", fill_task, "");
        row("notes", changed("\"notes\": \"# Fill\"", "\"notes\": 3"), "/notes");
        row("notes without path", changed("\"notes\": \"# Fill\"", "\"notes\": {}"), "/notes/path");
        row("no name", changed("\"name\": \"one\"", "\"x\": 1"), "/exercise/cases/0/name");
        row("same name", changed("\"name\": \"other\"", "\"name\": \"one\""), "/exercise/cases/1/name");
        row("points", changed("\"points\": 2", "\"points\": -1"), "/exercise/cases/1/points");
        row("time", changed("\"time_limit\": 20", "\"time_limit\": 0"), "/exercise/time_limit");
        row("key", changed("\"value\": 7", "\"save\": \"x.npy\""), "changes \"save\"");
        row("no list", changed("\"k\": {\"value\": 7}", "\"k\": 7"), "must be an object");
        row("argument", changed("\"k\": {\"value\": 7}", "\"m\": {\"value\": 7}"), "does not have");
        row("value", changed("\"value\": 7", "\"value\": 0.5"), "does not make a session");
        row("nothing to fail",
            changed("\"expect\": {\"expression\": \"i + k\"}}", "\"x\": 1}").replace("[\"memory\"]", "[]"),
            "nothing that a solution could fail");
        const auto with_pipeline = [](const char* more) {
            return QByteArray(R"({"warplight": 3, "source": "a.cu", "checks": ["memory"], "arguments": [],
                "pipeline": {"steps": []}, "exercise": {"cases": [{"name": "one")") +
                   more + "}]}}";
        };
        row("pipeline", with_pipeline(""), "");
        row("launch of a pipeline", with_pipeline(R"(, "launch": {"grid": 3})"), "/exercise/cases");
        row("no exercise", R"({"warplight": 1})", "no exercise");
    }
    void what_is_wrong_is_told() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto problem = problem_of(text);
        QVERIFY2(says.isEmpty() ? problem.isEmpty() : problem.contains(says), qPrintable(problem));
    }

    void a_case_changes_only_what_it_names() {
        const auto exercise = parse(fill_task);
        const auto made = session_of_case(exercise, exercise.exercise->cases[1]);
        QVERIFY(!made.exercise && !made.notes.any());
        QCOMPARE(std::get<ZerosSource>(made.arguments[0].source).shape, Shape{40});
        QCOMPARE(std::get<ZerosSource>(made.arguments[0].source).dtype, std::string("int32"));
        QCOMPARE(made.arguments[0].expect->expression, std::string("i + k"));
        QCOMPARE(as_double(std::get<Number>(made.arguments[1].value)), 7.0);
        QCOMPARE(made.launch.grid, (std::vector<std::uint32_t>{3, 1, 1}));
        QCOMPARE(made.launch.block, (std::vector<std::uint32_t>{32, 1, 1}));
    }

    /// Of sources and expectations only the keys change that are given.
    void a_value_is_replaced_as_a_whole() {
        const auto exercise = parse(R"({"warplight": 3, "source": "a.cu", "checks": ["memory"], "arguments": [
            {"name": "p", "direction": "scalar", "type": "struct", "value": {"x": 1, "kind": {"y": 2}}}],
            "exercise": {"cases": [
            {"name": "field", "arguments": {"p": {"value": {"x": 5}}}},
            {"name": "size", "arguments": {"p": {"type": "i32", "value": 3}}}]}})");
        const auto made = session_of_case(exercise, exercise.exercise->cases[0]);
        QVERIFY(json::parse(std::get<StructValue>(made.arguments[0].value).json) == json({{"x", 5}}));
        const auto other = session_of_case(exercise, exercise.exercise->cases[1]);
        QCOMPARE(as_double(std::get<Number>(other.arguments[0].value)), 3.0);
    }

    void rules_look_at_words_of_the_code() {
        Exercise exercise;
        exercise.forbidden = {"atomicAdd"};
        exercise.required = {"__shared__"};
        QVERIFY(
            broken_rule(exercise, "__shared__ int a; // atomicAdd\n /* atomicAdd */ \"atomicAdd\" atomicAdd2").empty());
        QVERIFY(!broken_rule(exercise, "__shared__ int a;\n#define ADD atomicAdd\n").empty());
        QVERIFY(!broken_rule(exercise, "// __shared__").empty());
    }

    void tables_are_read_again() {
        const auto exercise = parse(fill_task);
        CaseResult good, bad;
        good.name = "one";
        good.outcome = CaseOutcome::pass;
        good.points = 1;
        bad.name = "other";
        bad.outcome = CaseOutcome::wrong_result;
        bad.message = "out: \"1\", then 2";
        bad.findings = 3;
        bad.points = 2;
        auto other = good;
        other.name = "other";
        other.points = 2;
        const std::vector<Grade> grades = {{"=cmd()", "a,b.cu", "d1", {good, bad}},
                                           {"Zoë", "z.cu", "d2", {good, other}}};
        const auto text = to_csv(exercise, grades);
        QVERIFY(text.find("\"'=cmd()\"") != std::string::npos); // no formula of a spreadsheet
        const auto again = grades_from_csv(exercise, text);
        QCOMPARE(again.size(), std::size_t(2));
        QCOMPARE(again[0].name, std::string("=cmd()"));
        QCOMPARE(again[0].cases[1].message, bad.message);
        QCOMPARE(to_csv(exercise, again), text);
        QVERIFY(grades_from_csv(parse(changed("\"name\": \"one\"", "\"name\": \"two\"").toStdString()), text).empty());
    }

    /// Structs, and the check of memory for local arrays, need the code for debuggers, too.
    void cases_compile_nothing_data() {
        QTest::addColumn<QByteArray>("parameter");
        QTest::addColumn<QByteArray>("argument");
        QTest::addColumn<QByteArray>("checks");
        const QByteArray structure = R"("type": "struct", "value": {"by": 3})", number = R"("type": "i32", "value": 3)";
        QTest::newRow("struct") << QByteArray("By by") << structure << QByteArray("[]");
        QTest::newRow("memory") << QByteArray("int by") << number << QByteArray("[\"memory\"]");
    }
    void cases_compile_nothing() {
        QFETCH(QByteArray, parameter);
        QFETCH(QByteArray, argument);
        QFETCH(QByteArray, checks);
        const auto text = R"({"warplight": 3, "source": {"text": "x"}, "arguments": [
            {"name": "out", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [8]},
             "expect": {"expression": "3*i"}},
            {"name": "by", "direction": "scalar", )" +
                          argument + R"(}], "launch": {"grid": 1, "block": 8},
            "exercise": {"cases": [{"name": "one"}, {"name": "two", "checks": )" +
                          checks + "}]}}";
        const QByteArray source = "struct By { int by; __device__ operator int() const { return by; } };\n"
                                  "__global__ void fill(int* out, " +
                                  parameter +
                                  ") {\n    int local[8];\n"
                                  "    for (int k = 0; k < 8; ++k) local[k * 5 & 7] = (k * 5 & 7) * by;\n"
                                  "    out[threadIdx.x] = local[threadIdx.x];\n}\n";
        if (!qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        const QByteArray before = qgetenv("WARPLIGHT_CACHE_DIR");
        const QString cache = temporary_.filePath(QString("cache of ") + QTest::currentDataTag());
        qputenv("WARPLIGHT_CACHE_DIR", QFile::encodeName(cache));
        const auto restore = qScopeGuard([&] {
            if (before.isEmpty())
                qunsetenv("WARPLIGHT_CACHE_DIR");
            else
                qputenv("WARPLIGHT_CACHE_DIR", before);
        });
        RunOptions options;
        options.folder = temporary_.path().toStdString();
        CountingDevice device(cache + "/compile");
        const auto results = run_exercise(parse(text.toStdString()), source.toStdString(), options, device);
        QCOMPARE(results.size(), std::size_t(2));
        for (const CaseResult& each : results)
            QVERIFY2(each.passed(), each.message.c_str());
        QCOMPARE(device.compiling_cases, 0);
        QVERIFY(QDir(cache + "/compile").count() > 2); // it has a cache
    }

    /// Reference solutions pass, and each wrong one fails the cases that its first lines name.
    void exercises_tell_right_from_wrong_data() {
        QTest::addColumn<QString>("exercise");
        QTest::addColumn<QString>("solution");
        for (const QString& exercise : exercises_.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QDir folder(solutions_.filePath(QString(exercise).remove(QStringLiteral("exercise_"))));
            for (const QString& file : folder.entryList({QStringLiteral("*.cu")}))
                QTest::newRow(qPrintable(exercise + ' ' + file)) << exercise << folder.filePath(file);
            QVERIFY2(folder.exists(QStringLiteral("right.cu")), qPrintable(exercise));
        }
    }
    void exercises_tell_right_from_wrong() {
        QFETCH(QString, exercise);
        QFETCH(QString, solution);
        const QString task = exercises_.filePath(exercise + '/' + exercise + ".warplight");
        const auto result = cli({"exercise", task, "--source", solution, "--device", "software", "--json", "--all"});
        QFile source(solution);
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray text = source.readAll();
        const auto answer = json::parse(result.out.toStdString(), nullptr, false);
        QVERIFY2(answer.is_object(), qPrintable(result.err));
        QStringList failed;
        for (const json& each : answer["cases"])
            if (!each["passed"]) failed << QString::fromStdString(each["name"]);
        const QString fails = QString::fromUtf8(text).section("// Fails: ", 1).section('.', 0, 0);
        const QStringList expected = fails.isEmpty() ? QStringList() : fails.split(", ");
        if (fails == "all cases")
            QCOMPARE(std::size_t(failed.size()), answer["cases"].size());
        else
            QVERIFY2(failed == expected, qPrintable(result.out));
        QVERIFY((result.code == 0) == failed.isEmpty());
    }

    /// As they are handed out, they are not solved, and their notes are there.
    void exercises_are_not_solved_yet() {
        for (const QString& name : exercises_.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QString task = exercises_.filePath(name + '/' + name + ".warplight");
            const auto session = load(task.toStdString());
            QVERIFY(QFileInfo::exists(exercises_.filePath(name + '/' + QString::fromStdString(session.notes.path))));
            QVERIFY(!session.exercise->hints.empty());
            const auto result = cli({"exercise", task, "--device", "software"});
            QVERIFY2(result.code != 0, qPrintable(result.out));
            QFile file(task); // in the form in which the program writes it
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(!file.readAll().isEmpty());
        }
    }

    /// Nothing but pass or fail, and the hint.
    void hidden_cases_tell_nothing() {
        write("fill.cu", fill_with("if (i < (gridDim.x == 3 ? 40 : 64)) out[i] = i + 1;"));
        write("task.warplight", fill_task);
        const auto result = cli({"exercise", path("task.warplight")});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.out.contains("fail (hidden)") && result.out.contains("k is no constant"),
                 qPrintable(result.out));
        QVERIFY(!result.out.contains("instead of"));
        const auto all = cli({"exercise", path("task.warplight"), "--all"});
        QVERIFY2(all.out.contains("instead of 7"), qPrintable(all.out));
    }

    void digests_hide_what_is_expected() {
        write("right.cu", fill_with(good_body));
        write("fill.cu", fill_with("if (i < (gridDim.x == 3 ? 40 : 64)) out[i] = i == 39 ? i : i + k;"));
        // The hidden case has a file of its own, the other one a formula.
        auto document = json::parse(fill_task);
        document["exercise"]["cases"][1]["arguments"]["out"]["expect"] = {{"path", "answer.npy"}};
        write("task.warplight", QByteArray::fromStdString(document.dump()));
        warplight::NdArray answer = warplight::NdArray::zeros({40}, warplight::DType::int32());
        for (std::size_t i = 0; i < 40; ++i)
            answer.as_mutable<int>()[i] = static_cast<int>(i) + 7;
        warplight::save_npy(path("answer.npy").toStdString(), answer);
        const QStringList make{"exercise", path("task.warplight"), "--digests", path("handout.warplight"), "--source"};
        auto result = cli(QStringList(make) << path("fill.cu"));
        QVERIFY2(result.code == 2 && result.err.contains("fails the case \"one\""), qPrintable(result.err));
        result = cli(QStringList(make) << path("right.cu"));
        QVERIFY2(result.code == 0 && result.out.contains("1 digest of"), qPrintable(result.out + result.err));
        result = cli(QStringList(make) << path("right.cu"));
        QVERIFY2(result.code == 2 && result.err.contains("is there already"), qPrintable(result.err));
        QVERIFY(QFile::remove(path("answer.npy")));
        QFile handout(path("handout.warplight"));
        QVERIFY(handout.open(QIODevice::ReadOnly));
        const auto text = handout.readAll();
        QVERIFY(!text.contains("answer.npy") && text.contains("\"warplight\": 4"));
        QVERIFY2(text.contains(hashed("int32 40", answer)), text.constData());
        QCOMPARE(cli({"exercise", path("handout.warplight"), "--source", path("right.cu")}).code, 0);
        result = cli({"exercise", path("handout.warplight"), "--all", "--source", path("fill.cu")});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.out.contains("only a digest is known") && !result.out.contains("instead of 46"),
                 qPrintable(result.out));
    }

    void a_class_is_graded() {
        write("task.warplight", fill_task);
        write_solution("right.cu", fill_with(good_body));
        write_solution("constant.cu", fill_with("if (i < (gridDim.x == 3 ? 40 : 64)) out[i] = i + 1;"));
        write_solution("beyond.cu", fill_with("out[i] = i + k;"));
        write_solution("crash.cu", fill_with("*(volatile int*)16 = 1; out[1 << 30] = 1;"));
        write_solution("endless.cu", fill_with("while (*(volatile int*)out == 0) {}"));
        write_solution("printing.cu", fill_with("for (;;) printf(\"%d and so on, for ever and ever\\n\", i);"));
        write_solution("hungry.cu",
                       "__device__ char heap[3ull << 30];\n" +
                           fill_with("for (size_t j = i; j < sizeof heap; j += 64) heap[j] = 1; " + good_body));
        write_solution("broken.cu", fill_with("out[i] = ;"));
        write_solution("empty.cu", "");
        write_solution("rule.cu", fill_with(good_body + " asm(\"\");"));
        write_solution("other.cu", "extern \"C\" __global__ void fill(float* out) {}");
        write_solution("Ada Lovelace/mine.cu", fill_with(good_body));
        write_solution("nothing/readme.txt", "sorry");
        write_solution("two/a.cu", "");
        write_solution("two/b.cu", "");
        const QStringList command = {"grade",          path("class"),
                                     "--session",      path("task.warplight"),
                                     "--out",          path("out.csv"),
                                     "--time-limit",   "3s",
                                     "--memory-limit", "1G",
                                     "--jobs",         "2"};
        const auto result = cli(command);
        QVERIFY2(result.code == 0, qPrintable(result.err));
        const auto rows = table("out.csv");
        QCOMPARE(rows.size(), std::size_t(15));
        QCOMPARE(rows[0].front(), std::string("name"));
        std::map<std::string, std::vector<std::string>> by_name;
        for (const auto& row : rows)
            by_name[row[0]] = row;
        const auto starts = [&](const char* name, const char* outcome) {
            const auto& row = by_name[name];
            if (row.size() == 10 && QString::fromStdString(row[7]).startsWith(outcome)) return true;
            qWarning("%s: %s", name, row.size() > 7 ? row[7].c_str() : "no row");
            return false;
        };
        QVERIFY(starts("right", "pass"));
        QCOMPARE(by_name["right"][4], std::string("3"));
        QCOMPARE(by_name["right"][5], std::string("3"));
        QVERIFY(starts("Ada Lovelace", "pass"));
        QCOMPARE(by_name["Ada Lovelace"][1], std::string("mine.cu"));
        QVERIFY(starts("constant", "pass"));
        QCOMPARE(by_name["constant"][4], std::string("1"));
        QVERIFY(QString::fromStdString(by_name["constant"][8]).startsWith("wrong result"));
        QVERIFY(starts("beyond", "pass"));                                          // 64 threads for 64 elements …
        QVERIFY(QString::fromStdString(by_name["beyond"][8]).startsWith("checks")); // … and 96 for 40
        QVERIFY(by_name["beyond"][6] != "0");
        QVERIFY(by_name["crash"][4] == "0");
        QVERIFY(starts("endless", "time"));
        QVERIFY(starts("printing", "time"));
        QVERIFY(starts("hungry", "memory"));
        QVERIFY(starts("broken", "compile error: line "));
        QVERIFY(starts("empty", "compile error"));
        QVERIFY(starts("rule", "rule"));
        QVERIFY(starts("other", "cannot run"));
        QVERIFY(starts("nothing", "cannot run"));
        QVERIFY(starts("two", "cannot run"));
        QVERIFY(result.err.contains("14 of 14"));

        // Again, with one changed: only that one runs.
        write_solution("broken.cu", fill_with(good_body));
        const auto more = cli(QStringList(command) << "--resume" << "--json");
        QVERIFY2(more.code == 0, qPrintable(more.err));
        const auto answer = json::parse(more.out.toStdString(), nullptr, false);
        QCOMPARE(answer["solutions"].size(), std::size_t(14));
        const auto after = table("out.csv");
        QCOMPARE(after.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            QVERIFY((after[i] == rows[i]) == (rows[i][0] != "broken"));
    }

    /// A program that is ended at any time leaves the rows that were there.
    void resumed_tables_lose_nothing() {
        write("task.warplight", fill_task);
        QDir(path("class")).removeRecursively();
        for (const char* name : {"a.cu", "b.cu", "c.cu"})
            write_solution(name, fill_with(good_body));
        const QStringList command = {"grade", path("class"),   "--session", path("task.warplight"),
                                     "--out", path("kept.csv")};
        QCOMPARE(cli(command).code, 0);
        const auto before = table("kept.csv");
        QCOMPARE(before.size(), std::size_t(4));
        write_solution("b.cu", fill_with("while (*(volatile int*)out == 0) {}"));
        QProcess process;
        process.setProcessEnvironment(environment());
        process.start(WARPLIGHT_CLI, QStringList(command) << "--resume");
        QByteArray told;
        const auto has_begun = [&] {
            told += process.readAllStandardError();
            return told.contains("1 of 3");
        };
        QTRY_VERIFY_WITH_TIMEOUT(has_begun(), 120'000);
        process.terminate();
        if (!process.waitForFinished(15'000)) process.kill(); // it has no window that Windows could close
        QVERIFY(process.waitForFinished() || process.state() == QProcess::NotRunning);
        const auto after = table("kept.csv");
        QVERIFY(std::ranges::find(after, before[1]) != after.end());
        QVERIFY(std::ranges::find(after, before[3]) != after.end());
        QVERIFY(std::ranges::find(after, before[2]) == after.end());
    }

    void digests_are_of_all_that_results_depend_on() {
        write("task.warplight", changed("{\"kind\": \"zeros\", \"dtype\": \"int32\", \"shape\": [64]}",
                                        "{\"kind\": \"file\", \"path\": \"in.npy\"}")
                                    .replace("{\"source\": {\"shape\": [40]}}",
                                             "{\"expect\": {\"session\": \"other.warplight\", \"argument\": \"y\"}}"));
        write("other.warplight", R"({"warplight": 1, "source": "a.cu", "arguments": [{"name": "y",
            "direction": "out", "source": {"kind": "zeros", "shape": [40]}, "save": "y.npy"}]})");
        const auto exercise = load(path("task.warplight").toStdString());
        GradeConditions conditions;
        conditions.run.folder = temporary_.path().toStdString();
        std::set<std::string> all;
        const auto is_new = [&] {
            const auto digest = digest_of_solution(exercise, conditions, digest_of_exercise(exercise, conditions),
                                                   "#include \"help.cuh\"\n#include <cstdio>\n");
            return all.insert(digest).second;
        };
        QVERIFY(is_new());
        QVERIFY(!is_new());
        for (const char* name : {"in.npy", "y.npy", "help.cuh"}) {
            for (const char* text : {"1", "2"}) {
                write(name, text);
                QVERIFY2(is_new(), name);
                QVERIFY(!is_new());
            }
        }
        write("deeper.cuh", "");
        write("help.cuh", "#include \"deeper.cuh\"\n");
        QVERIFY(is_new());
        write("deeper.cuh", "// more");
        QVERIFY(is_new());
        write("unrelated.npy", "1");
        QVERIFY(!is_new());
        conditions.limits.seconds = 2;
        QVERIFY(is_new());
        conditions.memory_limit = 1 << 30;
        QVERIFY(is_new());
    }

    void wrong_usage_is_told() {
        write("task.warplight", fill_task);
        write("plain.warplight", R"({"warplight": 1, "source": "fill.cu"})");
        QVERIFY(QDir().mkpath(path("none")));
        const auto says = [&](const QStringList& arguments, const char* text) {
            const auto result = cli(arguments);
            if (result.code == 2 && result.err.contains(text)) return true;
            qWarning("%d: %s", result.code, qPrintable(result.err));
            return false;
        };
        QVERIFY(says({"grade", path("none"), "--session", path("plain.warplight")}, "no exercise"));
        QVERIFY(says({"grade", path("none"), "--session", path("task.warplight")}, "no solution"));
        QVERIFY(says({"grade", path("none"), "--session", path("task.warplight"), "--resume"}, "--out"));
        QVERIFY(says({"grade", path("none"), "--session", path("task.warplight"), "--time-limit", "soon"}, "10s"));
        QVERIFY(says({"exercise", path("plain.warplight")}, "no exercise"));
        QVERIFY(says({"exercise", path("task.warplight"), "--memory-limit", "1"}, "64M"));
    }
};

QTEST_GUILESS_MAIN(ExerciseTest)
#include "exercise_test.moc"
