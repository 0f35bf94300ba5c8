// SPDX-License-Identifier: GPL-3.0-or-later
// The results of the last good run, over runs that fail, are stopped or lose their worker: every way to look at them.
#include "kill_process.hpp"
#include "window_fixture.hpp"

#include "session/formula.hpp"
#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/buffers/compare_page.hpp"
#include "ui/buffers/formula_bar.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/hex_view.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/buffers/view_bar.hpp"
#include "ui/output/output_panel.hpp"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTabWidget>
#include <QTreeView>

#include <algorithm>
#include <limits>

/// A check that failed in there ends the test.
#define LOOKS_RIGHT(number, factor)                                                                                    \
    do {                                                                                                               \
        looksRight(number, factor);                                                                                    \
        if (QTest::currentTestFailed()) return;                                                                        \
    } while (false)

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const doubling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
)";
const char* const tripling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3 * x[i];
}
)";
const char* const wild = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    y[(1ll << 38) + n] = x[0];
}
)";
const char* const endless = R"(extern "C" __global__ void twice(volatile const float* x, float* y, int n) {
    while (x[1] == 1) { }
    y[0] = n;
}
)";

} // namespace

class TestResults : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestResults(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init();
    void cleanup() { closeWindow(); }
    void aFaultKeepsTheResultsBefore();
    void aBrokenSourceKeepsThem();
    void aStoppedRunKeepsThem();
    void aLostWorkerKeepsThem();
    void aLostBuildIsForgottenByTheNext();
    void anIdleWorkerThatEndsSaysSoOnce();
    void aCheckThatIsLostIsRepeated();
    void aResultThatCannotBeSaved();
    void whatWasTooLargeSaysSo();
    void theFolderGoesWithTheWindow();
    void filesThatWereOpenedStay();
    void whatWasComputedFollows();

private:
    QString text() const { return window_->document().mainSource()->text(); }
    void setText(const char* source) { window_->document().mainSource()->setText(QLatin1String(source)); }
    BuffersPanel& panel() { return window_->panel<BuffersPanel>(); }
    const BufferInfo* find(const char* name, BufferRole role, const QString& run = {});
    void looksRight(qint64 number, float factor);
    void killWorker();
    /// Of a buffer by its name, of the results or computed; NaN where it is not there.
    float valueOf(const char* name, qint64 index);
    QString runOf(const char* name);
    void compute(const char* name, const char* formula);

    const int count_ = 4096;
};

void TestResults::init() {
    openWindow();
    workerIsReady();
    const QString path = write("results/twice.cu", doubling);
    write("results/twice.warplight", QStringLiteral(R"({"warplight": 1, "source": "twice.cu", "kernel": "twice",
        "device": "%1",
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [64, 64], "start": 0, "step": 1}},
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [64, 64]}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": %2}],
        "launch": {"grid": [%3, 1, 1], "block": [256, 1, 1]}})")
                                         .arg(driver())
                                         .arg(count_)
                                         .arg(count_ / 256)
                                         .toUtf8());
    QVERIFY(window_->openFile(home_.path("results/twice.warplight")));
}

const BufferInfo* TestResults::find(const char* name, BufferRole role, const QString& run) {
    for (const BufferInfo& info : panel().list()->buffers())
        if (info.name == QLatin1String(name) && info.role == role && info.run.startsWith(run)) return &info;
    return nullptr;
}

float TestResults::valueOf(const char* name, qint64 index) {
    float value = std::numeric_limits<float>::quiet_NaN();
    qint64 id = -1;
    for (const BufferInfo& info : panel().list()->buffers())
        if (info.name == QLatin1String(name) && info.role != BufferRole::Input) id = info.id;
    if (id < 0) return value;
    const ElementType type = panel().list()->buffers()[panel().list()->rowOf(id)].type;
    bool answered = false;
    panel().source()->read(id, index, 1, this, [&](const BufferReply<QByteArray>& reply) {
        answered = true;
        if (reply.ok() && reply.value.size() == type.size) value = float(type.toDouble(reply.value.constData()));
    });
    (void)QTest::qWaitFor([&] { return answered; }, patience);
    return value;
}

QString TestResults::runOf(const char* name) {
    for (const BufferInfo& info : panel().list()->buffers())
        if (info.name == QLatin1String(name) && info.role != BufferRole::Input) return info.run;
    return QStringLiteral("there is no such buffer");
}

void TestResults::compute(const char* name, const char* formula) {
    panel().askFormula();
    panel().formulaBar()->nameEdit()->setText(QLatin1String(name));
    panel().formulaBar()->formulaEdit()->setText(QLatin1String(formula));
    panel().formulaBar()->accept();
    QTRY_COMPARE_WITH_TIMEOUT(panel().currentBuffer().name, QLatin1String(name), patience);
}

void TestResults::killWorker() {
    WorkerConnection& worker = *window_->workbench().worker(driver());
    const int generation = worker.generation();
    killProcess(worker.processId());
    QTRY_VERIFY_WITH_TIMEOUT(worker.generation() > generation && worker.isUsable(), patience);
}

/// Every page shows that element i is factor · i.
void TestResults::looksRight(qint64 number, float factor) {
    panel().setCurrentBuffer(number);
    QCOMPARE(panel().currentBuffer().id, number);
    panel().tabs()->setCurrentIndex(BuffersPanel::TableTab);
    const BufferTableModel& model = panel().table()->grid()->model();
    const int place = 63 * 64 + 57;
    const QString expected = QString::number(double(factor) * place);
    QTRY_COMPARE_WITH_TIMEOUT(model.data(model.index(63, 57), Qt::DisplayRole).toString(), expected, patience);

    panel().tabs()->setCurrentIndex(BuffersPanel::HexTab);
    const float value = factor * float(place);
    QByteArray bytes;
    QTRY_VERIFY_WITH_TIMEOUT(!(bytes = panel().hex()->view()->bytes(qint64(place) * 4, 4)).isEmpty(), patience);
    QCOMPARE(bytes, QByteArray(reinterpret_cast<const char*>(&value), 4));

    panel().tabs()->setCurrentIndex(BuffersPanel::PlotTab);
    QTRY_VERIFY_WITH_TIMEOUT(!panel().plot()->data(0).maximum.isEmpty(), patience);
    QCOMPARE(panel().plot()->data(0).maximum.last(), double(factor) * (count_ - 1));

    panel().tabs()->setCurrentIndex(BuffersPanel::ImageTab);
    QTRY_COMPARE_WITH_TIMEOUT(panel().image()->image().size(), QSize(64, 64), patience);
    panel().image()->canvas()->setCursorPixel({57, 63});
    QTRY_VERIFY2_WITH_TIMEOUT(panel().image()->readout().contains(QStringLiteral("[63, 57] = ") + expected),
                              qPrintable(panel().image()->readout()), patience);

    panel().tabs()->setCurrentIndex(BuffersPanel::CompareTab);
    const BufferInfo* other = nullptr;
    for (const BufferInfo& info : panel().list()->buffers())
        if (info.name != panel().currentBuffer().name && info.count() == count_) other = &info;
    QVERIFY(other);
    panel().listView()->selectionModel()->select(panel().list()->index(panel().list()->rowOf(other->id), 0),
                                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
    // x against 2 x: all but the first differ.
    QTRY_VERIFY2_WITH_TIMEOUT(panel().compare()->resultText().contains(QStringLiteral("differ")),
                              qPrintable(panel().compare()->resultText()), patience);
    panel().tabs()->setCurrentIndex(BuffersPanel::TableTab);
}

void TestResults::aFaultKeepsTheResultsBefore() {
    NEEDS_DEVICE;
    QVERIFY(run());
    QVERIFY(window_->document().report().status == session::Status::ok);
    QVERIFY(panel().runNote().isEmpty());
    window_->showPanel("buffers");
    WorkerConnection& worker = window_->workbench().worker();
    const int generation = worker.generation();
    setText(wild);
    QVERIFY(run());
    QVERIFY(window_->document().report().status == session::Status::device_error);
    // A fault costs its worker: everything below comes from the next one.
    QTRY_VERIFY_WITH_TIMEOUT(worker.generation() > generation && worker.isUsable(), patience);
    window_->showPanel("buffers");
    QVERIFY2(panel().runNote().contains("Run 2") && panel().runNote().contains("Run 1"), qPrintable(panel().runNote()));
    QVERIFY(panel().findChild<QLabel*>("runNote")->isVisible());
    QVERIFY(!panel().listView()->isColumnHidden(BufferListModel::Run));
    const QString when = window_->document().runs().front().when.toString("HH:mm");
    const BufferInfo* results = find("y", BufferRole::Output);
    QVERIFY(results);
    QCOMPARE(results->run, "Run 1, " + when);
    LOOKS_RIGHT(results->id, 2);
    const BufferInfo* failed = find("x", BufferRole::Input, "Run 2, ");
    QVERIFY(failed);
    QVERIFY(find("x", BufferRole::Input, "Run 1, "));
    LOOKS_RIGHT(failed->id, 1);
    // Again, and the results are still those of run 1.
    QVERIFY(run());
    QTRY_VERIFY_WITH_TIMEOUT(worker.generation() > generation + 1 && worker.isUsable(), patience);
    QVERIFY(find("x", BufferRole::Input, "Run 3, ") && !find("x", BufferRole::Input, "Run 2, "));
    LOOKS_RIGHT(find("y", BufferRole::Output, "Run 1, ")->id, 2);
    // A good run takes all marks away.
    setText(doubling);
    QVERIFY(run());
    QVERIFY(window_->document().report().status == session::Status::ok);
    QVERIFY(panel().runNote().isEmpty());
    QVERIFY(panel().listView()->isColumnHidden(BufferListModel::Run));
    QCOMPARE(panel().list()->rowCount(), 2);
    LOOKS_RIGHT(find("y", BufferRole::Output)->id, 2);
}

void TestResults::aBrokenSourceKeepsThem() {
    NEEDS_DEVICE;
    QVERIFY(run());
    window_->showPanel("buffers");
    setText("extern \"C\" __global__ void twice(const float* x, float* y, int n) { oops; }\n");
    QVERIFY(run());
    QVERIFY(window_->document().report().status == session::Status::compile_error);
    QVERIFY(find("x", BufferRole::Input, "Run 2, "));
    LOOKS_RIGHT(find("y", BufferRole::Output, "Run 1, ")->id, 2);
    // A data file that is missing: there are no inputs to show, and the results stay.
    session::FileSource none;
    none.path = "none.npy";
    window_->document().modify("file", [&](session::Session& s) { s.arguments[0].source = none; });
    setText(doubling);
    trigger("run.run");                                                     // refused before anything is sent
    QTRY_VERIFY_WITH_TIMEOUT(banner("run").contains("none.npy"), patience); // once the text's kernels are known
    QVERIFY2(panel().runNote().contains("Run 1"), qPrintable(panel().runNote()));
    LOOKS_RIGHT(find("y", BufferRole::Output, "Run 1, ")->id, 2);
}

void TestResults::aStoppedRunKeepsThem() {
    NEEDS_DEVICE;
    QVERIFY(run());
    window_->showPanel("buffers");
    setText(endless);
    bool running = false;
    connect(&window_->workbench().worker(), &WorkerConnection::progress, this,
            [&](int, const QString& stage) { running = running || stage == QLatin1String("run"); });
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    QSignalSpy stopped(&window_->runner(), &RunController::runStopped);
    trigger("run.stop");
    QVERIFY(stopped.count() || stopped.wait(patience));
    workerIsReady();
    QVERIFY2(panel().runNote().contains("stopped") && panel().runNote().contains("Run 1"),
             qPrintable(panel().runNote()));
    LOOKS_RIGHT(find("y", BufferRole::Output, "Run 1, ")->id, 2);
    QVERIFY(find("x", BufferRole::Input, "Run 1, "));
    setText(doubling);
    QVERIFY(run());
    QVERIFY(panel().runNote().isEmpty());
}

void TestResults::aLostWorkerKeepsThem() {
    NEEDS_DEVICE;
    QVERIFY(run());
    window_->showPanel("buffers");
    setText(endless);
    bool running = false;
    connect(&window_->workbench().worker(), &WorkerConnection::progress, this,
            [&](int, const QString& stage) { running = running || stage == QLatin1String("run"); });
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    killWorker();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
    QVERIFY2(banner("run").contains("ended during the run"), qPrintable(banner("run")));
    QVERIFY(!window_->banners().isShown("idle"));
    QVERIFY2(panel().runNote().contains("lost its worker"), qPrintable(panel().runNote()));
    LOOKS_RIGHT(find("y", BufferRole::Output, "Run 1, ")->id, 2);
    LOOKS_RIGHT(find("x", BufferRole::Input, "Run 1, ")->id, 1);
    // What went into the run that was lost is read again by the next worker.
    QTRY_VERIFY_WITH_TIMEOUT(find("x", BufferRole::Input, "Run 2, "), patience);
    LOOKS_RIGHT(find("x", BufferRole::Input, "Run 2, ")->id, 1);
    LOOKS_RIGHT(find("y", BufferRole::Output, "Run 1, ")->id, 2);
    QVERIFY2(panel().runNote().contains("lost its worker") && panel().runNote().contains("Run 1"),
             qPrintable(panel().runNote()));
    QCOMPARE(window_->document().report().status, session::Status::device_error);
    setText(doubling);
    QVERIFY(run());
    QVERIFY(panel().runNote().isEmpty());
    QVERIFY(!find("x", BufferRole::Input, "Run 2, "));
}

void TestResults::aLostBuildIsForgottenByTheNext() {
    NEEDS_DEVICE;
    QVERIFY(run());
    QVERIFY(isCompiled());
    setText("// another\nextern \"C\" __global__ void twice(const float* x, float* y, int n) { y[0] = n; }\n");
    trigger("build.build");
    killWorker();
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("run"), patience);
    QVERIFY2(banner("run").contains("ended during the build"), qPrintable(banner("run")));
    trigger("build.build");
    QVERIFY(isCompiled());
    QVERIFY2(!window_->banners().isShown("run"), qPrintable(banner("run")));
    // A run that was lost is not mended by a build.
    setText(endless);
    bool running = false;
    connect(&window_->workbench().worker(), &WorkerConnection::progress, this,
            [&](int, const QString& stage) { running = running || stage == QLatin1String("run"); });
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    killWorker();
    QTRY_VERIFY2_WITH_TIMEOUT(banner("run").contains("ended during the run"), qPrintable(banner("run")), patience);
    trigger("build.build");
    QVERIFY(isCompiled());
    QVERIFY2(banner("run").contains("ended during the run"), qPrintable(banner("run")));
}

void TestResults::anIdleWorkerThatEndsSaysSoOnce() {
    NEEDS_DEVICE;
    QVERIFY(run());
    QVERIFY(isCompiled());
    window_->showPanel("buffers");
    QTest::qWait(500); // the files of the run
    const auto lines = [&] {
        const auto& all = window_->panel<OutputPanel>().log().lines();
        return std::count_if(all.cbegin(), all.cend(),
                             [](const OutputLine& line) { return line.text.contains(QLatin1String(killedWords)); });
    };
    QSignalSpy ended(window_->workbench().worker(driver()), &WorkerConnection::endedIdle);
    killWorker();
    QCOMPARE(ended.count(), 1);
    QVERIFY2(banner("idle").contains("while nothing ran") && banner("idle").contains(QLatin1String(killedWords)),
             qPrintable(banner("idle")));
    QVERIFY(!window_->banners().isShown("run") && !window_->banners().isShown("lost"));
    QCOMPARE(lines(), 1);
    QVERIFY(panel().runNote().isEmpty()); // these are the results of the last run
    LOOKS_RIGHT(find("y", BufferRole::Output)->id, 2);
    // It has been said: the next run takes it away, and nothing says it again.
    QVERIFY(run());
    QVERIFY(!window_->banners().isShown("idle"));
    QCOMPARE(ended.count(), 1);
}

/// A compilation that nobody has asked for.
void TestResults::aCheckThatIsLostIsRepeated() {
    NEEDS_DEVICE;
    QVERIFY(isCompiled());
    QTest::qWait(1000); // what follows from opening
    QByteArray slow = doubling;
    slow += "__global__ void late(float* x) {\n";
    for (int i = 0; i < 1500; ++i)
        slow += QStringLiteral("    x[%1] = x[%2] * %1 + x[0];\n").arg(i).arg(i + 1).toUtf8();
    slow += "}\n";
    const WorkerConnection& worker = window_->workbench().worker();
    setText(slow.constData());
    QTRY_VERIFY_WITH_TIMEOUT(worker.state() == WorkerConnection::State::Busy, patience);
    killWorker();
    QVERIFY2(banner("idle").contains("while nothing ran"), qPrintable(banner("idle")));
    QVERIFY(!window_->banners().isShown("run"));
    QVERIFY(isCompiled());
    QVERIFY(window_->document().compileOutput().ok);
}

void TestResults::aResultThatCannotBeSaved() {
    NEEDS_DEVICE;
    QVERIFY(QDir().mkpath(home_.path("results/taken.npy")));
    window_->document().modify("save", [](session::Session& s) { s.arguments[1].save = "taken.npy"; });
    QVERIFY(run());
    QVERIFY2(banner("run").contains("It ran; a result could not be saved"), qPrintable(banner("run")));
    QVERIFY2(banner("run").contains(". Choose another folder") && !banner("run").contains("--"),
             qPrintable(banner("run")));
    LOOKS_RIGHT(find("y", BufferRole::Output)->id, 2);
}

void TestResults::whatWasTooLargeSaysSo() {
    // The registry alone: a buffer without a file, in a worker that is gone.
    WorkerConnection& worker = *window_->workbench().worker(driver());
    BufferRegistry& registry = window_->workbench().buffers();
    const qint64 number =
        registry.add(&worker, 12345, {.path = {}, .type = {}, .shape = {}, .offset = 0, .lost = "y is gone"});
    killWorker();
    QString problem;
    QVERIFY(!registry.workerOf({number}, &problem));
    QCOMPARE(problem, QString("y is gone"));
    qint64 id = 0;
    registry.find(number, &worker, this, [&](qint64 found, const QString& why) {
        id = found;
        problem = why;
    });
    QCOMPARE(id, qint64(-1));
    QCOMPARE(problem, QString("y is gone"));
}

void TestResults::theFolderGoesWithTheWindow() {
    NEEDS_DEVICE;
    const QDir runs(RunFolder::defaultParent());
    const QString own = window_->workbench().runFolder().of(driver());
    QVERIFY(!own.isEmpty());
    QVERIFY(run());
    QTRY_COMPARE_WITH_TIMEOUT(QDir(own).entryList({"*.npy"}).size(), 2, patience);
    // Of a window that is gone: nobody holds it.
    const QString crashed = "warplight-window-aaaaaaaaaa";
    QVERIFY(runs.mkpath(crashed + "/software"));
    for (const char* name : {"/.warplight-held", "/software/results-1-1-0.npy"}) {
        QFile file(runs.filePath(crashed + name));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    {
        const RunFolder next;
        QVERIFY(!runs.exists(crashed));
        QVERIFY(QDir(own).exists()); // ours is in use
    }
    closeWindow();
    QVERIFY(!QDir(own).exists());
    QCOMPARE(runs.entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    openWindow();
}

/// Also over a worker that ends: they are opened again when they are looked at.
void TestResults::filesThatWereOpenedStay() {
    NEEDS_DEVICE;
    QVERIFY(run());
    QByteArray data(count_ * 4, 0);
    for (int i = 0; i < count_; ++i) {
        const float value = 3 * float(i);
        memcpy(data.data() + i * 4, &value, 4);
    }
    const QString path = write("results/raw.bin", data);
    window_->showPanel("buffers");
    panel().openFileAs(path, "float32", {64, 64}, 0);
    QTRY_VERIFY_WITH_TIMEOUT(find("raw.bin", BufferRole::File), patience);
    LOOKS_RIGHT(find("raw.bin", BufferRole::File)->id, 3);
    killWorker();
    LOOKS_RIGHT(find("raw.bin", BufferRole::File)->id, 3);
    LOOKS_RIGHT(find("y", BufferRole::Output)->id, 2);
}

/// Formulas and kept views are made again of each run's results, also of each other, unless they stay.
void TestResults::whatWasComputedFollows() {
    NEEDS_DEVICE;
    if (!session::has_formulas()) QSKIP("no formulas in this build");
    const auto reshape = [this](const session::Shape& shape) {
        window_->document().modify(QStringLiteral("Shape"), [&](session::Session& session) {
            std::get<session::ZerosSource>(session.arguments[1].source).shape = shape;
        });
    };
    reshape({16, 128, 2});
    QVERIFY(run());
    window_->showPanel("buffers");
    const qint64 y = find("y", BufferRole::Output)->id;
    panel().setCurrentBuffer(y);
    compute("f", "y + 1 + (i < 0 ? x : 0)");
    compute("g", "2*f");
    compute("h", "f - 2");
    panel().setStaying(panel().currentBuffer().id, true);
    compute("k", "2*h");
    panel().setCurrentBuffer(y);
    panel().viewBar()->setSliced(true);
    panel().viewBar()->setIndex(0, 3);
    QTRY_VERIFY_WITH_TIMEOUT(panel().viewBar()->isDerived(), patience);
    panel().keepShown();
    const char* const view = "y [3, :, :]";
    const QString when = window_->document().runs().front().when.toString("HH:mm");
    QCOMPARE(valueOf("f", 10), 21.0F);
    QCOMPARE(valueOf("g", 10), 42.0F);
    QCOMPARE(valueOf("h", 10), 19.0F);
    QCOMPARE(valueOf(view, 5), 2.0F * (3 * 256 + 5));
    QCOMPARE(runOf("f"), QString());
    QCOMPARE(runOf("h"), "Run 1, " + when);
    QVERIFY(!panel().listView()->isColumnHidden(BufferListModel::Run));
    const qsizetype rows = panel().list()->rowCount();

    setText(tripling);
    QVERIFY(run());
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(view, 5), 3.0F * (3 * 256 + 5), patience);
    QCOMPARE(valueOf("f", 10), 31.0F);
    QCOMPARE(valueOf("g", 10), 62.0F);
    QCOMPARE(panel().list()->rowCount(), int(rows));
    for (const char* each : {"f", "g", view})
        QCOMPARE(runOf(each), QString());
    for (const char* each : {"h", "k"}) // and what is made of it
        QCOMPARE(runOf(each), "Run 1, " + when);
    QCOMPARE(valueOf("h", 10), 19.0F);
    QCOMPARE(valueOf("k", 10), 38.0F);
    for (const BufferInfo& info : panel().list()->buffers())
        if (info.name == QLatin1String("h")) panel().setCurrentBuffer(info.id);
    QVERIFY(panel().stayAction()->isChecked());
    panel().stayAction()->trigger(); // it stays no longer
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("h", 10), 29.0F, patience);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("k", 10), 58.0F, patience);
    QVERIFY(panel().listView()->isColumnHidden(BufferListModel::Run));

    // With other names of the kernel's parameters too.
    setText(R"(extern "C" __global__ void twice(const float* from, float* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 4 * from[i];
}
)");
    const auto& arguments = window_->document().session().arguments;
    QTRY_COMPARE_WITH_TIMEOUT(arguments[1].name, std::string("to"), patience);
    QVERIFY(run());
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("f", 10), 41.0F, patience);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(view, 5), 4.0F * (3 * 256 + 5), patience);
    setText(tripling);
    QTRY_COMPARE_WITH_TIMEOUT(arguments[1].name, std::string("y"), patience);
    QVERIFY(run());
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("k", 10), 58.0F, patience);

    // They are those of the last results while a run has none, and come again with the next worker.
    setText("extern \"C\" __global__ void twice(const float* x, float* y, int n) { oops; }\n");
    QVERIFY(run());
    QTRY_VERIFY_WITH_TIMEOUT(runOf("f").startsWith(QStringLiteral("Run 4, ")), patience);
    QCOMPARE(valueOf("g", 10), 62.0F);
    killWorker();
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("f", 10), 31.0F, patience);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("g", 10), 62.0F, patience);

    // A slice of three axes cannot follow an array of one: it is kept, and marked.
    reshape({4096});
    setText(doubling);
    QSignalSpy said(&window_->workbench(), &Workbench::statusMessage);
    QVERIFY(run());
    QTRY_VERIFY_WITH_TIMEOUT(runOf(view).startsWith(QStringLiteral("Run 4, ")), patience);
    QTRY_VERIFY_WITH_TIMEOUT(std::any_of(said.cbegin(), said.cend(),
                                         [](const QList<QVariant>& each) {
                                             return each[0].toString().contains(QStringLiteral("is still of Run 4"));
                                         }),
                             patience);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("g", 10), 42.0F, patience);
    QCOMPARE(valueOf(view, 5), 3.0F * (3 * 256 + 5));
}

WARPLIGHT_UI_TEST_MAIN(TestResults)
#include "test_results.moc"
