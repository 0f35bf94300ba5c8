// SPDX-License-Identifier: GPL-3.0-or-later
// The window on machines that lack something: a GPU behind the driver's library, a CUDA compiler.
#include "test_home.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"
#include "ui/welcome/examples.hpp"
#include "warplight/compiler.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QStatusBar>
#include <QTest>
#include <algorithm>

#define NEEDS_DEVICE                                                                                                   \
    if (!TestHome::hasDevice()) QSKIP("no device: this build has no software device")

using namespace warplight;
using namespace warplight::ui;

namespace {

constexpr int patience = 90000; // a machine that is busy with other things

/// A pip whose wheel of NVRTC holds the one of this machine; FAKE_PIP says what goes wrong.
const char* const fakePip = R"(
import os, sys, time, zipfile
from pathlib import Path
if "--version" in sys.argv:
    sys.exit(0)
if os.environ.get("FAKE_PIP") == "network":
    sys.exit("NewConnectionError")
if os.environ.get("FAKE_PIP") == "hang":
    time.sleep(60)
folder = sys.argv[sys.argv.index("-d") + 1]
with zipfile.ZipFile(folder + "/nvidia_cuda_nvrtc-13-py3-none-any.whl", "w") as wheel:
    for library in Path(os.environ["FAKE_NVRTC"]).glob("libnvrtc*.so.*"):
        if not library.is_symlink() or library.name.count(".") == 2:
            wheel.write(library, "nvidia/cu13/lib/" + library.name)
)";

} // namespace

class TestBareMachine : public QObject {
    Q_OBJECT
public:
    explicit TestBareMachine(const TestHome& home) : home_(home) {}

private slots:
    void initTestCase();
    void cleanup();
    void aDriverWithoutADeviceIsNotChosen_data();
    void aDriverWithoutADeviceIsNotChosen();
    void aMissingSoftwareDeviceIsNotReady();
    void aMissingCompilerIsInstalled();
    void anInstallationCanBeCancelled();
    void aFailureSaysWhy();
    void aRunWithoutACompilerSaysSo();
    void aMissingNvccIsOffered();
    void aCompilerThatAppearsEndsTheBanner();

private:
    void open();
    void openSaxpy();
    void write(const QString& name, const QByteArray& text);
    ToolkitDialog* openDialog();

    const TestHome& home_;
    std::unique_ptr<MainWindow> window_;
    QString nvrtc_, nvrtcFolder_;
};

void TestBareMachine::write(const QString& name, const QByteArray& text) {
    QDir().mkpath(QFileInfo(home_.path(name)).absolutePath());
    QFile file(home_.path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void TestBareMachine::initTestCase() {
    qunsetenv("WARPLIGHT_CACHE_DIR"); // the toolkit goes into the user's own cache, which is the test's
    const auto info = compiler::compiler_info(compiler::Backend::nvrtc);
    if (info.found) {
        nvrtc_ = QString::fromStdString(info.path.string());
        nvrtcFolder_ = QFileInfo(nvrtc_).absolutePath();
    }
    write("python/pip/__init__.py", "");
    write("python/pip/__main__.py", fakePip);
    qputenv("PYTHONPATH", home_.path("python").toUtf8());
    qputenv("FAKE_NVRTC", nvrtcFolder_.toUtf8());
}

void TestBareMachine::open() {
    window_ = std::make_unique<MainWindow>();
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void TestBareMachine::cleanup() {
    if (window_) {
        window_->document().setReadOnly(true); // so that closing asks nothing
        window_->close();
        window_.reset();
    }
    for (const char* name : {"LD_LIBRARY_PATH", "FAKE_DRIVER_DEVICES", "FAKE_DRIVER_EXIT", "WARPLIGHT_NVRTC",
                             "WARPLIGHT_NVCC", "FAKE_PIP"})
        qunsetenv(name);
    QDir(home_.path("XDG_CACHE_HOME/warplight/toolkit")).removeRecursively();
}

void TestBareMachine::aDriverWithoutADeviceIsNotChosen_data() {
    QTest::addColumn<QByteArray>("variable");
    QTest::newRow("an empty file") << QByteArray();
    QTest::newRow("no device") << QByteArray("FAKE_DRIVER_DEVICES");
    QTest::newRow("it ends its process") << QByteArray("FAKE_DRIVER_EXIT");
}

void TestBareMachine::aDriverWithoutADeviceIsNotChosen() {
    NEEDS_DEVICE;
    if (qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == QLatin1String("cuda")) QSKIP("there is a GPU");
    QFETCH(QByteArray, variable);
    const QString folder = home_.path("driver");
    QDir(folder).removeRecursively();
    if (variable.isEmpty()) {
        write("driver/libcuda.so.1", "");
    } else {
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::link(WARPLIGHT_TEST_FAKE_DRIVER, folder + "/libcuda.so.1"));
        qputenv(variable, "0");
    }
    qputenv("LD_LIBRARY_PATH", folder.toUtf8());
    open();
    QVERIFY(window_->workbench().worker("cuda"));
    // At once, before anybody knows what the driver has: the run waits for that.
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", true));
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().runs().size(), std::size_t(1), patience);
    const session::Report& report = window_->document().report();
    QVERIFY2(report.status == session::Status::ok, report.error ? report.error->message.c_str() : "not ok");
    QCOMPARE(report.device.driver, std::string("software"));
    // "auto" chooses the GPU's worker as long as its driver may have a device.
    QVERIFY(!window_->workbench().waitsForDevice());
    QCOMPARE(window_->workbench().worker().driver(), QString("software"));
    QVERIFY2(!window_->banners().isShown("lost"), qPrintable(window_->banners().text("lost")));
}

/// The dialog of a window without a compiler, once it has said what would be installed.
ToolkitDialog* TestBareMachine::openDialog() {
    // A fixed place, where nothing is until it is installed.
    qputenv("WARPLIGHT_NVRTC", home_.path("XDG_CACHE_HOME/warplight/toolkit/lib/libnvrtc.so").toUtf8());
    open();
    if (!QTest::qWaitFor([&] { return window_->banners().isShown("compiler"); }, patience)) return nullptr;
    if (!window_->banners().press("compiler", "Install…")) return nullptr;
    auto* dialog = window_->findChild<ToolkitDialog*>();
    if (!dialog) return nullptr;
    auto* install = dialog->findChild<QPushButton*>("install");
    return QTest::qWaitFor([&] { return install->isEnabled(); }, patience) ? dialog : nullptr;
}

void TestBareMachine::aMissingSoftwareDeviceIsNotReady() {
    const QByteArray library = qgetenv("WARPLIGHT_SOFTWARE_LIBRARY");
    const auto restore = qScopeGuard([library] { qputenv("WARPLIGHT_SOFTWARE_LIBRARY", library); });
    qputenv("WARPLIGHT_SOFTWARE_LIBRARY", home_.path("no such library").toUtf8());
    open();
    const auto told = [this](const QString& words) {
        const auto labels = window_->statusBar()->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->text() == words && label->toolTip().contains(QLatin1String("no such"));
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(told(QStringLiteral("Software device: not available")), patience);
}

void TestBareMachine::aMissingCompilerIsInstalled() {
    NEEDS_DEVICE;
    if (nvrtcFolder_.isEmpty()) QSKIP("no NVRTC here that could be installed");
    auto* dialog = openDialog();
    QVERIFY(dialog);
    const QString text = dialog->findChild<QLabel*>("announcement")->text();
    QVERIFY2(text.contains(" MB") && text.contains("End User License Agreement"), qPrintable(text));
    QVERIFY2(text.contains("<a href=\"https://docs.nvidia.com"), qPrintable(text));
    // All of it can be read before anybody agrees.
    const auto* label = dialog->findChild<QLabel*>("announcement");
    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    QPointer<ToolkitDialog> watched = dialog;
    dialog->findChild<QPushButton*>("install")->click();
    QVERIFY(dialog->findChild<QProgressBar*>()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!watched, patience);
    // The same worker compiles now.
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().compileOutput().ok, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->banners().isShown("compiler"), patience);
}

void TestBareMachine::anInstallationCanBeCancelled() {
    NEEDS_DEVICE;
    qputenv("FAKE_PIP", "hang");
    auto* dialog = openDialog();
    QVERIFY(dialog);
    dialog->findChild<QPushButton*>("install")->click();
    const QDir cache(home_.path("XDG_CACHE_HOME/warplight"));
    const auto partial = [&] { return cache.entryList({"toolkit*"}, QDir::Dirs); };
    QTRY_VERIFY_WITH_TIMEOUT(!partial().isEmpty(), patience);
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QLabel*>("problem")->text().contains("Cancelled"), patience);
    QVERIFY(dialog->isVisible());
    QVERIFY2(partial().isEmpty(), qPrintable(partial().join(' ')));
    dialog->reject();
    QVERIFY(!dialog->isVisible());
    // What is missing is still offered.
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("compiler"), patience);
}

void TestBareMachine::aFailureSaysWhy() {
    NEEDS_DEVICE;
    qputenv("FAKE_PIP", "network");
    auto* dialog = openDialog();
    QVERIFY(dialog);
    dialog->findChild<QPushButton*>("install")->click();
    QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QLabel*>("problem")->text().contains("Check the network"), patience);
    QVERIFY(dialog->findChild<QPushButton*>("install")->isEnabled());
}

void TestBareMachine::openSaxpy() {
    open();
    QVERIFY(window_->openExample(examplesFolder() + "/saxpy/saxpy.warplight", false));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workbench().worker("software")->isUsable(), patience);
}

void TestBareMachine::aRunWithoutACompilerSaysSo() {
    NEEDS_DEVICE;
    qputenv("WARPLIGHT_NVRTC", home_.path("nowhere/libnvrtc.so").toUtf8());
    openSaxpy();
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("compiler"), patience);
    window_->banners().close("compiler");
    window_->findAction("run.run")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().runs().size(), std::size_t(1), patience);
    QCOMPARE(window_->document().report().status, session::Status::compile_error);
    const auto says = [&](const char* text) {
        const auto labels = window_->statusBar()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text() == QLatin1String(text); });
    };
    QTRY_VERIFY(says("There is no compiler"));
    QVERIFY(!says("The source does not compile"));
    // It is offered again.
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("compiler"), patience);
}

void TestBareMachine::aMissingNvccIsOffered() {
    NEEDS_DEVICE;
    qputenv("WARPLIGHT_NVCC", home_.path("nowhere/nvcc").toUtf8());
    openSaxpy();
    QTest::qWait(500);
    QVERIFY(nvrtcFolder_.isEmpty() || !window_->banners().isShown("compiler"));
    const auto compileWith = [&](const char* compiler) {
        window_->document().modify("compiler", [&](session::Session& s) { s.compile.compiler = compiler; });
    };
    compileWith("nvcc");
    QTRY_VERIFY2_WITH_TIMEOUT(window_->banners().text("compiler").startsWith("nvcc was not found"),
                              qPrintable(window_->banners().text("compiler")), patience);
    // What is installed includes it.
    QVERIFY(window_->banners().press("compiler", "Install…"));
    auto* dialog = window_->findChild<ToolkitDialog*>();
    QVERIFY(dialog);
    QVERIFY(dialog->findChild<QCheckBox*>()->isChecked());
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("compiler"), patience);
    if (nvrtcFolder_.isEmpty()) return;
    compileWith("nvrtc"); // which is there
    QTRY_VERIFY_WITH_TIMEOUT(!window_->banners().isShown("compiler"), patience);
}

void TestBareMachine::aCompilerThatAppearsEndsTheBanner() {
    NEEDS_DEVICE;
    if (nvrtcFolder_.isEmpty()) QSKIP("no NVRTC here that could appear");
    // As the command line installs it, beside a window that is open.
    const QString place = home_.path("later/libnvrtc.so");
    QFile::remove(place);
    QVERIFY(QDir().mkpath(QFileInfo(place).absolutePath()));
    qputenv("WARPLIGHT_NVRTC", place.toUtf8());
    openSaxpy();
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("compiler"), patience);
    QVERIFY(QFile::link(nvrtc_, place));
    window_->findAction("build.build")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().compileOutput().ok, patience);
    QVERIFY(!window_->banners().isShown("compiler"));
    // And its architectures can be chosen.
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<QComboBox*>("archBox")->count() > 2, patience);
    QVERIFY(!window_->banners().isShown("compiler"));
}

WARPLIGHT_UI_TEST_MAIN(TestBareMachine)
#include "test_bare_machine.moc"
