// SPDX-License-Identifier: GPL-3.0-or-later
// Launch, arguments, compile options and the kernel box of the real window, driven by keys.
#include "test_home.hpp"
#include "ui/common/number_box.hpp"
#include "ui/devices/device_attributes.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/function/attributes_model.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/launch/argument_dialog.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_options_dialog.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/problems/problems_model.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/settings/compile_options_editor.hpp"
#include "ui/settings/settings_dialog.hpp"
#include "warplight/device.hpp"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace warplight;
using namespace warplight::ui;

/// A build without the software device has nothing to run on.
#define NEEDS_DEVICE                                                                                                   \
    if (!TestHome::hasDevice()) QSKIP("no device: this build has no software device")

namespace {

constexpr int patience = 90000;

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

const QByteArray fill = R"(extern "C" __global__ void fill(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
)";

/// Does something with the next dialog of this kind that appears, which has to close it.
template <class Dialog>
void withDialog(const std::function<void(Dialog&)>& act) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, act] {
        if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) {
            timer->stop();
            timer->deleteLater();
            act(*dialog);
        }
    });
    timer->start(10);
}

} // namespace

class TestLaunch : public QObject {
    Q_OBJECT
public:
    explicit TestLaunch(const TestHome& home) : home_(home) {}

private slots:
    void init();
    void cleanup();
    void aRenamedKernelRuns();
    void argumentsFillInWithoutABuild();
    void theDefaultLaunchCoversTheData_data();
    void theDefaultLaunchCoversTheData();
    void whatWasChosenIsKept();
    void openingAKernelChangesNothing_data();
    void openingAKernelChangesNothing();
    void oneEditChangesOneField();
    void aNumberAboveTheLimitStays();
    void theDeviceTellsTheLimits();
    void enterEditsAnArgument();
    void lettersReachTheirFields();
    void tabGoesThroughThePanel();
    void coverFollowsTheShape_data();
    void coverFollowsTheShape();
    void theSuggestedBlockKeepsItsShape();
    void sharedMemoryIsWarnedAboutAndAdapted();
    void launchOptionsAreEdited();
    void compileOptionsAreEdited();
    void compileOptionsKeepWhatTheyDoNotKnow();
    void optionsOfNewSessions();
    void templatesAreChosenAndTyped();
    void aTemplateWithoutArgumentsIsExplained();
    void dataBesideTheSessionIsRelative();
    void everyAttributeIsExplained();
    void attributeNamesAreNotCut();

private:
    Document& document() { return window_->document(); }
    const session::Session& session() { return window_->document().session(); }
    LaunchForm& form() { return window_->panel<LaunchPanel>().form(); }
    NumberBox& box(LaunchField field) { return *form().box(field); }
    void type(LaunchField field, const QString& text);
    void open(const QString& name, const QByteArray& source);
    void ready();

    const TestHome& home_;
    std::unique_ptr<MainWindow> window_;
};

void TestLaunch::init() {
    window_ = std::make_unique<MainWindow>();
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->activateWindow();
}

void TestLaunch::cleanup() {
    window_->document().setReadOnly(true); // so that closing asks nothing
    window_->close();
    window_.reset();
}

/// As somebody does: into the field, all of it away, the new number.
void TestLaunch::type(LaunchField field, const QString& text) {
    box(field).setFocus();
    QTest::keyClick(&box(field), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&box(field), text);
}

/// Opens a kernel without a session, and waits for what follows from its text.
void TestLaunch::open(const QString& name, const QByteArray& source) {
    write(home_.path(name), source);
    QVERIFY(window_->openFile(home_.path(name)));
    QTRY_VERIFY_WITH_TIMEOUT(!session().arguments.empty(), patience);
}

void TestLaunch::ready() { QTRY_VERIFY_WITH_TIMEOUT(window_->workbench().worker().isUsable(), patience); }

void TestLaunch::aRenamedKernelRuns() {
    NEEDS_DEVICE;
    window_->findAction("file.new")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session().kernel, std::string("scale"), patience);
    // Its first run is right after the edit: nothing may be known by then.
    document().mainSource()->setText(QString(document().mainSource()->text()).replace("void scale(", "void times("));
    window_->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(document().hasReport() && !window_->runner().isRunning(), patience);
    const session::Report& report = document().report();
    QVERIFY2(report.status == session::Status::ok, report.error ? report.error->message.c_str() : "not ok");
    QCOMPARE(report.kernel, std::string("times"));
    // The only kernel there is, whatever the session says.
    QCOMPARE(chooseKernel("gone", document().kernels(), {}), std::string("times"));
    // Of two the one that was renamed.
    compiler::Kernel a, b;
    a.name = "a", b.name = "b2";
    QCOMPARE(chooseKernel("b", {a, b}, {"a", "b"}), std::string("b2"));
    QCOMPARE(chooseKernel("c", {a, b}, {"a", "b"}), std::string("c"));
}

void TestLaunch::argumentsFillInWithoutABuild() {
    QAbstractItemModelTester tester(&window_->panel<LaunchPanel>().argumentsModel());
    Preferences preferences = window_->preferences();
    preferences.checkWhileTyping = false;
    window_->setPreferences(preferences);
    open("plain/fill.cu", fill);
    QVERIFY(!document().compileOutput().valid);
    QCOMPARE(session().kernel, std::string("fill"));
    QCOMPARE(session().arguments.size(), std::size_t(2));
    // What nobody has chosen follows its parameter.
    document().mainSource()->setText(QString(fill).replace("float* x", "const double* x, unsigned char* y"));
    QTRY_COMPARE_WITH_TIMEOUT(session().arguments.size(), std::size_t(3), patience);
    QCOMPARE(session().arguments[0].direction, session::Direction::in);
    QCOMPARE(std::get<session::RandomSource>(session().arguments[0].source).dtype, std::string("float64"));
    QCOMPARE(std::get<session::ZerosSource>(session().arguments[1].source).dtype, std::string("uint8"));
    QVERIFY(!document().compileOutput().valid);
    QCOMPARE(window_->panel<LaunchPanel>().problem(), QString());
    preferences.checkWhileTyping = true;
    window_->setPreferences(preferences);
}

void TestLaunch::theDefaultLaunchCoversTheData_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("expected"); // grid, block, shape of the first array
    QTest::newRow("flat") << fill << "4 1 1 | 256 1 1 | 1024";
    QTest::newRow("vectors") << QByteArray("__global__ void k(float4* x, int n) { x[threadIdx.x].x = n; }")
                             << "4 1 1 | 256 1 1 | 1024 4";
    QTest::newRow("bounds") << QByteArray("__global__ void __launch_bounds__(128) k(int* x) { x[threadIdx.x] = 1; }")
                            << "8 1 1 | 128 1 1 | 1024";
    QTest::newRow("two axes") << QByteArray("__global__ void k(float* x, int width, int height) {\n"
                                            "    int i = blockIdx.y * blockDim.y + threadIdx.y; x[i] = width; }")
                              << "4 4 1 | 16 16 1 | 64 64";
}

void TestLaunch::theDefaultLaunchCoversTheData() {
    QFETCH(QByteArray, source);
    open("cover/k.cu", source);
    const auto text = [](const auto& list) {
        QStringList parts;
        for (const auto each : list)
            parts << QString::number(each);
        return parts.join(' ');
    };
    const auto shape = [&] { return std::get<session::ZerosSource>(session().arguments[0].source).shape; };
    QTEST(text(session().launch.grid) + " | " + text(session().launch.block) + " | " + text(shape()), "expected");
    // It stays so while nobody has chosen another, ...
    session::Argument larger = session().arguments[0];
    std::get<session::ZerosSource>(larger.source).shape.front() *= 2;
    window_->panel<LaunchPanel>().argumentsModel().setArgument(0, larger);
    const bool flat = isFlat(session().launch.block);
    QCOMPARE(session().launch.grid[flat ? 0 : 1] % 8u, 0u);
    document().undoStack().undo();
    QVERIFY(session().launch.grid[0] % 4u == 0 && session().launch.grid[1] != 8u);
    // ... and no longer.
    type(LaunchField::GridX, "3");
    window_->panel<LaunchPanel>().argumentsModel().setArgument(0, larger);
    QCOMPARE(session().launch.grid[0], 3u);
}

void TestLaunch::whatWasChosenIsKept() {
    open("kept/k.cu", fill + "\n__global__ void other(int* y) { y[threadIdx.x] = 1; }\n");
    ArgumentsModel& model = window_->panel<LaunchPanel>().argumentsModel();
    session::Argument chosen = session().arguments[0];
    chosen.source = session::ConstantSource{"float32", {77}, 2.5};
    model.setArgument(0, chosen);
    const auto is = [&] {
        const auto* source = std::get_if<session::ConstantSource>(&session().arguments[0].source);
        return source && source->shape == session::Shape{77};
    };
    QVERIFY(is());
    // Its parameter is away for a moment, as when lines are moved.
    const QString text = document().mainSource()->text();
    document().mainSource()->setText(QString(text).replace("float* x, ", ""));
    QTRY_COMPARE_WITH_TIMEOUT(session().arguments.size(), std::size_t(1), patience);
    document().mainSource()->setText(text);
    QTRY_COMPARE_WITH_TIMEOUT(session().arguments.size(), std::size_t(2), patience);
    QVERIFY(is());
    // Another kernel is looked at.
    auto* kernels = window_->findChild<QComboBox*>("kernelBox");
    QTRY_VERIFY(kernels->findText("other") >= 0);
    kernels->setFocus();
    QTest::keyClick(kernels, Qt::Key_Down);
    QTRY_COMPARE(session().kernel, std::string("other"));
    QCOMPARE(session().arguments.size(), std::size_t(1));
    QTest::keyClick(kernels, Qt::Key_Up);
    QTRY_COMPARE(session().kernel, std::string("fill"));
    QVERIFY(is());
}

void TestLaunch::openingAKernelChangesNothing_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("plain") << fill;
    QTest::newRow("CRLF") << QByteArray(fill).replace("\n", "\r\n");
    QTest::newRow("no last newline") << fill.trimmed();
    QTest::newRow("tabs") << QByteArray(fill).replace("    ", "\t") + "  \n\n";
    QTest::newRow("Latin-1") << "// Gr\xf6\xdf"
                                "e\n" +
                                    fill;
    QTest::newRow("UTF-8") << "// Größe µ\n" + fill;
}

void TestLaunch::openingAKernelChangesNothing() {
    NEEDS_DEVICE;
    QFETCH(QByteArray, bytes);
    open("untouched/k.cu", bytes);
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().valid, patience);
    QTest::qWait(300); // whatever else comes
    QVERIFY(!document().isModified());
    QVERIFY(!window_->isWindowModified());
    QVERIFY(!document().undoStack().canUndo());
    // It runs, and closing asks nothing.
    window_->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(document().hasReport() && !window_->runner().isRunning(), patience);
    QVERIFY(document().report().status == session::Status::ok);
    QVERIFY(!document().isModified());
    QVERIFY(window_->close());
    const auto onDisk = [&] {
        QFile file(home_.path("untouched/k.cu"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(onDisk(), bytes);
    // An edit leaves all that it does not touch.
    QString problem;
    SourceFile* source = document().mainSource();
    source->setText(source->text() + "//");
    QVERIFY2(source->save(&problem), qPrintable(problem));
    QCOMPARE(onDisk(), bytes + "//");
}

void TestLaunch::oneEditChangesOneField() {
    write(home_.path("one/k.cu"), fill);
    write(home_.path("one/k.warplight"), R"({"warplight": 1, "source": "k.cu", "kernel": "fill",
        "arguments": [{"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [9]}},
                      {"name": "n", "direction": "scalar", "type": "i32", "value": 9}],
        "launch": {"grid": [4000000000, 70000, 1], "block": [2048, 1, 100], "shared": 2097152},
        "repeat": 200000, "warmup": 5000})");
    QVERIFY(window_->openFile(home_.path("one/k.warplight")));
    const auto expected = [&](const std::function<void(session::Session&)>& change) {
        session::Session copy = session();
        change(copy);
        return session::to_text(copy);
    };
    QCOMPARE(box(LaunchField::Shared).number(), quint64(2097152));
    QCOMPARE(box(LaunchField::Repeat).number(), quint64(200000));
    std::string after = expected([](session::Session& s) { s.launch.block[1] = 2; });
    type(LaunchField::BlockY, "2");
    QCOMPARE(QString::fromStdString(session::to_text(session())), QString::fromStdString(after));
    after = expected([](session::Session& s) { s.warmup = 5001; });
    box(LaunchField::Warmup).setFocus();
    QTest::keyClick(&box(LaunchField::Warmup), Qt::Key_Up);
    QCOMPARE(QString::fromStdString(session::to_text(session())), QString::fromStdString(after));
    after = expected([](session::Session& s) { s.launch.cooperative = true; });
    QTest::mouseClick(window_->panel<LaunchPanel>().findChild<QCheckBox*>(), Qt::LeftButton, {}, QPoint(8, 8));
    QCOMPARE(QString::fromStdString(session::to_text(session())), QString::fromStdString(after));
    // One step of undo a field, however many keys it took.
    const int steps = document().undoStack().count();
    type(LaunchField::GridX, "12345");
    QCOMPARE(document().undoStack().count(), steps + 1);
    document().undoStack().undo();
    QCOMPARE(session().launch.grid[0], 4000000000u);
    QCOMPARE(box(LaunchField::GridX).number(), quint64(4000000000));
}

void TestLaunch::aNumberAboveTheLimitStays() {
    open("limit/k.cu", fill);
    type(LaunchField::BlockX, "4096");
    QTest::keyClick(&box(LaunchField::BlockX), Qt::Key_Tab);
    QCOMPARE(session().launch.block[0], 4096u);
    QCOMPARE(box(LaunchField::BlockX).cleanText(), QString("4096"));
    QVERIFY(box(LaunchField::BlockX).property("invalid").toBool());
    QVERIFY2(window_->panel<LaunchPanel>().problem().contains("1024"),
             qPrintable(window_->panel<LaunchPanel>().problem()));
    bool seen = false; // beside the field
    for (const QLabel* label : form().findChildren<QLabel*>())
        seen = seen || (label->isVisible() && label->text().contains("4096") && label->text().contains("1024"));
    QVERIFY(seen);
    window_->findAction("run.run")->trigger();
    QTRY_VERIFY(window_->banners().isShown("run"));
    QVERIFY(!window_->runner().isRunning());
    // What no session can hold stays in the field all the same, and is not run.
    type(LaunchField::BlockX, "128");
    QVERIFY(!box(LaunchField::BlockX).property("invalid").toBool());
    type(LaunchField::GridY, "99999999999");
    type(LaunchField::Warmup, "1");
    QCOMPARE(box(LaunchField::GridY).cleanText(), QString("99999999999"));
    QCOMPARE(session().launch.grid[1], 1u);
    QVERIFY(window_->panel<LaunchPanel>().problem().contains("4294967295"));
    type(LaunchField::GridY, "0");
    QVERIFY(window_->panel<LaunchPanel>().problem().contains("at least 1"));
    type(LaunchField::GridY, "1");
    QCOMPARE(window_->panel<LaunchPanel>().problem(), QString());
    // The arrows stop at the limit.
    type(LaunchField::BlockX, "1023");
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(&box(LaunchField::BlockX), Qt::Key_Up);
    QCOMPARE(session().launch.block[0], 1024u);
    // The toolbar has no other limit.
    document().modify("repeat", [](session::Session& s) { s.repeat = 200000; });
    QCOMPARE(box(LaunchField::Repeat).number(), quint64(200000));
    bool shown = false;
    for (const NumberBox* each : window_->findChildren<NumberBox*>())
        shown = shown || (each->prefix().contains(QChar(0xd7)) && each->number() == 200000);
    QVERIFY(shown);
}

void TestLaunch::theDeviceTellsTheLimits() {
    NEEDS_DEVICE;
    ready();
    QTRY_VERIFY_WITH_TIMEOUT(!form().limits().device.isEmpty(), patience);
    QVERIFY(form().limits().shared >= 48 * 1024);
    open("device/k.cu", fill);
    type(LaunchField::Shared, QString::number(form().limits().shared + 1));
    QVERIFY(window_->panel<LaunchPanel>().problem().contains(form().limits().device));
    QCOMPARE(session().launch.shared, std::uint64_t(form().limits().shared + 1));
    type(LaunchField::Shared, QString::number(form().limits().shared));
    QCOMPARE(window_->panel<LaunchPanel>().problem(), QString());
    const auto attributes =
        nlohmann::json::parse(R"({"MAX_GRID_DIM_Y": 7, "MAX_BLOCK_DIM_Z": 3, "MAX_THREADS_PER_BLOCK": 512,
                                  "MAX_SHARED_MEMORY_PER_BLOCK": 100, "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 200})");
    const LaunchLimits limits = limitsFromAttributes("Small", attributes);
    session::LaunchConfiguration launch;
    launch.grid = {1, 8, 1};
    launch.block = {1024, 1, 4};
    launch.shared = 201;
    QStringList all;
    for (const LaunchProblem& problem : launchProblems(launch, limits))
        all << problem.text;
    QCOMPARE(all.size(), 3);
    QVERIFY(all[0].contains("7") && all[1].contains("3") && all[2].contains("200"));
    QVERIFY(all.join(' ').contains("Small"));
}

void TestLaunch::enterEditsAnArgument() {
    open("keys/k.cu", fill);
    auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
    table->setFocus();
    for (const int key : {Qt::Key_Return, Qt::Key_Enter})
        for (const int column : {int(ArgumentsModel::Name), int(ArgumentsModel::Direction)}) {
            table->setCurrentIndex(table->model()->index(0, column));
            bool shown = false;
            withDialog<ArgumentDialog>([&](ArgumentDialog& dialog) {
                shown = dialog.windowTitle().contains("x");
                dialog.reject();
            });
            QTest::keyClick(table, Qt::Key(key));
            QVERIFY(shown);
        }
    // What is typed there arrives, and the row stays the current one.
    withDialog<ArgumentDialog>([](ArgumentDialog& dialog) {
        for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
            if (edit->isVisible() && edit->text() == "1024") {
                edit->setFocus();
                edit->selectAll();
                QTest::keyClicks(edit, "40, 30");
            }
        QTest::keyClick(&dialog, Qt::Key_Return);
    });
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(std::get<session::ZerosSource>(session().arguments[0].source).shape, (session::Shape{40, 30}));
    QCOMPARE(table->currentIndex().row(), 0);
}

void TestLaunch::lettersReachTheirFields() {
    open("letters/k.cu", fill);
    QHash<QString, QString> taken;
    for (const QAction* menu : window_->menuBar()->actions())
        taken.insert(QKeySequence::mnemonic(menu->text()).toString(), menu->text());
    int letters = 0;
    const auto take = [&](const QString& text) {
        const QKeySequence keys = QKeySequence::mnemonic(text);
        QVERIFY2(!keys.isEmpty(), qPrintable(text));
        QVERIFY2(!taken.contains(keys.toString()), qPrintable(text + " and " + taken.value(keys.toString())));
        taken.insert(keys.toString(), text);
        ++letters;
    };
    for (QLabel* label : form().findChildren<QLabel*>()) {
        if (!label->buddy() || label->buddy()->focusPolicy() == Qt::NoFocus) continue;
        take(label->text());
        window_->panel<LaunchPanel>().findChild<QTableView*>()->setFocus();
        const QString letter = QKeySequence::mnemonic(label->text()).toString().right(1);
        QTest::keyClick(window_.get(), Qt::Key(letter.at(0).unicode()), Qt::AltModifier);
        QVERIFY2(label->buddy()->hasFocus(), qPrintable(label->text()));
    }
    take(form().findChild<QCheckBox*>()->text());
    take(form().findChild<QToolButton*>()->text());
    QVERIFY(letters >= 8);
}

void TestLaunch::tabGoesThroughThePanel() {
    open("tab/k.cu", fill);
    auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), window_->panel<LaunchPanel>().modeBox());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    for (const LaunchField field : {LaunchField::GridX, LaunchField::GridY, LaunchField::GridZ}) {
        QVERIFY2(box(field).hasFocus(), qPrintable(QApplication::focusWidget()->accessibleName()));
        QTest::keyClick(&box(field), Qt::Key_Tab);
    }
    QCOMPARE(QApplication::focusWidget()->accessibleName(), QString("Cover all elements"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    for (const LaunchField field : {LaunchField::BlockX, LaunchField::BlockY, LaunchField::BlockZ}) {
        QVERIFY2(box(field).hasFocus(), qPrintable(QApplication::focusWidget()->accessibleName()));
        QTest::keyClick(&box(field), Qt::Key_Tab);
    }
    QCOMPARE(QApplication::focusWidget()->accessibleName(), QString("Compare block sizes"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(box(LaunchField::Shared).hasFocus());
    QTest::keyClick(&box(LaunchField::Shared), Qt::Key_Tab);
    QVERIFY(qobject_cast<QCheckBox*>(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget()->objectName(), QString("launchOptions"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(box(LaunchField::Repeat).hasFocus());
}

void TestLaunch::coverFollowsTheShape_data() {
    QTest::addColumn<session::Shape>("shape");
    QTest::addColumn<int>("components");
    QTest::addColumn<Extents>("block");
    QTest::addColumn<Extents>("grid");
    using S = session::Shape;
    using E = Extents;
    QTest::newRow("flat") << S{1000} << 1 << E{256, 1, 1} << E{4, 1, 1};
    QTest::newRow("float4") << S{1024, 4} << 4 << E{256, 1, 1} << E{4, 1, 1};
    QTest::newRow("float4 in a row") << S{4096} << 4 << E{256, 1, 1} << E{4, 1, 1};
    QTest::newRow("picture of uchar4") << S{100, 200, 4} << 4 << E{16, 16, 1} << E{13, 7, 1};
    QTest::newRow("picture, three channels") << S{100, 200, 3} << 1 << E{16, 16, 1} << E{13, 7, 1};
    QTest::newRow("rows and columns") << S{100, 200} << 1 << E{32, 8, 1} << E{7, 13, 1};
    QTest::newRow("float2 rows") << S{100, 200} << 2 << E{32, 8, 1} << E{4, 13, 1};
    QTest::newRow("volume") << S{10, 20, 30} << 1 << E{8, 8, 4} << E{4, 3, 3};
    QTest::newRow("all in a flat launch") << S{100, 200} << 1 << E{128, 1, 1} << E{157, 1, 1};
}

void TestLaunch::coverFollowsTheShape() {
    QFETCH(session::Shape, shape);
    QFETCH(int, components);
    QFETCH(Extents, block);
    session::Session s;
    session::Argument small, data;
    small.name = "weights";
    small.source = session::ZerosSource{"float32", {3}};
    data.name = "x";
    data.direction = session::Direction::out;
    data.source = session::ZerosSource{"float32", shape};
    s.arguments = {small, data};
    s.launch.block = block;
    compiler::Kernel kernel;
    kernel.parameters.resize(2);
    kernel.parameters[1].components = components;
    const bool flat = isFlat(s.launch, &kernel);
    const auto coverage = findCoverage(s, &kernel, {}, flat);
    QVERIFY(coverage);
    QCOMPARE(coverage->argument, std::string("x"));
    QTEST(coveringGrid(*coverage, block, flat), "grid");
}

void TestLaunch::theSuggestedBlockKeepsItsShape() {
    const LaunchLimits limits;
    const auto of = [&](Extents like, int threads) { return blockOfThreads(like, threads, limits); };
    QCOMPARE(of({256, 1, 1}, 768), (Extents{768, 1, 1}));
    QCOMPARE(of({16, 16, 1}, 1024), (Extents{32, 32, 1}));
    QCOMPARE(of({16, 16, 1}, 768), (Extents{32, 24, 1}));
    QCOMPARE(of({32, 8, 1}, 1024), (Extents{64, 16, 1}));
    QCOMPARE(of({8, 8, 4}, 1024), (Extents{16, 16, 4}));
    for (int threads = 1; threads <= 1024; ++threads) {
        const Extents block = of({16, 16, 1}, threads);
        QCOMPARE(threadsOf(block), std::uint64_t(threads));
    }
    // In the window: from the occupancy's answer, with the grid after it, in one step.
    NEEDS_DEVICE;
    open("suggest/k.cu",
         "__global__ void k(float* x, int width, int height) {\n"
         "    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "    if (i < height && j < width) x[i * width + j] = i; }\n");
    type(LaunchField::BlockX, "2");
    type(LaunchField::BlockY, "2");
    QAction* suggest = nullptr;
    for (QAction* action : window_->panel<LaunchPanel>().panelActions())
        if (action->text().contains("Suggested")) suggest = action;
    QVERIFY(suggest);
    QTRY_VERIFY_WITH_TIMEOUT(suggest->isEnabled(), patience);
    const int steps = document().undoStack().count();
    suggest->trigger();
    QCOMPARE(document().undoStack().count(), steps + 1);
    const Extents block = session().launch.block;
    QVERIFY(block[0] > 2 && block[1] > 2 && block[0] == block[1]);
    QCOMPARE(session().launch.grid, (Extents{64 / block[0], 64 / block[1], 1}));
}

void TestLaunch::sharedMemoryIsWarnedAboutAndAdapted() {
    write(home_.path("shared/k.cu"), fill);
    write(home_.path("shared/k.warplight"), R"({"warplight": 1, "source": "k.cu", "kernel": "fill",
        "arguments": [{"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [9]}},
                      {"name": "n", "direction": "scalar", "type": "i32", "value": 9}],
        "launch": {"grid": 1, "block": 256, "shared": 1024}})");
    QVERIFY(window_->openFile(home_.path("shared/k.warplight")));
    const auto hint = [&]() -> QLabel* {
        for (QLabel* label : form().findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains("adapt")) return label;
        return nullptr;
    };
    QVERIFY(!hint());
    type(LaunchField::BlockX, "512");
    QCOMPARE(session().launch.shared, std::uint64_t(1024)); // one edit, one field
    QTRY_VERIFY(hint());
    QVERIFY2(hint()->text().contains("2048"), qPrintable(hint()->text()));
    emit hint() -> linkActivated("adapt");
    QCOMPARE(session().launch.shared, std::uint64_t(2048));
    QVERIFY(!hint());
    QCOMPARE(sharedFor(128, {256, 1, 1}, {512, 1, 1}), std::uint64_t(128)); // not so many a thread: left alone
    QCOMPARE(sharedFor(2048, {16, 16, 1}, {32, 32, 1}), std::uint64_t(8192));
}

void TestLaunch::launchOptionsAreEdited() {
    open("more/k.cu", "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = 1; }\n");
    auto* more = form().findChild<QToolButton*>("launchOptions");
    const auto says = [&](const QString& text) {
        for (const QLabel* label : form().findChildren<QLabel*>())
            if (label->text() == text) return true;
        return false;
    };
    QVERIFY(says("As the kernel and the driver choose"));
    withDialog<LaunchOptionsDialog>([](LaunchOptionsDialog& dialog) {
        auto* cluster = dialog.findChild<QLineEdit*>();
        const auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        cluster->setFocus();
        QTest::keyClicks(cluster, "2 x 0");
        QVERIFY(!ok->isEnabled());
        QTest::keyClicks(cluster, "\b1");
        QVERIFY(ok->isEnabled());
        for (QSpinBox* box : dialog.findChildren<QSpinBox*>())
            box->setValue(box->minimum() == -1 ? 50 : -2);
        auto* cache = dialog.findChild<QComboBox*>();
        cache->setCurrentIndex(cache->findData("shared"));
        dialog.findChild<QCheckBox*>()->click();
        dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    QTest::mouseClick(more, Qt::LeftButton);
    const session::LaunchOptions expected{{2, 1, 1}, 50, "shared", -2};
    QVERIFY(session().launch.options == expected);
    QVERIFY(says("Clusters of 2 × 1 × 1, carve-out 50 %, more shared memory, priority -2, cold L2 cache"));
    QVERIFY(session().cold_l2);
    // Nothing changed: nothing to undo.
    const int steps = document().undoStack().count();
    withDialog<LaunchOptionsDialog>([](LaunchOptionsDialog& dialog) { dialog.accept(); });
    QTest::mouseClick(more, Qt::LeftButton);
    QCOMPARE(document().undoStack().count(), steps);
    document().undoStack().undo();
    QVERIFY(!session().launch.options.any() && !session().cold_l2);
}

void TestLaunch::compileOptionsAreEdited() {
    NEEDS_DEVICE;
    open("options/k.cu", "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = COUNT; }\n");
    window_->findAction("build.build")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().valid && !document().compileOutput().ok, patience);
    withDialog<CompileOptionsDialog>([](CompileOptionsDialog& dialog) {
        const auto fields = dialog.findChildren<QLineEdit*>();
        for (QLineEdit* edit : fields)
            if (edit->placeholderText().contains("DEBUG")) {
                edit->setFocus();
                QTest::keyClicks(edit, "COUNT=41 OTHER");
            } else if (edit->placeholderText().contains("fmad")) {
                edit->setFocus();
                QTest::keyClicks(edit, "--fmad=false");
            }
        for (QCheckBox* each : dialog.findChildren<QCheckBox*>())
            if (each->text().contains("math")) QTest::keyClick(each, Qt::Key_Space);
        for (NumberBox* each : dialog.findChildren<NumberBox*>()) {
            each->setFocus();
            QTest::keyClick(each, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(each, "64");
        }
        for (QComboBox* each : dialog.findChildren<QComboBox*>())
            if (each->findData("c++17") >= 0) each->setCurrentIndex(each->findData("c++17"));
        dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    QTest::mouseClick(window_->panel<LaunchPanel>().findChild<QToolButton*>("compileOptions"), Qt::LeftButton);
    const std::vector<std::string> expected{"--std=c++17", "--use_fast_math", "--maxrregcount=64",
                                            "-DCOUNT=41",  "-DOTHER",         "--fmad=false"};
    QCOMPARE(session().compile.options, expected);
    // It is built anew by itself, and the window says what is chosen.
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().ok, patience);
    QVERIFY(document().compileOutput().ptx.contains("41"));
    QVERIFY(document().compileOutput().ptx.contains(".maxnreg") || !document().compileOutput().resources.empty());
    bool shown = false;
    for (const QLabel* label : form().findChildren<QLabel*>())
        shown = shown || (label->text().contains("-DCOUNT=41") && label->text().contains("C++17"));
    QVERIFY(shown);
    // What a session may not have is said, and not taken.
    withDialog<CompileOptionsDialog>([](CompileOptionsDialog& dialog) {
        for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
            if (edit->placeholderText().contains("fmad")) {
                edit->setFocus();
                QTest::keyClicks(edit, " --run");
            }
        const auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        bool said = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            said = said || (label->isVisible() && label->text().contains("--run"));
        QVERIFY(said && !ok->isEnabled());
        dialog.reject();
    });
    window_->panel<LaunchPanel>().compileOptionsAction()->trigger();
    QCOMPARE(session().compile.options, expected);
    // Without source lines.
    QVERIFY(!document().compileOutput().lines.empty());
    document().modify("lines", [](session::Session& s) { s.compile.line_info = false; });
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().ok && document().compileOutput().lines.empty(), patience);
    QVERIFY(session::parse(session::to_text(session())).compile.line_info == false);
}

void TestLaunch::compileOptionsKeepWhatTheyDoNotKnow() {
    session::CompileOptions options;
    options.options = {"--define-macro",
                       "A=1",
                       "-std",
                       "c++17",
                       "-I",
                       "include",
                       "-w",
                       "--maxrregcount",
                       "40",
                       "-use_fast_math",
                       "-DB",
                       "--maxrregcount=none"};
    const CompileChoices choices = CompileChoices::of(options);
    QCOMPARE(choices.defines, (QStringList{"A=1", "B"}));
    QCOMPARE(choices.standard, QString("c++17"));
    QCOMPARE(choices.maxRegisters, 40);
    QVERIFY(choices.fastMath);
    QCOMPARE(choices.others, (QStringList{"-I", "include", "-w", "--maxrregcount=none"}));
    // Nothing changed: nothing is written anew.
    QCOMPARE(choices.in(options).options, options.options);
    CompileChoices other = choices;
    other.fastMath = false;
    QVERIFY(CompileChoices::of(other.in(options)) == other);
    for (const QStringList& words : {QStringList{"A", "B=1"}, QStringList{"S=\"a b\"", "T=x y"}})
        QCOMPARE(splitWords(joinWords(words)), words);
}

void TestLaunch::optionsOfNewSessions() {
    const Preferences before = window_->preferences();
    withDialog<SettingsDialog>([](SettingsDialog& dialog) {
        for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
            if (edit->placeholderText().contains("DEBUG")) {
                edit->setFocus();
                QTest::keyClicks(edit, "FRESH=1");
            }
        dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    window_->findAction("edit.settings")->trigger();
    QCOMPARE(Preferences::load().compileOptions, QStringList{"-DFRESH=1"});
    window_->findAction("file.new")->trigger();
    QCOMPARE(session().compile.options, std::vector<std::string>{"-DFRESH=1"});
    QVERIFY(!document().isModified());
    open("fresh/k.cu", fill);
    QCOMPARE(session().compile.options, std::vector<std::string>{"-DFRESH=1"});
    QVERIFY(!document().isModified());
    window_->setPreferences(before);
}

void TestLaunch::templatesAreChosenAndTyped() {
    NEEDS_DEVICE;
    open("template/k.cu", "template <class T, int N> __global__ void scale(T* x, int n) {\n"
                          "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = T(N); }\n"
                          "template __global__ void scale<double, 3>(double*, int);\n"
                          "void host(int* p) { scale<int, 5><<<1, 32>>>(p, 32); }\n");
    QCOMPARE(session().kernel, std::string("scale<double, 3>"));
    auto* kernels = window_->findChild<QComboBox*>("kernelBox");
    QTRY_VERIFY(kernels->findText("scale<int, 5>") >= 0);
    QCOMPARE(std::get<session::ZerosSource>(session().arguments[0].source).dtype, std::string("float64"));
    // The launch in host code is for nvcc; the kernel is what is tried here.
    document().mainSource()->setText(document().mainSource()->text().section("void host", 0, 0));
    kernels->lineEdit()->setFocus();
    kernels->lineEdit()->selectAll();
    QTest::keyClicks(kernels->lineEdit(), "scale<float,4>");
    QTest::keyClick(kernels->lineEdit(), Qt::Key_Return);
    QCOMPARE(session().kernel, std::string("scale<float,4>"));
    QTRY_VERIFY_WITH_TIMEOUT(std::get<session::ZerosSource>(session().arguments[0].source).dtype == "float32",
                             patience);
    window_->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(document().hasReport() && !window_->runner().isRunning(), patience);
    const session::Report& report = document().report();
    QVERIFY2(report.status == session::Status::ok, report.error ? report.error->message.c_str() : "not ok");
    // Both stay there to choose from after a build.
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().ok, patience);
    QVERIFY(kernels->findText("scale<double, 3>") >= 0);
    QCOMPARE(kernels->currentText(), QString("scale<float,4>"));
    // What is no kernel is refused, in words.
    kernels->lineEdit()->setFocus();
    kernels->lineEdit()->selectAll();
    QTest::keyClicks(kernels->lineEdit(), "nothing<int>");
    QTest::keyClick(kernels->lineEdit(), Qt::Key_Return);
    QCOMPARE(session().kernel, std::string("scale<float,4>"));
    QCOMPARE(kernels->currentText(), QString("scale<float,4>"));
    bool said = false;
    for (const QLabel* label : window_->findChildren<QLabel*>())
        said = said || label->text().contains("nothing<int>");
    QVERIFY(said);
}

/// Whatever is chosen or typed: the driver's own words are not the window's.
void TestLaunch::aTemplateWithoutArgumentsIsExplained() {
    NEEDS_DEVICE;
    ready();
    open("raw/k.cu",
         "template <class T> __global__ void scale(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = n; }\n"
         "template __global__ void scale<float>(float*, int);\n");
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().ok, patience);
    for (const char* kernel : {"scale", "scale<double>", "scale<nosuch>", "scale<float>"}) {
        document().modify("kernel", [&](session::Session& s) { s.kernel = kernel; });
        QTest::qWait(900);
        for (const QLabel* label : window_->panel<LaunchPanel>().findChildren<QLabel*>())
            for (const char* raw : {"cuModule", "NOT_FOUND", "CUDA_ERROR", "named symbol"})
                QVERIFY2(!label->text().contains(raw), qPrintable(label->text()));
    }
    // No instance has this template: somebody has to say.
    document().modify("kernel", [](session::Session& s) { s.kernel = "scale<nosuch>"; });
    window_->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(document().hasReport() && !window_->runner().isRunning(), patience);
    QVERIFY(document().report().status == session::Status::compile_error);
    QVERIFY2(document().report().error->message.find("nosuch") != std::string::npos,
             document().report().error->message.c_str());
    QVERIFY2(document().report().error->message.find("the instance scale<nosuch> cannot be made") != std::string::npos,
             document().report().error->message.c_str());
    // Problems says so too.
    QTRY_VERIFY_WITH_TIMEOUT(document().compileOutput().valid && !document().compileOutput().ok, patience);
    QTreeView* problems = window_->panel<ProblemsPanel>().view();
    const QString text = problems->model()->index(0, 0).data(ProblemsModel::CopyRole).toString();
    QVERIFY2(text.contains("the instance scale<nosuch> cannot be made") && !text.contains("__nv_name_map"),
             qPrintable(text));
}

void TestLaunch::dataBesideTheSessionIsRelative() {
    write(home_.path("data/work/k.cu"), fill);
    for (const char* file : {"data/work/beside.npy", "data/work/below/deep/x.npy", "data/above.npy", "elsewhere/y.npy"})
        write(home_.path(file), "x");
    QVERIFY(window_->openFile(home_.path("data/work/k.cu")));
    QTRY_VERIFY_WITH_TIMEOUT(!session().arguments.empty(), patience);
    const auto path = [&] { return std::get<session::FileSource>(session().arguments[0].source).path; };
    ArgumentsModel& model = window_->panel<LaunchPanel>().argumentsModel();
    model.setFile(0, home_.path("data/work/below/deep/x.npy"));
    QCOMPARE(path(), std::string("below/deep/x.npy"));
    model.setFile(0, home_.path("elsewhere/y.npy"));
    QCOMPARE(path(), home_.path("elsewhere/y.npy").toStdString());
    // Whatever way an absolute path came in: in or below the folder it is saved as a relative one.
    session::Argument typed = session().arguments[0];
    std::get<session::FileSource>(typed.source).path = home_.path("data/work/beside.npy").toStdString();
    typed.expect = session::Expectation{};
    typed.expect->path = home_.path("data/work/below/deep/x.npy").toStdString();
    model.setArgument(0, typed);
    QVERIFY(window_->saveSessionAs(home_.path("data/work/s.warplight")));
    QCOMPARE(path(), std::string("beside.npy"));
    session::Session saved = session::load(home_.path("data/work/s.warplight").toStdString());
    QCOMPARE(std::get<session::FileSource>(saved.arguments[0].source).path, std::string("beside.npy"));
    QCOMPARE(saved.arguments[0].expect->path, std::string("below/deep/x.npy"));
    QVERIFY(!document().isModified());
    // A new session is first nowhere, and then beside its data.
    QVERIFY(window_->saveSessionAs(home_.path("data/s.warplight")));
    saved = session::load(home_.path("data/s.warplight").toStdString());
    QCOMPARE(std::get<session::FileSource>(saved.arguments[0].source).path, std::string("work/beside.npy"));
    QCOMPARE(saved.source.path, std::string("work/k.cu"));
}

void TestLaunch::everyAttributeIsExplained() {
    for (const driver::device_attribute attribute : driver::all_device_attributes()) {
        const QString name = QString::fromStdString(driver::to_string(attribute));
        const QString meaning = deviceAttributeMeaning(name);
        QVERIFY2(meaning.endsWith('.') && meaning.size() > 15, qPrintable(name + ": " + meaning));
    }
    QCOMPARE(deviceAttributeText("MAX_SHARED_MEMORY_PER_BLOCK", 49152), QString("48.0 KiB"));
    QCOMPARE(deviceAttributeText("WARP_SIZE", 32), QString("32 threads"));
    QCOMPARE(deviceAttributeText("CLOCK_RATE", 1980000), QString("1.98 GHz"));
    QCOMPARE(deviceAttributeText("ECC_ENABLED", 1), QString("yes"));
    QCOMPARE(deviceAttributeText("COMPUTE_MODE", 3), QString("one process"));
    QCOMPARE(deviceAttributeText("ATTRIBUTE_999", 7), QString("7"));
    session::Report report;
    for (const driver::function_attribute attribute : driver::all_function_attributes())
        report.function[QString::fromStdString(driver::to_string(attribute)).toLower().toStdString()] = 1;
    report.occupancy = session::ReportOccupancy{};
    report.memory.total = 1;
    compiler::KernelResources resources;
    resources.barriers = 1;
    AttributesModel model;
    QAbstractItemModelTester tester(&model);
    model.setResults(&report, &resources, "sm_90");
    int rows = 0;
    for (int group = 0; group < model.rowCount(); ++group)
        for (int row = 0; row < model.rowCount(model.index(group, 0)); ++row, ++rows) {
            const QModelIndex at = model.index(row, AttributesModel::Meaning, model.index(group, 0));
            QVERIFY2(at.data().toString().endsWith('.'),
                     qPrintable(at.siblingAtColumn(0).data().toString() + ": " + at.data().toString()));
            QVERIFY(!at.data().toString().contains("newer driver"));
        }
    QVERIFY(rows > 25);
}

void TestLaunch::attributeNamesAreNotCut() {
    NEEDS_DEVICE;
    ready();
    ExplorerPanel& explorer = window_->panel<ExplorerPanel>();
    QTRY_VERIFY_WITH_TIMEOUT(!explorer.devicesModel().devices().empty(), patience);
    auto* tree = explorer.findChild<QTreeView*>();
    tree->expandAll();
    QVERIFY(tree->textElideMode() == Qt::ElideNone);
    const auto reset = qScopeGuard([this] { window_->workbench().theme().setZoom(0); });
    for (const int zoom : {0, 4, 7}) {
        window_->workbench().theme().setZoom(zoom);
        QTest::qWait(100);
        window_->showPanel("explorer");
        QTest::qWait(100);
        int seen = 0, broken = 0;
        const std::function<void(const QModelIndex&)> look = [&](const QModelIndex& parent) {
            for (int row = 0; row < tree->model()->rowCount(parent); ++row) {
                const QModelIndex name = tree->model()->index(row, DevicesModel::Name, parent);
                look(name);
                if (name.data(DevicesModel::KindRole).toInt() != DevicesModel::AttributeKind) continue;
                ++seen;
                // The parts between breaks, set in the width that there is, need no more height than the row has.
                const QRect cell = tree->visualRect(name);
                const QString text = breakableName(name.data().toString());
                const QRect needed =
                    tree->fontMetrics().boundingRect(QRect(0, 0, cell.width() - 6, 10000), Qt::TextWordWrap, text);
                QVERIFY2(needed.height() <= cell.height(), qPrintable(text));
                QVERIFY2(needed.width() <= cell.width(), qPrintable(text));
                broken += needed.height() > tree->fontMetrics().height() * 3 / 2;
                // The value is whole too.
                const QModelIndex value = name.siblingAtColumn(DevicesModel::Value);
                const QRect there = tree->visualRect(value);
                QString number = value.data().toString();
                number.replace(QChar(0x2009), QChar(0x202f));
                const QRect wanted =
                    tree->fontMetrics().boundingRect(QRect(0, 0, there.width() - 6, 10000), Qt::TextWordWrap, number);
                QVERIFY2(wanted.height() <= there.height() && wanted.width() <= there.width(), qPrintable(number));
            }
        };
        look({});
        QVERIFY(seen > 100);
        QVERIFY(broken > 10); // the dock is narrow
    }
}

WARPLIGHT_UI_TEST_MAIN(TestLaunch)
#include "test_launch.moc"
