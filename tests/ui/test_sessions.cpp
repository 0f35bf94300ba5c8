// SPDX-License-Identifier: GPL-3.0-or-later
// Several sessions as tabs of a window, and several windows.
#include "window_fixture.hpp"

#include "ui/common/activity_bar.hpp"
#include "ui/common/device_turns.hpp"
#include "ui/common/settings.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/tab_window.hpp"
#include "ui/mainwindow/windows.hpp"
#include "ui/versions/version_view.hpp"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <ctime>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const kernel = R"(extern "C" __global__ void fill(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
)";
const char* const endless = R"(extern "C" __global__ void spin(volatile int* flag) { while (*flag == 0) { } }
)";

/// Presses a button of the next message box, and tells what it asked.
void answer(QMessageBox::StandardButton button, QStringList* asked) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, button, asked] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            timer->deleteLater();
            *asked << box->objectName() + QLatin1Char(' ') + box->text() + QLatin1Char(' ') + box->informativeText();
            box->button(button)->click();
        }
    });
    timer->start(20);
}

} // namespace

class TestSessions : public QObject {
    Q_OBJECT
public:
    explicit TestSessions(const TestHome& home) : home_(home) {}

private slots:
    void init();
    void cleanup();

    void sessionsBecomeTabs();
    void tabsAreClosedWithTheirQuestion();
    void runsOfTabsTakeTurns();
    void turnsAtDevices();
    void windowsShareSettingsAndPassTabs();
    void closingAsksOnceForAll();
    void tabsComeBackAtTheNextStart();
    void aCrashBringsAllTabsBack();

private:
    void start(Windows::Start how = Windows::Start::Bare, const QString& file = {}) {
        windows_ = std::make_unique<Windows>();
        QVERIFY(windows_->start(how, file));
        QVERIFY(QTest::qWaitForWindowExposed(windows_->front()));
    }
    TabWindow& window() { return *windows_->front(); }
    MainWindow& page() { return *window().current(); }
    QString write(const QString& name, const QByteArray& content) {
        QString path = home_.path(name);
        QDir().mkpath(QFileInfo(path).absolutePath());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) return {};
        return path;
    }
    QString session(const QString& name) {
        write(name + QStringLiteral(".cu"), kernel);
        return write(name + QStringLiteral(".warplight"), "{\"warplight\": 1, \"source\": \"" +
                                                              QFileInfo(name).fileName().toUtf8() +
                                                              ".cu\", \"kernel\": \"fill\"}");
    }
    QStringList tabs() {
        QStringList texts;
        for (int i = 0; i < window().tabBar()->count(); ++i)
            texts << window().tabBar()->tabText(i);
        return texts;
    }

    const TestHome& home_;
    std::unique_ptr<Windows> windows_;
};

void TestSessions::init() {
    settings().remove(QStringLiteral("windows"));
    start();
}

void TestSessions::cleanup() {
    if (!windows_) return;
    for (MainWindow* page : windows_->pages())
        page->document().setReadOnly(true); // so that nothing is asked
    windows_->quit();
    windows_.reset();
}

void TestSessions::sessionsBecomeTabs() {
    QTabBar& bar = *window().tabBar();
    QVERIFY(!bar.isVisible()); // one session needs no tabs
    const QString one = session("tabs/one"), two = session("tabs/two");
    QVERIFY(page().openFile(one)); // in place of the welcome page
    QCOMPARE(window().count(), 1);
    MainWindow* first = &page();
    QVERIFY(first->openFile(two));
    QCOMPARE(tabs(), (QStringList{"one", "two"}));
    QVERIFY(bar.isVisible());
    MainWindow* second = &page();
    QVERIFY(second != first && second->isVisible() && !first->isVisible());
    QCOMPARE(second->document().path(), two);
    // The menus are those of the page in front, above the tabs.
    QVERIFY(second->menuBar()->isVisible() && !first->menuBar()->isVisible());
    QVERIFY(second->menuBar()->mapTo(&window(), QPoint()).y() < bar.mapTo(&window(), QPoint()).y());
    // Each has its own changes, undo and mark.
    second->document().modify("grid", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    QCOMPARE(tabs(), (QStringList{"one", "● two"}));
    QVERIFY(window().isWindowModified());
    QVERIFY(!first->document().isModified() && first->document().session().launch.grid[0] != 7u);
    QElapsedTimer taken;
    taken.start();
    const std::clock_t before = std::clock();
    bar.setCurrentIndex(0);
    QCoreApplication::processEvents();
    qInfo("another tab is in front after %lld ms, %.0f ms of them computed", static_cast<long long>(taken.elapsed()),
          double(std::clock() - before) * 1000 / CLOCKS_PER_SEC);
    QVERIFY(first->isVisible() && !window().isWindowModified());
    QVERIFY(window().windowTitle().contains("one"));
    // A session that is open is gone to, not opened twice.
    QVERIFY(page().openFile(two));
    QCOMPARE(window().count(), 2);
    QCOMPARE(&page(), second);
    QCOMPARE(second->document().session().launch.grid[0], 7u);
    QVERIFY(!second->document().isReadOnly());
    // Nor is another one saved over it.
    bar.setCurrentIndex(0);
    QVERIFY(!first->saveSessionAs(two));
    QVERIFY2(first->banners().text("file").contains("another tab"), qPrintable(first->banners().text("file")));
    // A tab without a session is used for the next one.
    window().findChild<QToolButton*>("newTab")->click();
    QCOMPARE(tabs(), (QStringList{"one", "Welcome", "● two"}));
    QVERIFY(page().openFile(session("tabs/three")));
    QCOMPARE(tabs(), (QStringList{"one", "three", "● two"}));
    // One that cannot be opened leaves no tab, and the page where it was asked for tells why.
    QVERIFY(!page().openFile(write("tabs/bad.warplight", "{")));
    QCOMPARE(window().count(), 3);
    QVERIFY(page().banners().text("file").contains("bad.warplight"));
    // Panels are as wide as in the first tab.
    QCoreApplication::processEvents();
    const auto width = [](MainWindow& page) { return page.findChild<QDockWidget*>("launch")->width(); };
    const int wide = width(page());
    bar.setCurrentIndex(0);
    QCoreApplication::processEvents();
    QVERIFY2(std::abs(width(*first) - wide) <= 2 && wide > window().width() / 4,
             qPrintable(QStringLiteral("%1 and %2 of %3").arg(width(*first)).arg(wide).arg(window().width())));
    bar.setCurrentIndex(1);
    // Tabs are moved, and gone through with keys.
    bar.moveTab(2, 0);
    QCOMPARE(tabs(), (QStringList{"● two", "one", "three"}));
    QCOMPARE(window().paths().front(), two);
    page().findAction("window.nextSession")->trigger();
    QCOMPARE(&page(), second);
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(&window(), Qt::Key_F6, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(page().tabTitle(), QString("three"));
    // What floats goes with its tab.
    auto* dock = page().findChild<QDockWidget*>("timing");
    dock->setFloating(true);
    dock->show();
    bar.setCurrentIndex(0);
    QVERIFY(!dock->isVisible());
    bar.setCurrentIndex(2);
    QVERIFY(dock->isVisible());
    dock->setFloating(false);
    // Another tab is a version to compare with.
    auto* menu = page().findChild<QMenu*>("versionMenu");
    if (!menu) menu = window().findChildren<QMenu*>("versionMenu").value(0);
    QVERIFY(menu);
}

void TestSessions::tabsAreClosedWithTheirQuestion() {
    QVERIFY(page().openFile(session("close/one")));
    QVERIFY(page().openFile(session("close/two")));
    QVERIFY(page().openFile(session("close/three")));
    MainWindow* last = &page();
    last->document().mainSource()->setText("// changed\n");
    QStringList asked;
    answer(QMessageBox::Cancel, &asked);
    last->findAction("file.close")->trigger();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(window().count(), 3);
    answer(QMessageBox::Discard, &asked);
    last->findAction("file.close")->trigger();
    QCOMPARE(asked.size(), 2);
    QCOMPARE(tabs(), (QStringList{"one", "two"}));
    QCOMPARE(page().tabTitle(), QString("two"));
    // The lock went with it: another page may have the session.
    QVERIFY(page().openFile(home_.path("close/three.warplight")));
    QVERIFY(!page().document().isReadOnly());
    QTest::mouseClick(window().tabBar(), Qt::MiddleButton, {}, window().tabBar()->tabRect(1).center());
    QCOMPARE(tabs(), (QStringList{"one", "three"}));
    page().findAction("file.closeSession")->trigger();
    QCOMPARE(tabs(), QStringList{"one"});
    // The last one leaves the welcome page.
    page().findAction("file.close")->trigger();
    QCOMPARE(tabs(), QStringList{"Welcome"});
    QVERIFY(page().isUntouched());
    QVERIFY(!page().findAction("file.close")->isEnabled());
}

void TestSessions::runsOfTabsTakeTurns() {
    NEEDS_DEVICE;
    QVERIFY(page().openFile(write("runs/endless.cu", endless)));
    MainWindow* runs = &page();
    QTRY_COMPARE_WITH_TIMEOUT(runs->document().session().arguments.size(), std::size_t(1), WindowFixture::patience);
    runs->document().modify("device", [](session::Session& s) { s.device = WindowFixture::driver().toStdString(); });
    const auto running = std::make_shared<bool>(false);
    connect(&runs->workbench().worker(), &WorkerConnection::progress, this,
            [running](int, const QString& stage) { *running = *running || stage == QLatin1String("run"); });
    runs->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(*running, WindowFixture::patience);
    QVERIFY(!window().tabBar()->tabIcon(0).isNull());
    // Another session waits for the device, and can be stopped.
    QVERIFY(page().openExample(examplesFolder() + "/saxpy/saxpy.warplight", true));
    MainWindow* other = &page();
    QVERIFY(other != runs);
    const auto waits = [other] {
        const auto* bar = other->findChild<ActivityBar*>();
        return bar->text().contains("Waiting for") && bar->text().contains("endless");
    };
    QTRY_VERIFY_WITH_TIMEOUT(waits(), WindowFixture::patience);
    QVERIFY(other->isBusy() && !other->runner().isRunning());
    QVERIFY(!other->findAction("run.run")->isEnabled());
    QTRY_VERIFY(other->findChild<ActivityBar*>()->elapsed().endsWith(QLatin1String(" s")));
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty())
        QVERIFY(window().grab().save(folder + QStringLiteral("/waiting.png")));
    other->findAction("run.stop")->trigger();
    QVERIFY(!other->isBusy() && other->document().runs().empty());
    QVERIFY(window().tabBar()->tabIcon(1).isNull());
    QVERIFY(runs->isBusy() && runs->document().runs().empty());
    // It waits again, and runs when the first one has ended. Stop stops what is in front.
    other->findAction("run.run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(waits(), WindowFixture::patience);
    QVERIFY(runs->workbench().worker().processId() != other->workbench().worker().processId());
    window().tabBar()->setCurrentIndex(0);
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(&window(), Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!runs->isBusy(), WindowFixture::patience);
    QVERIFY(window().tabBar()->tabIcon(0).isNull());
    QTRY_COMPARE_WITH_TIMEOUT(other->document().runs().size(), std::size_t(1), WindowFixture::patience);
    QTRY_VERIFY_WITH_TIMEOUT(!other->isBusy(), WindowFixture::patience);
}

/// The order of those that wait, and a page that goes.
void TestSessions::turnsAtDevices() {
    DeviceTurn one, two, gpu;
    auto three = std::make_unique<DeviceTurn>();
    QVERIFY(one.ask("software", "one") && one.ask("software", "one"));
    QVERIFY(gpu.ask("cuda:0", "gpu")); // another device
    QVERIFY(!two.ask("software", "two") && !three->ask("software", "three"));
    QCOMPARE(two.waitsFor(), QString("one"));
    QCOMPARE(one.waitsFor(), QString());
    int begun = 0, told = 0;
    connect(&two, &DeviceTurn::begun, this, [&begun] { ++begun; });
    connect(three.get(), &DeviceTurn::waitsForChanged, this, [&told] { ++told; });
    one.end();
    QTRY_COMPARE(begun, 1);
    QCOMPARE(told, 1);
    QCOMPARE(three->waitsFor(), QString("two"));
    QVERIFY(!one.ask("software", "one")); // at the end of the queue
    three.reset();
    QCOMPARE(one.waitsFor(), QString("two"));
    QVERIFY(!gpu.ask("software", "gpu")); // gives the GPU back
    QVERIFY(two.ask("cuda:0", "two"));
    QVERIFY(one.isFirst());
}

void TestSessions::windowsShareSettingsAndPassTabs() {
    QVERIFY(page().openFile(session("windows/one")));
    QVERIFY(page().openFile(session("windows/two")));
    MainWindow* moved = &page();
    moved->document().mainSource()->setText("// changed\n");
    QPointer<TabWindow> first = &window();
    moved->findAction("window.moveSession")->trigger();
    QCOMPARE(windows_->all().size(), 2);
    TabWindow* second = windows_->all().back();
    QVERIFY(second != first && second->isVisible());
    QCOMPARE(first->count(), 1);
    QCOMPARE(second->current(), moved); // with all that it had
    QVERIFY(moved->isVisible() && moved->document().isModified() && moved->menuBar()->isVisible());
    QVERIFY(second->windowTitle().contains("two"));
    // A session is gone to in whichever window it is.
    MainWindow* stayed = first->current();
    QVERIFY(moved->openFile(home_.path("windows/one.warplight")));
    QCOMPARE(second->count(), 1);
    // Settings are those of all windows.
    Preferences dark = moved->preferences();
    dark.theme = Theme::Mode::Dark;
    dark.keptRuns = 77;
    moved->setPreferences(dark);
    QVERIFY(stayed->preferences() == dark);
    QVERIFY(stayed->workbench().theme().isDark());
    QCOMPARE(&stayed->workbench().theme(), &moved->workbench().theme());
    dark.theme = Theme::Mode::Light;
    stayed->setPreferences(dark);
    QVERIFY(moved->preferences().theme == Theme::Mode::Light);
    // So are keys, also once the page that knew them first is gone.
    QAction* build = stayed->findAction("build.build");
    moved->shortcuts().set(moved->findAction("build.build"), QKeySequence("Ctrl+Alt+B"));
    windows_->shortcutsChanged(*moved);
    QCOMPARE(build->shortcut(), QKeySequence("Ctrl+Alt+B"));
    moved->shortcuts().restoreAll();
    windows_->shortcutsChanged(*moved);
    QCOMPARE(build->shortcut(), QKeySequence("Ctrl+B"));
    // A new window has a tab of its own; closing it leaves the others.
    moved->findAction("file.newWindow")->trigger();
    QCOMPARE(windows_->all().size(), 3);
    QPointer<TabWindow> third = windows_->all().back();
    QCOMPARE(third->current()->tabTitle(), QString("Welcome"));
    third->current()->findAction("file.closeWindow")->trigger();
    QCOMPARE(windows_->all().size(), 2);
    QTRY_VERIFY(!third);
    QVERIFY(first->isVisible() && second->isVisible());
}

void TestSessions::closingAsksOnceForAll() {
    for (const char* name : {"ask/one", "ask/two", "ask/three"})
        QVERIFY(page().openFile(session(name)));
    for (const char* name : {"ask/one.warplight", "ask/three.warplight"})
        windows_->pageOf(home_.path(name))->document().modify("grid", [](session::Session& s) {
            s.launch.grid = {9, 1, 1};
        });
    QStringList asked;
    answer(QMessageBox::Cancel, &asked);
    QVERIFY(!window().close());
    QCOMPARE(asked.size(), 1);
    QVERIFY2(asked[0].startsWith("unsavedSessions") && asked[0].contains("one") && asked[0].contains("three") &&
                 !asked[0].contains("two"),
             qPrintable(asked[0]));
    QCOMPARE(window().count(), 3);
    page().findAction("window.moveSession")->trigger();
    QCOMPARE(windows_->all().size(), 2);
    // Quitting asks for all windows at once.
    answer(QMessageBox::SaveAll, &asked);
    page().findAction("file.quit")->trigger();
    QCOMPARE(asked.size(), 2);
    QVERIFY(windows_->all().isEmpty());
    for (const char* name : {"ask/one.warplight", "ask/three.warplight"})
        QCOMPARE(session::load(home_.path(name).toStdString()).launch.grid[0], 9u);
    windows_.reset();
}

void TestSessions::tabsComeBackAtTheNextStart() {
    cleanup();
    start(Windows::Start::Remembered);
    const QString one = session("again/one"), two = session("again/two"), three = session("again/three");
    for (const QString& file : {one, two, three})
        QVERIFY(page().openFile(file));
    page().findAction("window.moveSession")->trigger();
    TabWindow* const first = windows_->all().front();
    QCOMPARE(first->count(), 2);
    first->tabBar()->setCurrentIndex(0);
    page().findAction("file.newTab")->trigger(); // nothing to come back
    // A second process that runs meanwhile neither opens them nor forgets them.
    {
        Windows beside;
        QVERIFY(beside.start(Windows::Start::Remembered, session("again/beside")));
        QCOMPARE(beside.all().size(), 1);
        QCOMPARE(beside.front()->count(), 1);
        beside.quit();
    }
    cleanup();
    start(Windows::Start::Remembered);
    QCOMPARE(windows_->all().size(), 2);
    QStringList all;
    for (TabWindow* each : windows_->all())
        all << each->paths();
    all.sort();
    QCOMPARE(all, (QStringList{one, three, two}));
    // Only those in front cost anything yet.
    QCOMPARE(windows_->pages().size(), 2);
    for (TabWindow* each : windows_->all()) {
        QVERIFY(each->isVisible());
        if (each->count() < 2) continue;
        QCOMPARE(each->currentIndex(), 0);
        QCOMPARE(each->tabBar()->tabText(1), QString("two"));
        each->tabBar()->setCurrentIndex(1);
        QCOMPARE(each->current()->document().path(), two);
    }
    // A file that is named comes beside them. What is gone does not come back.
    cleanup();
    QVERIFY(QFile::remove(two));
    start(Windows::Start::Remembered, session("again/named"));
    QCOMPARE(page().document().path(), home_.path("again/named.warplight"));
    QCOMPARE(windows_->pageOf(two), nullptr);
    QVERIFY(windows_->pageOf(one));
    // Who does not want it starts with the welcome page.
    Preferences none = page().preferences();
    none.restoreTabs = false;
    page().setPreferences(none);
    cleanup();
    start(Windows::Start::Remembered);
    QCOMPARE(tabs(), QStringList{"Welcome"});
    none.restoreTabs = true;
    page().setPreferences(none);
}

void TestSessions::aCrashBringsAllTabsBack() {
    cleanup();
    start(Windows::Start::Remembered);
    const QString one = session("crash/one");
    QVERIFY(page().openFile(one));
    QVERIFY(page().openFile(session("crash/two")));
    page().findAction("file.new")->trigger();
    QCOMPARE(window().count(), 3);
    windows_->pageOf(one)->document().mainSource()->setText("// one before the crash\n");
    page().document().mainSource()->setText("// new before the crash\n");
    for (MainWindow* each : windows_->pages())
        each->autosave();
    // The files stay, and nobody holds their locks.
    const QDir store(stateFolder() + "/recovery");
    const QStringList files = store.entryList({"*.json"}, QDir::Files);
    QCOMPARE(files.size(), 2);
    for (const QString& file : files)
        QVERIFY(QFile::copy(store.filePath(file), store.filePath("crashed-" + file)));
    QTRY_VERIFY(settings().value("windows").toString().contains("two"));
    cleanup();
    start(Windows::Start::Remembered);
    QCOMPARE(window().count(), 2); // those that were saved once
    QTRY_VERIFY(page().banners().isShown("recovery"));
    MainWindow* teller = &page();
    // Another tab does not offer it again.
    window().tabBar()->setCurrentIndex(1 - window().currentIndex());
    QTest::qWait(50);
    QVERIFY(!page().banners().isShown("recovery"));
    QVERIFY(teller->banners().press("recovery", "Restore"));
    QCOMPARE(window().count(), 3);
    QCOMPARE(windows_->pageOf(one)->document().mainSource()->text(), QString("// one before the crash\n"));
    QVERIFY(windows_->pageOf(one)->document().isModified() && !windows_->pageOf(one)->document().isReadOnly());
    QStringList texts;
    for (MainWindow* each : windows_->pages())
        texts << each->document().mainSource()->text();
    QVERIFY(texts.contains("// new before the crash\n"));
    QVERIFY(store.entryList({"crashed-*"}, QDir::Files).isEmpty());
}

WARPLIGHT_UI_TEST_MAIN(TestSessions)
#include "test_sessions.moc"
