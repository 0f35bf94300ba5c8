// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps in the window: three actions to compare blocks, what is set up, what runs, and the results.
#include "window_fixture.hpp"

#include "session/sweep_text.hpp"
#include "ui/common/format.hpp"
#include "ui/common/number_box.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/sweep/sweep_chart.hpp"
#include "ui/sweep/sweep_model.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/sweep/sweep_proposal.hpp"
#include "ui/sweep/sweep_row.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/sweep/sweep_words.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <qcustomplot.h>

using namespace warplight;
using namespace warplight::ui;

namespace {

/// The result is right in blocks of up to 512 threads, and TILE 0 does not compile.
const char* const scale = R"(#ifndef TILE
#define TILE 1
#endif
#if TILE == 0
#error no tile
#endif
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = blockDim.x > 512 ? 0 : a * x[i] * TILE;
}
extern "C" __global__ void endless(float* y, const float* x, float a, int n) {
    while (a > 0) atomicAdd(y, 1.0f);
}
)";

} // namespace

class TestSweep : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestSweep(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init();
    void cleanup() { closeWindow(); }
    void threeActionsCompareBlocks();
    void launchLeadsToTheSweep();
    void theProposalFollowsTheLaunch();
    void theSetupIsSavedAndLoaded();
    void editsAreStepsOfUndo();
    void wrongTextsAreMarked_data();
    void wrongTextsAreMarked();
    void pointsAreCounted();
    void failingPointsAreRows();
    void theTableSorts();
    void chartsHaveData();
    void aPointGoesToLaunch();
    void resultsAreCopiedAndSaved();
    void stopKeepsWhatIsDone();
    void manyPointsAreAskedAbout();
    void runsAndSweepsExcludeEachOther();
    void closingEndsTheSweep();
    void anotherSessionHasNoResults();
    void theEditedTextIsSwept();
    void stepsOfAPipelineAreVaried();
    void pictures();

private:
    SweepPage& page() { return window_->panel<TimingPanel>().sweep(); }
    SweepSetup& setup() { return page().setup(); }
    const session::Session& session() { return window_->document().session(); }
    SweepRow* vary(const std::string& name, const QString& values) {
        SweepRow* row = setup().addAxis();
        row->set(name, values);
        emit row->edited();
        return row;
    }
    /// The grid covers all elements.
    void follow() {
        SweepRow* grid = setup().addSetting();
        grid->set("grid", "ceil(n/bx)");
        emit grid->edited();
    }
    void press(QWidget* button) { QTest::mouseClick(button, Qt::LeftButton); }
    bool ended() {
        return QTest::qWaitFor([this] { return !page().isRunning(); }, patience);
    }
    /// Starts the sweep that is set up, and waits for its end.
    bool sweep() {
        if (!page().problem().isEmpty()) qWarning("%s", qPrintable(page().problem()));
        press(page().startButton());
        return QTest::qWaitFor([this] { return page().isRunning(); }, patience) && ended() && page().report();
    }
    void fewRounds(int rounds) {
        setup().rounds()->setNumber(quint64(rounds));
        emit setup().rounds() -> edited(quint64(rounds));
    }
    /// Points with times. Beside other programs one of some microseconds may look far slower, and is stopped then.
    std::size_t ran() {
        const session::SweepReport* report = page().report();
        return report ? report->count(session::PointState::measured) + report->count(session::PointState::slower) : 0;
    }
    void open(const char* kernel);
};

void TestSweep::open(const char* kernel) {
    window_->document().setReadOnly(true); // so that it asks nothing
    write("sweep/scale.cu", scale);
    write("sweep/scale.warplight", QStringLiteral(R"({"warplight": 1, "source": "scale.cu", "kernel": "%1",
        "device": "%2",
        "arguments": [
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]},
           "expect": {"expression": "2*x"}},
          {"name": "x", "direction": "in", "source": {"kind": "constant", "value": 1, "dtype": "float32", "shape": [4096]}},
          {"name": "a", "direction": "scalar", "type": "f32", "value": 2},
          {"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "x"}}],
        "launch": {"grid": [16, 1, 1], "block": [256, 1, 1]}})")
                                       .arg(QLatin1String(kernel), driver())
                                       .toUtf8());
    QVERIFY(window_->openFile(home_.path("sweep/scale.warplight")));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().areKernelsPending(), patience);
}

void TestSweep::init() {
    openWindow();
    workerIsReady();
    open("scale");
    window_->showPanel("timing");
    window_->panel<TimingPanel>().showSweep();
}

void TestSweep::threeActionsCompareBlocks() {
    NEEDS_DEVICE;
    window_->showPanel("output");
    trigger("run.compareBlocks"); // one
    QVERIFY(window_->isInFront(window_->findChild<QDockWidget*>("timing")));
    QVERIFY(page().isVisible());
    QVERIFY2(page().problem().isEmpty(), qPrintable(page().problem()));
    QCOMPARE(setup().axes().size(), 1);
    QCOMPARE(setup().axes()[0]->text(), QString("64, 128, 256"));
    QCOMPARE(setup().settings()[0]->text(), QString("ceil(n/bx)"));
    QVERIFY2(page().status().startsWith("3 points"), qPrintable(page().status()));
    fewRounds(6);
    press(page().startButton()); // two
    QTRY_VERIFY_WITH_TIMEOUT(page().isRunning(), patience);
    QVERIFY(ended());
    const session::SweepReport* report = page().report();
    QVERIFY2(report, qPrintable(page().status()));
    QCOMPARE(report->points.size(), std::size_t(3));
    QCOMPARE(ran(), std::size_t(3));
    QCOMPARE(report->points[0].grid.front(), 64u); // it follows
    QVERIFY(report->best.has_value());
    QVERIFY2(page().results().startsWith("Best: Block ") && page().results().contains("95 %"),
             qPrintable(page().results()));
    // Three: the best one is selected.
    QToolButton* use = nullptr;
    for (auto* each : page().findChildren<QToolButton*>())
        if (each->text() == "Use in Launch") use = each;
    QVERIFY(use && use->isVisible() && use->isEnabled());
    press(use);
    const auto& best = report->points[*report->best];
    QCOMPARE(session().launch.block.front(), best.block.front());
    QCOMPARE(session().launch.grid.front(), best.grid.front());
}

void TestSweep::launchLeadsToTheSweep() {
    window_->showPanel("launch");
    window_->showPanel("output");
    QToolButton* button = nullptr;
    for (auto* each : window_->panel<LaunchPanel>().findChildren<QToolButton*>())
        if (each->accessibleName() == "Compare block sizes") button = each;
    QVERIFY(button && button->isVisible());
    press(button);
    QVERIFY(page().isVisible() && page().startButton()->hasFocus());
    QVERIFY(page().startButton()->isEnabled());
    // What the user has set up stays.
    setup().axes()[0]->edit()->setText("32..1024*2");
    press(button);
    QCOMPARE(setup().axes()[0]->text(), QString("32..1024*2"));
    trigger("edit.undoSession");
    trigger("edit.undoSession");
    QVERIFY(!session().sweep.has_value());
    // Of a program nothing is compared.
    window_->document().modify("x", [](session::Session& s) { s.program.emplace(); });
    QVERIFY(!window_->findAction("run.compareBlocks")->isEnabled() && !window_->findAction("run.sweep")->isEnabled());
    QVERIFY2(page().problem().contains("main()"), qPrintable(page().problem()));
}

void TestSweep::theProposalFollowsTheLaunch() {
    session::Session session = window_->document().session();
    const auto proposed = [&](LaunchLimits limits = {}) { return compareBlockSizes(session, nullptr, limits); };
    const auto texts = [](const session::Sweep& sweep) {
        return QString::fromStdString(session::values_text(sweep.vary[0].values));
    };
    session.launch.block = {32, 1, 1};
    session.launch.grid = {128, 1, 1};
    session.launch.shared = 32 * 12;
    QCOMPARE(texts(proposed()), QString("32, 64, 128, 256"));
    QCOMPARE(proposed().set.size(), std::size_t(2));
    QCOMPARE(proposed().set[1].formulas[0], std::string("12*threads"));
    session.launch.grid = {7, 1, 1}; // counts nothing that has a name
    QCOMPARE(proposed().set[0].formulas[0], std::string("ceil(224/bx)"));
    LaunchLimits limits;
    limits.kernelThreads = 128;
    QCOMPARE(texts(proposed(limits)), QString("32, 64, 128"));
    session.launch.block = {16, 16, 1};
    session.launch.grid = {4, 8, 1};
    session.launch.shared = 0;
    QCOMPARE(texts(proposed()), QString("8x8, 16x8, 16x16"));
    QCOMPARE(proposed().set[0].formulas, (std::vector<std::string>{"ceil(64/bx)", "ceil(128/by)"}));
}

void TestSweep::theSetupIsSavedAndLoaded() {
    vary("block", "64..512+64");
    vary("define:TILE", "1, 2");
    follow();
    setup().where()->setText("threads <= 256");
    setup().sample()->setNumber(3);
    emit setup().sample() -> edited(3);
    fewRounds(7);
    QVERIFY2(page().problem().isEmpty(), qPrintable(page().problem()));
    QVERIFY(window_->document().isSessionModified());
    QVERIFY(window_->save());
    const session::Session saved = session::load(home_.path("sweep/scale.warplight").toStdString());
    QVERIFY(saved.sweep.has_value());
    QCOMPARE(saved.sweep->vary.size(), std::size_t(2));
    QCOMPARE(saved.sweep->vary[0].values.size(), std::size_t(8));
    QCOMPARE(saved.sweep->where, std::string("threads <= 256"));
    QVERIFY(window_->openFile(write("sweep/other.cu", scale)));
    QVERIFY(setup().axes().isEmpty());
    QVERIFY(window_->openFile(home_.path("sweep/scale.warplight")));
    QCOMPARE(setup().axes().size(), 2);
    QCOMPARE(setup().axes()[0]->text(), QString("64..512+64"));
    QCOMPARE(setup().axes()[1]->name(), std::string("define:TILE"));
    QCOMPARE(setup().settings()[0]->text(), QString("ceil(n/bx)"));
    QCOMPARE(setup().where()->text(), QString("threads <= 256"));
    QCOMPARE(setup().sample()->number(), quint64(3));
    QCOMPARE(setup().rounds()->number(), quint64(7));
    QCOMPARE(setup().points(), quint64(3));
    QVERIFY(!window_->document().isModified());
}

void TestSweep::editsAreStepsOfUndo() {
    SweepRow* row = setup().addAxis();
    QCOMPARE(row->name(), std::string("block"));
    QCOMPARE(setup().addAxis()->name(), std::string("grid")); // what is not there yet
    QTest::keyClicks(row->edit(), "32, 64");
    QVERIFY(session().sweep.has_value());
    QCOMPARE(session().sweep->vary[0].values.size(), std::size_t(2));
    trigger("edit.undoSession"); // the typing is one step
    QVERIFY(!session().sweep.has_value());
    QVERIFY(setup().axes().isEmpty());
    trigger("edit.redoSession");
    QCOMPARE(setup().axes().size(), 1);
    QCOMPARE(setup().axes()[0]->text(), QString("32, 64"));
    QDoubleSpinBox* slower = nullptr;
    for (auto* each : setup().findChildren<QDoubleSpinBox*>())
        if (each->accessibleName() == "Stop slower points") slower = each;
    QVERIFY(slower);
    const double before = slower->value();
    slower->setValue(5);
    QCOMPARE(session().sweep->stop_slower, 5.0);
    trigger("edit.undoSession");
    QCOMPARE(slower->value(), before);
    press(setup().axes()[0]->findChild<QToolButton*>());
    QVERIFY(!session().sweep.has_value());
}

void TestSweep::wrongTextsAreMarked_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("problem");
    QTest::newRow("zero") << "block" << "64, 0" << "must be whole numbers";
    QTest::newRow("word") << "block" << "many" << "must be whole numbers";
    QTest::newRow("range") << "block" << "64..32" << "does not rise";
    QTest::newRow("quotes") << "option" << "\"-O" << "no closing quotation mark";
    QTest::newRow("macro") << "define:" << "1" << "needs a name";
    QTest::newRow("argument") << "argument:zz" << "1" << "no argument";
    QTest::newRow("array") << "argument:x" << "1" << "is an array";
    QTest::newRow("device") << "device" << "abacus" << "abacus";
    QTest::newRow("compiler") << "compiler" << "tcc" << "no compiler";
}

void TestSweep::wrongTextsAreMarked() {
    QFETCH(QString, name);
    QFETCH(QString, values);
    QFETCH(QString, problem);
    QVERIFY(!page().startButton()->isEnabled());
    SweepRow* good = vary(name == "block" ? "grid" : "block", "64");
    QVERIFY(page().startButton()->isEnabled());
    SweepRow* row = vary(name.toStdString(), values);
    QVERIFY2(row->problem().contains(problem), qPrintable(row->problem()));
    QVERIFY(row->edit()->property("invalid").toBool());
    QVERIFY(good->problem().isEmpty());
    QVERIFY(!page().startButton()->isEnabled());
    QVERIFY2(page().startButton()->toolTip().contains(problem), qPrintable(page().startButton()->toolTip()));
    QVERIFY2(page().status().contains(problem), qPrintable(page().status()));
    press(row->findChildren<QToolButton*>().back());
    QVERIFY2(page().startButton()->isEnabled(), qPrintable(page().problem()));
}

void TestSweep::pointsAreCounted() {
    vary("block", "32..1024*2");
    QCOMPARE(setup().points(), quint64(6));
    SweepRow* second = vary("define:TILE", "1..4");
    QCOMPARE(setup().points(), quint64(24));
    setup().where()->setText("threads*TILE <= 128");
    QCOMPARE(setup().points(), quint64(4 + 2 + 1));
    setup().where()->setText("oops(");
    QVERIFY(setup().where()->property("invalid").toBool());
    QVERIFY(!page().startButton()->isEnabled());
    setup().where()->clear();
    setup().zip()->setChecked(true);
    QVERIFY2(page().problem().contains("same number of values"), qPrintable(page().problem()));
    second->edit()->setText("1..6");
    QCOMPARE(setup().points(), quint64(6));
    setup().zip()->setChecked(false);
    second->edit()->setText("1..200000");
    QCOMPARE(setup().points(), quint64(1'200'000));
    setup().where()->setText("threads <= 64");
    QVERIFY(setup().isUpperLimit());
    QVERIFY2(page().status().startsWith("Up to"), qPrintable(page().status()));
}

void TestSweep::failingPointsAreRows() {
    NEEDS_DEVICE;
    vary("block", "128, 1024, 2048");
    vary("define:TILE", "1, 0");
    follow();
    fewRounds(1);
    QVERIFY(sweep());
    const auto& report = *page().report();
    QCOMPARE(report.points.size(), std::size_t(6));
    const auto result = [&](std::size_t point) {
        return page().model().index(int(point), page().model().columnCount() - 1).data().toString();
    };
    QCOMPARE(report.points[0].state, session::PointState::measured);
    QVERIFY2(result(0).startsWith("best"), qPrintable(result(0)));
    QVERIFY2(result(1).startsWith("failed:") && result(1).contains("compile"), qPrintable(result(1)));
    QVERIFY2(result(2).startsWith("wrong:") && result(2).contains("4096 of 4096 elements differ"),
             qPrintable(result(2)));
    QVERIFY2(result(4).startsWith("failed:"), qPrintable(result(4)));
    QVERIFY2(page().results().contains("1 wrong") && page().results().contains("failed"), qPrintable(page().results()));
}

void TestSweep::theTableSorts() {
    NEEDS_DEVICE;
    vary("block", "1024, 64, 256, 128");
    vary("option", ", --use_fast_math");
    follow();
    fewRounds(2);
    const QAbstractItemModelTester tester(&page().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(sweep());
    QAbstractItemModel& rows = *page().table()->model();
    QCOMPARE(rows.rowCount(), 8);
    const int time = page().model().timeColumn();
    double before = 0;
    for (int row = 0; row < 6; ++row) { // the fastest first
        const double now = rows.index(row, time).data(SweepModel::SortRole).toDouble();
        QVERIFY(now >= before && now > 0);
        before = now;
    }
    // Wrong points have no time, and stay last.
    QVERIFY(!rows.index(7, time).data(SweepModel::SortRole).isValid());
    page().table()->sortByColumn(time, Qt::DescendingOrder);
    QVERIFY(!rows.index(7, time).data(SweepModel::SortRole).isValid());
    QVERIFY(rows.index(0, time).data(SweepModel::SortRole).isValid());
    page().table()->sortByColumn(0, Qt::AscendingOrder); // by number, not by letters
    QCOMPARE(rows.index(0, 0).data().toString(), QString("64"));
    QCOMPARE(rows.index(7, 0).data().toString(), QString("1024"));
    page().table()->sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(rows.index(0, 1).data().toString(), QString("(none)"));
    QCOMPARE(rows.headerData(0, Qt::Horizontal).toString(), QString("Block"));
    int bold = 0;
    for (int row = 0; row < rows.rowCount(); ++row)
        bold += rows.index(row, 0).data(Qt::FontRole).isValid() ? 1 : 0;
    QCOMPARE(bold, 1);
}

void TestSweep::chartsHaveData() {
    NEEDS_DEVICE;
    vary("block", "64, 128, 256");
    vary("define:TILE", "1, 0");
    QLineEdit* bytes = nullptr;
    for (auto* each : setup().findChildren<QLineEdit*>())
        if (each->accessibleName() == "Bytes of a launch") bytes = each;
    QVERIFY(bytes);
    bytes->setText("8*n");
    follow();
    fewRounds(2);
    QVERIFY(sweep());
    page().views()->setCurrentWidget(&page().lines());
    QTest::qWait(50);
    QCustomPlot* plot = page().lines().plot();
    QCOMPARE(plot->graph(0)->dataCount(), 3);
    QCOMPARE(plot->graph(1)->dataCount(), 0); // TILE 0 does not compile
    QVERIFY(plot->legend->visible());
    QCOMPARE(plot->xAxis->label(), QString("Block"));
    QVERIFY(plot->yAxis->label().startsWith("Median ("));
    page().lines().secondBox()->setCurrentIndex(0);
    QCOMPARE(plot->graph(0)->dataCount(), 3);
    QVERIFY(!plot->legend->visible());
    QCOMPARE(page().lines().figureBox()->count(), 2);
    page().lines().figureBox()->setCurrentIndex(1);
    QCOMPARE(plot->yAxis->label(), QString("GB/s"));
    const SweepGrid& grid = page().lines().grid();
    const std::size_t point = *grid.at(1, 0).point;
    QCOMPARE(grid.at(1, 0).value, page().report()->points[point].figures.gigabytes_a_second);
    plot->replot();
    const QPoint place(int(plot->xAxis->coordToPixel(1)), int(plot->yAxis->coordToPixel(grid.at(1, 0).value)));
    QTest::mouseClick(plot, Qt::LeftButton, {}, place);
    QCOMPARE(std::size_t(page().table()->currentIndex().data(SweepModel::PointRole).toULongLong()), point);

    page().views()->setCurrentWidget(&page().heatMap());
    QTest::qWait(50);
    auto* map = qobject_cast<QCPColorMap*>(page().heatMap().plot()->plottable(0));
    QVERIFY(map);
    QCOMPARE(map->data()->keySize(), 3);
    QCOMPARE(map->data()->valueSize(), 2);
    QVERIFY(map->data()->cell(0, 0) > 0);
    QVERIFY(std::isnan(map->data()->cell(0, 1)));
    QCOMPARE(page().heatMap().plot()->xAxis->tickVectorLabels().value(1), QString("128"));
}

void TestSweep::aPointGoesToLaunch() {
    NEEDS_DEVICE;
    vary("block", "64, 128");
    vary("define:TILE", "1");
    vary("shape:x", "4096");
    follow();
    fewRounds(1);
    QVERIFY(sweep());
    const auto swept = session().sweep;
    page().useInLaunch(0);
    QCOMPARE(session().launch.block.front(), 64u);
    QCOMPARE(session().launch.grid.front(), 64u);
    QCOMPARE(session().compile.options, std::vector<std::string>{"-DTILE=1"});
    QVERIFY(session().sweep && session().sweep->vary == swept->vary);
    QCOMPARE(window_->panel<LaunchPanel>().form().box(LaunchField::BlockX)->number(), quint64(64));
    trigger("edit.undoSession");
    QCOMPARE(session().launch.block.front(), 256u);
    QVERIFY(session().compile.options.empty());
    // A double-click does the same.
    const QModelIndex first = page().table()->model()->index(0, 0);
    emit page().table() -> activated(first);
    page().table()->setCurrentIndex(first);
    const auto point = std::size_t(first.data(SweepModel::PointRole).toULongLong());
    emit page().table() -> activated(first);
    QCOMPARE(session().launch.block.front(), page().report()->points[point].block.front());
    // An array that has its own shape now.
    session::FileSource file;
    file.path = "x.npy";
    window_->document().modify("x", [&](session::Session& s) { s.arguments[1].source = file; });
    page().useInLaunch(0);
    QVERIFY2(page().status().contains("does not fit"), qPrintable(page().status()));
}

void TestSweep::resultsAreCopiedAndSaved() {
    NEEDS_DEVICE;
    vary("block", "64, 128");
    fewRounds(1);
    QVERIFY(sweep());
    for (QAction* action : page().table()->actions())
        if (action->text() == "Copy as CSV") action->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith("block,state,best,median_ms"));
    for (QAction* action : page().table()->actions())
        if (action->text() == "Copy as Text") action->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains("95 % of it"));
    QString problem;
    QVERIFY2(page().save(home_.path("sweep.json"), &problem), qPrintable(problem));
    QFile json(home_.path("sweep.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    QCOMPARE(nlohmann::json::parse(json.readAll().toStdString()).at("points").size(), std::size_t(2));
    QVERIFY(page().save(home_.path("sweep.csv"), &problem));
    QFile csv(home_.path("sweep.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll().toStdString(), session::to_csv(*page().report()));
    QVERIFY(!page().save(home_.path("no/folder.csv"), &problem));
    QVERIFY2(problem.contains("Cannot write"), qPrintable(problem));
}

void TestSweep::stopKeepsWhatIsDone() {
    NEEDS_DEVICE;
    vary("block", "64, 128, 256");
    follow();
    fewRounds(100000);
    press(page().startButton());
    QTRY_COMPARE_WITH_TIMEOUT(ran(), std::size_t(3), patience);
    QVERIFY2(page().status().contains("Round") && page().status().contains("left"), qPrintable(page().status()));
    QVERIFY(window_->findAction("run.stop")->isEnabled());
    trigger("run.stop");
    QVERIFY(ended());
    QVERIFY(page().report()->stopped);
    QCOMPARE(ran(), std::size_t(3));
    QVERIFY(page().report()->best.has_value());
    QVERIFY2(page().results().contains("stopped"), qPrintable(page().results()));
    // A kernel that never ends is ended, too.
    open("endless");
    window_->panel<TimingPanel>().showSweep();
    vary("block", "64, 128");
    press(page().startButton());
    QTRY_VERIFY_WITH_TIMEOUT(page().isRunning() && page().report(), patience);
    QTest::qWait(300);
    QElapsedTimer clock;
    clock.start();
    page().stop();
    QVERIFY(ended());
    QVERIFY2(clock.elapsed() < 20000, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(page().report() && page().report()->stopped);
    QCOMPARE(page().report()->count(session::PointState::waiting), std::size_t(2));
}

void TestSweep::manyPointsAreAskedAbout() {
    NEEDS_DEVICE;
    vary("block", "1..1000");
    vary("define:TILE", "1..1000");
    QCOMPARE(setup().points(), quint64(1'000'000));
    press(page().startButton());
    const auto question = [&] { return window_->findChild<QMessageBox*>("manyPoints"); };
    QTRY_VERIFY_WITH_TIMEOUT(question() && question()->isVisible(), patience);
    QVERIFY2(question()->text().contains(formatCount(1'000'000)), qPrintable(question()->text()));
    QVERIFY2(question()->informativeText().contains("about") && question()->informativeText().contains("h"),
             qPrintable(question()->informativeText()));
    QVERIFY(page().isRunning()); // it waits
    question()->reject();
    QVERIFY(ended());
    QVERIFY(!page().report());
    QVERIFY2(page().status().startsWith(formatCount(1'000'000)), qPrintable(page().status()));
    // Stop answers, too.
    press(page().startButton());
    QTRY_VERIFY_WITH_TIMEOUT(question() && question()->isVisible(), patience);
    page().stop();
    QVERIFY(ended());
    QTRY_VERIFY(!question());
    // 1200 points with a yes.
    setup().axes()[0]->edit()->setText("1..1200");
    setup().axes()[1]->edit()->setText("1");
    press(page().startButton());
    QTRY_VERIFY_WITH_TIMEOUT(question() && question()->isVisible(), patience);
    for (QAbstractButton* button : question()->buttons())
        if (button->text().contains("All")) button->click();
    QTRY_VERIFY_WITH_TIMEOUT(page().report() && page().report()->points.size() == 1200, patience);
    page().stop();
    QVERIFY(ended());
}

void TestSweep::runsAndSweepsExcludeEachOther() {
    NEEDS_DEVICE;
    vary("block", "64, 128");
    follow();
    fewRounds(100000);
    press(page().startButton());
    QTRY_VERIFY_WITH_TIMEOUT(page().isRunning(), patience);
    QVERIFY(!window_->findAction("run.run")->isEnabled());
    trigger("run.run");
    QVERIFY(!window_->runner().isRunning());
    QVERIFY(!page().startButton()->isEnabled());
    trigger("run.stop");
    QVERIFY(ended());
    QVERIFY(window_->findAction("run.run")->isEnabled());
    QVERIFY(run());
    QVERIFY2(page().status().contains("by the last run"), qPrintable(page().status()));
    window_->document().modify("x", [](session::Session& s) { s.kernel = "endless"; });
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(window_->runner().isRunning(), patience);
    QVERIFY(!page().startButton()->isEnabled());
    QVERIFY2(page().problem().contains("runs"), qPrintable(page().problem()));
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
    QVERIFY(page().startButton()->isEnabled());
}

void TestSweep::closingEndsTheSweep() {
    NEEDS_DEVICE;
    open("endless");
    vary("block", "64, 128");
    press(page().startButton());
    QTRY_VERIFY_WITH_TIMEOUT(page().isRunning() && page().report(), patience);
    QTest::qWait(200);
    QElapsedTimer clock;
    clock.start();
    closeWindow();
    QVERIFY2(clock.elapsed() < 20000, qPrintable(QString::number(clock.elapsed())));
    openWindow(); // for cleanup()
}

void TestSweep::anotherSessionHasNoResults() {
    NEEDS_DEVICE;
    vary("block", "64, 128");
    follow();
    fewRounds(100000);
    press(page().startButton());
    QTRY_VERIFY_WITH_TIMEOUT(page().report(), patience);
    window_->document().setReadOnly(true);
    QVERIFY(openExample("saxpy"));
    QVERIFY(ended());
    QTest::qWait(100);
    QVERIFY(!page().report());
    QVERIFY(setup().axes().isEmpty());
    QCOMPARE(page().model().rowCount(), 0);
}

void TestSweep::theEditedTextIsSwept() {
    NEEDS_DEVICE;
    vary("block", "64, 1024");
    follow();
    fewRounds(1);
    window_->document().mainSource()->setText(QString(scale).replace("> 512", "> 4096"));
    QVERIFY(sweep());
    QCOMPARE(page().report()->count(session::PointState::wrong), std::size_t(0)); // on disk it is one
    QCOMPARE(ran(), std::size_t(2));
}

void TestSweep::stepsOfAPipelineAreVaried() {
    NEEDS_DEVICE;
    QVERIFY(!setup().timeOf()->isVisibleTo(&setup()));
    QVERIFY(setup().addAxis()->kindBox()->findData("times") < 0); // of loops
    window_->document().modify("steps", [](session::Session& s) {
        session::LaunchStep launch;
        launch.kernel = "scale";
        for (const char* name : {"y", "x", "a", "n"})
            launch.arguments.push_back({name, {}, {}, {}});
        launch.launch.block = {256, 1, 1};
        launch.grid = {"ceil(n/bx)"};
        session::LoopStep loop;
        loop.times = 3;
        loop.steps.push_back({launch, {}});
        s.pipeline.emplace().steps = {{loop, {}}, {launch, {}}};
        s.sweep.reset();
    });
    QVERIFY(setup().timeOf()->isVisibleTo(&setup()));
    page().proposeBlocks({});
    QCOMPARE(setup().axes().size(), 1);
    SweepRow* block = setup().axes()[0];
    QCOMPARE(block->name(), std::string("step:1.1.block"));
    QVERIFY(block->stepBox()->isVisibleTo(block));
    QCOMPARE(block->stepBox()->count(), 3); // two launches, and all of the kernel
    QVERIFY2(page().problem().isEmpty(), qPrintable(page().problem()));
    block->stepBox()->setCurrentIndex(block->stepBox()->findData("scale"));
    block->edit()->setText("64, 1024");
    QCOMPARE(session().sweep->vary[0].name, std::string("step:scale.block"));
    SweepRow* rounds = setup().addAxis();
    rounds->kindBox()->setCurrentIndex(rounds->kindBox()->findData("times"));
    QCOMPARE(rounds->stepBox()->count(), 1); // the loop
    rounds->edit()->setText("2");
    QCOMPARE(session().sweep->vary[1].name, std::string("step:1.times"));
    setup().timeOf()->setCurrentIndex(setup().timeOf()->findData("2"));
    QCOMPARE(session().sweep->time, std::string("2"));
    fewRounds(1);
    QVERIFY(sweep());
    QCOMPARE(page().report()->time_of, std::string("2"));
    QCOMPARE(page().report()->count(session::PointState::measured), std::size_t(1));
    QCOMPARE(page().report()->count(session::PointState::wrong), std::size_t(1));
    rounds->set("step:9.times", "2"); // which is gone
    emit rounds->edited();
    QVERIFY(rounds->problem().contains("no step \"9\""));
    window_->document().modify("one launch", [](session::Session& s) { s.pipeline.reset(); });
    QCOMPARE(setup().axes()[0]->name(), std::string("step:scale.block")); // it stays, and is marked
    QVERIFY2(setup().axes()[0]->problem().contains("the session has none"),
             qPrintable(setup().axes()[0]->problem() + page().problem()));
}

void TestSweep::pictures() {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) QSKIP("WARPLIGHT_PICTURES names a folder for pictures");
    NEEDS_DEVICE;
    window_->resize(1440, 900);
    vary("block", "32..1024*2");
    vary("define:TILE", "1, 2, 0");
    follow();
    window_->document().modify("x", [](session::Session& s) { s.arguments[0].expect.reset(); });
    fewRounds(8);
    QVERIFY(sweep());
    for (const char* mode : {"light", "dark"}) {
        trigger((std::string("view.theme.") + mode).c_str());
        for (int tab = 0; tab < page().views()->count(); ++tab) {
            page().views()->setCurrentIndex(tab);
            QTest::qWait(300);
            window_->grab().save(QStringLiteral("%1/sweep-%2-%3.png").arg(folder).arg(tab).arg(QLatin1String(mode)));
        }
    }
    page().views()->setCurrentIndex(0);
    setup().axes()[0]->edit()->setText("32, 0");
    for (const int zoom : {0, 5}) {
        Preferences preferences = window_->preferences();
        preferences.zoom = zoom;
        window_->setPreferences(preferences);
        QTest::qWait(300);
        window_->grab().save(QStringLiteral("%1/sweep-wrong-%2.png").arg(folder).arg(zoom));
    }
    Preferences preferences = window_->preferences();
    preferences.zoom = 0;
    window_->setPreferences(preferences);
}

WARPLIGHT_UI_TEST_MAIN(TestSweep)
#include "test_sweep.moc"
