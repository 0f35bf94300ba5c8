// SPDX-License-Identifier: GPL-3.0-or-later
// The bar about files outside of the session's folder, what it remembers, and results that would replace a file.
#include "window_fixture.hpp"

#include "ui/common/agreements.hpp"
#include "ui/settings/settings_dialog.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QDialogButtonBox>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const doubling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
)";

const char* const sessionText = R"({"warplight": 1, "source": "twice.cu", "kernel": "twice", "device": "DRIVER",
    "arguments": [
      {"name": "x", "direction": "in", "source": INPUT},
      {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [64]}MORE},
      {"name": "n", "direction": "scalar", "type": "i32", "value": 64}],
    "launch": {"grid": [1, 1, 1], "block": [64, 1, 1]}})";
const char* const fileText = R"({"kind": "file", "path": "PATH"})";
const char* const zeros = R"({"kind": "zeros", "dtype": "float32", "shape": [64]})";

} // namespace

/// A folder of another machine, which the build for Windows has under Wine.
#define NEEDS_SHARE(share)                                                                                             \
    const QTemporaryDir share(QDir::fromNativeSeparators(qEnvironmentVariable("WARPLIGHT_TEST_SHARE", "//none")) +     \
                              "/window-XXXXXX");                                                                       \
    if (!qEnvironmentVariableIsSet("WARPLIGHT_TEST_SHARE"))                                                            \
    QSKIP("WARPLIGHT_TEST_SHARE names no folder of another machine")

class TestReach : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestReach(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() {
        for (const Agreement& each : agreements())
            forgetAgreement(each);
        openWindow();
        workerIsReady();
        write("private/x.txt", "");
        save_npy(home_.path("private/x.npy").toStdString(), NdArray::zeros({64}, DType::float32()));
    }
    void cleanup() { closeWindow(); }

    void theBarAsksAndRemembers();
    void aHeaderOutsideIsAskedForToo();
    void filesOfProcessesAreNotOffered();
    void aSessionOfAnotherMachineRuns();
    void filesOfAnotherMachineAreAskedFor();
    void aFileThatTheUserChoosesIsAgreedTo();
    void aResultThatReplacesAFileIsAskedFor();

private:
    void openSession(const QByteArray& x, const QByteArray& source = doubling, const QByteArray& more = {}) {
        write("mine/twice.cu", source);
        QByteArray text = sessionText;
        text.replace("DRIVER", driver().toUtf8()).replace("INPUT", x).replace("MORE", more);
        const QString path = write("mine/twice.warplight", text);
        QVERIFY(window_->openFile(path));
        QCoreApplication::processEvents();
    }
    static QByteArray file(const QByteArray& path) { return QByteArray(fileText).replace("PATH", path); }
    /// A banner with "/" between the names of a path.
    QString told(const char* key) { return QDir::fromNativeSeparators(banner(key)); }
    session::Status status() { return window_->document().report().status; }
    void picture(const char* name) {
        const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
        if (folder.isEmpty()) return;
        for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
            window_->workbench().theme().setMode(mode);
            QCoreApplication::processEvents();
            const QString theme = mode == Theme::Mode::Light ? "light" : "dark";
            QVERIFY(window_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(name), theme)));
        }
    }
};

void TestReach::theBarAsksAndRemembers() {
    NEEDS_DEVICE;
    openSession(file("../private/x.npy"));
    QTRY_VERIFY(told("reach").contains("private/x.npy"));
    QVERIFY(banner("reach").contains("reads files outside of its folder"));
    picture("reach");
    // It is not read, and the bar says why.
    QVERIFY(run());
    QCOMPARE(int(status()), int(session::Status::input_error));
    QVERIFY(banner("run").isEmpty());
    QVERIFY(window_->banners().press("reach", "Don't allow"));
    QVERIFY(banner("reach").isEmpty());
    window_->document().modify("title", [](session::Session& s) { s.title = "another"; });
    QCoreApplication::processEvents();
    QVERIFY(banner("reach").isEmpty());
    QVERIFY(run()); // asks again
    QVERIFY(!banner("reach").isEmpty());
    QVERIFY(window_->banners().press("reach", "Allow for this folder"));
    QVERIFY(banner("reach").isEmpty());
    QCOMPARE(agreementsOf(home_.path("mine")), QStringList{QFileInfo(home_.path("private")).canonicalFilePath()});
    QVERIFY(run());
    QCOMPARE(int(status()), int(session::Status::ok));
    QVERIFY(agreementsOf(home_.path("private")).isEmpty());

    closeWindow();
    openWindow();
    workerIsReady();
    openSession(file("../private/x.npy"));
    QTest::qWait(200);
    QVERIFY(banner("reach").isEmpty());
    // The settings show it, and forget it.
    QTimer::singleShot(0, this, [] {
        auto* dialog = qobject_cast<SettingsDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        auto* list = dialog->findChild<QListWidget*>();
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().contains("private"));
        list->setCurrentRow(0);
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text().remove('&') == QLatin1String("Forget")) button->click();
        QCOMPARE(list->count(), 0);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    trigger("edit.settings");
    QVERIFY(agreements().isEmpty());
    QTRY_VERIFY(told("reach").contains("private/x.npy"));
}

void TestReach::aHeaderOutsideIsAskedForToo() {
    NEEDS_DEVICE;
    write("private/own.h", "#define OWN 1\n");
    openSession(zeros, QByteArray("#include \"../private/own.h\"\nstatic_assert(OWN == 1, \"\");\n") + doubling);
    QTRY_VERIFY_WITH_TIMEOUT(told("reach").contains("private/own.h"), patience);
    QVERIFY(window_->banners().press("reach", "Allow for this folder"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().compileOutput().ok, patience);
    QVERIFY(banner("reach").isEmpty());
    QVERIFY(run());
    QCOMPARE(int(status()), int(session::Status::ok));
}

void TestReach::filesOfProcessesAreNotOffered() {
#ifdef Q_OS_WIN
    QSKIP("Windows has no files of processes");
#endif
    openSession(file("/proc/self/environ"));
    QTRY_VERIFY(banner("reach").contains("No session may use these"));
    QVERIFY(!window_->banners().press("reach", "Allow for this folder"));
    QVERIFY(window_->banners().press("reach", "Don't allow"));
}

void TestReach::aSessionOfAnotherMachineRuns() {
    NEEDS_DEVICE;
    NEEDS_SHARE(share);
    openSession(file("x.npy"), doubling, ", \"save\": \"out/y.npy\"");
    for (const char* name : {"mine/twice.cu", "mine/twice.warplight", "private/x.npy"})
        QVERIFY(QFile::copy(home_.path(name), share.filePath(QFileInfo(name).fileName())));
    QVERIFY(window_->openFile(share.filePath("twice.warplight")));
    QVERIFY(window_->document().mainSource()->path().startsWith("//"));
    QVERIFY(run());
    QVERIFY2(status() == session::Status::ok, qPrintable(banner("run")));
    QVERIFY(QFile::exists(share.filePath("out/y.npy")));
    QCOMPARE(window_->document().pathInSession(share.filePath("data/z.npy")), QString("data/z.npy"));
}

void TestReach::filesOfAnotherMachineAreAskedFor() {
    NEEDS_DEVICE;
    NEEDS_SHARE(share);
    QVERIFY(QFile::copy(home_.path("private/x.npy"), share.filePath("x.npy")));
    openSession(file(share.filePath("x.npy").toUtf8()));
    QTRY_VERIFY(told("reach").contains(share.filePath("x.npy")));
    QVERIFY(run());
    QCOMPARE(int(status()), int(session::Status::input_error));
    QVERIFY(window_->banners().press("reach", "Allow for this folder"));
    QVERIFY(run());
    QVERIFY2(status() == session::Status::ok, qPrintable(banner("run")));
}

void TestReach::aFileThatTheUserChoosesIsAgreedTo() {
    openSession(zeros);
    agreeToChosen(window_->document().folder(), home_.path("private/x.npy"));
    agreeToChosen(window_->document().folder(), home_.path("mine/twice.cu"));
    QCOMPARE(agreementsOf(home_.path("mine")).size(), 1);
    openSession(file("../private/x.npy"));
    QTest::qWait(100);
    QVERIFY(banner("reach").isEmpty());
    // It goes along with a session that is saved elsewhere.
    QString problem;
    QVERIFY2(QDir().mkpath(home_.path("other/place")), "");
    QVERIFY2(window_->document().saveSession(home_.path("other/place/twice.warplight"), &problem), qPrintable(problem));
    QVERIFY(
        agreementsOf(home_.path("other/place")).contains(QFileInfo(home_.path("private/x.npy")).canonicalFilePath()));
}

void TestReach::aResultThatReplacesAFileIsAskedFor() {
    NEEDS_DEVICE;
    openSession(zeros, doubling, QByteArray(", \"save\": \"y.npy\""));
    write("mine/y.npy", "precious");
    QVERIFY(run());
    QVERIFY(banner("run").contains("would replace a file") && told("run").contains("mine/y.npy"));
    picture("replace");
    QFile kept(home_.path("mine/y.npy"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("precious"));
    kept.close(); // Windows replaces no open file
    const std::size_t runs = window_->document().runs().size();
    QVERIFY(window_->banners().press("run", "Replace it"));
    QVERIFY(ran(runs + 1));
    QVERIFY2(status() == session::Status::ok, qPrintable(banner("run")));
    QVERIFY(run()); // its own from now on
    QCOMPARE(int(status()), int(session::Status::ok));
}

WARPLIGHT_UI_TEST_MAIN(TestReach)
#include "test_reach.moc"
