// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/activity_bar.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/elided_box.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/launch/kernel_box.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <limits>

namespace warplight::ui {

namespace {

constexpr quint64 mostRepeats = quint64(std::numeric_limits<int>::max());

} // namespace

void MainWindow::createToolBar() {
    bar_ = addToolBar(tr("Main"));
    bar_->setObjectName(QStringLiteral("bar"));
    bar_->setMovable(false);
    bar_->setFloatable(false);
    bar_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    const auto named = [](QComboBox* box, const QString& name, int characters) {
        box->setAccessibleName(name);
        box->setToolTip(name);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(characters);
        box->view()->setTextElideMode(Qt::ElideNone);
        return box;
    };
    kernelBox_ = new KernelBox(document());
    connect(kernelBox_, &KernelBox::refused, this, [this](const QString& why) { note(why, 8000); });
    deviceBox_ = named(new ElidedBox, tr("Device"), 24);
    archBox_ = named(new ElidedBox, tr("Architecture to compile for"), 12);
    kernelBox_->setObjectName(QStringLiteral("kernelBox"));
    deviceBox_->setObjectName(QStringLiteral("deviceBox"));
    archBox_->setObjectName(QStringLiteral("archBox"));
    repeatBox_ = new NumberBox(tr("Repeats of a run"));
    repeatBox_->setHelp(tr("Repeats of a run"));
    repeatBox_->setPrefix(QStringLiteral("× "));
    repeatBox_->setNumber(quint64(document().session().repeat));

    for (const char* name : {"file.new", "file.open", "file.save"})
        bar_->addAction(findAction(QLatin1String(name)));
    bar_->addSeparator();
    for (QComboBox* box : {static_cast<QComboBox*>(kernelBox_), deviceBox_, archBox_}) {
        choices_ << bar_->addWidget(box);
        auto* gap = new QWidget;
        gap->setFixedWidth(Theme::half);
        choices_ << bar_->addWidget(gap);
    }
    choicesEnd_ = bar_->addSeparator();
    for (const char* name : {"build.build", "run.run"}) {
        QAction* action = findAction(QLatin1String(name));
        bar_->addAction(action);
        qobject_cast<QToolButton*>(bar_->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    bar_->addWidget(repeatBox_);
    for (const char* name : {"run.profile", "run.stop"}) {
        QAction* action = findAction(QLatin1String(name));
        bar_->addAction(action);
        qobject_cast<QToolButton*>(bar_->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }

    addToolBarBreak();
    secondBar_ = addToolBar(tr("Kernel and device"));
    secondBar_->setObjectName(QStringLiteral("secondBar"));
    secondBar_->setMovable(false);
    secondBar_->setFloatable(false);
    secondBar_->hide();
    for (QToolBar* bar : {bar_, secondBar_})
        bar->toggleViewAction()->setVisible(false); // the window decides

    connect(deviceBox_, &QComboBox::activated, this,
            [this](int index) { chooseDevice(deviceBox_->itemData(index).toString()); });
    connect(archBox_, &QComboBox::activated, this, [this](int index) {
        const QString arch = archBox_->itemData(index).toString();
        document().modify(tr("Choose Architecture"), [&](session::Session& s) { s.compile.arch = arch.toStdString(); });
        build();
    });
    connect(repeatBox_, &NumberBox::edited, this, &MainWindow::changeRepeats);
    connect(repeatBox_, &NumberBox::editingFinished, this, [this] { repeatsBefore_ = document().session().repeat; });
    connect(&document(), &Document::sessionReplaced, this, [this] {
        repeatsBefore_ = document().session().repeat;
        repeatBox_->setNumber(quint64(repeatsBefore_));
        updateRepeatBox();
    });
}

void MainWindow::createStatusBar() {
    QStatusBar* bar = statusBar();
    bar->setSizeGripEnabled(false);
    workerIcon_ = new QLabel;
    workerLabel_ = new ElidedLabel;
    activityBar_ = new ActivityBar(workbench_.activities());
    memoryLabel_ = new ElidedLabel;
    memoryLabel_->setToolTip(tr("Memory of the selected device"));
    archLabel_ = new ElidedLabel;
    archLabel_->setToolTip(tr("Architecture of the last build"));
    problemLabel_ = new ElidedLabel(tr("No problems"));
    cursorLabel_ = new ElidedLabel;
    bar->addWidget(workerIcon_);
    bar->addWidget(workerLabel_);
    bar->addWidget(activityBar_);
    noteLabel_ = new ElidedLabel;
    noteLabel_->setContentsMargins(Theme::grid, 0, Theme::grid, 0);
    bar->addWidget(noteLabel_, 1);
    noteTimer_.setSingleShot(true);
    connect(&noteTimer_, &QTimer::timeout, noteLabel_, &QLabel::clear);
    for (QLabel* label : {memoryLabel_, archLabel_, problemLabel_, cursorLabel_}) {
        label->setContentsMargins(Theme::grid, 0, Theme::grid, 0);
        bar->addPermanentWidget(label);
    }
    workerIcon_->setContentsMargins(Theme::grid, 0, 0, 0);
    connect(&workbench_.activities(), &Activities::changed, this, &MainWindow::updateActions);
}

void MainWindow::note(const QString& text, int ms) {
    noteLabel_->setText(text);
    noteTimer_.start(ms);
}

void MainWindow::changeRepeats(quint64 value) {
    // While a number outside a session's range is typed, the session keeps the old one, not its first digits.
    const bool fits = value >= 1 && value <= mostRepeats;
    changingRepeats_ = true;
    document().modify(
        tr("Change Repeats"), [&](session::Session& s) { s.repeat = fits ? int(value) : repeatsBefore_; },
        QStringLiteral("repeat"));
    updateRepeatBox();
    changingRepeats_ = false;
    checkRunBanner();
}

QString MainWindow::repeatsProblem() const {
    const quint64 shown = repeatBox_->number();
    return shown >= 1 && shown <= mostRepeats
               ? QString()
               : tr("The toolbar has %1 repeats; a run has from 1 to %2.").arg(shown).arg(mostRepeats);
}

void MainWindow::updateRepeatBox() {
    const int repeats = document().session().repeat;
    // A number outside a session's range stays in the box, marked as wrong.
    if (repeatsProblem().isEmpty() || (!changingRepeats_ && repeats != repeatsBefore_))
        repeatBox_->setNumber(quint64(repeats));
    if (!changingRepeats_) repeatsBefore_ = repeats;
    repeatBox_->setProblem(repeatsProblem());
    updateActions();
}

void MainWindow::updateDeviceBox() {
    const bool isThere = !workbench_.remoteDevice().isEmpty();
    const QString current = isThere ? workbench_.remoteDevice() : QString::fromStdString(document().session().device);
    const DevicesModel& devices = panel<ExplorerPanel>().devicesModel();
    deviceBox_->clear();
    deviceBox_->addItem(icon(QStringLiteral("device")), tr("Best device"), QStringLiteral("auto"));
    for (const DeviceInfo& device : devices.devices())
        if (machineOf(device.id).isEmpty())
            deviceBox_->addItem(icon(QStringLiteral("device")), QStringLiteral("%1 (%2)").arg(device.name, device.id),
                                device.id);
    for (const Machine& machine : workbench_.machines().all()) {
        const auto there = devices.devicesOf(machine.address);
        for (const DeviceInfo& device : there) {
            deviceBox_->addItem(icon(QStringLiteral("machine")),
                                QStringLiteral("%1: %2").arg(machine.title(), device.name), device.id);
            deviceBox_->setItemData(deviceBox_->count() - 1, device.id, Qt::ToolTipRole);
        }
        // What it has is known once it is connected.
        const QString first = DeviceId{driverOn(machine.address, QStringLiteral("cuda")), 0}.text();
        if (there.empty() && current != first && machineOf(current) != machine.address)
            deviceBox_->addItem(icon(QStringLiteral("machine")), tr("Connect to %1").arg(machine.title()), first);
    }
    // "software" and "software:0" are the same device.
    int index = deviceBox_->findData(current);
    if (index < 0) index = deviceBox_->findData(current + QStringLiteral(":0"));
    if (index < 0 && isThere) { // not connected yet, or without that device
        const QString name =
            isGpu(current) ? tr("GPU %1").arg(DeviceId::parse(current).ordinal) : tr("Software device");
        deviceBox_->addItem(icon(QStringLiteral("machine")),
                            QStringLiteral("%1: %2").arg(workbench_.machines().title(machineOf(current)), name),
                            current);
        index = deviceBox_->count() - 1;
    } else if (index < 0) {
        deviceBox_->addItem(icon(QStringLiteral("warning")), current, current);
        index = deviceBox_->count() - 1;
    }
    deviceBox_->setCurrentIndex(index);
}

void MainWindow::updateArchBox() {
    const QString current = QString::fromStdString(document().session().compile.arch);
    archBox_->clear();
    archBox_->addItem(tr("Device's arch"), QStringLiteral("auto"));
    for (const QString& arch : architectures_)
        archBox_->addItem(arch, arch);
    if (archBox_->findData(current) < 0) archBox_->addItem(current, current);
    archBox_->setCurrentIndex(archBox_->findData(current));
}

void MainWindow::updateStatus() {
    const WorkerConnection& worker = workbench_.worker();
    const Colours& c = workbench_.theme().colours();
    const bool gpu = isGpu(worker.driver());
    const QString machine = workbench_.machines().title(worker.machine());
    const QString name = !worker.isRemote() ? gpu ? tr("GPU") : tr("Software device")
                         : gpu ? tr("GPU on %1").arg(machine)
                                            : tr("Software device on %1").arg(machine);
    QString text, symbol, reason = worker.reason();
    QColor colour;
    switch (worker.state()) {
    case WorkerConnection::State::Stopped:
        text = tr("%1: not started"), symbol = QStringLiteral("info"), colour = c.mutedText;
        break;
    case WorkerConnection::State::Starting:
        text = tr("%1: starting"), symbol = QStringLiteral("refresh"), colour = c.mutedText;
        break;
    case WorkerConnection::State::Ready:
        if (worker.deviceProblem().isEmpty()) {
            text = tr("%1: ready"), symbol = QStringLiteral("success"), colour = c.success;
        } else { // a worker without the library that it is for
            text = tr("%1: not available"), symbol = QStringLiteral("error"), colour = c.error;
            reason = worker.deviceProblem();
        }
        break;
    case WorkerConnection::State::Busy:
        text = tr("%1: working"), symbol = QStringLiteral("run"), colour = c.accent;
        break;
    case WorkerConnection::State::Dead:
        text = tr("%1: not running"), symbol = QStringLiteral("error"), colour = c.error;
        break;
    }
    const MachineLink link = worker.link();
    switch (link.state) {
    case MachineLink::State::Off:
        if (worker.isRemote()) text = tr("%1: not connected");
        break;
    case MachineLink::State::Connecting: text = tr("%1: connecting"); break;
    case MachineLink::State::Connected: break;
    case MachineLink::State::Lost:
        text = tr("%1: connection lost"), symbol = QStringLiteral("warning"), colour = c.warning;
        reason = tr("Lost %1 s ago. Trying again.").arg(link.lostMs / 1000);
        break;
    case MachineLink::State::Failed:
        text = tr("%1: not connected"), symbol = QStringLiteral("error"), colour = c.error;
        reason = link.reason;
        break;
    }
    workerLabel_->setText(text.arg(name));
    workerLabel_->setToolTip(reason);
    const int side = scaledPixels(16);
    workerIcon_->setPixmap(icon(symbol, colour).pixmap(QSize(side, side), devicePixelRatioF()));
    archLabel_->setText(document().compileOutput().arch);
}

} // namespace warplight::ui
