// SPDX-License-Identifier: GPL-3.0-or-later
// Each run of the window is kept: found in a later window, marked, compared, put back; and what goes wrong with the
// file.
#include "window_fixture.hpp"

#include "history/database.hpp"
#include "history/history.hpp"
#include "session/data_file.hpp"
#include "ui/common/run_history.hpp"
#include "ui/history/comparison_view.hpp"
#include "ui/history/difference_view.hpp"
#include "ui/history/history_model.hpp"
#include "ui/history/history_page.hpp"
#include "ui/settings/settings_dialog.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>

using namespace warplight;
using namespace warplight::ui;
using history::History;

namespace {

const char* const doubling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
)";
const char* const tripling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // three times
    if (i < n) y[i] = 3 * x[i];
}
)";

/// A run that nobody made.
session::Session madeUpSession(unsigned block) {
    session::Session session;
    session.title = "Scale";
    session.source.path = "scale.cu";
    session.kernel = "scale";
    session.launch.grid = {64, 1, 1};
    session.launch.block = {block, 1, 1};
    return session;
}

session::Report madeUpReport(double ms, const char* document = "/work/scale.warplight") {
    session::Report report;
    report.session = document;
    report.kernel = "scale";
    report.device = {"software", 0, "A processor", "8.0", 0};
    report.times.kernel_ms = {ms, ms + 1, ms + 2};
    return report;
}

std::string madeUpSource(int version) {
    std::string text;
    for (int i = 0; i < 60; ++i)
        text += "// line " + std::to_string(i) + (i == 20 ? " of version " + std::to_string(version) : "") + "\n";
    return text;
}

} // namespace

class TestHistory : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestHistory(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init();
    void cleanup();
    void runsStayOverTwoWindows();
    void searchesAndFilters();
    void labelsPinsAndNotes();
    void deletesWhatIsAgreedTo();
    void restoresAsOneStep();
    void restoresNoNotes();
    void restoresAnotherSession();
    void comparesTwoRuns();
    void comparesWithThePresentState();
    void exportsTheSource();
    void lockedFileCostsNoResults();
    void damagedFileCostsNoResults();
    void unwritableFileCostsNoResults();
    void damagedRunCanBeDeleted();
    void keepsAsManyAsIsSet();
    void runsThatAreCutShort();
    void tenThousandRuns();
    void startsAsFast();

private:
    QString file() const { return home_.path(QStringLiteral("history %1.sqlite").arg(files_)); }
    std::filesystem::path path() const { return session::path_from_utf8(file().toStdString()); }
    HistoryPage& page() { return window_->panel<TimingPanel>().history(); }
    HistoryModel& model() { return page().model(); }
    void openSession();
    /// Shows the page and waits for its rows.
    bool showPage();
    bool hasRows(int count) {
        return QTest::qWaitFor([&] { return model().rowCount() == count; }, patience);
    }
    QString cell(int row, int column) { return model().index(row, column).data(Qt::DisplayRole).toString(); }
    void select(std::initializer_list<int> rows);
    void act(const char* name) {
        page().findChild<QAction*>(QLatin1String("history.") + QLatin1String(name))->trigger();
    }
    void setBlock(unsigned threads) {
        window_->document().modify(QStringLiteral("Block"),
                                   [threads](session::Session& s) { s.launch.block = {threads, 1, 1}; });
    }
    QString text() const { return window_->document().mainSource()->text(); }
    void setText(const char* source) { window_->document().mainSource()->setText(QLatin1String(source)); }
    /// Presses a button of the message box that comes.
    void answer(const char* box, const QString& button);
    /// Runs, and waits until the history has answered. Its problem, else empty.
    QString runAndKeep();
    int files_ = 0;
};

void TestHistory::init() {
    ++files_;
    qputenv("WARPLIGHT_HISTORY", file().toUtf8());
    openWindow();
}

void TestHistory::cleanup() {
    if (window_) closeWindow();
    Preferences().save();
}

void TestHistory::openSession() {
    write("kept/twice.cu", doubling);
    write("kept/twice.warplight", QStringLiteral(R"({"warplight": 1, "title": "Twice", "source": "twice.cu",
        "kernel": "twice", "device": "%1", "repeat": 5,
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [4096], "start": 0, "step": 1}},
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": 4096}],
        "launch": {"grid": [16, 1, 1], "block": [256, 1, 1]}})")
                                      .arg(driver())
                                      .toUtf8());
    workerIsReady();
    QVERIFY(window_->openFile(home_.path("kept/twice.warplight")));
}

bool TestHistory::showPage() {
    window_->panel<TimingPanel>().pages()->setCurrentIndex(1);
    QSignalSpy answered(&model(), &HistoryModel::answered), failed(&model(), &HistoryModel::failed);
    window_->showPanel(QStringLiteral("timing"));
    return QTest::qWaitFor([&] { return answered.size() + failed.size() > 0; }, patience);
}

void TestHistory::select(std::initializer_list<int> rows) {
    page().table()->clearSelection();
    for (const int row : rows)
        page().table()->selectionModel()->select(model().index(row, 0),
                                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

void TestHistory::answer(const char* box, const QString& button) {
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this, timer, box, button] {
        auto* shown = window_->findChild<QMessageBox*>(QLatin1String(box));
        if (!shown) return;
        for (QAbstractButton* each : shown->buttons())
            if (each->text().remove(QLatin1Char('&')) == button) {
                timer->deleteLater();
                each->click();
            }
    });
    timer->start(20);
}

QString TestHistory::runAndKeep() {
    QSignalSpy kept(&window_->workbench().history(), &RunHistory::kept);
    QSignalSpy problem(&window_->workbench().history(), &RunHistory::notKept);
    if (!run()) return QStringLiteral("no run");
    if (!QTest::qWaitFor([&] { return kept.size() + problem.size() > 0; }, patience))
        return QStringLiteral("no answer");
    if (!problem.isEmpty()) return problem.first().first().toString();
    return {};
}

void TestHistory::runsStayOverTwoWindows() {
    NEEDS_DEVICE;
    openSession();
    QCOMPARE(runAndKeep(), QString());
    setBlock(128);
    QCOMPARE(runAndKeep(), QString());
    setText(tripling);
    QCOMPARE(runAndKeep(), QString());
    setText("no CUDA at all");
    QCOMPARE(runAndKeep(), QString()); // with its error
    closeWindow();

    openWindow();
    QVERIFY(showPage());
    QVERIFY(hasRows(4));
    const QAbstractItemModelTester tester(&model());
    QCOMPARE(cell(3, HistoryModel::Change), QString());
    QCOMPARE(cell(2, HistoryModel::Change), QStringLiteral("block 256 → 128"));
    QCOMPARE(cell(1, HistoryModel::Change), QStringLiteral("source: 2 lines"));
    QCOMPARE(cell(0, HistoryModel::Result), QStringLiteral("no build"));
    QCOMPARE(cell(1, HistoryModel::Result), QStringLiteral("passed"));
    QCOMPARE(cell(3, HistoryModel::Kernel), QStringLiteral("twice"));
    QCOMPARE(cell(3, HistoryModel::Launch), QStringLiteral("16 × 256"));
    QVERIFY(cell(3, HistoryModel::Device).startsWith(driver()));
    QVERIFY(cell(3, HistoryModel::Median).contains(QLatin1Char('s')));
    const History history(path());
    const auto kept = history.get(1);
    QCOMPARE(kept.document.source.text, std::string(doubling));
    QCOMPARE(kept.report.times.kernel_ms.size(), std::size_t{5});
    QVERIFY(!kept.report.outputs.at(0).digest.empty());
    QVERIFY(!kept.report.outputs.at(0).buffer); // it was the worker's
    QCOMPARE(QDir::fromNativeSeparators(QString::fromStdString(kept.entry.session)),
             home_.path("kept/twice.warplight"));
}

void TestHistory::searchesAndFilters() {
    {
        History history(path());
        for (int i = 0; i < 450; ++i)
            history.add(madeUpSession(32 * (i % 4 + 1)), madeUpSource(1), madeUpReport(1));
        history.add(madeUpSession(64), madeUpSource(1), madeUpReport(1, "/work/other.warplight"), "a label");
        history.add(madeUpSession(64), madeUpSource(1), madeUpReport(1, ""), "loose");
    }
    QVERIFY(showPage());
    QVERIFY(hasRows(200)); // a page; QAbstractItemModelTester would fetch more
    QTRY_COMPARE(model().total(), 452);
    QVERIFY(model().canFetchMore({}));
    model().fetchMore({});
    QVERIFY(!model().canFetchMore({})); // one at a time
    QVERIFY(hasRows(400));
    model().fetchMore({});
    QVERIFY(hasRows(452));
    QVERIFY(!model().canFetchMore({}));

    // Each letter asks; the last answer counts.
    QTest::keyClicks(page().search(), QStringLiteral("LABEL 64"));
    QVERIFY(hasRows(1));
    QCOMPARE(cell(0, HistoryModel::Label), QStringLiteral("a label"));
    page().search()->setText(QStringLiteral("nothing of the kind"));
    QVERIFY(hasRows(0));
    QTRY_COMPARE(page().note(), QStringLiteral("No run has all these words."));
    page().search()->setText(QStringLiteral("64,1,1 × 128"));
    QTRY_COMPARE(model().total(), 112);
    page().search()->clear();
    QVERIFY(hasRows(200));

    page().setOnlyThisSession(true);
    QVERIFY(hasRows(0)); // of a session without a title
    QVERIFY(page().note().contains(QStringLiteral("this session")));
    write("kept/scale.cu", doubling);
    QVERIFY(window_->openFile(home_.path("kept/scale.cu")));
    window_->document().follow([](session::Session& session) { session.title = "Scale"; });
    page().setOnlyThisSession(false);
    page().setOnlyThisSession(true);
    QVERIFY(hasRows(1));
    QCOMPARE(cell(0, HistoryModel::Label), QStringLiteral("loose"));
}

void TestHistory::labelsPinsAndNotes() {
    {
        History history(path());
        for (int i = 0; i < 3; ++i)
            history.add(madeUpSession(32), madeUpSource(i), madeUpReport(1));
    }
    QVERIFY(showPage());
    QVERIFY(hasRows(3));
    const QAbstractItemModelTester tester(&model());
    select({1});
    act("label");
    auto* edit = page().table()->findChild<QLineEdit*>();
    QVERIFY(edit);
    QTest::keyClicks(edit, QStringLiteral("tile of 8"));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(QString::fromStdString(History(path()).get(2).entry.label), QStringLiteral("tile of 8"));
    select({0, 1});
    act("pin");
    QTRY_VERIFY(model().entry(0).pinned && model().entry(1).pinned && !model().entry(2).pinned);
    QCOMPARE(page().table()->selectionModel()->selectedRows().size(), 2); // rows that stay keep their selection
    act("pin");
    QTRY_VERIFY(!model().entry(0).pinned && !model().entry(1).pinned);
    QTest::mouseClick(page().table()->viewport(), Qt::LeftButton, {},
                      page().table()->visualRect(model().index(2, HistoryModel::Pin)).center());
    QTRY_VERIFY(model().entry(2).pinned);

    // A dialog asks for the note.
    select({2});
    QTimer::singleShot(0, this, [this] {
        QTRY_VERIFY(QApplication::activeModalWidget());
        auto* dialog = QApplication::activeModalWidget();
        dialog->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("with a wide tile\nand more"));
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    act("note");
    QTRY_COMPARE(model().entry(2).note, std::string("with a wide tile\nand more"));
    page().search()->setText(QStringLiteral("wide"));
    QVERIFY(hasRows(1));
}

void TestHistory::deletesWhatIsAgreedTo() {
    {
        History history(path());
        for (int i = 0; i < 4; ++i)
            history.add(madeUpSession(32), madeUpSource(i), madeUpReport(1));
        history.set_pinned(2, true);
    }
    QVERIFY(showPage());
    QVERIFY(hasRows(4));
    const QAbstractItemModelTester tester(&model());
    select({1, 2});
    answer("deleteRuns", QStringLiteral("Cancel"));
    act("delete");
    QTest::qWait(100);
    QCOMPARE(model().rowCount(), 4);
    answer("deleteRuns", QStringLiteral("Delete"));
    act("delete");
    QVERIFY(hasRows(2));
    QCOMPARE(model().entry(0).id, 4);
    QCOMPARE(model().entry(1).id, 1);
    QCOMPARE(History(path()).get(4).document.source.text, madeUpSource(3));
}

void TestHistory::restoresAsOneStep() {
    NEEDS_DEVICE;
    openSession();
    QCOMPARE(runAndKeep(), QString());
    setText(tripling);
    setBlock(64);
    window_->document().modify(QStringLiteral("Options"), [](session::Session& s) { s.compile.options = {"-DMORE"}; });
    QVERIFY(showPage());
    QVERIFY(hasRows(1));
    const int steps = window_->document().undoStack().count();
    select({0});
    act("restore");
    QTRY_COMPARE(text(), QString::fromLatin1(doubling));
    QCOMPARE(window_->document().session().launch.block[0], 256u);
    QVERIFY(window_->document().session().compile.options.empty());
    QCOMPARE(window_->document().session().source.path, std::string("twice.cu")); // still that file
    QCOMPARE(window_->document().undoStack().count(), steps + 1);
    trigger("edit.undoSession");
    QCOMPARE(text(), QString::fromLatin1(tripling));
    QCOMPARE(window_->document().session().launch.block[0], 64u);
    QCOMPARE(window_->document().session().compile.options.size(), std::size_t{1});
    trigger("edit.redoSession");
    QCOMPARE(text(), QString::fromLatin1(doubling));
    // What was typed since is not undone with it.
    setText("// typed");
    trigger("edit.undoSession");
    QCOMPARE(text(), QStringLiteral("// typed"));
    QCOMPARE(window_->document().session().launch.block[0], 64u);
    trigger("edit.redoSession");
    setText(doubling);
    QCOMPARE(runAndKeep(), QString()); // the same again
    const History history(path());
    QCOMPARE(history.get(2).entry.change, std::string("nothing"));
    QCOMPARE(history.get(2).report.outputs.at(0).digest, history.get(1).report.outputs.at(0).digest);
}

void TestHistory::restoresNoNotes() {
    NEEDS_DEVICE;
    openSession();
    QCOMPARE(runAndKeep(), QString());
    setBlock(64);
    window_->document().modify(QStringLiteral("Notes"), [](session::Session& s) {
        s.title = "Twice as much";
        s.description = "Doubles";
        s.notes.text = "# Typed since";
        s.exercise.emplace().cases.emplace_back().name = "a case";
    });
    QVERIFY(showPage());
    QVERIFY(hasRows(1));
    select({0});
    act("restore");
    const session::Session& session = window_->document().session();
    QTRY_COMPARE(session.launch.block[0], 256u);
    QCOMPARE(session.title, std::string("Twice as much"));
    QCOMPARE(session.description, std::string("Doubles"));
    QCOMPARE(session.notes.text, std::string("# Typed since"));
    QVERIFY(session.exercise && session.exercise->cases.size() == 1);
}

void TestHistory::restoresAnotherSession() {
    NEEDS_DEVICE;
    openSession();
    setText(tripling);
    QCOMPARE(runAndKeep(), QString());
    window_->document().mainSource()->setText(QString::fromLatin1(doubling));
    answer("unsavedChanges", QStringLiteral("Discard"));
    trigger("file.new");
    QTRY_VERIFY(window_->document().path().isEmpty());
    window_->document().mainSource()->setText(QStringLiteral("// unsaved"));
    QVERIFY(showPage());
    QVERIFY(hasRows(1));
    select({0});
    answer("unsavedChanges", QStringLiteral("Cancel"));
    act("restore");
    QTest::qWait(200);
    QCOMPARE(text(), QStringLiteral("// unsaved"));
    answer("unsavedChanges", QStringLiteral("Discard"));
    act("restore");
    QTRY_COMPARE(window_->document().path(), home_.path("kept/twice.warplight"));
    QCOMPARE(text(), QString::fromLatin1(tripling)); // not what the file has
    trigger("edit.undoSession");
    QCOMPARE(text(), QString::fromLatin1(doubling));

    // Its file is gone: it comes back as a session that is not saved.
    answer("unsavedChanges", QStringLiteral("Discard"));
    trigger("file.new");
    QTRY_VERIFY(window_->document().path().isEmpty());
    QVERIFY(QFile::remove(home_.path("kept/twice.warplight")));
    select({0});
    act("restore");
    QTRY_COMPARE(text(), QString::fromLatin1(tripling));
    QVERIFY(window_->document().path().isEmpty());
    QCOMPARE(window_->document().folder(), QFileInfo(home_.path("kept")).absoluteFilePath());
    QCOMPARE(window_->document().mainSource()->name(), QStringLiteral("twice.cu"));
    QVERIFY(window_->document().isModified());
    QCOMPARE(runAndKeep(), QString());
    QCOMPARE(History(path()).get(2).entry.status, session::Status::ok);
}

void TestHistory::comparesTwoRuns() {
    NEEDS_DEVICE;
    openSession();
    QCOMPARE(runAndKeep(), QString());
    setText(tripling);
    setBlock(128);
    QCOMPARE(runAndKeep(), QString());
    QVERIFY(showPage());
    QVERIFY(hasRows(2));
    select({0, 1});
    act("compare");
    QTRY_VERIFY(page().comparison());
    ComparisonView& view = *page().comparison();
    QCOMPARE(view.windowTitle(), QStringLiteral("Run 1 and run 2"));
    QVERIFY2(view.times().contains(QStringLiteral("permutation test")), qPrintable(view.times()));
    const auto rows = [&view] {
        QStringList found;
        for (QTreeWidgetItemIterator each(view.overview()); *each; ++each)
            found << (*each)->text(0) + QLatin1Char('|') + (*each)->text(1) + QLatin1Char('|') + (*each)->text(2);
        return found;
    };
    QVERIFY(rows().contains(QStringLiteral("block|256,1,1|128,1,1")));
    QVERIFY(!rows().filter(QStringLiteral("y: different bytes|")).isEmpty());
    QCOMPARE(view.source()->summary(), QStringLiteral("1 change: 1 line removed, 2 added"));
    const QStringList before = view.source()->alignedText(0).split(QLatin1Char('\n'));
    const QStringList after = view.source()->alignedText(1).split(QLatin1Char('\n'));
    QCOMPARE(before.size(), after.size());
    QVERIFY(before[2].contains(QStringLiteral("2 * x[i]")) && before[3].isEmpty());
    QVERIFY(after[2].contains(QStringLiteral("three times")) && after[3].contains(QStringLiteral("3 * x[i]")));
    view.pages()->setCurrentIndex(ComparisonView::Ptx);
    QTRY_VERIFY2_WITH_TIMEOUT(view.ptx()->changeCount() > 0, qPrintable(view.ptx()->note()), patience);
    QVERIFY(view.ptx()->alignedText(0).contains(QStringLiteral(".entry twice")));
    view.pages()->setCurrentIndex(ComparisonView::Report);
    QVERIFY(view.report()->alignedText(0).contains(QStringLiteral("twice")));
    // Both sides scroll together.
    view.resize(700, 180);
    view.pages()->setCurrentIndex(ComparisonView::Ptx);
    view.ptx()->scrollTo(0, 6);
    QTRY_COMPARE(view.ptx()->firstVisibleLine(1), view.ptx()->firstVisibleLine(0));
    view.ptx()->scrollTo(1, 2);
    QTRY_COMPARE(view.ptx()->firstVisibleLine(0), view.ptx()->firstVisibleLine(1));
    QTest::keyClick(&view, Qt::Key_Escape);
    QTRY_VERIFY(!page().comparison());
}

void TestHistory::comparesWithThePresentState() {
    NEEDS_DEVICE;
    openSession();
    QCOMPARE(runAndKeep(), QString());
    QVERIFY(showPage());
    QVERIFY(hasRows(1));
    select({0});
    act("compare");
    QTRY_VERIFY(page().comparison());
    QVERIFY(page().comparison()->times().contains(QStringLiteral("not distinguishable"))); // the run itself
    QCOMPARE(page().comparison()->source()->summary(), QStringLiteral("No difference"));
    page().comparison()->close();
    QTRY_VERIFY(!page().comparison());
    setText(tripling);
    act("compare");
    QTRY_VERIFY(page().comparison());
    QVERIFY(page().comparison()->times().contains(QStringLiteral("was not run")));
    QCOMPARE(page().comparison()->source()->changeCount(), 1);
    QVERIFY(page().comparison()->report()->note().contains(QStringLiteral("not run")));
}

void TestHistory::exportsTheSource() {
    History history(path());
    const auto run = history.get(history.add(madeUpSession(32), madeUpSource(5), madeUpReport(1)));
    QString problem;
    const QString target = home_.path("exported.cu");
    QVERIFY(page().exportSource(run, target, &problem));
    QFile written(target);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll().toStdString(), madeUpSource(5));
    QVERIFY(!page().exportSource(run, home_.path("no such folder/a.cu"), &problem));
    QVERIFY(problem.contains(QStringLiteral("Choose another folder")));
}

void TestHistory::lockedFileCostsNoResults() {
    NEEDS_DEVICE;
    openSession();
    QCOMPARE(runAndKeep(), QString());
    history::Database other(path());
    other.execute("BEGIN IMMEDIATE");
    QVERIFY(runAndKeep().contains(QStringLiteral("locked")));
    QCOMPARE(window_->document().runs().size(), std::size_t{2});
    QCOMPARE(window_->document().report().status, session::Status::ok);
    QVERIFY(banner("history").contains(QStringLiteral("locked")));
    QVERIFY(showPage());
    QVERIFY(hasRows(1)); // reading goes on
    other.execute("ROLLBACK");
    QCOMPARE(runAndKeep(), QString());
    QCOMPARE(banner("history"), QString());
    QVERIFY(hasRows(2));
}

void TestHistory::damagedFileCostsNoResults() {
    NEEDS_DEVICE;
    const QByteArray junk(9000, 'x');
    write(QFileInfo(file()).fileName(), junk);
    openSession();
    QVERIFY(runAndKeep().contains(QStringLiteral("damaged")));
    QCOMPARE(window_->document().report().status, session::Status::ok);
    QVERIFY(banner("history").contains(QStringLiteral("Move the file away")));
    QVERIFY(showPage());
    QVERIFY2(page().note().contains(QStringLiteral("damaged")), qPrintable(page().note()));
    QVERIFY(window_->banners().press(QStringLiteral("history"), QStringLiteral("Close")));
    QVERIFY(!runAndKeep().isEmpty());
    QCOMPARE(banner("history"), QString()); // it was told
    QFile damaged(file());
    QVERIFY(damaged.open(QIODevice::ReadOnly));
    QCOMPARE(damaged.readAll(), junk);
    damaged.close();
    QVERIFY(QFile::rename(file(), file() + QStringLiteral(".away")));
    QCOMPARE(runAndKeep(), QString());
    QVERIFY(hasRows(1));
}

void TestHistory::unwritableFileCostsNoResults() {
    NEEDS_DEVICE;
    write("a file", "x");
    qputenv("WARPLIGHT_HISTORY", home_.path("a file/history.sqlite").toUtf8());
    openSession();
    QVERIFY(runAndKeep().contains(QStringLiteral("permissions")));
    QCOMPARE(window_->document().report().status, session::Status::ok);
    QVERIFY(window_->banners().press(QStringLiteral("history"), QStringLiteral("Keep no runs")));
    QVERIFY(!window_->preferences().keepRuns);
}

void TestHistory::damagedRunCanBeDeleted() {
    {
        History history(path());
        history.add(madeUpSession(32), madeUpSource(1), madeUpReport(1));
        history.add(madeUpSession(32), madeUpSource(2), madeUpReport(1));
    }
    history::Database(path()).execute("UPDATE details SET report = x'00' WHERE run = 1");
    QVERIFY(showPage());
    QVERIFY(hasRows(2));
    select({1});
    act("restore");
    QTRY_VERIFY(banner("history").contains(QStringLiteral("damaged")));
    answer("deleteRuns", QStringLiteral("Delete"));
    act("delete");
    QVERIFY(hasRows(1));
}

void TestHistory::keepsAsManyAsIsSet() {
    NEEDS_DEVICE;
    {
        History history(path());
        for (int i = 0; i < 14; ++i)
            history.add(madeUpSession(32), madeUpSource(1), madeUpReport(1));
        history.set_pinned(1, true);
    }
    openSession();
    SettingsDialog dialog(window_->preferences());
    QVERIFY(dialog.preferences().keepRuns);
    Preferences preferences = window_->preferences();
    preferences.keptRuns = 10;
    window_->setPreferences(preferences);
    QCOMPARE(Preferences::load().keptRuns, 10);
    QCOMPARE(runAndKeep(), QString());
    QCOMPARE(History(path()).count({}), std::size_t{11}); // and the pinned one
    preferences.keepRuns = false;
    window_->setPreferences(preferences);
    QVERIFY(run());
    QTest::qWait(300);
    QCOMPARE(History(path()).count({}), std::size_t{11});
}

/// A program that keeps runs is killed amid its writing.
void TestHistory::runsThatAreCutShort() {
    for (int time = 0; time < 3; ++time) {
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--keep-runs")});
        QVERIFY(program.waitForStarted());
        const auto count = [this] {
            try {
                return History(path()).count({});
            } catch (const history::HistoryError&) {
                return std::size_t{0};
            }
        };
        const std::size_t before = count();
        QVERIFY(QTest::qWaitFor([&] { return count() > before + 5; }, patience));
        program.kill();
        QVERIFY(program.waitForFinished());
        history::Database database(path());
        auto answer = database.prepare("PRAGMA integrity_check");
        QVERIFY(answer.step());
        QCOMPARE(answer.text(0), std::string("ok"));
        const History history(path());
        for (const auto& entry : history.find({.limit = 100000}))
            QVERIFY(history.get(entry.id).document.source.text.starts_with("// line 0"));
    }
}

/// With figures, for docs/history.md.
void TestHistory::tenThousandRuns() {
    {
        History history(path());
        for (int i = 0; i < 100; ++i)
            history.add(madeUpSession(static_cast<unsigned>(32 * (i % 32 + 1))), madeUpSource(i / 4), madeUpReport(i));
    }
    const std::string columns = "time, session, title, kernel, device, launch, options, status, kernel_ms, repeat, "
                                "label, note, pinned, words, change, source";
    history::Database(path()).execute(("INSERT INTO runs(" + columns +
                                       ") WITH RECURSIVE copies(n) AS (SELECT 1 UNION "
                                       "ALL SELECT n + 1 FROM copies WHERE n < 99) SELECT " +
                                       columns + " FROM runs, copies")
                                          .c_str());
    QElapsedTimer timer;
    timer.start();
    QVERIFY(showPage());
    const auto opened = timer.nsecsElapsed();
    QVERIFY(hasRows(200));
    const auto search = [&](const QString& words) {
        QSignalSpy answered(&model(), &HistoryModel::answered);
        timer.restart();
        page().search()->setText(words);
        const bool came = QTest::qWaitFor([&] { return !answered.isEmpty(); }, patience);
        return came ? double(timer.nsecsElapsed()) / 1e6 : -1;
    };
    const double two = search(QStringLiteral("scale 992,1,1")), none = search(QStringLiteral("nowhere at all"));
    QCOMPARE(model().rowCount(), 0);
    const double all = search(QString());
    QTRY_COMPARE(model().total(), 10000);
    timer.restart();
    while (model().rowCount() < 10000) {
        const int before = model().rowCount();
        model().fetchMore({}); // the table may have asked itself
        QVERIFY(QTest::qWaitFor([&] { return model().rowCount() > before; }, patience));
    }
    QCOMPARE(model().rowCount(), 10000);
    qInfo("10,000 runs: the page is there after %.1f ms; searches take %.1f, %.1f (nothing found) and %.1f ms (all); "
          "scrolled to the end in %.1f ms",
          double(opened) / 1e6, two, none, all, double(timer.nsecsElapsed()) / 1e6);
}

/// The history costs a new window nothing: it is opened later.
void TestHistory::startsAsFast() {
    {
        History history(path());
        for (int i = 0; i < 1000; ++i)
            history.add(madeUpSession(32), madeUpSource(i / 4), madeUpReport(i));
    }
    closeWindow();
    const auto start = [this](bool keep) {
        Preferences preferences = Preferences::load();
        preferences.keepRuns = keep;
        preferences.save();
        QElapsedTimer timer;
        timer.start();
        openWindow();
        const double ms = double(timer.nsecsElapsed()) / 1e6;
        closeWindow();
        return ms;
    };
    start(true);
    std::vector<double> with, without;
    for (int i = 0; i < 7; ++i) {
        without.push_back(start(false));
        with.push_back(start(true));
    }
    qInfo("a window opens in %.0f ms with a history, in %.0f ms without (fastest of 7)", session::statistics(with).min,
          session::statistics(without).min);
    // Nothing has opened it.
    ++files_;
    qputenv("WARPLIGHT_HISTORY", file().toUtf8());
    openWindow();
    QTest::qWait(300);
    QVERIFY(!QFile::exists(file()));
}

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--keep-runs") { // until it is killed
        const QCoreApplication application(argc, argv);
        RunHistory history;
        int version = 0;
        const auto keep = [&] { history.keep(madeUpSession(32), madeUpSource(++version), madeUpReport(1)); };
        QObject::connect(&history, &RunHistory::kept, &history, keep);
        QObject::connect(&history, &RunHistory::notKept, &history, keep);
        for (int i = 0; i < 4; ++i)
            keep();
        return QCoreApplication::exec();
    }
    TestHome home;
    QApplication application(argc, argv);
    TestHistory test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_history.moc"
