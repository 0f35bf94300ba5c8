// SPDX-License-Identifier: GPL-3.0-or-later
// What lasts longer than half a second: its time in the status bar, and Stop.
#include "heartbeat.hpp"
#include "window_fixture.hpp"

#include "history/database.hpp"
#include "history/history.hpp"
#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/activity_bar.hpp"
#include "ui/common/loading.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/versions/version_view.hpp"

#include <QMenu>
#include <QSemaphore>
#include <QTabWidget>
#include <QToolButton>
#include <atomic>
#include <optional>
#include <utility>
#ifdef Q_OS_UNIX
#include <sys/stat.h>
#endif

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const endless = R"(extern "C" __global__ void spin(volatile int* flag) { while (*flag == 0) { } }
)";

/// A .npy file of zeros that takes no room on the disk.
bool writeZeros(const QString& path, qint64 elements) {
    QByteArray text =
        QStringLiteral("{'descr': '<f4', 'fortran_order': False, 'shape': (%1,), }").arg(elements).toLatin1();
    text = text.leftJustified(117, ' ') + '\n';
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + text) == 128 &&
           file.resize(128 + elements * 4);
}

} // namespace

class TestActivities : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestActivities(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void onlyWhatLastsIsShown();
    void severalAreStoppedOneByOne();
    void aRunHasItsTimeAndStop();
    void aScanIsStoppedAndItsWorkerStays();
    void readingTheHistoryCanBeStopped();
    void writingTheHistoryCanBeStopped();
    void aReportIsWrittenBesideTheWindow();
    void whatIsReadBrieflyIsThereAtOnce();
    void filesOfASlowDiskOpenBesideTheWindow();
    void stopLeavesTheWindowAsItWas();
    void pipesAreRefusedAtOnce();
    void largeBuffersLeaveTheWindowFree();
    void largeSourcesLeaveTheWindowFree();

private:
    /// A disk that gives nothing before wake().
    class SlowDisk {
    public:
        SlowDisk() : before_(std::exchange(Loading::briefMs, 0)) {
            Loading::beforeReading = [gate = gate_] {
                gate->acquire();
                gate->release();
            };
        }
        ~SlowDisk() {
            wake();
            Loading::beforeReading = {};
            Loading::briefMs = before_;
        }
        void wake() { gate_->release(); }

    private:
        std::shared_ptr<QSemaphore> gate_ = std::make_shared<QSemaphore>(0); // threads may outlive this
        int before_;
    };
    void isFree(Heartbeat& heart, const QString& what, qint64 limit = Activities::patienceMs) {
        const qint64 longest = heart.longest();
        qInfo("%s: the window was held up for %lld ms", qPrintable(what), longest);
        if (!qEnvironmentVariableIsSet("WARPLIGHT_TEST_LINES")) QVERIFY2(longest < limit, qPrintable(what));
        heart.restart();
    }
    ActivityBar& bar() { return *window_->findChild<ActivityBar*>(); }
    void startEndless();
    QStringList filesIn(const QString& folder) { return QDir(folder).entryList(QDir::Files | QDir::Hidden); }
};

void TestActivities::onlyWhatLastsIsShown() {
    Activities activities;
    ActivityBar bar(activities);
    QVERIFY(bar.isHidden());
    activities.begin(QStringLiteral("Short"), {}).reset();
    auto lasting = activities.begin(QStringLiteral("Long"), {});
    QVERIFY(activities.shown().isEmpty() && bar.isHidden());
    QTRY_COMPARE(bar.text(), QStringLiteral("Long"));
    QVERIFY(lasting->elapsedMs() >= Activities::patienceMs);
    QVERIFY(!bar.stopButton()->isEnabled()); // it has no way to stop
    QCOMPARE(bar.progress()->maximum(), 0);  // nobody knows how far it is
    lasting->tell({}, 0.25);
    QCOMPARE(bar.progress()->value() * 4, bar.progress()->maximum());
    const QString first = bar.elapsed();
    QVERIFY2(first.endsWith(QLatin1String(" s")), qPrintable(first));
    QTRY_VERIFY(bar.elapsed() != first); // it counts
    lasting.reset();
    QVERIFY(bar.isHidden());
    QCOMPARE(elapsedText(700), QStringLiteral("0.7 s"));
    QCOMPARE(elapsedText(185999), QStringLiteral("3 min 05 s"));
}

void TestActivities::severalAreStoppedOneByOne() {
    Activities activities;
    ActivityBar bar(activities);
    std::shared_ptr<Activity> one, two;
    one = activities.begin(QStringLiteral("One"), [&] { one.reset(); }, Activities::Shown::AtOnce);
    bool asked = false;
    two = activities.begin(QStringLiteral("Two"), [&] { asked = true; }, Activities::Shown::AtOnce);
    QCOMPARE(bar.text(), QStringLiteral("One, and 1 more"));
    QMenu* menu = bar.stopButton()->menu();
    QVERIFY(menu);
    emit menu->aboutToShow();
    QCOMPARE(menu->actions().size(), 4); // two, a line, and all
    menu->actions().at(1)->trigger();
    QVERIFY(asked && two->isStopping() && one->canStop());
    activities.stopAll(); // one ends with it
    QVERIFY(!one);
    QCOMPARE(activities.shown().size(), 1);
    QVERIFY(!bar.stopButton()->isEnabled()); // asked once already
    two.reset();
    QVERIFY(bar.isHidden());
}

void TestActivities::startEndless() {
    QVERIFY(window_->openFile(write("endless.cu", endless)));
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().session().arguments.size(), std::size_t(1), patience);
    window_->document().modify("device", [](session::Session& s) { s.device = driver().toStdString(); });
    bool running = false;
    const auto seen = connect(&window_->workbench().worker(), &WorkerConnection::progress, this,
                              [&](int, const QString& stage) { running = running || stage == QLatin1String("run"); });
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    disconnect(seen);
}

void TestActivities::aRunHasItsTimeAndStop() {
    NEEDS_DEVICE;
    workerIsReady();
    startEndless();
    QTRY_VERIFY_WITH_TIMEOUT(bar().elapsed().endsWith(QLatin1String(" s")), patience);
    // Another request waits behind it. It is stopped alone.
    WorkerConnection& worker = window_->workbench().worker();
    const qint64 process = worker.processId();
    bool answered = false, stopped = false;
    worker.request(
        QStringLiteral("run"), worker::to_json(window_->runner().request()), {}, this,
        [&](const WorkerReply& reply) {
            answered = true;
            stopped = reply.stopped;
        },
        {}, true);
    Activities& activities = window_->workbench().activities();
    QTRY_COMPARE_WITH_TIMEOUT(activities.shown().size(), 2, patience);
    activities.shown().back()->stop();
    QTRY_VERIFY_WITH_TIMEOUT(answered, patience);
    QVERIFY(stopped);
    QVERIFY(window_->runner().isRunning());
    QCOMPARE(worker.processId(), process);
    QVERIFY(window_->findAction("run.stop")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(activities.shown().size(), 1, patience);
    bar().stopButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
    QTRY_VERIFY(banner("run").contains("Stopped"));
    QTRY_VERIFY_WITH_TIMEOUT(bar().isHidden(), patience);
}

void TestActivities::aScanIsStoppedAndItsWorkerStays() {
    NEEDS_DEVICE;
    workerIsReady();
    const QString path = write("zeros.npy", {});
    if (!writeZeros(path, qint64(4) << 30)) QSKIP("the disk takes no file of 16 GiB that is empty");
    WorkerConnection& worker = *window_->workbench().worker(driver());
    qint64 buffer = -1;
    worker.request(QStringLiteral("buffer.open"), {{"path", path.toStdString()}}, {}, this,
                   [&](const WorkerReply& reply) {
                       QVERIFY2(reply.ok, qPrintable(reply.error));
                       buffer = reply.result.value("buffer", qint64(-1));
                   });
    QTRY_VERIFY_WITH_TIMEOUT(buffer >= 0, patience);
    const qint64 process = worker.processId();
    bool answered = false;
    WorkerReply got;
    worker.request(QStringLiteral("buffer.histogram"), {{"buffer", buffer}}, {}, this, [&](const WorkerReply& reply) {
        got = reply;
        answered = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(bar().text().startsWith("Counting"), patience);
    QVERIFY(!answered);
    QVERIFY(window_->findAction("run.stop")->isEnabled());
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(answered, patience);
    QVERIFY(!got.ok && got.stopped);
    QTRY_VERIFY(bar().isHidden());
    QTRY_VERIFY(!window_->findAction("run.stop")->isEnabled());
    QCOMPARE(worker.processId(), process);
    QVERIFY(worker.isUsable());
    QFile::remove(path);
}

void TestActivities::readingTheHistoryCanBeStopped() {
    RunHistory& history = window_->workbench().history();
    constexpr int runs = 100;
    std::atomic<bool> begun = false;
    QString problem;
    history.read(
        this,
        [&begun](history::History& from) -> std::function<void()> {
            session::Report report;
            report.kernel = "fill";
            for (int i = 0; i < runs; ++i)
                from.add({}, "text", report);
            begun = true;
            // One search is too short to be stopped.
            for (history::Query query{.text = "nowhere"};;)
                (void)from.find(query);
        },
        [&problem](const QString& why) { problem = why; });
    QTRY_VERIFY_WITH_TIMEOUT(begun, patience);
    QTRY_COMPARE_WITH_TIMEOUT(bar().text(), QStringLiteral("Reading the history"), patience);
    window_->workbench().activities().stopAll();
    QTRY_VERIFY_WITH_TIMEOUT(!problem.isEmpty(), patience);
    QVERIFY2(problem.contains("stopped"), qPrintable(problem));
    QTRY_VERIFY(bar().isHidden());
    // The next request finds the history as it was.
    std::optional<std::size_t> found;
    history.read(this,
                 [&found](history::History& from) -> std::function<void()> {
                     return [&found, count = from.count({})] { found = count; };
                 },
                 {});
    QTRY_VERIFY_WITH_TIMEOUT(found, patience);
    QCOMPARE(*found, std::size_t(runs));
}

void TestActivities::writingTheHistoryCanBeStopped() {
    RunHistory& history = window_->workbench().history();
    std::optional<std::size_t> count;
    const auto ask = [&] {
        count.reset();
        history.read(this,
                     [&count](history::History& from) -> std::function<void()> {
                         return [&count, number = from.count({})] { count = number; };
                     },
                     {});
        return QTest::qWaitFor([&] { return count.has_value(); }, patience);
    };
    QVERIFY(ask());
    const std::size_t before = *count;
    // Another program writes, and does not end.
    history::Database other(std::filesystem::path(RunHistory::file().toStdU16String()));
    other.execute("BEGIN IMMEDIATE");
    QStringList problems;
    const auto add = [](history::History& to) -> std::function<void()> {
        to.add({}, "text", {});
        return {};
    };
    history.change(this, add, [&problems](const QString& why) { problems << why; });
    history.change(this, add, [&problems](const QString& why) { problems << why; });
    Activities& activities = window_->workbench().activities();
    QTRY_COMPARE_WITH_TIMEOUT(activities.shown().size(), 2, patience);
    QCOMPARE(activities.shown().front()->text(), QStringLiteral("Writing the history"));
    QElapsedTimer ending;
    ending.start();
    activities.shown().front()->stop(); // the other one goes on waiting
    QTRY_COMPARE_WITH_TIMEOUT(problems.size(), 1, patience);
    QVERIFY2(problems[0].contains("stopped") && ending.elapsed() < 2000, qPrintable(problems[0]));
    other.execute("ROLLBACK");
    QVERIFY(ask());
    QCOMPARE(problems.size(), 1);
    QCOMPARE(*count, before + 1);
}

void TestActivities::whatIsReadBrieflyIsThereAtOnce() {
    const QString path = write("brief/one.cu", endless);
    QVERIFY(window_->openFile(path));
    QCOMPARE(window_->document().mainSource()->path(), path);
    QVERIFY(!window_->openFile(home_.path("brief/none.cu")));
    QVERIFY(banner("file").contains("no such file"));
    QCOMPARE(window_->document().mainSource()->path(), path);
    QVERIFY(!window_->workbench().loading().isLoading());
}

void TestActivities::filesOfASlowDiskOpenBesideTheWindow() {
    const QString path = write("slow/slow.cu", endless), header = write("slow/slow.cuh", "// a header\n");
    const QString before = window_->document().title();
    {
        SlowDisk disk;
        Heartbeat heart;
        MainWindow* told = nullptr;
        QVERIFY(window_->openFile(path, [&told](MainWindow* page) { told = page; }));
        QTRY_COMPARE_WITH_TIMEOUT(bar().text(), QStringLiteral("Opening slow.cu"), patience);
        QVERIFY(bar().elapsed().endsWith(QLatin1String(" s")));
        QVERIFY(heart.longest() < Activities::patienceMs);
        QCOMPARE(window_->document().title(), before);
        disk.wake();
        QTRY_COMPARE_WITH_TIMEOUT(told, window_.get(), patience);
        QCOMPARE(window_->document().mainSource()->path(), path);
        QTRY_VERIFY(bar().isHidden());
    }
    SlowDisk disk;
    QVERIFY(window_->openFile(header));
    disk.wake();
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().sources().size(), 2, patience);
    QCOMPARE(window_->editors().currentSource()->path(), header);
}

void TestActivities::stopLeavesTheWindowAsItWas() {
    QVERIFY(window_->openFile(write("stays/stays.cu", endless)));
    window_->document().mainSource()->setText(QStringLiteral("// typed\n"));
    const QString path = write("late/late.cu", endless), header = write("late/late.cuh", "// a header\n");
    SlowDisk disk;
    int told = 0;
    QVERIFY(window_->openFile(path, [&told](MainWindow* page) { told += page ? 100 : 1; }));
    QVERIFY(window_->openFile(header, [&told](MainWindow* page) { told += page ? 100 : 1; }));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workbench().activities().shown().size(), 2, patience);
    window_->workbench().activities().stopAll();
    QCOMPARE(told, 2);
    QVERIFY(bar().isHidden() && !window_->workbench().loading().isLoading());
    disk.wake();
    QTest::qWait(100); // what was read is dropped
    QCOMPARE(told, 2);
    QCOMPARE(window_->document().sources().size(), 1);
    QCOMPARE(window_->document().mainSource()->text(), QStringLiteral("// typed\n"));
    QVERIFY(window_->document().isModified());
}

void TestActivities::pipesAreRefusedAtOnce() {
#ifdef Q_OS_UNIX
    QDir().mkpath(home_.path("pipes"));
    Heartbeat heart;
    for (const char* name : {"pipes/a.warplight", "pipes/a.cu", "pipes/a.cuh"}) {
        const QString path = home_.path(name);
        QCOMPARE(mkfifo(path.toLocal8Bit(), 0600), 0);
        QVERIFY2(!window_->openFile(path), name);
        QVERIFY2(banner("file").contains("is a pipe, not a file"), name);
    }
    // The worker opens data.
    QString said;
    connect(&window_->workbench(), &Workbench::statusMessage, this, [&said](const QString& text) { said = text; });
    for (const char* name : {"pipes/a.npy", "pipes/a.png"}) {
        said.clear();
        const QString path = home_.path(name);
        QCOMPARE(mkfifo(path.toLocal8Bit(), 0600), 0);
        window_->openFile(path);
        QTRY_VERIFY2_WITH_TIMEOUT(said.contains("is a pipe, not a file"), qPrintable(said), patience);
    }
    QVERIFY(heart.longest() < Activities::patienceMs);
#else
    QSKIP("pipes are no files here");
#endif
}

void TestActivities::largeBuffersLeaveTheWindowFree() {
    workerIsReady();
    const QString path = write("large/zeros.npy", {}), image = write("large/image.npy", {});
    constexpr qint64 elements = qint64{64} << 20; // 256 MiB
    if (!writeZeros(path, elements) || !writeZeros(image, elements)) QSKIP("the disk takes no file of 256 MiB");
    auto& panel = window_->panel<BuffersPanel>();
    Heartbeat heart;
    QVERIFY(window_->openFile(path));
    QTRY_COMPARE_WITH_TIMEOUT(panel.list()->rowCount(), 1, patience);
    QVERIFY(window_->openFile(image));
    QTRY_COMPARE_WITH_TIMEOUT(panel.list()->rowCount(), 2, patience);
    const auto idle = [this] {
        return QTest::qWaitFor([this] { return window_->workbench().activities().shown().isEmpty(); }, patience);
    };
    auto* tabs = panel.findChild<QTabWidget*>();
    QVERIFY(tabs);
    for (int page = 0; page < tabs->count(); ++page) {
        if (!tabs->isTabEnabled(page)) continue;
        heart.restart();
        tabs->setCurrentIndex(page);
        QTest::qWait(300);
        QVERIFY(idle());
        isFree(heart, tabs->tabText(page));
    }
    // All cells of the table's window.
    auto* table = panel.findChild<BufferGrid*>();
    QVERIFY(table);
    tabs->setCurrentIndex(0);
    heart.restart();
    table->table()->selectAll();
    table->copySelection();
    QTest::qWait(100);
    QVERIFY(idle());
    isFree(heart, "copying", 4 * Activities::patienceMs);
    QFile::remove(path);
    QFile::remove(image);
}

/// With figures, for docs/measurements.md.
void TestActivities::largeSourcesLeaveTheWindowFree() {
    const int wanted = qEnvironmentVariableIntValue("WARPLIGHT_TEST_LINES");
    const int lines = wanted > 0 ? wanted : 10000;
    QByteArray text, other;
    for (int line = 0; line < lines; ++line) {
        const QByteArray number = QByteArray::number(line);
        text += "__device__ int value" + number + "(int x) { return x * " + number + "; }\n";
        other += "__device__ int value" + number + (line % (lines / 500) ? "(int x)" : "(int y)") + " { return x * " +
                 number + "; }\n";
    }
    const QString path = write("lines/lines.cu", text);
    const int before = std::exchange(Loading::briefMs, 0);
    Heartbeat heart;
    QVERIFY(window_->openFile(path));
    Loading::briefMs = before;
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().mainSource()->path(), path, patience);
    QTest::qWait(300);
    isFree(heart, "opening");
    QTest::keyClick(window_->editors().currentEditor(), Qt::Key_X);
    QTest::qWait(300);
    isFree(heart, "typing");
    trigger("view.compareDisk");
    QVERIFY(window_->versions());
    QTRY_COMPARE(window_->versions()->summary(), QStringLiteral("1 change"));
    isFree(heart, "comparing with the file");
    window_->document().mainSource()->setText(QString::fromUtf8(other));
    QTRY_VERIFY(window_->versions()->changes().size() > 100);
    isFree(heart, "comparing with many changes");
}

void TestActivities::aReportIsWrittenBesideTheWindow() {
    // A source of many lines has many pages.
    auto made = std::make_shared<session::Session>();
    for (int line = 0; line < 20000; ++line)
        made->source.text += "// line " + std::to_string(line) + " of a source that is long\n";
    session::Report report;
    report.kernel = made->kernel = "fill";
    window_->document().addRun(report, 0, {}, made);
    const QByteArray older = "an older file";
    const QString path = write("reports/report.pdf", older);
    Heartbeat heart;
    window_->writeReport(path);
    QTRY_COMPARE_WITH_TIMEOUT(bar().text(), QStringLiteral("Writing the report"), patience);
    QVERIFY(bar().elapsed().endsWith(QLatin1String(" s")));
    bar().stopButton()->click();
    QTRY_VERIFY(bar().isHidden());
    // Another one is written while the first one ends.
    window_->writeReport(home_.path("reports/other.html"));
    QTRY_VERIFY_WITH_TIMEOUT(banner("report").contains("other.html"), patience);
    isFree(heart, "a report");
    closeWindow(); // waits for the first one
    QCOMPARE(filesIn(home_.path("reports")), QStringList({"other.html", "report.pdf"}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), older);
    openWindow();
}

WARPLIGHT_UI_TEST_MAIN(TestActivities)
#include "test_activities.moc"
