// SPDX-License-Identifier: GPL-3.0-or-later
// What the lanes of a warp touch, and what two threads of a race did, drawn after runs in the window.
#include "window_fixture.hpp"

#include "ui/common/number_box.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/lanes/lanes_picture.hpp"
#include "ui/lanes/lanes_view.hpp"
#include "ui/problems/problems_model.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/problems/two_threads.hpp"

#include <QComboBox>
#include <QMouseEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const transposing = R"(extern "C" __global__ void turn(const float* x, float* y, int n) {
    __shared__ float tile[32 * 32];
    int t = threadIdx.x;
    for (int k = 0; k < 8; ++k)
        tile[t % 32 * 32 + k] = x[(blockIdx.x * blockDim.x + t) * 8 + k];
    __syncthreads();
    if (t < 40) y[blockIdx.x * blockDim.x + t] = tile[t];
}
)";
const char* const racing = R"(extern "C" __global__ void turn(const float* x, float* y, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];

    y[t] = tile[63 - t];
}
)";

const char* const crosswise = R"(extern "C" __global__ void turn(const float* x, float* y, int n) {
    int t = threadIdx.x;
    if (t < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    y[t] = x[t];
}
)";

/// To be looked at, where WARPLIGHT_PICTURES names a folder.
void photograph(QWidget& widget, const char* name) {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name))));
}

} // namespace

class TestLanes : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestLanes(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init();
    void cleanup() { closeWindow(); }
    void aWarpIsRecordedAndStepped();
    void aLineIsAskedFor();
    void aWarpThatIsNotThereCannotBeRecorded();
    void aRaceIsDrawn();
    void aDeadlockIsDrawn();

private:
    void open(const char* source, const char* checks);
    LanesView& lanes() { return *window_->lanes(); }
    bool record() {
        const std::size_t before = window_->document().runs().size();
        lanes().recordButton()->click();
        if (ran(before + 1)) return true;
        qWarning("%s", qPrintable(banner("run")));
        return false;
    }
};

void TestLanes::init() {
    openWindow();
    workerIsReady();
}

void TestLanes::open(const char* source, const char* checks) {
    write("lanes/turn.cu", source);
    write("lanes/turn.warplight", QStringLiteral(R"({"warplight": 1, "source": "turn.cu", "kernel": "turn",
        "device": "%1", "checks": [%2],
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [4096], "start": 0, "step": 1}},
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [128]}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": 1}],
        "launch": {"grid": [2, 1, 1], "block": [64, 1, 1]}})")
                                      .arg(driver(), QLatin1String(checks))
                                      .toUtf8());
    QVERIFY(window_->openFile(home_.path("lanes/turn.warplight")));
    window_->runner().setCheckWhileTyping(false);
}

void TestLanes::aWarpIsRecordedAndStepped() {
    NEEDS_DEVICE;
    open(transposing, "");
    trigger("run.lanes");
    QVERIFY(lanes().isVisible());
    QVERIFY(lanes().note().contains("press Record"));
    lanes().blockBox(0)->setValue(1);
    lanes().warpBox()->setValue(1);
    QVERIFY(record());
    QVERIFY(lanes().note().isEmpty());
    QVERIFY(lanes().record());
    QVERIFY(lanes().record()->choice == (profile::WarpChoice{{1, 0, 0}, 1}));

    lanes().showLine({}, 5);
    QVERIFY(lanes().instructions()->currentText().startsWith("Line 5:"));
    // One of the two accesses of the line: the load.
    for (int k = 0; k < lanes().instructions()->count(); ++k)
        if (lanes().instructions()->itemText(k).contains("Line 5:  ld.global")) {
            lanes().instructions()->setCurrentIndex(k);
            break;
        }
    QCOMPARE(lanes().sentence(), QStringLiteral("32 lanes read 32 sectors where 4 would do: neighbours are 32 bytes "
                                                "apart."));
    QVERIFY2(lanes().figures().contains("Sectors 32, ideal 4"), qPrintable(lanes().figures()));
    QVERIFY2(lanes().figures().contains("32 of 32 lanes active"), qPrintable(lanes().figures()));
    LanesPicture& picture = *lanes().picture();
    QCOMPARE(picture.cellCount(), 32);
    QVERIFY2(picture.laneText(3).startsWith("Lane 3, thread (35,0,0): x[792] at 0x"), qPrintable(picture.laneText(3)));
    QCOMPARE(picture.textAt(picture.laneRect(3).center()), picture.laneText(3));
    const QPointF lane = picture.laneRect(5).center();
    QMouseEvent move(QEvent::MouseMove, lane, picture.mapToGlobal(lane), Qt::NoButton, {}, {});
    QApplication::sendEvent(&picture, &move);
    QCOMPARE(picture.hoveredLane(), 5);

    // A loop of eight rounds is one instruction eight times, or eight instructions.
    for (int k = 0; k < lanes().instructions()->count(); ++k)
        if (lanes().instructions()->itemText(k).contains("st.shared")) {
            lanes().instructions()->setCurrentIndex(k);
            break;
        }
    QVERIFY2(lanes().figures().contains("Wavefronts 32, ideal 1"), qPrintable(lanes().figures()));
    QVERIFY2(lanes().figures().contains("32-way bank conflict"), qPrintable(lanes().figures()));
    QCOMPARE(picture.cellCount(), 32 * 32);
    photograph(lanes(), "lanes-conflict");

    // Keys step through the executions, and stop at the ends.
    int most = 0;
    for (int k = 0; k < lanes().instructions()->count(); ++k) {
        lanes().instructions()->setCurrentIndex(k);
        if (lanes().executionCount() <= 1) continue;
        most = lanes().executionCount();
        picture.setFocus();
        QTest::keyClick(&picture, Qt::Key_Right);
        QCOMPARE(lanes().execution(), 1);
        QTest::keyClick(&picture, Qt::Key_End);
        QCOMPARE(lanes().execution(), most - 1);
        QTest::keyClick(&picture, Qt::Key_Right);
        QCOMPARE(lanes().execution(), most - 1);
        QTest::keyClick(&picture, Qt::Key_Home);
        QTest::keyClick(&picture, Qt::Key_Left);
        QCOMPARE(lanes().execution(), 0);
    }

    // Where lanes went.
    lanes().showLine({}, 7);
    bool branched = false;
    for (int k = 0; k < lanes().instructions()->count(); ++k) {
        lanes().instructions()->setCurrentIndex(k);
        if (!lanes().instructions()->itemText(k).startsWith("Line 7:") ||
            !lanes().instructions()->itemText(k).contains("branch"))
            continue;
        branched = true;
        QVERIFY2(lanes().sentence().startsWith("The warp parts: "), qPrintable(lanes().sentence()));
        QCOMPARE(picture.cellCount(), 2);
        photograph(lanes(), "lanes-part");
    }
    QVERIFY(branched);

    // A later run keeps it; another session does not.
    QVERIFY(run());
    QVERIFY(lanes().record());
    open(racing, "");
    QVERIFY(!lanes().record());
    QVERIFY(!lanes().note().isEmpty());
}

void TestLanes::aLineIsAskedFor() {
    NEEDS_DEVICE;
    open(transposing, "");
    emit window_->workbench().showLanes({}, 7);
    QVERIFY(lanes().isVisible());
    QVERIFY(record());
    QVERIFY2(lanes().instructions()->currentText().startsWith("Line 7:"),
             qPrintable(lanes().instructions()->currentText()));
    QVERIFY(!lanes().instructions()->currentText().contains("branch"));
}

void TestLanes::aWarpThatIsNotThereCannotBeRecorded() {
    open(transposing, "");
    trigger("run.lanes");
    QVERIFY(lanes().recordButton()->isEnabled());
    lanes().warpBox()->setValue(2);
    QVERIFY(!lanes().recordButton()->isEnabled());
    QCOMPARE(lanes().warpBox()->toolTip(), QStringLiteral("A block has 2 warps"));
    lanes().warpBox()->setValue(1);
    lanes().blockBox(0)->setValue(2);
    QVERIFY(!lanes().recordButton()->isEnabled());
    window_->document().modify("grid", [](session::Session& s) { s.launch.grid = {3, 1, 1}; });
    QVERIFY(lanes().recordButton()->isEnabled());
}

void TestLanes::aRaceIsDrawn() {
    NEEDS_DEVICE;
    open(racing, "\"race\"");
    auto& problems = window_->panel<ProblemsPanel>();
    QVERIFY(!problems.areThreadsShown());
    QVERIFY(run());
    window_->showPanel("problems");
    QVERIFY(problems.problemCount() > 0);
    QVERIFY(problems.areThreadsShown());
    TwoThreads& threads = *problems.threads();
    QVERIFY(threads.finding());
    QCOMPARE(threads.eventOf(0).place.line, 4);
    QCOMPARE(threads.eventOf(1).place.line, 6);
    static const QRegularExpression text("^write, line 4\ntile\\[t\\] = x\\[t\\];\nwrites \\d{1,4}$"); // x[t] is t
    QVERIFY2(text.match(threads.textOf(0)).hasMatch(), qPrintable(threads.textOf(0)));
    QCOMPARE(threads.textOf(1), QStringLiteral("read, line 6\ny[t] = tile[63 - t];"));
    QCOMPARE(threads.between(), QStringLiteral("No barrier of the block in between"));
    QCOMPARE(threads.cure(), QStringLiteral("__syncthreads() between line 4 and line 6"));

    // Both ends lead to their lines, by the pointer and by keys.
    QSignalSpy chosen(&threads, &TwoThreads::placeChosen);
    QTest::mouseClick(&threads, Qt::LeftButton, {}, threads.boxOf(0).center().toPoint());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(window_->editors().currentEditor()->caretLine(), 4);
    threads.setFocus();
    QTest::keyClick(&threads, Qt::Key_Down);
    QTest::keyClick(&threads, Qt::Key_Return);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(window_->editors().currentEditor()->caretLine(), 6);
    problems.threadsButton()->click();
    QVERIFY(!problems.areThreadsShown());
    problems.threadsButton()->click();
    QVERIFY(problems.areThreadsShown());

    // Without findings there is nothing to show.
    window_->document().modify("checks", [](session::Session& s) { s.checks = {}; });
    QVERIFY(run());
    QVERIFY(!problems.areThreadsShown());
    QVERIFY(!problems.threadsButton()->isVisible());
}

void TestLanes::aDeadlockIsDrawn() {
    NEEDS_DEVICE;
    open(crosswise, "\"sync\"");
    QVERIFY(run());
    auto& problems = window_->panel<ProblemsPanel>();
    window_->showPanel("problems");
    QVERIFY(problems.areThreadsShown());
    TwoThreads& threads = *problems.threads();
    QVERIFY(threads.finding());
    QVERIFY2(threads.textOf(0).startsWith("waits, line "), qPrintable(threads.textOf(0)));
    QVERIFY2(threads.textOf(1).startsWith("waits, line "), qPrintable(threads.textOf(1)));
    QVERIFY(threads.eventOf(0).place.line != threads.eventOf(1).place.line);
    // Side by side, for neither comes before the other.
    QCOMPARE(threads.boxOf(0).top(), threads.boxOf(1).top());
    QCOMPARE(threads.between(), QStringLiteral("Each waits for the other, and neither goes on"));
    photograph(threads, "deadlock");
}

WARPLIGHT_UI_TEST_MAIN(TestLanes)
#include "test_lanes.moc"
