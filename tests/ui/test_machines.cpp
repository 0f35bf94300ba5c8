// SPDX-License-Identifier: GPL-3.0-or-later
// Other machines in the window: added, connected, used like this one, lost and removed. A stand-in takes the place of
// ssh and the far side, but for one run through a real SSH server on the loopback.
#include "../remote/ssh_server.hpp"
#include "window_fixture.hpp"

#include "remote/machines.hpp"
#include "ui/askpass/askpass_dialog.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/activities.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/job_link.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/settings.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/machines/install_dialog.hpp"
#include "ui/machines/machine_dialog.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/timing/runs_model.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QTreeView>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const doubling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
)";
const char* const endless = R"(extern "C" __global__ void twice(const float* x, volatile float* y, int n) {
    while (y[0] < 1e30f) {}
}
)";
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
const QString gpuBox = QStringLiteral("me@gpu-box"), gpuDevice = QStringLiteral("ssh://me@gpu-box/cuda:0");

} // namespace

class TestMachines : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestMachines(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init();
    void cleanup();
    void names_data();
    void names();
    void theModelHoldsMachines();
    void nothingConnectsByItself();
    void aMachineIsAdded();
    void addressesAreChecked();
    void aTestTellsWhatIsThere();
    void theCommandLineAddsOnes();
    void aRunGoesThere();
    void theChoiceIsTheWindows();
    void aSessionNamesNoMachine();
    void aMachineWithoutGpu();
    void aSweepAndAnExerciseGoThere();
    void aSweepTellsOfItsConnection();
    void anExerciseTellsOfItsConnection();
    void aSweepThatIsRefused();
    void aLostConnectionIsWaitedFor();
    void aConnectionThatIsGone();
    void aRefusalIsTold();
    void stopEndsConnecting();
    void aRunThroughARealServer();
    void aMachineIsDisconnectedAndRemoved();
    void aReconnectEndsARun();
    void programsStayHere();
    void warplightIsInstalledThere();
    void questionsOfSsh_data();
    void questionsOfSsh();
    void theProgramAsks();
    void answersAreWritten_data();
    void answersAreWritten();
    void pictures();

private:
    ExplorerPanel& explorer() { return window_->panel<ExplorerPanel>(); }
    DevicesModel& model() { return explorer().devicesModel(); }
    Workbench& workbench() { return window_->workbench(); }
    QComboBox& deviceBox() { return *window_->findChild<QComboBox*>("deviceBox"); }
    QStringList starts() const {
        QFile file(home_.path("stand-in/starts"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    }
    void say(const QByteArray& line) {
        QFile file(home_.path("stand-in/say"));
        QVERIFY(file.open(QIODevice::Append) && file.write(line + '\n') > 0);
    }
    void add(const QString& address, const QString& name = {}) {
        QCOMPARE(workbench().machines().add({address, name}), QString());
    }
    QModelIndex row(const QString& address) { return model().machineIndex(address); }
    /// "ready", "lost"; empty while it is not connected.
    QString state(const QString& address) {
        return row(address).siblingAtColumn(DevicesModel::Value).data().toString();
    }
    /// The texts of the rows below a machine.
    QStringList below(const QString& address) {
        QStringList texts;
        for (int i = 0; i < model().rowCount(row(address)); ++i)
            texts << model().index(i, 0, row(address)).data().toString();
        return texts;
    }
    void choose(const QString& device) {
        const int index = deviceBox().findData(device);
        QVERIFY2(index >= 0, qPrintable(device));
        deviceBox().setCurrentIndex(index);
        emit deviceBox().activated(index);
    }
    /// The devices of a machine are known, and the first is chosen.
    bool use(const QString& address) {
        choose(QStringLiteral("ssh://%1/cuda:0").arg(address));
        return QTest::qWaitFor([&] { return state(address) == "ready" && !model().devicesOf(address).empty(); },
                               patience);
    }
    /// Presses an entry of the menu that a machine has.
    void pressInMenu(const QString& address, const char* name) {
        QMenu* menu = explorer().machineMenu(address);
        auto* action = menu->findChild<QAction*>(name);
        if (!action)
            for (QAction* each : menu->actions())
                if (each->objectName() == QLatin1String(name)) action = each;
        QVERIFY(action && action->isEnabled());
        action->trigger();
        delete menu;
    }
    void openSession(const QByteArray& more = {});
    float valueOf(const char* name, qint64 at);
    /// Runs a kernel without an end, until it is in it.
    void startEndless();
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
    /// The same as a sweep, until it is at its first point.
    void sweepEndless();
    /// What the bar below the window tells of the work that goes on.
    QString activity() {
        const auto shown = workbench().activities().shown();
        return shown.isEmpty() ? QString() : shown.first()->text();
    }
    SweepPage& sweep() { return window_->panel<TimingPanel>().sweep(); }
    ExerciseBox& exercise() { return window_->panel<NotesPanel>().exercise(); }
};

void TestMachines::init() {
    // A window takes a second.
    for (const char* alone :
         {"names", "theModelHoldsMachines", "questionsOfSsh", "theProgramAsks", "answersAreWritten"})
        if (QLatin1String(QTest::currentTestFunction()) == QLatin1String(alone)) return;
    QDir(home_.path("stand-in")).removeRecursively();
    QDir().mkpath(home_.path("stand-in"));
    QFile::remove(QString::fromStdString(remote::machines_file().string()));
    settings().remove("device/remote");
    openWindow();
    workerIsReady();
}

void TestMachines::cleanup() {
    if (window_) closeWindow();
}

void TestMachines::openSession(const QByteArray& more) {
    window_->document().setReadOnly(true); // so that it asks nothing
    write("machines/twice.cu", doubling);
    write("machines/twice.warplight", R"({"warplight": 1, "source": "twice.cu", "kernel": "twice", "device": "software",
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [4096], "start": 0, "step": 1}},
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]},
           "expect": {"expression": "2*x"}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": 4096}],)" +
                                          more + R"( "launch": {"grid": [16, 1, 1], "block": [256, 1, 1]}})");
    QVERIFY(window_->openFile(home_.path("machines/twice.warplight")));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().areKernelsPending(), patience);
}

float TestMachines::valueOf(const char* name, qint64 at) {
    auto& panel = window_->panel<BuffersPanel>();
    float value = -1;
    for (const BufferInfo& info : panel.list()->buffers())
        if (info.name == QLatin1String(name) && info.role == BufferRole::Output) {
            bool answered = false;
            panel.source()->read(info.id, at, 1, this, [&](const BufferReply<QByteArray>& reply) {
                answered = true;
                if (reply.ok() && reply.value.size() == 4) memcpy(&value, reply.value.constData(), 4);
            });
            (void)QTest::qWaitFor([&] { return answered; }, patience);
            break;
        }
    return value;
}

void TestMachines::startEndless() {
    window_->document().mainSource()->setText(endless);
    bool running = false;
    const auto seen = connect(&workbench().worker(), &WorkerConnection::progress, this,
                              [&](int, const QString& stage) { running = running || stage == "run"; });
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    disconnect(seen);
}

void TestMachines::names_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("driver");
    QTest::addColumn<int>("ordinal");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("machine");
    QTest::newRow("software") << "software" << "software" << 0 << "software" << "";
    QTest::newRow("second GPU") << "cuda:1" << "cuda" << 1 << "cuda" << "";
    QTest::newRow("there") << "ssh://me@host/cuda:2" << "ssh://me@host/cuda" << 2 << "cuda" << "me@host";
    QTest::newRow("port") << "ssh://host:2222/software:0" << "ssh://host:2222/software" << 0 << "software"
                          << "host:2222";
    QTest::newRow("IPv6") << "ssh://[::1]:22/cuda:1" << "ssh://[::1]:22/cuda" << 1 << "cuda" << "[::1]:22";
    QTest::newRow("no number") << "ssh://host:22/cuda" << "ssh://host:22/cuda" << 0 << "cuda" << "host:22";
}

void TestMachines::names() {
    QFETCH(QString, device);
    const DeviceId id = DeviceId::parse(device);
    QTEST(id.driver, "driver");
    QTEST(id.ordinal, "ordinal");
    QTEST(driverKind(id.driver), "kind");
    QTEST(machineOf(device), "machine");
    QTEST(isRemote(device) ? driverOn(machineOf(device), driverKind(device)) : driverKind(device), "driver");
}

void TestMachines::theModelHoldsMachines() {
    DevicesModel devices;
    QAbstractItemModelTester tester(&devices, QAbstractItemModelTester::FailureReportingMode::QtTest);
    DeviceInfo device;
    device.id = gpuDevice;
    device.name = "GPU";
    device.attributes = {{"WARP_SIZE", "32 threads", "32"}};
    devices.setMachine(gpuBox, {"box", "", "Not connected", "info", false});
    devices.setDriver("software", "Software device", {device});
    QCOMPARE(devices.index(0, 0).data(DevicesModel::KindRole).toInt(),
             int(DevicesModel::DriverKind)); // before machines
    const QModelIndex box = devices.machineIndex(gpuBox);
    QCOMPARE(box.row(), 1);
    QCOMPARE(devices.rowCount(box), 1);
    QCOMPARE(devices.index(0, 0, box).data(DevicesModel::KindRole).toInt(), int(DevicesModel::NoteKind));
    devices.setMachine(gpuBox, {"box", "ready", "", "", false});
    QCOMPARE(devices.rowCount(box), 0);
    devices.setMachineDevices(gpuBox, {device, device});
    devices.setMachine(gpuBox, {"box", "lost", "Trying again", "warning", true});
    QCOMPARE(devices.rowCount(box), 3);
    QCOMPARE(devices.index(2, 0, box).data().toString(), QString("Trying again"));
    QCOMPARE(devices.index(2, 0, box).data(DevicesModel::MachineRole).toString(), gpuBox);
    QCOMPARE(devices.rowCount(devices.index(1, 0, box)), 1);
    QCOMPARE(devices.rowCount(devices.index(2, 0, box)), 0);
    QVERIFY(box.siblingAtColumn(1).data(DevicesModel::BadRole).toBool());
    devices.removeMachine(gpuBox);
    QVERIFY(devices.machines().isEmpty() && devices.rowCount() == 1);
}

void TestMachines::nothingConnectsByItself() {
    NEEDS_DEVICE;
    add(gpuBox);
    QVERIFY(use(gpuBox));
    QCOMPARE(starts().size(), 1);
    closeWindow();
    openWindow(); // with the machine's device chosen
    workerIsReady();
    QCOMPARE(workbench().remoteDevice(), gpuDevice);
    openSession();
    QVERIFY(isCompiled());                               // here: what was not asked for
    QCOMPARE(state(gpuBox), QString());                  // not connected
    explorer().findChild<QLineEdit*>()->setText("warp"); // expands everything
    explorer().findChild<QLineEdit*>()->clear();
    QTest::qWait(300);
    QCOMPARE(starts().size(), 1);
    QVERIFY2(window_->panel<LaunchPanel>().findChildren<QLabel*>().size() > 0, "");
    QVERIFY(run()); // this connects
    QCOMPARE(starts().size(), 2);
    QCOMPARE(state(gpuBox), QString("ready"));
}

void TestMachines::aMachineIsAdded() {
    NEEDS_DEVICE;
    MachineDialog dialog(workbench().machines(), workbench().theme());
    dialog.show();
    auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(!ok->isEnabled());
    dialog.findChild<QLineEdit*>("address")->setText("me@gpu-box");
    dialog.findChild<QSpinBox*>("port")->setValue(2200);
    dialog.findChild<QLineEdit*>("name")->setText("The box");
    QVERIFY(ok->isEnabled());
    ok->click();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(workbench().machines().all().size(), 1);
    QCOMPARE(workbench().machines().all().first(), (Machine{"me@gpu-box:2200", "The box"}));
    const auto kept = remote::read_machines(); // as the command line sees it
    QCOMPARE(kept.size(), std::size_t(1));
    QCOMPARE(kept.front().place.port, 2200);
    QCOMPARE(row("me@gpu-box:2200").data().toString(), QString("The box"));
    QVERIFY(starts().isEmpty());
    // A double click connects, and shows what it has like this machine's.
    auto* tree = explorer().findChild<QTreeView*>();
    tree->expand(tree->model()->index(tree->model()->rowCount() - 1, 0));
    QTRY_VERIFY_WITH_TIMEOUT(below("me@gpu-box:2200").size() == 2, patience);
    const QModelIndex device = model().index(0, 0, row("me@gpu-box:2200"));
    QCOMPARE(device.data(DevicesModel::DeviceIdRole).toString(), QString("ssh://me@gpu-box:2200/cuda:0"));
    QVERIFY(model().rowCount(device) > 10); // its attributes
    QTRY_VERIFY_WITH_TIMEOUT(device.siblingAtColumn(1).data(DevicesModel::UsedFractionRole).isValid(), patience);
    QVERIFY(deviceBox().findData("ssh://me@gpu-box:2200/cuda:0") >= 0);
    closeWindow();
    openWindow();
    QCOMPARE(row("me@gpu-box:2200").data().toString(), QString("The box"));
}

void TestMachines::addressesAreChecked() {
    add(gpuBox);
    MachineDialog dialog(workbench().machines(), workbench().theme());
    const auto problemOf = [&](const QString& text) {
        dialog.findChild<QLineEdit*>("address")->setText(text);
        return dialog.problem();
    };
    QVERIFY(problemOf({}).isEmpty());
    for (const char* bad : {"-oProxyCommand=x", "a b", "host;rm", "me@", "host:99999"})
        QVERIFY2(!problemOf(bad).isEmpty(), bad);
    QVERIFY2(problemOf(gpuBox).contains("already"), qPrintable(dialog.problem()));
    for (const char* good : {"host", "me@host", "ssh://me@host", "me@host:22", "[::1]:22"})
        QVERIFY2(problemOf(good).isEmpty(), qPrintable(dialog.problem()));
    dialog.findChild<QLineEdit*>("address")->setText("me@::1");
    dialog.findChild<QSpinBox*>("port")->setValue(22);
    QCOMPARE(dialog.machine().address, QString("me@[::1]:22"));
    QVERIFY2(!problemOf("host:22").isEmpty(), "a port twice");
}

void TestMachines::aTestTellsWhatIsThere() {
    NEEDS_DEVICE;
    MachineDialog dialog(workbench().machines(), workbench().theme());
    dialog.show();
    auto* test = dialog.findChild<QPushButton*>("test");
    auto* install = dialog.findChild<QPushButton*>("install");
    const auto testOf = [&](const QString& address) {
        dialog.findChild<QLineEdit*>("address")->setText(address);
        test->click();
        return QTest::qWaitFor([&] { return test->isEnabled(); }, patience);
    };
    QVERIFY(testOf("me@gpu-box"));
    QVERIFY2(dialog.finding().startsWith("Connected in ") && dialog.finding().contains("compute capability"),
             qPrintable(dialog.finding()));
    QVERIFY(install->isHidden());
    QVERIFY(testOf("me@closed"));
    QVERIFY2(dialog.finding().contains("refused the key"), qPrintable(dialog.finding()));
    QVERIFY(!install->isHidden());
    QSignalSpy wanted(&dialog, &MachineDialog::installRequested);
    install->click();
    QCOMPARE(wanted.value(0).value(0).toString(), QString("me@closed"));
    QVERIFY(workbench().machines().all().isEmpty());
}

void TestMachines::theCommandLineAddsOnes() {
    remote::add_machine(remote::place_of_machine("ssh://me@gpu-box"), "from outside");
    QTRY_VERIFY_WITH_TIMEOUT(row(gpuBox).isValid(), patience);
    QCOMPARE(row(gpuBox).data().toString(), QString("from outside"));
    remote::remove_machine("from outside");
    QTRY_VERIFY_WITH_TIMEOUT(!row(gpuBox).isValid(), patience);
}

void TestMachines::aRunGoesThere() {
    NEEDS_DEVICE;
    add(gpuBox, "box");
    openSession();
    QVERIFY(use(gpuBox));
    QVERIFY(workbench().worker().machine() == gpuBox);
    QVERIFY2(deviceBox().currentText().startsWith("box: "), qPrintable(deviceBox().currentText()));
    QVERIFY(run());
    QCOMPARE(window_->document().report().status, session::Status::ok);
    QCOMPARE(window_->document().report().machine, gpuBox.toStdString());
    QCOMPARE(valueOf("y", 21), 42.0f);
    QVERIFY(window_->panel<TimingPanel>().findChildren<QLabel*>().size() > 0);
    QVERIFY(window_->document().session().device == "software"); // the session is as it was
    QVERIFY(!window_->document().isModified());
    // A fault, and the run after it.
    window_->document().mainSource()->setText(R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
        *(float*)(8) = y[0]; })");
    QVERIFY(run());
    QCOMPARE(window_->document().report().status, session::Status::device_error);
    window_->document().mainSource()->setText(doubling);
    QVERIFY(run());
    QCOMPARE(window_->document().report().status, session::Status::ok);
    // Stop
    startEndless();
    QSignalSpy stopped(&window_->runner(), &RunController::runStopped);
    trigger("run.stop");
    QVERIFY(stopped.count() || stopped.wait(patience));
    window_->document().mainSource()->setText(doubling);
    QVERIFY(run());
    QCOMPARE(valueOf("y", 3), 6.0f);
}

void TestMachines::theChoiceIsTheWindows() {
    NEEDS_DEVICE;
    add(gpuBox);
    openSession();
    QVERIFY(use(gpuBox));
    QVERIFY(QTest::qWaitFor([&] { return workbench().worker().isUsable(); }, patience));
    choose("software:0");
    QVERIFY(workbench().remoteDevice().isEmpty() && !workbench().worker().isRemote());
    QVERIFY(!settings().contains("device/remote"));
    choose(gpuDevice);
    const QByteArray text = QByteArray::fromStdString(session::to_text(window_->document().session()));
    QVERIFY2(!text.contains("ssh:"), text.constData());
    QVERIFY(workbench().worker().isRemote());
}

void TestMachines::aSessionNamesNoMachine() {
    add(gpuBox);
    write("machines/named.warplight",
          R"({"warplight": 1, "source": "twice.cu", "kernel": "twice", "device": "ssh://me@gpu-box/cuda:0"})");
    write("machines/twice.cu", doubling);
    QVERIFY(!window_->openFile(home_.path("machines/named.warplight")));
    QVERIFY(workbench().remoteDevice().isEmpty());
    workbench().selectDevice(gpuDevice);
    QVERIFY(!workbench().worker().isRemote());
    QVERIFY(!workbench().worker("ssh://me@stranger/cuda")); // not in the list
    workbench().selectRemoteDevice("ssh://me@stranger/cuda:0");
    QVERIFY(workbench().remoteDevice().isEmpty());
    QVERIFY(starts().isEmpty());
}

void TestMachines::aMachineWithoutGpu() {
    NEEDS_DEVICE;
    if (Workbench::cudaDriverInstalled()) QSKIP("the stand-in's GPU is this machine's");
    add("me@plain");
    explorer().connectMachine("me@plain");
    QTRY_COMPARE_WITH_TIMEOUT(model().devicesOf("me@plain").size(), std::size_t(1), patience);
    QCOMPARE(model().devicesOf("me@plain").front().id, QString("ssh://me@plain/software:0"));
    QVERIFY(model().devicesOf("me@plain").front().asked);
    QTRY_COMPARE_WITH_TIMEOUT(state("me@plain"), QString("ready"), patience);
    QCOMPARE(starts(), QStringList({"ssh://me@plain/cuda", "ssh://me@plain/software"}));
    openSession();
    choose("ssh://me@plain/software:0");
    QVERIFY(run());
    QCOMPARE(valueOf("y", 5), 10.0f);
}

void TestMachines::aSweepAndAnExerciseGoThere() {
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

void TestMachines::sweepEndless() {
    window_->document().mainSource()->setText(endless);
    trigger("run.compareBlocks");
    QTRY_VERIFY_WITH_TIMEOUT(sweep().problem().isEmpty(), patience);
    QTest::mouseClick(sweep().startButton(), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(sweep().status().contains("Trial"), qPrintable(sweep().status()), patience);
}

void TestMachines::aSweepTellsOfItsConnection() {
    NEEDS_DEVICE;
    add(gpuBox, "box");
    openSession();
    QVERIFY(use(gpuBox));
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

void TestMachines::anExerciseTellsOfItsConnection() {
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

/// All of its points are on a machine that lets nobody in, which is asked as often as there are compilers.
void TestMachines::aSweepThatIsRefused() {
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

void TestMachines::aLostConnectionIsWaitedFor() {
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

void TestMachines::aConnectionThatIsGone() {
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

void TestMachines::aRefusalIsTold() {
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

void TestMachines::stopEndsConnecting() {
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

void TestMachines::aRunThroughARealServer() {
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

void TestMachines::aMachineIsDisconnectedAndRemoved() {
    NEEDS_DEVICE;
    add(gpuBox);
    openSession();
    QVERIFY(use(gpuBox));
    pressInMenu(gpuBox, "disconnect");
    QTRY_COMPARE_WITH_TIMEOUT(state(gpuBox), QString(), patience);
    QVERIFY(model().devicesOf(gpuBox).empty());
    QTest::qWait(200);
    QCOMPARE(starts().size(), 1);
    const auto rename = [&](const QString& name, const auto& check) {
        QTimer::singleShot(0, this, [&] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            check(*dialog);
            dialog->setTextValue(name);
            dialog->accept();
        });
        pressInMenu(gpuBox, "rename");
    };
    rename(" The box ", [](const QInputDialog& dialog) { QCOMPARE(dialog.textValue(), QString()); });
    QCOMPARE(row(gpuBox).data().toString(), QString("The box"));
    QCOMPARE(deviceBox().itemText(deviceBox().findData(gpuDevice)).contains("The box"), true);
    rename({}, [](const QInputDialog& dialog) { QCOMPARE(dialog.textValue(), QString("The box")); });
    QCOMPARE(row(gpuBox).data().toString(), gpuBox);
    pressInMenu(gpuBox, "connect");
    QTRY_VERIFY_WITH_TIMEOUT(!model().devicesOf(gpuBox).empty(), patience);
    pressInMenu(gpuBox, "reconnect");
    QTRY_COMPARE_WITH_TIMEOUT(starts().size(), 3, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!model().devicesOf(gpuBox).empty(), patience);
    QTimer::singleShot(0, this, [] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(question);
        for (QAbstractButton* each : question->buttons())
            if (question->buttonRole(each) == QMessageBox::DestructiveRole) each->click();
    });
    pressInMenu(gpuBox, "remove");
    QVERIFY(!row(gpuBox).isValid());
    QVERIFY(remote::read_machines().empty());
    QVERIFY(workbench().remoteDevice().isEmpty());
    QVERIFY(!workbench().worker().isRemote());
    QCOMPARE(deviceBox().findData(gpuDevice), -1);
    QVERIFY(run()); // on the session's device
}

void TestMachines::aReconnectEndsARun() {
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

void TestMachines::programsStayHere() {
    NEEDS_DEVICE;
    add(gpuBox);
    QVERIFY(use(gpuBox));
    trigger("file.newProgram");
    trigger("run.run");
    QTRY_VERIFY2(banner("run").contains("this machine only"), qPrintable(banner("run")));
}

void TestMachines::warplightIsInstalledThere() {
    InstallDialog dialog(gpuBox, window_.get());
    dialog.show();
    QSignalSpy installed(&dialog, &InstallDialog::installed);
    dialog.findChild<QPushButton*>("install")->click();
    QVERIFY(installed.wait(patience));
    QVERIFY2(dialog.findChild<QLabel*>("stage")->text().contains("Installed on me@gpu-box"),
             qPrintable(dialog.findChild<QLabel*>("stage")->text()));
    InstallDialog refused("me@closed", window_.get());
    refused.show();
    refused.findChild<QPushButton*>("install")->click();
    QTRY_VERIFY_WITH_TIMEOUT(refused.findChild<QLabel*>("stage")->text().contains("failed"), patience);
}

void TestMachines::questionsOfSsh_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("hint");
    QTest::addColumn<int>("kind");
    const QString key = "The authenticity of host 'box (10.0.0.7)' can't be established.\nED25519 key fingerprint is "
                        "SHA256:abc.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ";
    QTest::newRow("password") << "me@box's password: " << "" << int(AskpassDialog::Kind::Secret);
    QTest::newRow("passphrase") << "Enter passphrase for key '/home/me/.ssh/id': " << ""
                                << int(AskpassDialog::Kind::Secret);
    QTest::newRow("host key") << key << "" << int(AskpassDialog::Kind::HostKey);
    QTest::newRow("agent") << "Allow use of key id?" << "confirm" << int(AskpassDialog::Kind::Confirm);
    QTest::newRow("touch") << "Confirm user presence" << "none" << int(AskpassDialog::Kind::Note);
}

void TestMachines::questionsOfSsh() {
    QFETCH(QString, prompt);
    QFETCH(QString, hint);
    QFETCH(int, kind);
    const auto theme = Theme::shared();
    AskpassDialog dialog(prompt, hint, *theme);
    QCOMPARE(int(dialog.kind()), kind);
    dialog.show();
    const auto* text = dialog.findChild<QLabel*>("prompt");
    QCOMPARE(text->textFormat(), Qt::PlainText);
    QCOMPARE(text->text(), prompt.trimmed());
    auto* secret = dialog.findChild<QLineEdit*>("secret");
    auto* yes = dialog.findChild<QPushButton*>("yes");
    if (kind == int(AskpassDialog::Kind::Secret)) {
        QCOMPARE(secret->echoMode(), QLineEdit::Password);
        QTest::keyClicks(secret, "s3cret");
        QTest::keyClick(secret, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QString("s3cret"));
    } else if (yes) {
        QTest::keyClick(&dialog, Qt::Key_Return); // agrees to nothing
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
        dialog.show();
        yes->click();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QString("yes"));
    } else {
        QVERIFY(!secret && dialog.answer().isEmpty());
    }
}

void TestMachines::theProgramAsks() {
    // As ssh starts it. Nobody is there to answer; it ends by being told to.
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("WARPLIGHT_ASKPASS", WARPLIGHT_TEST_WINDOW);
    environment.insert("SSH_ASKPASS", WARPLIGHT_TEST_WINDOW);
    QProcess asks;
    asks.setProcessEnvironment(environment);
    asks.start(WARPLIGHT_TEST_WINDOW, {"me@box's password: "});
    QVERIFY(asks.waitForStarted());
    QVERIFY(!asks.waitForFinished(1500)); // it waits for an answer
    QVERIFY(asks.readAllStandardOutput().isEmpty());
    asks.terminate();
    QVERIFY(asks.waitForFinished(patience));
    QVERIFY(asks.exitStatus() == QProcess::CrashExit || asks.exitCode() != 0);
    // The same text without ssh is a file's name, which is not there.
    environment.remove("SSH_ASKPASS");
    asks.setProcessEnvironment(environment);
    asks.start(WARPLIGHT_TEST_WINDOW, {"--version"});
    QVERIFY(asks.waitForFinished(patience));
    QVERIFY(asks.readAllStandardOutput().startsWith("warplight "));
}

void TestMachines::answersAreWritten_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("press");
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<int>("exitCode");
    const QString key = "Are you sure you want to continue connecting (yes/no/[fingerprint])? ";
    QTest::newRow("password") << "me@box's password: " << "öpen sesame" << QByteArray("öpen sesame\n") << 0;
    QTest::newRow("no password") << "me@box's password: " << "cancel" << QByteArray() << 1;
    QTest::newRow("key taken") << key << "yes" << QByteArray("yes\n") << 0;
    QTest::newRow("key refused") << key << "cancel" << QByteArray() << 1;
}

void TestMachines::answersAreWritten() {
    QFETCH(QString, prompt);
    QFETCH(QString, press);
    QProcess asks; // this program, which answers itself: see main()
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ASKPASS_PRESS", press);
    asks.setProcessEnvironment(environment);
    asks.start(QCoreApplication::applicationFilePath(), {prompt});
    QVERIFY(asks.waitForFinished(patience));
    QTEST(asks.readAllStandardOutput(), "written");
    QTEST(asks.exitCode(), "exitCode");
}

void TestMachines::pictures() {
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
        QTRY_VERIFY_WITH_TIMEOUT(sweep().status().contains("lost 1 s"), patience);
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
        QTRY_VERIFY_WITH_TIMEOUT(exercise().summary().contains("lost 1 s"), patience);
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
    if (const QString press = qEnvironmentVariable("ASKPASS_PRESS"); !press.isEmpty()) {
        int one = 1;
        QApplication application(one, argv);
        QTimer::singleShot(0, &application, [press] {
            auto* dialog = qobject_cast<AskpassDialog*>(QApplication::activeModalWidget());
            if (!dialog) std::_Exit(99);
            if (press == "cancel")
                return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)->click();
            if (auto* yes = dialog->findChild<QPushButton*>("yes")) return yes->click();
            dialog->findChild<QLineEdit*>("secret")->setText(press);
            dialog->accept();
        });
        return runAskpass(QString::fromLocal8Bit(argv[1]));
    }
    QApplication application(argc, argv);
    TestMachines test(home);
    return QTest::qExec(&test, argc, argv);
}

#include "test_machines.moc"
