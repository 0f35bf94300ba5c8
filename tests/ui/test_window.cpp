// SPDX-License-Identifier: GPL-3.0-or-later
// The real window with a real worker: examples, broken sources, kills, files, recovery, keyboard.
#include "annotation.hpp"
#include "kill_process.hpp"
#include "test_home.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/theme.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/command_palette.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/problems/problems_model.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/timing/runs_model.hpp"
#include "ui/timing/timing_panel.hpp"
#include "ui/welcome/examples.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <optional>

/// A build without the software device has nothing to run on.
#define NEEDS_DEVICE                                                                                                   \
    if (!TestHome::hasDevice()) QSKIP("no device: this build has no software device")

using namespace warplight;
using namespace warplight::ui;

namespace {

constexpr int patience = 90000; // a machine that is busy with other things

const char* const endless = R"(extern "C" __global__ void spin(volatile int* flag) { while (*flag == 0) { } }
)";
const char* const simple = R"(extern "C" __global__ void fill(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
)";

QString driverName() {
    return qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == QLatin1String("cuda") ? QStringLiteral("cuda")
                                                                                  : QStringLiteral("software");
}

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

/// Presses a button of the next message box that appears.
void answer(QMessageBox::StandardButton button) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, button] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            timer->deleteLater();
            box->button(button)->click();
        }
    });
    timer->start(20);
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT
public:
    explicit TestWindow(const TestHome& home) : home_(home) {}

private slots:
    void init();
    void cleanup();
    void anExampleRunsWithOneClick();
    void aBrokenSourceShowsItsProblem();
    void aFaultyKernelIsExplained();
    void aKilledWorkerComesBack();
    void stopEndsAnEndlessKernel();
    void stopEndsAWorkerThatDoesNotAnswer();
    void aLaunchThatCannotWorkIsNotSent();
    void themesSwitchAndStay();
    void sessionsAreSavedAndReopened();
    void unsavedChangesAreAskedAbout();
    void unsavedWorkIsOfferedAgain();
    void twoWindowsOnOneSession();
    void filesCanBeDropped();
    void badFilesAreExplained();
    void badInputIsExplained_data();
    void badInputIsExplained();
    void thePaletteFindsEverything();
    void paneKeysAndLayout();
    void everyActionIsComplete();

private:
    void ready();
    bool ran(int runs);
    void makeEndlessSession(const QString& file);
    void runTheKernel();
    QString banner(const QString& key) { return window_->banners().text(key); }

    const TestHome& home_;
    std::unique_ptr<MainWindow> window_;
};

void TestWindow::init() {
    window_ = std::make_unique<MainWindow>();
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void TestWindow::cleanup() {
    window_->document().setReadOnly(true); // so that closing asks nothing
    window_->close();
    window_.reset();
}

void TestWindow::ready() { QTRY_VERIFY_WITH_TIMEOUT(window_->workbench().worker(driverName())->isUsable(), patience); }

/// True once the window has so many runs and nothing is under way.
bool TestWindow::ran(int runs) {
    return QTest::qWaitFor(
        [&] { return static_cast<int>(window_->document().runs().size()) >= runs && !window_->runner().isRunning(); },
        patience);
}

void TestWindow::makeEndlessSession(const QString& file) {
    write(home_.path(file), endless);
    QVERIFY(window_->openFile(home_.path(file)));
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().session().arguments.size(), std::size_t(1), patience);
    window_->document().modify("device", [](session::Session& s) { s.device = driverName().toStdString(); });
}

/// Until it is in the kernel.
void TestWindow::runTheKernel() {
    bool running = false;
    const auto seen = connect(&window_->workbench().worker(), &WorkerConnection::progress, this,
                              [&](int, const QString& stage) { running = running || stage == QLatin1String("run"); });
    window_->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    disconnect(seen);
    QTest::qWait(200);
}

void TestWindow::anExampleRunsWithOneClick() {
    NEEDS_DEVICE;
    ready();
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", true));
    QVERIFY(ran(1));
    const session::Report& report = window_->document().report();
    QVERIFY2(report.status == session::Status::ok, report.error ? report.error->message.c_str() : "not ok");
    QVERIFY(!report.comparisons.empty() && report.comparisons.front().passed);
    QCOMPARE(window_->panel<TimingPanel>().model().rowCount(), 1);
    QCOMPARE(window_->findChild<QComboBox*>("kernelBox")->currentText(), QString("saxpy"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().compileOutput().ptx.contains(".entry saxpy"), patience);
    QCOMPARE(window_->editors().currentSource(), window_->document().mainSource());
    // The examples themselves stay as they are.
    QVERIFY(!window_->document().path().startsWith(QDir(examplesFolder()).absolutePath()));
    // Once more: nothing is compiled anew.
    window_->findAction("run.run")->trigger();
    QVERIFY(ran(2));
    QVERIFY(window_->document().report().status == session::Status::ok);
    qInfo("of the window's own: %.1f ms", window_->document().runs().back().overheadMs);
}

void TestWindow::aBrokenSourceShowsItsProblem() {
    NEEDS_DEVICE;
    ready();
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    SourceFile* source = window_->document().mainSource();
    const QString good = source->text();
    source->setText(QString(good).replace("int i =", "int i = undeclared_name +"));
    window_->findAction("build.build")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().compileOutput().valid && !window_->document().compileOutput().ok,
                             patience);
    QTRY_VERIFY(window_->panel<ProblemsPanel>().problemCount() > 0);
    const auto& first = window_->document().compileOutput().diagnostics.front();
    QVERIFY(first.message.find("undeclared_name") != std::string::npos);
    QVERIFY(first.line > 0);
    window_->findAction("run.run")->trigger();
    QVERIFY(ran(1));
    QVERIFY(window_->document().report().status == session::Status::compile_error);
    source->setText(good);
    window_->findAction("run.run")->trigger();
    QVERIFY(ran(2));
    QVERIFY(window_->document().report().status == session::Status::ok);
    QTRY_COMPARE_WITH_TIMEOUT(window_->panel<ProblemsPanel>().problemCount(), 0, patience);
}

void TestWindow::aFaultyKernelIsExplained() {
    NEEDS_DEVICE;
    ready();
    QVERIFY(window_->openExample(examplesFolder() + "/faulty/faulty.warplight", true));
    QVERIFY(ran(1));
    QVERIFY(window_->document().report().status == session::Status::device_error);
    QVERIFY(window_->banners().isShown("run"));
    QVERIFY2(banner("run").contains("shift_rows"), qPrintable(banner("run")));
    QTRY_VERIFY(window_->panel<ProblemsPanel>().problemCount() > 0);
    if (driverName() == QLatin1String("software")) { // which knows the line
        auto* editor = window_->findChild<CudaEditor*>();
        QVERIFY(editor);
        QTRY_VERIFY_WITH_TIMEOUT(annotationOf(*editor, 9).contains("illegal memory access"), patience);
    }
    // The next session runs as if nothing had been.
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", true));
    QVERIFY(ran(1));
    QVERIFY(window_->document().report().status == session::Status::ok);
}

void TestWindow::aKilledWorkerComesBack() {
    NEEDS_DEVICE;
    ready();
    makeEndlessSession("kill/spin.cu");
    WorkerConnection& worker = window_->workbench().worker();
    runTheKernel();
    QVERIFY(window_->runner().isRunning());
    const int generation = worker.generation();
    killProcess(worker.processId());
    QElapsedTimer clock;
    clock.start();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
    QTRY_VERIFY2_WITH_TIMEOUT(worker.generation() > generation && worker.isUsable(), qPrintable(worker.reason()),
                              patience);
    qInfo("back after %lld ms", clock.elapsed());
    QVERIFY2(banner("run").contains("ended"), qPrintable(banner("run")));
    QVERIFY(ran(1)); // what went into the lost run is read again
    QVERIFY(window_->document().report().status == session::Status::device_error);
    // The session runs again with one click.
    window_->document().mainSource()->setText(QString(simple)
                                                  .replace("fill", "spin")
                                                  .replace("float* x, int n", "int* flag")
                                                  .replace("if (i < n) x[i] = i", "flag[i] = i"));
    QVERIFY(window_->banners().press("run", "Run again"));
    QVERIFY(ran(2));
    const session::Report& report = window_->document().report();
    QVERIFY2(report.status == session::Status::ok, report.error ? report.error->message.c_str() : "not ok");
}

/// And leaves what the run before it left, in the worker as in the window.
void TestWindow::stopEndsAnEndlessKernel() {
    NEEDS_DEVICE;
    ready();
    makeEndlessSession("stop/spin.cu");
    const QString spinning = window_->document().mainSource()->text();
    const QString counting = QString(spinning).replace("while (*flag == 0) { }", "*flag = 7;");
    window_->document().mainSource()->setText(counting);
    window_->findAction("run.run")->trigger();
    QVERIFY(ran(1));
    QVERIFY(window_->document().report().status == session::Status::ok);
    QVERIFY(!window_->document().report().outputs.empty());
    const qint64 number = window_->document().report().outputs.front().buffer.value_or(-1);
    const std::string saved = session::to_text(window_->document().session());

    window_->document().mainSource()->setText(spinning);
    WorkerConnection& worker = window_->workbench().worker();
    const qint64 process = worker.processId();
    QSignalSpy stopped(&window_->runner(), &RunController::runStopped);
    runTheKernel();
    QVERIFY(window_->findAction("run.stop")->isEnabled());
    QElapsedTimer clock;
    clock.start();
    window_->findAction("run.stop")->trigger();
    QVERIFY(stopped.count() || stopped.wait(patience));
    qInfo("stopped after %lld ms", clock.elapsed());
    QVERIFY(!window_->runner().isRunning());
    QVERIFY(!window_->findAction("run.stop")->isEnabled());
    QVERIFY2(banner("run").contains("Stopped"), qPrintable(banner("run")));
    QTRY_COMPARE_WITH_TIMEOUT(worker.state(), WorkerConnection::State::Ready, patience);
    QCOMPARE(window_->document().mainSource()->text(), spinning);
    QCOMPARE(session::to_text(window_->document().session()), saved);
    QCOMPARE(window_->document().runs().size(), std::size_t(1));
    QVERIFY(window_->document().report().status == session::Status::ok);
    if (driverName() != QLatin1String("software")) return; // a GPU's kernels end with their process
    QCOMPARE(stopped.front().front().toBool(), false);
    QCOMPARE(worker.processId(), process);
    qint64 buffer = -1;
    window_->workbench().buffers().find(number, &worker, this, [&](qint64 id, const QString&) { buffer = id; });
    QVERIFY(buffer >= 0);
    std::optional<WorkerReply> info;
    worker.request("buffer.info", {{"buffer", buffer}}, {}, window_.get(), [&](const WorkerReply& r) { info = r; });
    QTRY_VERIFY_WITH_TIMEOUT(info, patience);
    QVERIFY2(info->ok, qPrintable(info->error));
    window_->document().mainSource()->setText(counting);
    QVERIFY(window_->banners().press("run", "Run again"));
    QVERIFY(ran(2));
    QVERIFY(window_->document().report().status == session::Status::ok);
    QCOMPARE(worker.processId(), process);
}

/// Without the window standing still.
void TestWindow::stopEndsAWorkerThatDoesNotAnswer() {
    NEEDS_DEVICE;
    ready();
    makeEndlessSession("deaf/spin.cu");
    WorkerConnection& worker = window_->workbench().worker();
    for (const bool twice : {false, true}) {
        QTRY_VERIFY_WITH_TIMEOUT(worker.isUsable(), patience);
        const int generation = worker.generation();
        QSignalSpy stopped(&window_->runner(), &RunController::runStopped);
        runTheKernel();
        const qint64 process = worker.processId();
        QVERIFY(process > 0);
        haltProcess(process);
        int ticks = 0;
        QTimer ticking;
        connect(&ticking, &QTimer::timeout, this, [&] { ++ticks; });
        ticking.start(20);
        QElapsedTimer clock;
        clock.start();
        window_->findAction("run.stop")->trigger();
        QVERIFY(window_->runner().isRunning()); // it is waited for
        if (twice) {
            QVERIFY(window_->findAction("run.stop")->isEnabled());
            window_->findAction("run.stop")->trigger(); // it is not
        }
        QVERIFY(stopped.count() || stopped.wait(patience));
        qInfo("ended after %lld ms, %d ticks", clock.elapsed(), ticks);
        if (!twice) QVERIFY(clock.elapsed() >= 450 && ticks >= 5);
        QCOMPARE(stopped.count(), 1);
        QCOMPARE(stopped.front().front().toBool(), true);
        QVERIFY2(banner("run").contains("Stopped"), qPrintable(banner("run")));
        QTRY_VERIFY_WITH_TIMEOUT(worker.generation() > generation && worker.isUsable(), patience);
    }
}

void TestWindow::aLaunchThatCannotWorkIsNotSent() {
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    window_->document().modify("block", [](session::Session& s) { s.launch.block = {2048, 1, 1}; });
    window_->findAction("run.run")->trigger();
    QVERIFY(!window_->runner().isRunning());
    QVERIFY2(banner("run").contains("1024"), qPrintable(banner("run")));
    window_->document().modify("grid", [](session::Session& s) {
        s.launch.block = {256, 1, 1};
        s.launch.grid = {0, 1, 1};
    });
    window_->findAction("run.run")->trigger();
    QVERIFY(!window_->runner().isRunning());
    QVERIFY(window_->banners().isShown("run"));
}

void TestWindow::themesSwitchAndStay() {
    window_->findAction("view.theme.dark")->trigger();
    QVERIFY(window_->workbench().theme().isDark());
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 80);
    QCOMPARE(Preferences::load().theme, Theme::Mode::Dark);
    QVERIFY(window_->findAction("view.theme.dark")->isChecked());
    window_->findAction("view.theme.light")->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 180);
    QCOMPARE(Preferences::load().theme, Theme::Mode::Light);
    const double before = window_->workbench().theme().monospace().pointSizeF();
    window_->findAction("view.zoomIn")->trigger();
    QVERIFY(window_->workbench().theme().monospace().pointSizeF() > before);
    window_->findAction("view.zoomReset")->trigger();
    QCOMPARE(window_->workbench().theme().monospace().pointSizeF(), before);
}

void TestWindow::sessionsAreSavedAndReopened() {
    window_->findAction("file.new")->trigger();
    QVERIFY(!window_->document().mainSource()->text().isEmpty());
    window_->document().mainSource()->setText(simple);
    window_->document().modify("grid", [](session::Session& s) { s.launch.grid = {5, 1, 1}; });
    QVERIFY(window_->isWindowModified());
    const QString path = home_.path("save/mine.warplight");
    QDir().mkpath(home_.path("save"));
    QVERIFY(window_->saveSessionAs(path));
    QVERIFY(!window_->isWindowModified());
    QVERIFY(recentFiles().contains(path));
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    QVERIFY(window_->openFile(path));
    QCOMPARE(window_->document().mainSource()->text(), QString(simple));
    QCOMPARE(window_->document().session().launch.grid[0], 5u);
    // A folder that cannot be written to is said, and nothing is lost.
    window_->document().mainSource()->setText("// other\n");
    QVERIFY(!window_->saveSessionAs("/proc/nowhere/x.warplight"));
    QVERIFY(window_->banners().isShown("file"));
    QVERIFY(window_->document().isModified());
}

void TestWindow::unsavedChangesAreAskedAbout() {
    write(home_.path("ask/k.cu"), simple);
    QVERIFY(window_->openFile(home_.path("ask/k.cu")));
    window_->document().mainSource()->setText("// changed\n");
    answer(QMessageBox::Cancel);
    QVERIFY(!window_->close());
    QVERIFY(window_->isVisible());
    answer(QMessageBox::Cancel);
    QVERIFY(!window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    QCOMPARE(window_->document().mainSource()->text(), QString("// changed\n"));
    answer(QMessageBox::Discard);
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
}

void TestWindow::unsavedWorkIsOfferedAgain() {
    window_->findAction("file.new")->trigger();
    window_->document().mainSource()->setText("// before the crash\n");
    window_->autosave();
    // A crash: the store's file stays, and nobody holds its lock.
    const QDir store(stateFolder() + "/recovery");
    const QStringList files = store.entryList({"*.json"}, QDir::Files);
    QCOMPARE(files.size(), 1);
    QVERIFY(QFile::copy(store.filePath(files.front()), store.filePath("crashed.json")));
    MainWindow next;
    next.show();
    QTRY_VERIFY(next.banners().isShown("recovery"));
    QVERIFY(next.banners().press("recovery", "Restore"));
    QCOMPARE(next.document().mainSource()->text(), QString("// before the crash\n"));
    QVERIFY(next.document().isModified());
    QVERIFY(!store.exists("crashed.json"));
    next.document().setReadOnly(true);
    next.close();
}

void TestWindow::twoWindowsOnOneSession() {
    const QString path = home_.path("two/k.warplight");
    write(home_.path("two/k.cu"), simple);
    write(path, R"({"warplight": 1, "source": "k.cu", "kernel": "fill"})");
    QVERIFY(window_->openFile(path));
    QVERIFY(!window_->document().isReadOnly());
    MainWindow second;
    second.show();
    QVERIFY(second.openFile(path));
    QVERIFY(second.document().isReadOnly());
    QVERIFY(second.banners().isShown("lock"));
    QVERIFY(!second.findAction("file.save")->isEnabled());
    // One that edits all the same is told before it overwrites what the first has saved meanwhile.
    QVERIFY(second.banners().press("lock", "Edit anyway"));
    second.document().modify("grid", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    window_->document().modify("grid", [](session::Session& s) { s.launch.grid = {3, 1, 1}; });
    QVERIFY(window_->saveSessionAs(path));
    answer(QMessageBox::Cancel);
    QVERIFY(!second.saveSessionAs(path));
    QCOMPARE(session::load(path.toStdString()).launch.grid[0], 3u);
    QVERIFY(second.document().isModified());
    answer(QMessageBox::Save);
    QVERIFY(second.saveSessionAs(path));
    QCOMPARE(session::load(path.toStdString()).launch.grid[0], 7u);
    // The first is asked in its turn, and takes what is there.
    window_->document().modify("grid", [](session::Session& s) { s.launch.grid = {4, 1, 1}; });
    answer(QMessageBox::Discard);
    QVERIFY(!window_->saveSessionAs(path));
    QCOMPARE(window_->document().session().launch.grid[0], 7u);
    QVERIFY(second.openFile(path));
    QVERIFY(second.document().isReadOnly());
    // When the first lets go of it, reloading makes it writable.
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    QVERIFY(second.banners().press("lock", "Reload"));
    QVERIFY(!second.document().isReadOnly());
    second.close();
}

void TestWindow::filesCanBeDropped() {
    write(home_.path("drop/k.cu"), simple);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(home_.path("drop/k.cu"))});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &drop);
    QCOMPARE(window_->document().mainSource()->text(), QString(simple));
}

void TestWindow::badFilesAreExplained() {
    write(home_.path("bad/later.warplight"), R"({"warplight": 99, "source": "k.cu"})");
    QVERIFY(!window_->openFile(home_.path("bad/later.warplight")));
    QVERIFY2(banner("file").contains("99"), qPrintable(banner("file")));
    write(home_.path("bad/cut.warplight"), "{\"warplight\": 1,\n \"source\"");
    QVERIFY(!window_->openFile(home_.path("bad/cut.warplight")));
    QVERIFY2(banner("file").contains("2"), qPrintable(banner("file")));
    QVERIFY(!window_->openFile(home_.path("bad/none.cu")));
    QVERIFY2(banner("file").contains("none.cu"), qPrintable(banner("file")));
}

void TestWindow::badInputIsExplained_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("says");
    const QString in = QStringLiteral(R"([{"name": "x", "direction": "inout", "source": %1},
        {"name": "n", "direction": "scalar", "type": "i32", "value": 10}])");
    const QString zeros = in.arg(QStringLiteral(R"({"kind": "zeros", "dtype": "float32", "shape": [10]})"));
    const auto file = [&](const char* name) {
        return in.arg(QStringLiteral(R"({"kind": "file", "path": "%1"})").arg(QLatin1String(name)));
    };
    const QString good = QString::fromLatin1(simple);
    QTest::newRow("truncated .npy") << good << file("truncated.npy") << "cut short";
    QTest::newRow("object .npy") << good << file("object.npy") << "Python objects";
    QTest::newRow("missing file") << good << file("none.npy") << "none.npy";
    QTest::newRow("wrong dtype") << good << in.arg(R"({"kind": "zeros", "dtype": "float64", "shape": [10]})")
                                 << "float32";
    QTest::newRow("wrong size") << good << in.arg(R"({"kind": "file", "path": "short.npy", "shape": [10]})") << "10";
    QTest::newRow("damaged PTX") << ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry fill(\n"
                                    ".param .u64 fill_param_0,\n.param .u32 fill_param_1)\n{\nadd.s32 %r1, %r2\n}\n"
                                 << zeros
                                 << (driverName() == "cuda" ? "line 9" : "line 8"); // a GPU's driver notices it later
    // One kernel is the kernel, whatever the session calls it; of two it cannot be told.
    QTest::newRow("no such kernel") << QString(good).replace("fill", "other") + QString(good).replace("fill", "third")
                                    << zeros << "fill";
}

void TestWindow::badInputIsExplained() {
    NEEDS_DEVICE;
    ready();
    QFETCH(QString, source);
    QFETCH(QString, arguments);
    QFETCH(QString, says);
    const auto npy = [](const QByteArray& descr, int count, qsizetype bytes) {
        const QByteArray header =
            "{'descr': " + descr + ", 'fortran_order': False, 'shape': (" + QByteArray::number(count) + ",), }";
        return QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header.leftJustified(117, ' ') + '\n' +
               QByteArray(bytes, 0);
    };
    const QString file = source.startsWith(QLatin1String(".version")) ? "k.ptx" : "k.cu";
    write(home_.path("input/") + file, source.toUtf8());
    write(home_.path("input/truncated.npy"), npy("'<f4'", 10, 13));
    write(home_.path("input/object.npy"), npy("'|O'", 10, 80));
    write(home_.path("input/short.npy"), npy("'<f4'", 3, 12));
    write(home_.path("input/k.warplight"), QStringLiteral(R"({"warplight": 1, "source": "%1", "kernel": "fill",
        "arguments": %2, "launch": {"grid": 1, "block": 32}})")
                                               .arg(file, arguments)
                                               .toUtf8());
    QVERIFY(window_->openFile(home_.path("input/k.warplight")));
    window_->findAction("run.run")->trigger();
    // Refused at once where the window knows, or by the worker.
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("run"), patience);
    QVERIFY2(banner("run").contains(says), qPrintable(banner("run")));
    QVERIFY(!window_->document().hasReport() || window_->document().report().status != session::Status::ok);
    // The window cannot tell: the device reads it, with the arguments that the session has.
    if (file == QLatin1String("k.ptx")) {
        QVERIFY(window_->document().hasReport());
        const session::Session saved = session::load(home_.path("input/k.warplight").toStdString());
        QCOMPARE(session::to_text(window_->document().session()), session::to_text(saved));
        QTRY_COMPARE(window_->panel<ProblemsPanel>().model()->index(0, 0).data(ProblemsModel::LineRole).toInt(), 8);
    }
    QCOMPARE(window_->document().mainSource()->text(), source);
}

void TestWindow::thePaletteFindsEverything() {
    window_->findAction("view.theme.light")->trigger();
    window_->findAction("view.palette")->trigger();
    auto* palette = window_->findChild<CommandPalette*>("commandPalette");
    QVERIFY(palette);
    QVERIFY(palette->model().rowCount() > 30);
    QTest::keyClicks(palette->filter(), "theme dark");
    QVERIFY(palette->model().rowCount() >= 1);
    QTest::keyClick(palette->filter(), Qt::Key_Return);
    QTRY_VERIFY(window_->workbench().theme().isDark());
    window_->findAction("view.theme.light")->trigger();
}

void TestWindow::paneKeysAndLayout() {
    window_->activateWindow();
    const auto visible = [&] {
        int count = 0;
        for (const QDockWidget* dock : window_->findChildren<QDockWidget*>())
            count += dock->isVisible();
        return count;
    };
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>())
        dock->hide();
    QCOMPARE(visible(), 0);
    window_->findAction("window.reset")->trigger();
    QTRY_VERIFY(visible() >= 3);
    QVERIFY(!window_->findChild<QDockWidget*>("buffers")->isHidden());
    QApplication::processEvents();
    QWidget* before = QApplication::focusWidget();
    window_->findAction("window.next")->trigger();
    QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget() != before);
}

void TestWindow::everyActionIsComplete() {
    QHash<QString, QString> taken;
    for (const QAction* action : window_->allActions()) {
        QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
        for (const QKeySequence& keys : action->shortcuts()) {
            const QString text = keys.toString();
            if (action->shortcutContext() != Qt::WindowShortcut) continue;
            QVERIFY2(!taken.contains(text), qPrintable(text + ": " + action->text() + " and " + taken.value(text)));
            taken.insert(text, action->text());
        }
    }
}

WARPLIGHT_UI_TEST_MAIN(TestWindow)
#include "test_window.moc"
