// SPDX-License-Identifier: GPL-3.0-or-later
// Notes as a user reads and edits them, exercises from the first look to the last case, and the way back to an
// original.
#include "window_fixture.hpp"

#include "ui/common/folders.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/notes/notes_view.hpp"

#include <QDockWidget>
#include <QImage>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTextDocument>
#include <QTimer>
#include <QTreeWidget>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const firstTry = R"(extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";
const char* const solution = R"(extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
)";
const char* const endless = R"(extern "C" __global__ void saxpy(int n, float a, const float* x, volatile float* y) {
    while (y[0] < 1e30f) {}
}
)";

} // namespace

class TestNotes : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestNotes(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() {
        openWindow();
        window_->resize(1440, 900); // with room for the panels on the left
        QTRY_VERIFY(!dock("notes")->isHidden());
    }
    void cleanup() { closeWindow(); }
    void examplesHaveNotes();
    void theExplorerStaysInFront();
    void aDescriptionIsShownWithoutNotes();
    void notesAreEditedAndUndone();
    void notesOfAFileAreWritten();
    void notesOfAFileAreSaved();
    void notesOfAFileAreNotSavedUnasked();
    void notesThatCannotBeWrittenStay();
    void notesOfAFileAreRecovered();
    void linksHaveTheColourOfTheTheme();
    void notesComeAlong();
    void typedNotesComeAlong();
    void notesReachNothingOutside();
    void aSolutionIsChecked();
    void checkingIsStopped();
    void hintsComeOneByOne();
    void anotherSessionHasNoResults();
    void resultsOfAnotherSourceAreStale();
    void theOriginalComesBack();
    void onlyTheSessionComesBack();
    void theNotesComeBack();
    void filesOfOthersHaveNoOriginal();
    void pictures();

private:
    NotesPanel& notes() { return window_->panel<NotesPanel>(); }
    ExerciseBox& exercise() { return notes().exercise(); }
    QDockWidget* dock(const char* name) { return window_->findChild<QDockWidget*>(QLatin1String(name)); }
    bool openExercise(const QString& name) {
        QDir(examplesTarget() + QLatin1Char('/') + name).removeRecursively();
        return window_->openExample(QStringLiteral("%1/%2/%2.warplight").arg(exercisesFolder(), name), true);
    }
    void type(const char* text) { window_->document().mainSource()->setText(QLatin1String(text)); }
    bool check() {
        exercise().checkButton()->click();
        return QTest::qWaitFor([&] { return exercise().isRunning(); }, patience) &&
               QTest::qWaitFor([&] { return !exercise().isRunning(); }, patience);
    }
    QString result(int row) { return exercise().caseList()->topLevelItem(row)->text(1); }
    /// Presses a button of the next message box.
    void answer(const QString& label, const QString& name = QStringLiteral("restoreOriginal")) {
        QTimer::singleShot(0, this, [this, label, name] {
            auto* box = window_->findChild<QMessageBox*>(name);
            if (!box) return;
            asked_ = box->text();
            for (QAbstractButton* button : box->buttons())
                if (button->text().remove('&') == label) return button->click();
            box->reject();
        });
    }
    QString notesFile() { return QFileInfo(window_->document().path()).absolutePath() + "/notes.md"; }
    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Types into the notes, which stay in the editor.
    void typeNotes(const QString& text) {
        notes().editButton()->click();
        notes().editor().selectAll();
        notes().editor().insertPlainText(text);
    }
    QString asked_;
};

void TestNotes::examplesHaveNotes() {
    for (const QString& folder : {examplesFolder(), lessonsFolder(), exercisesFolder()}) {
        QVERIFY(!folder.isEmpty());
        for (const Example& example : listExamples(folder)) {
            const session::Session read = session::load(example.path.toStdString());
            QVERIFY2(read.notes.any(), qPrintable(example.path));
        }
    }
    QVERIFY(openExample("saxpy"));
    QTRY_VERIFY(window_->isInFront(dock("notes")));
    QVERIFY(notes().view().toPlainText().startsWith("SAXPY"));
    QVERIFY(notes().problem().isEmpty());
    QVERIFY(exercise().isHidden());
}

void TestNotes::theExplorerStaysInFront() {
    window_->showPanel("explorer");
    auto* list = window_->panel<ExplorerPanel>().findChild<QListWidget*>();
    emit list->itemClicked(list->item(0));
    QTest::qWait(50);
    QVERIFY(window_->isInFront(dock("explorer")));
    QVERIFY(notes().isWorthShowing());
    window_->workbench().worker(driver());
    trigger("run.stop");
    // What is a task has to be seen.
    emit list->itemClicked(list->item(list->count() - 1));
    QTRY_VERIFY(window_->document().session().exercise.has_value());
    QTRY_VERIFY(window_->isInFront(dock("notes")));
}

void TestNotes::aDescriptionIsShownWithoutNotes() {
    write("plain/k.cu", "extern \"C\" __global__ void k() {}");
    QVERIFY(window_->openFile(write("plain/k.warplight", R"({"warplight": 1, "title": "Plain",
        "description": "Says *much*.", "source": "k.cu", "kernel": "k"})")));
    QCOMPARE(notes().view().toPlainText(), QString("Plain\nSays much."));
    QVERIFY(!notes().isWorthShowing());
    QVERIFY(window_->openFile(write("plain/bare.warplight", R"({"warplight": 1, "source": "k.cu"})")));
    QVERIFY(notes().isShowingEmptyNote());
}

void TestNotes::notesAreEditedAndUndone() {
    write("edit/k.cu", "extern \"C\" __global__ void k() {}");
    const QString path = write("edit/k.warplight", R"({"warplight": 1, "source": "k.cu", "kernel": "k"})");
    QVERIFY(window_->openFile(path));
    window_->showPanel("notes");
    QVERIFY(notes().isShowingEmptyNote());
    const auto buttons = notes().findChildren<QPushButton*>();
    const auto write = std::find_if(buttons.begin(), buttons.end(),
                                    [](const QPushButton* button) { return button->text() == "Write notes"; });
    QVERIFY(write != buttons.end());
    (*write)->click();
    QTRY_VERIFY(notes().editor().isVisible());
    QTest::keyClicks(&notes().editor(), "# Mine");
    QCOMPARE(window_->document().session().notes.text, std::string("# Mine"));
    QVERIFY(window_->document().isModified());
    notes().editButton()->click(); // Done
    QVERIFY(!notes().editor().isVisible());
    QCOMPARE(notes().view().toPlainText(), QString("Mine"));
    trigger("edit.undoSession");
    QVERIFY(!window_->document().session().notes.any());
    trigger("edit.redoSession");
    QCOMPARE(notes().view().toPlainText(), QString("Mine"));
    QVERIFY(window_->saveSessionAs(path));
    QCOMPARE(session::load(path.toStdString()).notes.text, std::string("# Mine"));
}

void TestNotes::notesOfAFileAreWritten() {
    QVERIFY(openExample("saxpy"));
    const QString file = QFileInfo(window_->document().path()).absolutePath() + "/notes.md";
    notes().editButton()->click();
    notes().editor().setPlainText("# Changed");
    notes().editor().document()->setModified(true);
    notes().editButton()->click();
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), QByteArray("# Changed"));
    QCOMPARE(notes().view().toPlainText(), QString("Changed"));
    QVERIFY(!window_->document().isModified());
}

void TestNotes::notesOfAFileAreSaved() {
    QVERIFY(openExample("saxpy"));
    typeNotes("# Typed");
    QVERIFY(window_->document().isModified());
    QVERIFY(window_->save());
    QCOMPARE(contentOf(notesFile()), QByteArray("# Typed"));
    QVERIFY(!window_->document().isModified());
    QVERIFY(notes().editor().isVisible());
}

void TestNotes::notesOfAFileAreNotSavedUnasked() {
    QVERIFY(openExample("saxpy"));
    const QString file = notesFile();
    const QByteArray before = contentOf(file);
    typeNotes("# Typed");
    answer("Discard", "unsavedChanges");
    trigger("file.new");
    QVERIFY(asked_.contains("not saved"));
    QVERIFY(window_->document().path().isEmpty());
    QVERIFY(!window_->document().isModified());
    QCOMPARE(contentOf(file), before);
}

void TestNotes::notesThatCannotBeWrittenStay() {
    QVERIFY(openExample("saxpy"));
    typeNotes("# Typed");
    QVERIFY(QFile::remove(notesFile()) && QDir().mkdir(notesFile()));
    const QByteArray session = contentOf(window_->document().path());
    window_->document().modify("x", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    QVERIFY(!window_->save());
    QVERIFY(!banner("file").isEmpty());
    QCOMPARE(contentOf(window_->document().path()), session);
    QVERIFY(window_->document().isModified());
    notes().editButton()->click(); // Done
    QVERIFY(notes().problem().contains("cannot be saved"));
    QCOMPARE(notes().editor().toPlainText(), QString("# Typed"));
}

void TestNotes::notesOfAFileAreRecovered() {
    QVERIFY(openExample("saxpy"));
    const QString file = notesFile();
    const QByteArray before = contentOf(file);
    typeNotes("# Typed");
    window_->autosave();
    // A crash: the store's file stays, and nobody holds its lock.
    const QDir store(stateFolder() + "/recovery");
    const QStringList kept = store.entryList({"*.json"}, QDir::Files);
    QCOMPARE(kept.size(), 1);
    QVERIFY(QFile::copy(store.filePath(kept.front()), store.filePath("crashed.json")));
    closeWindow();
    QCOMPARE(contentOf(file), before);
    openWindow();
    QTRY_VERIFY(window_->banners().isShown("recovery"));
    QVERIFY(window_->banners().press("recovery", "Restore"));
    QCOMPARE(notes().view().toPlainText(), QString("Typed"));
    QVERIFY(window_->save());
    QCOMPARE(contentOf(file), QByteArray("# Typed"));
    QVERIFY(!window_->document().isModified());
}

void TestNotes::linksHaveTheColourOfTheTheme() {
    write("link/k.cu", "extern \"C\" __global__ void k() {}");
    QVERIFY(window_->openFile(
        write("link/k.warplight", R"json({"warplight": 3, "notes": "[kernel](k.cu)", "source": "k.cu"})json")));
    const auto colour = [this] {
        const QTextBlock block = notes().view().document()->begin();
        return block.begin().fragment().charFormat().foreground().color();
    };
    for (const char* theme : {"view.theme.dark", "view.theme.light"}) {
        trigger(theme);
        QCOMPARE(colour(), window_->workbench().theme().colours().accent);
    }
    trigger("view.theme.system");
}

void TestNotes::notesComeAlong() {
    write("from/n.md", "# Notes");
    write("from/k.cu", "extern \"C\" __global__ void k() {}");
    QVERIFY(window_->openFile(write("from/k.warplight", R"({"warplight": 3, "notes": {"path": "n.md"}, "source": "k.cu",
        "exercise": {"cases": [{"name": "a", "arguments": {"x": {"source": {"path": "x.npy"}}}}]}})")));
    QVERIFY(write("to/x", "").endsWith("x"));
    QVERIFY(window_->saveSessionAs(home_.path("to/k.warplight")));
    QCOMPARE(notes().view().toPlainText(), QString("Notes"));
    const session::Session saved = session::load(home_.path("to/k.warplight").toStdString());
    QCOMPARE(saved.notes.text, std::string("# Notes"));
    QVERIFY(saved.exercise->cases[0].arguments.find("../from/x.npy") != std::string::npos);

    // Nothing of a file that was never shown.
    write("secret.md", "# Secret");
    QVERIFY(window_->openFile(
        write("from/s.warplight", R"({"warplight": 3, "notes": {"path": "../secret.md"}, "source": "k.cu"})")));
    QVERIFY(window_->saveSessionAs(home_.path("to/s.warplight")));
    QVERIFY(session::load(home_.path("to/s.warplight").toStdString()).notes.text.empty());
}

void TestNotes::typedNotesComeAlong() {
    write("typed/n.md", "# Notes");
    write("typed/k.cu", "extern \"C\" __global__ void k() {}");
    QVERIFY(window_->openFile(
        write("typed/k.warplight", R"({"warplight": 3, "notes": {"path": "n.md"}, "source": "k.cu"})")));
    typeNotes("# Typed");
    QVERIFY(write("elsewhere/x", "").endsWith("x"));
    QVERIFY(window_->saveSessionAs(home_.path("elsewhere/k.warplight")));
    QCOMPARE(session::load(home_.path("elsewhere/k.warplight").toStdString()).notes.text, std::string("# Typed"));
    // What is typed from now on belongs to the new session.
    QVERIFY(notes().editor().isVisible());
    notes().editor().selectAll();
    notes().editor().insertPlainText("# Later");
    notes().editButton()->click();
    QCOMPARE(window_->document().session().notes.text, std::string("# Later"));
    QCOMPARE(contentOf(home_.path("typed/n.md")), QByteArray("# Typed"));
}

void TestNotes::notesReachNothingOutside() {
    write("apart/secret.md", "# Secret");
    write("apart/in/k.cu", "extern \"C\" __global__ void k() {}");
    QVERIFY(window_->openFile(
        write("apart/in/k.warplight", R"({"warplight": 3, "notes": {"path": "../secret.md"}, "source": "k.cu"})")));
    QVERIFY(notes().problem().contains("outside"));
    QVERIFY(!notes().view().toPlainText().contains("Secret"));
    QVERIFY(window_->openFile(
        write("apart/in/gone.warplight", R"({"warplight": 3, "notes": {"path": "gone.md"}, "source": "k.cu"})")));
    QVERIFY(notes().problem().contains("cannot be read"));

    QImage red(8, 8, QImage::Format_RGB32);
    red.fill(Qt::red);
    QVERIFY(red.save(home_.path("apart/in/red.png")));
    QVERIFY(red.save(home_.path("apart/red.png")));
    QVERIFY(window_->openFile(
        write("apart/in/pictures.warplight",
              R"({"warplight": 3, "notes": "![a](red.png) <img src='red.png'> <b>x</b>", "source": "k.cu"})")));
    NotesView& view = notes().view();
    const auto load = [&](const QString& name) {
        return !view.loadResource(QTextDocument::ImageResource, QUrl(name)).value<QImage>().isNull();
    };
    QVERIFY(load("red.png"));
    QVERIFY(!load("../red.png"));
    QVERIFY(!load(QUrl::fromLocalFile(home_.path("apart/red.png")).toString()));
    QVERIFY(!load("http://127.0.0.1:1/red.png"));
    QVERIFY(view.toPlainText().contains("<b>x</b>") || !view.toHtml().contains("font-weight:700"));
    // A link to a file of the folder opens it; others stay closed.
    emit view.anchorClicked(QUrl("k.warplight"));
    QTRY_VERIFY(window_->document().path().endsWith("k.warplight"));
}

void TestNotes::aSolutionIsChecked() {
    NEEDS_DEVICE;
    QVERIFY(openExercise("exercise_saxpy"));
    QTRY_VERIFY(window_->isInFront(dock("notes")));
    QVERIFY(exercise().isVisible());
    QVERIFY(!window_->runner().isRunning()); // an exercise is not run when it is opened
    QCOMPARE(exercise().caseList()->topLevelItemCount(), 4);
    QCOMPARE(result(0), QString("not checked"));
    type(firstTry);
    QVERIFY(check());
    QCOMPARE(exercise().summary(), QString("3 of 4 cases pass."));
    QCOMPARE(result(0), QString("passes"));
    QCOMPARE(result(3), QString("fails"));
    QVERIFY(exercise().caseList()->topLevelItem(3)->text(0).contains("hidden"));
    // Hidden data is in no view.
    QVERIFY2(!exercise().detail().contains("instead of") && exercise().detail().contains("grid-stride"),
             qPrintable(exercise().detail()));
    QVERIFY(window_->document().runs().empty());
    QVERIFY(window_->findAction(QStringLiteral("run.run"))->isEnabled());

    type(solution);
    QVERIFY(exercise().summary().contains("changed since"));
    trigger("run.checkSolution");
    QTRY_COMPARE_WITH_TIMEOUT(exercise().summary(), QString("All 4 cases pass."), patience);
    type("extern \"C\" __global__ void saxpy(int n, float a, const float* x, float* y) { y[0] = ; }");
    QVERIFY(check());
    QCOMPARE(result(0), QString("does not compile"));
    QCOMPARE(result(3), QString("does not compile"));
    QVERIFY2(exercise().detail().startsWith("line 1"), qPrintable(exercise().detail()));
}

void TestNotes::checkingIsStopped() {
    NEEDS_DEVICE;
    QVERIFY(openExercise("exercise_saxpy"));
    type(endless);
    exercise().checkButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(exercise().isRunning(), patience);
    QCOMPARE(exercise().checkButton()->text(), QString("Stop Checking"));
    QVERIFY(window_->findAction(QStringLiteral("run.stop"))->isEnabled());
    QVERIFY(!window_->findAction(QStringLiteral("run.run"))->isEnabled());
    QTest::qWait(500);
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!exercise().isRunning(), patience);
    QVERIFY(exercise().checkButton()->isEnabled());
    QVERIFY(exercise().summary().startsWith("0 of 4"));
}

void TestNotes::hintsComeOneByOne() {
    QVERIFY(openExercise("exercise_reduction"));
    QVERIFY(exercise().hints().isEmpty());
    QCOMPARE(exercise().hintButton()->text(), QString("Show Hint 1 of 3"));
    for (int i = 1; i <= 3; ++i) {
        exercise().hintButton()->click();
        QCOMPARE(exercise().hints().count(QLatin1Char('\n')), i - 1);
    }
    QVERIFY(!exercise().hintButton()->isEnabled());
}

void TestNotes::anotherSessionHasNoResults() {
    QVERIFY(openExercise("exercise_saxpy"));
    exercise().hintButton()->click();
    QVERIFY(openExercise("exercise_transpose"));
    QVERIFY(exercise().hints().isEmpty());
    QCOMPARE(exercise().caseList()->topLevelItemCount(), 3);
    QVERIFY(openExample("saxpy"));
    QVERIFY(exercise().isHidden());
    QVERIFY(!window_->findAction(QStringLiteral("run.checkSolution"))->isEnabled());

    NEEDS_DEVICE;
    QVERIFY(openExercise("exercise_saxpy"));
    type(endless);
    QVERIFY(window_->save());
    exercise().checkButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(exercise().isRunning(), patience);
    QVERIFY(openExercise("exercise_transpose"));
    QTRY_VERIFY_WITH_TIMEOUT(!exercise().isRunning(), patience);
    QCOMPARE(exercise().summary(), QString());
    for (int row = 0; row < 3; ++row)
        QCOMPARE(result(row), QString("not checked"));
    QVERIFY(exercise().checkButton()->isEnabled());
}

void TestNotes::resultsOfAnotherSourceAreStale() {
    NEEDS_DEVICE;
    QVERIFY(openExercise("exercise_saxpy"));
    type(endless);
    exercise().checkButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(exercise().isRunning(), patience);
    type(solution);
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!exercise().isRunning(), patience);
    QVERIFY2(exercise().summary().contains("changed since"), qPrintable(exercise().summary()));
}

void TestNotes::theOriginalComesBack() {
    QVERIFY(openExercise("exercise_saxpy"));
    Document& document = window_->document();
    const QString text = document.mainSource()->text();
    const std::string session = session::to_text(document.session());
    QVERIFY(notes().restoreButton()->isVisible());
    type(solution);
    document.modify("x", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    QVERIFY(window_->save());
    answer("Cancel");
    trigger("file.restoreOriginal");
    QVERIFY2(asked_.contains("exercise_saxpy.cu") && asked_.contains("launch"), qPrintable(asked_));
    QCOMPARE(document.mainSource()->text(), QString(solution));
    answer("Restore");
    notes().restoreButton()->click();
    QCOMPARE(document.mainSource()->text(), text);
    QCOMPARE(session::to_text(document.session()), session);
    QVERIFY(document.isModified()); // on disk is what was saved
    trigger("edit.undoSession");
    QCOMPARE(document.mainSource()->text(), QString(solution));
    QCOMPARE(document.session().launch.grid.front(), 7U);
}

void TestNotes::onlyTheSessionComesBack() {
    QVERIFY(openExercise("exercise_saxpy"));
    Document& document = window_->document();
    type(solution);
    document.modify("x", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    answer("Keep My Source");
    trigger("file.restoreOriginal");
    QCOMPARE(document.mainSource()->text(), QString(solution));
    QCOMPARE(document.session().launch.grid.front(), 4U);
}

void TestNotes::theNotesComeBack() {
    QVERIFY(openExample("saxpy"));
    const QByteArray original = contentOf(notesFile());
    typeNotes("# Mine");
    notes().editButton()->click(); // Done
    QCOMPARE(contentOf(notesFile()), QByteArray("# Mine"));
    answer("Restore");
    trigger("file.restoreOriginal");
    QVERIFY2(asked_.contains("notes") && !asked_.contains("launch"), qPrintable(asked_));
    QVERIFY(notes().view().toPlainText().startsWith("SAXPY"));
    QVERIFY(window_->document().isModified());
    QCOMPARE(contentOf(notesFile()), QByteArray("# Mine")); // until it is saved
    trigger("edit.undoSession");
    QCOMPARE(notes().view().toPlainText(), QString("Mine"));
    QVERIFY(!window_->document().isModified());
    trigger("edit.redoSession");
    QVERIFY(window_->save());
    QCOMPARE(contentOf(notesFile()), original);
    // Notes that stay as they came are not lost.
    window_->document().modify("x", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    answer("Cancel");
    trigger("file.restoreOriginal");
    QVERIFY2(asked_.contains("launch") && !asked_.contains("notes"), qPrintable(asked_));
    trigger("edit.undoSession");
    answer("Restore"); // stays unasked
    asked_.clear();
    trigger("file.restoreOriginal");
    QCOMPARE(asked_, QString());
}

void TestNotes::filesOfOthersHaveNoOriginal() {
    write("mine/saxpy.cu", "extern \"C\" __global__ void k() {}");
    QVERIFY(window_->openFile(write("mine/saxpy.warplight", R"({"warplight": 1, "source": "saxpy.cu"})")));
    QVERIFY(!window_->findAction(QStringLiteral("file.restoreOriginal"))->isEnabled());
    QVERIFY(notes().restoreButton()->isHidden());
}

void TestNotes::pictures() {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) QSKIP("WARPLIGHT_PICTURES names a folder for pictures");
    NEEDS_DEVICE;
    const auto grab = [&](const QString& name) {
        for (const char* mode : {"light", "dark"}) {
            trigger((std::string("view.theme.") + mode).c_str());
            QTest::qWait(300);
            window_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(mode)));
        }
    };
    window_->resize(1440, 900);
    QVERIFY(openExercise("exercise_saxpy"));
    type(firstTry);
    QVERIFY(check());
    exercise().hintButton()->click();
    grab("exercise");
    window_->resize(1100, 700);
    grab("exercise-small");
    window_->resize(1440, 900);
    QVERIFY(window_->save());
    QVERIFY(openExample("matmul"));
    grab("notes");
    notes().editButton()->click();
    grab("notes-edited");
    notes().editButton()->click();
    trigger("help.welcome");
    window_->resize(1440, 1500);
    grab("notes-welcome");
}

WARPLIGHT_UI_TEST_MAIN(TestNotes)
#include "test_notes.moc"
