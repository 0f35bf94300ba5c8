// SPDX-License-Identifier: Apache-2.0
// Runs are kept, found, compared and restored on the command line.
#include "../session/cli_fixture.hpp"

#include <nlohmann/json.hpp>

using nlohmann::json;

class HistoryCliTest : public CliFixture {
    Q_OBJECT
    Result history(const QStringList& arguments) const {
        return cli(QStringList{"history", "--file", path("runs.sqlite")} + arguments);
    }
    Result keep(const QStringList& more = {}) const {
        return run(QStringList{"good.warplight", "--keep", "--history", path("runs.sqlite")} + more);
    }

private slots:
    void initTestCase() { write_scale(); }
    void init() const { QFile::remove(path("runs.sqlite")); }
    void runsAreKept() const;
    void restoredRunsGiveTheSame() const;
    void failedRunsAreKept() const;
    void historyThatCannotBeWritten() const;
};

void HistoryCliTest::runsAreKept() const {
    QCOMPARE(history({"list"}).code, 0);
    QVERIFY(history({"list"}).out.contains("--keep"));
    QCOMPARE(run({"good.warplight", "--label", "kept nowhere"}).code, 2);
    const auto first = keep({"--label", "the first"});
    QCOMPARE(first.code, 0);
    QVERIFY(first.err.contains("kept as run 1"));
    write("scale.cu", QByteArray(scale_source).replace("a * x[i]", "2 * a * x[i]"));
    QCOMPARE(keep().code, 1); // not what is expected
    write("scale.cu", scale_source);

    const auto listed = json::parse(history({"list", "--json"}).out.toStdString());
    QVERIFY(listed["count"] == 2);
    QVERIFY(listed["runs"][0]["id"] == 2 && listed["runs"][0]["status"] == "expectation_failed");
    QVERIFY(listed["runs"][1]["label"] == "the first" && listed["runs"][1]["kernel"] == "scale");
    QVERIFY(json::parse(history({"list", "FIRST", "--json"}).out.toStdString())["count"] == 1);

    const auto compared = json::parse(history({"compare", "1", "2", "--json"}).out.toStdString());
    QVERIFY(compared["settings"].empty());
    QVERIFY(compared["source"].get<std::string>().find("+    if (i < n) y[i] = 2 * a * x[i];") != std::string::npos);
    QVERIFY(compared["results"].dump().find("result y") != std::string::npos);
    QVERIFY(history({"compare", "1", "2"}).out.contains("expectation_failed"));
    QVERIFY(history({"source", "2"}).out.contains("2 * a"));

    QCOMPARE(history({"pin", "1"}).code, 0);
    QCOMPARE(history({"note", "1", "with a note"}).code, 0);
    QVERIFY(history({"prune", "--keep", "0"}).out.contains("1 removed"));
    QVERIFY(history({"list"}).out.contains("with a note"));
    QCOMPARE(history({"remove", "1"}).code, 0);
    const auto gone = history({"show", "1"});
    QCOMPARE(gone.code, 2);
    QVERIFY(gone.err.contains("history list"));
}

void HistoryCliTest::restoredRunsGiveTheSame() const {
    QCOMPARE(keep().code, 0);
    write("scale.cu", "something else");
    const auto restored = history({"restore", "1", "-o", "again.warplight"});
    write("scale.cu", scale_source);
    QCOMPARE(restored.code, 0);
    QCOMPARE(history({"restore", "1", "-o", "again.warplight"}).code, 2); // it is there
    QCOMPARE(history({"restore", "1", "-o", "again.warplight", "--force"}).code, 0);
    const auto before = json::parse(history({"show", "1", "--json"}).out.toStdString());
    const auto after = json::parse(run({"again.warplight", "--json"}).out.toStdString());
    QVERIFY(after["status"] == "ok");
    QVERIFY(!after["outputs"][0]["digest"].get<std::string>().empty());
    QVERIFY(before["report"]["outputs"][0]["digest"] == after["outputs"][0]["digest"]);
}

void HistoryCliTest::failedRunsAreKept() const {
    write("scale.cu", "no CUDA at all");
    const auto failed = keep();
    write("scale.cu", scale_source);
    QCOMPARE(failed.code, 3);
    const auto shown = json::parse(history({"show", "1", "--json"}).out.toStdString());
    QVERIFY(shown["status"] == "compile_error" && shown["source"] == "no CUDA at all");
    QVERIFY(!shown["report"]["diagnostics"].empty());
}

void HistoryCliTest::historyThatCannotBeWritten() const {
    write("runs.sqlite", QByteArray(9000, 'x'));
    const auto result = keep();
    QCOMPARE(result.code, 0);
    QVERIFY(result.err.contains("The run is not in the history") && result.err.contains("damaged"));
    const auto listed = history({"list"});
    QCOMPARE(listed.code, 2);
    QVERIFY(listed.err.contains("Move the file away"));
}

QTEST_GUILESS_MAIN(HistoryCliTest)
#include "history_cli_test.moc"
