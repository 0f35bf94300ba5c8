// SPDX-License-Identifier: GPL-3.0-or-later
// Every example, and kernels with unusual parameters, from the bare source to a run, by the window's fields alone.
#include "session_typist.hpp"
#include "ui/notes/case_dialog.hpp"
#include "ui/notes/session_dialog.hpp"
#include "window_fixture.hpp"

#include <QDirIterator>
#include <QLineEdit>

using namespace warplight;
using namespace warplight::ui;

namespace {

/// Sessions of kernels with unusual parameters. Their sources lie beside them, or among the kernels of other tests.
const QString sessionsFolder = QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/ui/setup");
const QStringList kernelsFolders{QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/software/kernels"),
                                 QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/session")};

QString outcome(const session::Report& report) {
    QStringList parts{QString::number(int(report.status))};
    for (const auto& each : report.comparisons)
        parts << QString::fromStdString(each.argument) +
                     (each.passed ? QLatin1String(" passed") : QLatin1String(" failed"));
    return parts.join(QStringLiteral(", "));
}

QString message(const session::Report& report) {
    QString text = outcome(report);
    if (report.error) text += QLatin1Char('\n') + QString::fromStdString(report.error->message);
    for (const auto& each : report.comparisons)
        if (!each.passed) text += QLatin1Char('\n') + QString::fromStdString(each.argument + ": " + each.problem);
    return text;
}

} // namespace

class TestSetup : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestSetup(const TestHome& home) : WindowFixture(home) {}

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_SOFTWARE_ARCH", "9.0"); // for clusters
        openWindow();
        window_->resize(1440, 900);
    }
    void cleanup() { window_->document().setReadOnly(true); } // so that the next session asks nothing
    void cleanupTestCase() { closeWindow(); }

    void fromTheBareSource_data();
    void fromTheBareSource();
    void notesGoIntoAFile();
    void casesAreKeptApart();

private:
    /// The folder with all of its files but the session, and with the source.
    QString bareFolder(const QString& shipped, const session::Session& wanted);
};

void TestSetup::fromTheBareSource_data() {
    QTest::addColumn<QString>("path");
    const auto add = [](const QString& path) { QTest::newRow(qPrintable(QFileInfo(path).completeBaseName())) << path; };
    QVERIFY(!examplesFolder().isEmpty() && !exercisesFolder().isEmpty() && !lessonsFolder().isEmpty());
    for (const QString& folder : {sessionsFolder, examplesFolder(), lessonsFolder(), exercisesFolder()}) {
        QStringList paths;
        for (QDirIterator it(folder, {QStringLiteral("*.warplight")}, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();)
            paths << it.next();
        paths.sort();
        QVERIFY(!paths.isEmpty());
        for (const QString& path : paths)
            add(path);
    }
}

QString TestSetup::bareFolder(const QString& shipped, const session::Session& wanted) {
    const QFileInfo session(shipped);
    const bool kernels = session.absolutePath() == sessionsFolder;
    // Sessions of one folder may need results of each other.
    const QString folder = home_.path(QStringLiteral("bare/") + session.dir().dirName());
    QDir().mkpath(folder);
    for (const QFileInfo& each : session.dir().entryInfoList(QDir::Files))
        if (each.suffix() != QLatin1String("warplight"))
            QFile::copy(each.filePath(), folder + QLatin1Char('/') + each.fileName());
    const QString source = QString::fromStdString(wanted.source.path);
    for (const QString& other : kernelsFolders)
        if (kernels && !QFileInfo::exists(folder + QLatin1Char('/') + source))
            QFile::copy(other + QLatin1Char('/') + source, folder + QLatin1Char('/') + source);
    return folder;
}

void TestSetup::fromTheBareSource() {
    NEEDS_DEVICE;
    QFETCH(QString, path);
    const session::Session wanted = session::load(path.toStdString());
    const QString folder = bareFolder(path, wanted);
    const QString saved = folder + QLatin1Char('/') + QFileInfo(path).fileName();
    QVERIFY(window_->openFile(folder + QLatin1Char('/') + QString::fromStdString(wanted.source.path)));
    SessionTypist typist(*window_);
    QCOMPARE(typist.setUp(wanted), QString());
    QCOMPARE(typist.saveAs(saved), QString());
    QCOMPARE(differences(session::load(saved.toStdString()), wanted), QString());
    if (wanted.program) return; // its build by nvcc and its run have a test of their own
    QVERIFY(run());
    const session::Report report = window_->document().report();
    const bool good = report.status == session::Status::ok;
    if (wanted.kernel == "surfk") { // writes a volume, whatever its surface is
        QVERIFY2(report.error && report.error->details.find("outside of a surface") != std::string::npos,
                 qPrintable(message(report)));
        return;
    }
    if (QFileInfo(path).absolutePath() == sessionsFolder) QVERIFY2(good, qPrintable(message(report)));
    if (good) return;
    // What does not pass is wrong on purpose: the example itself ends alike.
    QVERIFY(window_->openFile(path));
    QVERIFY(run());
    QCOMPARE(outcome(report), outcome(window_->document().report()));
}

/// A new file gets the notes that there are; one with another text is not taken for them.
void TestSetup::notesGoIntoAFile() {
    write("notes/k.cu", "__global__ void k(int* x) { x[0] = 1; }\n");
    write("notes/other.md", "Something else\n");
    QVERIFY(window_->openFile(
        write("notes/k.warplight", R"({"warplight": 3, "title": "K", "notes": "# Mine", "source": "k.cu"})")));
    const Document& document = window_->document();
    const auto name = [&](const QString& file) {
        SessionDialog dialog(document, window_.get());
        dialog.show();
        const QList<QLineEdit*> edits = dialog.findChildren<QLineEdit*>();
        edits.at(1)->setText(file);
        dialog.accept();
        const bool accepted = dialog.result() == QDialog::Accepted;
        if (accepted)
            window_->document().putBack(dialog.session(), document.mainSource()->text(), "Properties",
                                        dialog.newNotes());
        return accepted;
    };
    QVERIFY(!name("other.md"));
    QVERIFY(!name("../outside.md"));
    QCOMPARE(document.notesText(), QString("# Mine"));
    QVERIFY(name("mine.md"));
    QCOMPARE(document.notesText(), QString("# Mine"));
    trigger("file.save");
    QFile file(home_.path("notes/mine.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("# Mine"));
    QVERIFY(name("")); // back into the session
    QCOMPARE(document.session().notes.text, std::string("# Mine"));
    window_->document().undoStack().undo();
    QCOMPARE(document.session().notes.path, std::string("mine.md"));
}

/// Of a case only what differs is written, so that the rest follows the session; names are not taken twice.
void TestSetup::casesAreKeptApart() {
    QVERIFY(window_->openFile(exercisesFolder() + "/exercise_saxpy/exercise_saxpy.warplight"));
    const Document& document = window_->document();
    const session::ExerciseCase& last = document.session().exercise->cases.back();
    CaseDialog dialog(last, {"a tail"}, window_->workbench(), window_.get());
    dialog.show();
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(
        QString::fromStdString(dialog.edited().arguments),
        QString::fromStdString(
            R"({"a":{"value":-0.75},"x":{"source":{"shape":[3001],"seed":77}},"y":{"source":{"shape":[3001],"seed":78}}})"));
    CaseDialog twice(last, {QString::fromStdString(last.name)}, window_->workbench(), window_.get());
    twice.show();
    twice.accept();
    QVERIFY(twice.isVisible());
}

WARPLIGHT_UI_TEST_MAIN(TestSetup)
#include "test_setup.moc"
