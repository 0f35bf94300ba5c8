// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells of the connection to another machine while a run, a sweep or an exercise is there. A stand-in
// takes the place of ssh and the far side, but for one run through a real SSH server on the loopback.
#include "../remote/ssh_server.hpp"
#include "machines_fixture.hpp"

#include "ui/askpass/askpass_dialog.hpp"
#include "ui/common/activities.hpp"
#include "ui/common/job_link.hpp"
#include "ui/common/number_box.hpp"
#include "ui/machines/install_dialog.hpp"
#include "ui/machines/machine_dialog.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/sweep/sweep_place.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>

using namespace warplight;
using namespace warplight::ui;

namespace {

/// A connection was lost, and its time is counted. A busy machine may show only a later second.
const QRegularExpression secondsAgo("lost [1-9]\\d* s ago");
/// Variables that are as they were when this ends.
class KeptVariables {
public:
    explicit KeptVariables(QList<const char*> names) : names_(std::move(names)) {
        for (const char* name : names_)
            values_ << (qEnvironmentVariableIsSet(name) ? qgetenv(name) : QByteArray());
    }
    ~KeptVariables() {
        for (qsizetype i = 0; i < names_.size(); ++i)
            if (values_[i].isNull())
                qunsetenv(names_[i]);
            else
                qputenv(names_[i], values_[i]);
    }
    KeptVariables(const KeptVariables&) = delete;
    KeptVariables& operator=(const KeptVariables&) = delete;

private:
    QList<const char*> names_;
    QList<QByteArray> values_;
};

} // namespace

class TestMachineLinks : public QObject, MachinesFixture {
    Q_OBJECT
public:
    explicit TestMachineLinks(const TestHome& home) : MachinesFixture(home) {}

private slots:
    void init();
    void cleanup();
    void aSweepAndAnExerciseGoThere();
    void aSweepTellsOfItsConnection();
    void anExerciseTellsOfItsConnection();
    void aSweepThatIsRefused();
    void aLostConnectionIsWaitedFor();
    void aConnectionThatIsGone();
    void aRefusalIsTold();
    void stopEndsConnecting();
    void aRunThroughARealServer();
    void aReconnectEndsARun();
    void pictures();

private:
    /// Files are told to be on their way until `text` has them. What the worker says of its run afterwards ends that.
    template <class Text>
    bool showsFiles(const Text& text) {
        return QTest::qWaitFor(
            [&] {
                if (text().contains("Sending x.npy: 16 MB of 40 MB, 8.0 MB/s")) return true;
                say("files 0.4 sending x.npy: 16 MB of 40 MB, 8.0 MB/s");
                QTest::qWait(200);
                return false;
            },
            patience);
    }
    /// Starts a sweep of a kernel without an end, until it is at its first point.
    void sweepEndless();
    /// What the bar below the window tells of the work that goes on.
    QString activity() {
        const auto shown = workbench().activities().shown();
        return shown.isEmpty() ? QString() : shown.first()->text();
    }
    SweepPage& sweep() { return window_->panel<TimingPanel>().sweep(); }
    ExerciseBox& exercise() { return window_->panel<NotesPanel>().exercise(); }
};

void TestMachineLinks::init() { openWindowWithoutMachines(); }

void TestMachineLinks::cleanup() {
    if (window_) closeWindow();
}

void TestMachineLinks::aSweepAndAnExerciseGoThere() {
    NEEDS_DEVICE;
    add(gpuBox);
    openSession(R"("exercise": {"cases": [{"name": "as it is"}]},)");
    QVERIFY(use(gpuBox));
    const qsizetype before = starts().size();
    trigger("run.compareBlocks");
    SweepPage& page = window_->panel<TimingPanel>().sweep();
    page.setup().rounds()->setNumber(2);
    emit page.setup().rounds()->edited(2);
    QTest::mouseClick(page.startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(page.isRunning(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning(), patience);
    QVERIFY2(page.report() && page.report()->points.size() == 3, qPrintable(page.status()));
    QVERIFY(starts().size() > before); // a worker of its own, there
    QVERIFY(starts().last().startsWith("ssh://me@gpu-box/cuda"));
    const qsizetype swept = starts().size();
    trigger("run.checkSolution");
    ExerciseBox& exercise = window_->panel<NotesPanel>().exercise();
    QTRY_VERIFY_WITH_TIMEOUT(exercise.isRunning(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!exercise.isRunning(), patience);
    QVERIFY(starts().size() > swept);
}

void TestMachineLinks::sweepEndless() {
    window_->document().mainSource()->setText(endless);
    trigger("run.compareBlocks");
    QTRY_VERIFY_WITH_TIMEOUT(sweep().problem().isEmpty(), patience);
    QTest::mouseClick(sweep().startButton(), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(sweep().status().contains("Trial"), qPrintable(sweep().status()), patience);
}

void TestMachineLinks::aSweepTellsOfItsConnection() {
    NEEDS_DEVICE;
    add(gpuBox, "box");
    openSession();
    QVERIFY(use(gpuBox));
    QCOMPARE(sweep().findChild<SweepPlace*>()->box()->itemText(0), QString("box"));
    sweepEndless();
    QVERIFY(showsFiles([this] { return sweep().status(); }));
    QVERIFY(showsFiles([this] { return activity(); }));
    QVERIFY(!window_->banners().isShown("connection"));
    say("lost");
    QTRY_VERIFY2_WITH_TIMEOUT(
        sweep().status().contains(QRegularExpression("The connection to me@gpu-box was lost \\d+ s ago")),
        qPrintable(sweep().status()), patience);
    QVERIFY2(banner("connection").contains("box is lost") && banner("connection").contains("next run begins"),
             qPrintable(banner("connection")));
    QTRY_VERIFY2_WITH_TIMEOUT(activity().contains(secondsAgo), qPrintable(activity()), patience);
    say("reconnecting 3");
    QTRY_COMPARE_WITH_TIMEOUT(sweep().job().link().link().attempt, 3, patience);
    QVERIFY(sweep().isRunning());
    say("connected");
    QTRY_VERIFY2_WITH_TIMEOUT(!sweep().status().contains("lost"), qPrintable(sweep().status()), patience);
    QVERIFY(!window_->banners().isShown("connection"));
    say("lost");
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("connection"), patience);
    QVERIFY(window_->banners().press("connection", "Stop the sweep"));
    QTRY_VERIFY_WITH_TIMEOUT(!sweep().isRunning(), patience);
    QVERIFY(!window_->banners().isShown("connection"));
    QVERIFY2(!sweep().status().contains("lost"), qPrintable(sweep().status()));
    QCOMPARE(sweep().job().link().link().state, MachineLink::State::Off);
}

void TestMachineLinks::anExerciseTellsOfItsConnection() {
    NEEDS_DEVICE;
    add(gpuBox, "box");
    openSession(R"("exercise": {"cases": [{"name": "as it is"}]},)");
    QVERIFY(use(gpuBox));
    window_->document().mainSource()->setText(endless);
    trigger("run.checkSolution");
    QTRY_COMPARE_WITH_TIMEOUT(starts().size(), 2, patience);
    QTRY_COMPARE_WITH_TIMEOUT(exercise().link().link().state, MachineLink::State::Connected, patience);
    QCOMPARE(exercise().summary(), QString("Checking…"));
    QVERIFY(showsFiles([this] { return exercise().summary(); }));
    say("lost");
    QTRY_VERIFY2_WITH_TIMEOUT(exercise().summary().contains(QRegularExpression("was lost \\d+ s ago")),
                              qPrintable(exercise().summary()), patience);
    QVERIFY2(banner("connection").contains("box is lost"), qPrintable(banner("connection")));
    say("connected");
    QTRY_VERIFY2_WITH_TIMEOUT(!exercise().summary().contains("lost"), qPrintable(exercise().summary()), patience);
    QVERIFY(!window_->banners().isShown("connection"));
    say("gone The machine did not answer for 10 minutes.");
    QTRY_VERIFY_WITH_TIMEOUT(!exercise().isRunning(), patience);
    QVERIFY2(banner("run").contains("box cannot be reached") && banner("run").contains("for 10 minutes"),
             qPrintable(banner("run")));
    QVERIFY(!exercise().summary().contains("Checking"));
}

void TestMachineLinks::aSweepThatIsRefused() {
    NEEDS_DEVICE;
    add("me@closed", "shut");
    openSession();
    choose("ssh://me@closed/cuda:0");
    QTRY_COMPARE_WITH_TIMEOUT(state("me@closed"), QString("failed"), patience);
    const qsizetype before = starts().size();
    trigger("run.compareBlocks");
    QTRY_VERIFY_WITH_TIMEOUT(sweep().problem().isEmpty(), patience);
    QTest::mouseClick(sweep().startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("run"), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!sweep().isRunning(), patience);
    QVERIFY2(banner("run").contains("shut cannot be reached") && banner("run").contains("refused the key"),
             qPrintable(banner("run")));
    QVERIFY(window_->banners().press("run", "Install there…"));
    QTRY_VERIFY(window_->findChild<InstallDialog*>());
    window_->findChild<InstallDialog*>()->reject();
    QCOMPARE(starts().size(), before + 1); // not once for each point
}

void TestMachineLinks::aLostConnectionIsWaitedFor() {
    NEEDS_DEVICE;
    add(gpuBox, "box");
    openSession();
    QVERIFY(use(gpuBox));
    startEndless();
    say("lost");
    QTRY_COMPARE_WITH_TIMEOUT(state(gpuBox), QString("lost"), patience);
    QVERIFY2(banner("connection").contains("box is lost"), qPrintable(banner("connection")));
    QTRY_VERIFY_WITH_TIMEOUT(below(gpuBox).last().contains(secondsAgo), patience);
    say("reconnecting 2");
    QTRY_COMPARE_WITH_TIMEOUT(workbench().worker().link().attempt, 2, patience);
    QVERIFY(window_->runner().isRunning()); // a lost connection is no lost run
    say("connected");
    QTRY_COMPARE_WITH_TIMEOUT(state(gpuBox), QString("working"), patience);
    QVERIFY(!window_->banners().isShown("connection"));
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
}

void TestMachineLinks::aConnectionThatIsGone() {
    NEEDS_DEVICE;
    add(gpuBox, "box");
    openSession();
    QVERIFY(use(gpuBox));
    startEndless();
    say("gone The machine did not answer for 10 minutes.");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(state(gpuBox), QString("failed"), patience);
    QVERIFY2(banner("run").contains("The run on box is lost") && banner("run").contains("for 10 minutes"),
             qPrintable(banner("run")));
    QCOMPARE(below(gpuBox), QStringList("The machine did not answer for 10 minutes."));
    QTest::qWait(300);
    QCOMPARE(starts().size(), 1); // the user decides when to try again
    QFile::remove(home_.path("stand-in/say"));
    window_->document().mainSource()->setText(doubling);
    QVERIFY(window_->banners().press("run", "Run again"));
    QVERIFY(ran(1));
    QCOMPARE(valueOf("y", 2), 4.0f);
    QCOMPARE(state(gpuBox), QString("ready"));
}

void TestMachineLinks::aRefusalIsTold() {
    add("me@closed", "shut");
    openSession();
    choose("ssh://me@closed/cuda:0");
    QTRY_COMPARE_WITH_TIMEOUT(state("me@closed"), QString("failed"), patience);
    QVERIFY2(below("me@closed").value(0).contains("refused the key"), qPrintable(below("me@closed").join('|')));
    // The machine's state is told before the worker has ended; until then a run waits for that worker.
    QTRY_COMPARE_WITH_TIMEOUT(workbench().worker().state(), WorkerConnection::State::Dead, patience);
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(window_->banners().isShown("run"), patience);
    QVERIFY2(banner("run").contains("The run did not start: shut cannot be reached") &&
                 banner("run").contains("refused the key"),
             qPrintable(banner("run")));
    QVERIFY(!window_->runner().isRunning());
    QCOMPARE(starts().size(), 2); // once for the choice, once for the run
}

void TestMachineLinks::stopEndsConnecting() {
    add("me@far");
    openSession();
    choose("ssh://me@far/cuda:0");
    QTRY_COMPARE_WITH_TIMEOUT(state("me@far"), QString("connecting"), patience);
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(window_->runner().isRunning(), patience);
    QSignalSpy stopped(&window_->runner(), &RunController::runStopped);
    trigger("run.stop");
    QVERIFY(stopped.count() || stopped.wait(patience));
    QTRY_COMPARE_WITH_TIMEOUT(state("me@far"), QString(), patience);
    QCOMPARE(workbench().worker().link().state, MachineLink::State::Off);
}

void TestMachineLinks::aRunThroughARealServer() {
    NEEDS_DEVICE;
    if (const QString why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
    closeWindow();
    const KeptVariables kept({"WARPLIGHT_WORKER", "WARPLIGHT_REMOTE_PROGRAM", "WARPLIGHT_SSH", "WARPLIGHT_ASKPASS",
                              "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY"});
    SshServer server;
    const QString problem = server.start();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    server.use();
    qputenv("WARPLIGHT_WORKER", WARPLIGHT_TEST_WORKER);
    qputenv("WARPLIGHT_REMOTE_PROGRAM", WARPLIGHT_TEST_WORKER);
    openWindow();
    workerIsReady();
    add("lab");
    openSession();
    explorer().connectMachine("lab");
    QTRY_VERIFY_WITH_TIMEOUT(deviceBox().findData("ssh://lab/software:0") >= 0, patience);
    choose("ssh://lab/software:0");
    QTRY_COMPARE_WITH_TIMEOUT(state("lab"), QString("ready"), patience);
    QVERIFY(run());
    QCOMPARE(valueOf("y", 5), 10.0f); // asked from there
    QCOMPARE(window_->document().runs().back().report.machine, std::string("lab"));
    const QDir there(server.cache() + "/warplight/remote/held");
    QVERIFY(!there.entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
    startEndless();
    QSignalSpy links(&workbench().worker(), &WorkerConnection::linkChanged);
    server.cutConnections();
    QTRY_VERIFY_WITH_TIMEOUT(links.count() >= 2, patience); // lost, and connected again
    QTRY_COMPARE_WITH_TIMEOUT(state("lab"), QString("working"), patience);
    QVERIFY(window_->runner().isRunning() && !window_->banners().isShown("connection"));
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
    closeWindow();
    QTRY_VERIFY_WITH_TIMEOUT(there.entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty(), patience);
}

void TestMachineLinks::aReconnectEndsARun() {
    NEEDS_DEVICE;
    add(gpuBox);
    openSession();
    QVERIFY(use(gpuBox));
    startEndless();
    pressInMenu(gpuBox, "reconnect");
    QTRY_COMPARE_WITH_TIMEOUT(starts().size(), 2, patience);
    QTRY_COMPARE_WITH_TIMEOUT(state(gpuBox), QString("ready"), patience);
    QVERIFY(!window_->runner().isRunning());
}

void TestMachineLinks::pictures() {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES_OF");
    if (folder.isEmpty()) QSKIP("WARPLIGHT_PICTURES_OF names no folder");
    window_->resize(1280, 1000);
    add(gpuBox, "gpu-box");
    add("me@closed", "render-7");
    openSession(R"("exercise": {"cases": [{"name": "as it is"}, {"name": "another"}]},)");
    for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        workbench().theme().setMode(mode);
        const QString suffix = mode == Theme::Mode::Dark ? "-dark.png" : "-light.png";
        const auto grab = [&](QWidget& widget, const QString& name) {
            QTest::qWait(200);
            QVERIFY(widget.grab().save(folder + '/' + name + suffix));
        };
        QVERIFY(use(gpuBox));
        explorer().connectMachine("me@closed");
        QTRY_COMPARE_WITH_TIMEOUT(state("me@closed"), QString("failed"), patience);
        window_->showPanel("explorer");
        grab(*window_, "machines");
        grab(explorer(), "machines-explorer");
        startEndless();
        say("lost");
        QTRY_COMPARE_WITH_TIMEOUT(state(gpuBox), QString("lost"), patience);
        grab(*window_, "machines-lost");
        say("connected");
        trigger("run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().isRunning(), patience);
        window_->document().mainSource()->setText(doubling);
        sweepEndless();
        QVERIFY(showsFiles([this] { return sweep().status(); }));
        grab(*window_, "machines-sweep-files");
        grab(sweep(), "machines-sweep-page-files");
        say("lost");
        QTRY_VERIFY_WITH_TIMEOUT(sweep().status().contains(secondsAgo), patience);
        grab(*window_, "machines-sweep-lost");
        grab(sweep(), "machines-sweep-page-lost");
        say("connected");
        trigger("run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(!sweep().isRunning(), patience);
        const auto started = starts().size();
        trigger("run.checkSolution");
        QTRY_VERIFY_WITH_TIMEOUT(starts().size() > started, patience);
        QTRY_COMPARE_WITH_TIMEOUT(exercise().link().link().state, MachineLink::State::Connected, patience);
        QVERIFY(showsFiles([this] { return exercise().summary(); }));
        grab(*window_, "machines-exercise-files");
        say("lost");
        QTRY_VERIFY_WITH_TIMEOUT(exercise().summary().contains(secondsAgo), patience);
        grab(*window_, "machines-exercise-lost");
        say("connected");
        trigger("run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(!exercise().isRunning(), patience);
        window_->document().mainSource()->setText(doubling);
        QMenu* menu = explorer().machineMenu(gpuBox);
        menu->popup({0, 0});
        grab(*menu, "machines-menu");
        menu->close();
        MachineDialog dialog(workbench().machines(), workbench().theme());
        dialog.findChild<QLineEdit*>("address")->setText("ada@gpu-lab.example.org");
        dialog.findChild<QLineEdit*>("name")->setText("gpu-lab");
        dialog.show();
        dialog.findChild<QPushButton*>("test")->click();
        QVERIFY(QTest::qWaitFor([&] { return dialog.findChild<QPushButton*>("test")->isEnabled(); }, patience));
        grab(dialog, "machines-add");
        dialog.findChild<QLineEdit*>("address")->setText("me@closed");
        grab(dialog, "machines-add-twice");
        InstallDialog install(gpuBox, window_.get());
        install.show();
        grab(install, "machines-install");
        AskpassDialog key("The authenticity of host 'gpu-lab.example.org (192.0.2.7)' can't be established.\n"
                          "ED25519 key fingerprint is SHA256:q7x2p0VNPmXG4wR3mD4bGn1rZ8yq3uJbYf3k0c5vX9s.\n"
                          "This key is not known by any other names.\n"
                          "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
                          {}, workbench().theme());
        key.show();
        grab(key, "askpass-key");
        AskpassDialog secret("ada@gpu-lab.example.org's password: ", {}, workbench().theme());
        secret.show();
        grab(secret, "askpass-password");
    }
}

int main(int argc, char** argv) {
    TestHome home;
    qputenv("WARPLIGHT_WORKER", MACHINE_STAND_IN_PROGRAM);
    QApplication application(argc, argv);
    TestMachineLinks test(home);
    return QTest::qExec(&test, argc, argv);
}

#include "test_machine_links.moc"
