// SPDX-License-Identifier: GPL-3.0-or-later
// Other machines in the window: added, connected, used like this one and removed. A stand-in takes the place of ssh
// and the far side.
#include "machines_fixture.hpp"

#include "ui/common/device_id.hpp"
#include "ui/common/settings.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/machines/install_dialog.hpp"
#include "ui/machines/machine_dialog.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QAbstractItemModelTester>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QTreeView>

using namespace warplight;
using namespace warplight::ui;

class TestMachines : public QObject, MachinesFixture {
    Q_OBJECT
public:
    explicit TestMachines(const TestHome& home) : MachinesFixture(home) {}

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
    void aMachineIsDisconnectedAndRemoved();
    void programsStayHere();
    void warplightIsInstalledThere();
};

void TestMachines::init() {
    for (const char* alone : {"names", "theModelHoldsMachines"}) // A window takes a second.
        if (QLatin1String(QTest::currentTestFunction()) == QLatin1String(alone)) return;
    openWindowWithoutMachines();
}

void TestMachines::cleanup() {
    if (window_) closeWindow();
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

int main(int argc, char** argv) {
    TestHome home;
    qputenv("WARPLIGHT_WORKER", MACHINE_STAND_IN_PROGRAM);
    QApplication application(argc, argv);
    TestMachines test(home);
    return QTest::qExec(&test, argc, argv);
}

#include "test_machines.moc"
