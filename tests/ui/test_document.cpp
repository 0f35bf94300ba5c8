// SPDX-License-Identifier: GPL-3.0-or-later
// The document: opening, saving, undo; what is kept of unsaved work; numbers for people.
#include "test_home.hpp"
#include "ui/common/format.hpp"
#include "ui/common/results.hpp"
#include "ui/mainwindow/command_palette.hpp"
#include "ui/mainwindow/recovery.hpp"
#include "ui/settings/preferences.hpp"

#include <QDir>
#include <QSignalSpy>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::ui;

namespace {

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const char* const kernel = "extern \"C\" __global__ void k(float* x) { x[0] = 1; }\n";

} // namespace

class TestDocument : public QObject {
    Q_OBJECT
public:
    explicit TestDocument(const TestHome& home) : home_(home) {}

private slots:
    void opensAndSavesASession();
    void movesRelativePathsToAnotherFolder();
    void savesTheSourceOfANewSessionBesideIt();
    void refusesWhatIsNoSession_data();
    void refusesWhatIsNoSession();
    void undoesAndMerges();
    void closesOnlyOtherSources();
    void keepsAndRestoresUnsavedWork();
    void keepsNothingWhenAllIsSaved();
    void leavesTheWorkOfLivingWindowsAlone();
    void locksASessionOnce();
    void formatsNumbers();
    void ranksCommands();
    void remembersPreferences();
    void readsCompileResults();

private:
    const TestHome& home_;
};

void TestDocument::opensAndSavesASession() {
    const QString path = home_.path("a/s.warplight");
    write(home_.path("a/k.cu"), kernel);
    write(path, R"({"warplight": 1, "title": "T", "source": "k.cu", "kernel": "k",
        "arguments": [{"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [8]}}],
        "launch": {"grid": [1,1,1], "block": [1,1,1]}, "unknown-key": {"kept": true}})");
    Document document;
    QString problem;
    QVERIFY2(document.openSession(path, &problem), qPrintable(problem));
    QCOMPARE(document.mainSource()->text(), QString(kernel));
    QVERIFY(!document.isModified());
    document.mainSource()->setText("// edited\n");
    document.modify("grid", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    QVERIFY(document.isModified());
    QVERIFY2(document.saveSession(path, &problem), qPrintable(problem));
    QVERIFY(!document.isModified());
    Document again;
    QVERIFY2(again.openSession(path, &problem), qPrintable(problem));
    QCOMPARE(again.session().launch.grid[0], 7u);
    QCOMPARE(again.mainSource()->text(), QString("// edited\n"));
    QVERIFY(read(path).contains("unknown-key"));
}

void TestDocument::movesRelativePathsToAnotherFolder() {
    const QString path = home_.path("m/s.warplight");
    write(home_.path("m/k.cu"), kernel);
    write(path, R"({"warplight": 1, "source": "k.cu", "kernel": "k",
        "arguments": [{"name": "x", "direction": "inout", "source": {"kind": "file", "path": "data/x.npy"},
                       "expect": {"path": "e.npy"}}]})");
    Document document;
    QString problem;
    QVERIFY2(document.openSession(path, &problem), qPrintable(problem));
    QDir().mkpath(home_.path("m/deeper"));
    QVERIFY2(document.saveSession(home_.path("m/deeper/s.warplight"), &problem), qPrintable(problem));
    const session::Argument& x = document.session().arguments.front();
    QCOMPARE(std::get<session::FileSource>(x.source).path, std::string("../data/x.npy"));
    QCOMPARE(x.expect->path, std::string("../e.npy"));
    QCOMPARE(document.session().source.path, std::string("../k.cu"));
}

void TestDocument::savesTheSourceOfANewSessionBesideIt() {
    Document document;
    document.newSession(kernel);
    QDir().mkpath(home_.path("n"));
    QString problem;
    QVERIFY2(document.saveSession(home_.path("n/mine.warplight"), &problem), qPrintable(problem));
    QCOMPARE(read(home_.path("n/mine.cu")), QByteArray(kernel));
    // A source of that name that is someone else's is not overwritten.
    write(home_.path("n/taken.cu"), "precious");
    Document other;
    other.newSession(kernel);
    QVERIFY(!other.saveSession(home_.path("n/taken.warplight"), &problem));
    QVERIFY(problem.contains("taken.cu"));
    QCOMPARE(read(home_.path("n/taken.cu")), QByteArray("precious"));
}

void TestDocument::refusesWhatIsNoSession_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("malformed") << QByteArray("{\"warplight\": 1, ");
    QTest::newRow("later version") << QByteArray("{\"warplight\": 99, \"source\": \"k.cu\"}");
    QTest::newRow("missing source") << QByteArray("{\"warplight\": 1, \"source\": \"nowhere.cu\", \"kernel\": \"k\"}");
    QTest::newRow("not an object") << QByteArray("[1, 2]");
    QTest::newRow("empty") << QByteArray("");
}

void TestDocument::refusesWhatIsNoSession() {
    QFETCH(QByteArray, text);
    const QString path = home_.path("bad.warplight");
    write(path, text);
    Document document;
    document.newSession("// before\n");
    QString problem;
    QVERIFY(!document.openSession(path, &problem));
    QVERIFY(!problem.isEmpty());
    QCOMPARE(document.mainSource()->text(), QString("// before\n"));
}

void TestDocument::undoesAndMerges() {
    Document document;
    document.newSession(kernel);
    for (int i = 2; i < 6; ++i)
        document.modify("block", [i](session::Session& s) { s.launch.block = {std::uint32_t(i), 1, 1}; }, "block0");
    document.modify("grid", [](session::Session& s) { s.launch.grid = {9, 1, 1}; }, "grid0");
    QCOMPARE(document.undoStack().count(), 2);
    QSignalSpy changed(&document, &Document::sessionChanged);
    document.undoStack().undo();
    QCOMPARE(document.session().launch.grid[0], 1u);
    document.undoStack().undo();
    QCOMPARE(document.session().launch.block[0], 1u);
    QCOMPARE(changed.count(), 2);
    document.undoStack().redo();
    QCOMPARE(document.session().launch.block[0], 5u);
    // A change that changes nothing is no step.
    document.modify("nothing", [](session::Session&) {});
    QVERIFY(document.undoStack().canRedo());
}

void TestDocument::closesOnlyOtherSources() {
    write(home_.path("c/k.cu"), kernel);
    write(home_.path("c/h.cuh"), "#define N 4\n");
    Document document;
    QString problem;
    QVERIFY(document.openSourceAsSession(home_.path("c/k.cu"), &problem));
    SourceFile* header = document.openSource(home_.path("c/h.cuh"), &problem);
    QVERIFY(header);
    QCOMPARE(document.openSource(home_.path("c/h.cuh"), &problem), header);
    document.closeSource(document.mainSource());
    QCOMPARE(document.sources().size(), 2);
    document.closeSource(header);
    QCOMPARE(document.sources().size(), 1);
}

void TestDocument::keepsAndRestoresUnsavedWork() {
    const QString state = home_.path("state1");
    QString kept;
    {
        Document document;
        document.newSession(kernel);
        document.mainSource()->setText("// not saved\n");
        document.modify("grid", [](session::Session& s) { s.launch.grid = {3, 1, 1}; });
        Recovery recovery(state);
        QVERIFY(recovery.keep(document));
        kept = recovery.file();
        // A crash leaves the file and a lock of a process that is gone; the lock of this process goes with `recovery`.
    }
    QVERIFY(QFile::exists(kept));
    Recovery next(state);
    const auto found = next.abandoned();
    QCOMPARE(found.size(), 1);
    Document document;
    QString problem;
    QVERIFY2(next.restore(found.front(), document, &problem), qPrintable(problem));
    QCOMPARE(document.mainSource()->text(), QString("// not saved\n"));
    QCOMPARE(document.session().launch.grid[0], 3u);
    QVERIFY(document.isModified());
    next.remove(found.front());
    QVERIFY(next.abandoned().isEmpty());
}

void TestDocument::keepsNothingWhenAllIsSaved() {
    Recovery recovery(home_.path("state2"));
    Document document;
    document.newSession(kernel);
    document.mainSource()->setText("// x\n");
    QVERIFY(recovery.keep(document));
    QVERIFY(QFile::exists(recovery.file()));
    QDir().mkpath(home_.path("k"));
    QString problem;
    QVERIFY(document.saveSession(home_.path("k/k.warplight"), &problem));
    QVERIFY(recovery.keep(document));
    QVERIFY(!QFile::exists(recovery.file()));
}

void TestDocument::leavesTheWorkOfLivingWindowsAlone() {
    Recovery living(home_.path("state3"));
    Document document;
    document.newSession(kernel);
    document.mainSource()->setText("// mine\n");
    QVERIFY(living.keep(document));
    Recovery other(home_.path("state3"));
    QVERIFY(other.abandoned().isEmpty());
}

void TestDocument::locksASessionOnce() {
    write(home_.path("l/s.warplight"), "{}");
    SessionLock first(home_.path("state4")), second(home_.path("state4"));
    QVERIFY(first.take(home_.path("l/s.warplight")));
    QVERIFY(first.take(home_.path("l/s.warplight")));
    QVERIFY(!second.take(home_.path("l/s.warplight")));
    QVERIFY(!second.take(home_.path("l/../l/s.warplight")));
    QVERIFY(first.take({}));
    QVERIFY(second.take(home_.path("l/s.warplight")));
}

void TestDocument::formatsNumbers() {
    QCOMPARE(formatMs(0.0123), QString("12.3 µs"));
    QCOMPARE(formatMs(3.214), QString("3.21 ms"));
    QCOMPARE(formatMs(0.00085), QString("850 ns"));
    QCOMPARE(formatMs(1500), QString("1.50 s"));
    QCOMPARE(formatMs(0.9997), QString("1.00 ms"));
    QCOMPARE(formatBytes(512), QString("512 B"));
    QCOMPARE(formatBytes(4096), QString("4.00 KiB"));
    QCOMPARE(formatBytes(1536ull << 20), QString("1.50 GiB"));
    QCOMPARE(formatBytes((1ull << 20) - 1), QString("1.00 MiB"));
    QCOMPARE(formatCount(1048576), QString::fromUtf8("1\u2009048\u2009576"));
    QCOMPARE(formatCount(-1000), QString::fromUtf8("-1\u2009000"));
    QCOMPARE(formatCount(999), QString("999"));
}

void TestDocument::ranksCommands() {
    QVERIFY(fuzzyScore("xyz", "File › Open…") < 0);
    QVERIFY(fuzzyScore("fo", "File › Open…") > fuzzyScore("fo", "Edit › Find and Replace or so"));
    QVERIFY(fuzzyScore("dark", "View › Theme › Dark") > fuzzyScore("dark", "Edit › Redo all remarks"));
}

void TestDocument::remembersPreferences() {
    Preferences p;
    p.theme = Theme::Mode::Dark;
    p.fontSize = 13;
    p.compileOptions = {"--use_fast_math", "-DN=4"};
    p.autosave = false;
    p.save();
    QVERIFY(Preferences::load() == p);
    Preferences().save();
    clearRecentFiles();
    for (int i = 0; i < 15; ++i)
        addRecentFile(home_.path(QString("f%1.cu").arg(i % 13)));
    QCOMPARE(recentFiles().size(), 12);
    QCOMPARE(recentFiles().front(), home_.path("f1.cu"));
    clearRecentFiles();
}

void TestDocument::readsCompileResults() {
    const auto json = nlohmann::json::parse(R"({"ok": false, "ms": 12.5, "ptx": "p", "cached": true,
        "diagnostics": [{"file": "a.cu", "line": 3, "column": 5, "severity": "warning", "message": "m", "notes": ["n"]}],
        "kernels": [{"name": "k", "lowered": "_Zk", "line": 2, "template": true,
                     "parameters": [{"name": "x", "type": "const float*", "pointer": true, "const": true, "dtype": "float32"}]}],
        "lines": [{"ptx": 10, "line": 3, "file": "a.cu"}],
        "report": [{"name": "k", "registers": 20}]})");
    const CompileOutput output = compileOutputFromJson(json);
    QVERIFY(output.valid && !output.ok && output.cached);
    QCOMPARE(output.diagnostics.at(0).line, 3);
    QCOMPARE(output.diagnostics.at(0).severity, compiler::Severity::warning);
    QCOMPARE(output.kernels.at(0).parameters.at(0).is_const, true);
    QVERIFY(output.kernels.at(0).is_template);
    QCOMPARE(output.lines.at(0).source_line, 3);
    QCOMPARE(output.resources.at(0).registers, 20);
    // Garbage is no crash.
    QVERIFY(
        !compileOutputFromJson(nlohmann::json::parse(R"({"ok": 3, "diagnostics": {"a": 1}, "lines": [null, 4]})")).ok);
    QVERIFY(kernelsFromJson(nlohmann::json::parse("null")).empty());
}

WARPLIGHT_UI_TEST_MAIN(TestDocument)
#include "test_document.moc"
