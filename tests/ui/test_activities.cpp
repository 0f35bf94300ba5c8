// SPDX-License-Identifier: GPL-3.0-or-later
// What lasts longer than half a second: its time in the status bar, and Stop.
#include "heartbeat.hpp"
#include "window_fixture.hpp"

#include "history/history.hpp"
#include "ui/common/activity_bar.hpp"

#include <QMenu>
#include <QToolButton>
#include <atomic>
#include <optional>

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
    void aReportIsWrittenBesideTheWindow();

private:
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
    QVERIFY2(heart.longest() < Activities::patienceMs, qPrintable(QString::number(heart.longest())));
    closeWindow(); // waits for the first one
    QCOMPARE(filesIn(home_.path("reports")), QStringList({"other.html", "report.pdf"}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), older);
    openWindow();
}

WARPLIGHT_UI_TEST_MAIN(TestActivities)
#include "test_activities.moc"
