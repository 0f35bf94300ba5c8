// SPDX-License-Identifier: GPL-3.0-or-later
// A window with other machines, for which a stand-in takes the place of ssh and the far side: machine_stand_in.cpp.
#pragma once

#include "window_fixture.hpp"

#include "remote/machines.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/settings.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"

#include <QComboBox>
#include <QMenu>

namespace warplight::ui {

class MachinesFixture : protected WindowFixture {
protected:
    explicit MachinesFixture(const TestHome& home) : WindowFixture(home) {}

    /// Kernels for openSession()'s session.
    static constexpr const char* doubling = R"(extern "C" __global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
)";
    static constexpr const char* endless =
        R"(extern "C" __global__ void twice(const float* x, volatile float* y, int n) {
    while (y[0] < 1e30f) {}
}
)";
    inline static const QString gpuBox = QStringLiteral("me@gpu-box"),
                                gpuDevice = QStringLiteral("ssh://me@gpu-box/cuda:0");

    /// Empties what the last test left, and opens a window.
    void openWindowWithoutMachines() {
        QDir(home_.path("stand-in")).removeRecursively();
        QDir().mkpath(home_.path("stand-in"));
        QFile::remove(QString::fromStdString(remote::machines_file().string()));
        settings().remove("device/remote");
        openWindow();
        workerIsReady();
    }
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
    void openSession(const QByteArray& more = {}) {
        window_->document().setReadOnly(true); // so that it asks nothing
        write("machines/twice.cu", doubling);
        write("machines/twice.warplight",
              R"({"warplight": 1, "source": "twice.cu", "kernel": "twice", "device": "software",
            "arguments": [
              {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [4096], "start": 0, "step": 1}},
              {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]},
               "expect": {"expression": "2*x"}},
              {"name": "n", "direction": "scalar", "type": "i32", "value": 4096}],)" +
                  more + R"( "launch": {"grid": [16, 1, 1], "block": [256, 1, 1]}})");
        QVERIFY(window_->openFile(home_.path("machines/twice.warplight")));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().areKernelsPending(), patience);
    }
    float valueOf(const char* name, qint64 at) {
        auto& panel = window_->panel<BuffersPanel>();
        float value = -1;
        for (const BufferInfo& info : panel.list()->buffers())
            if (info.name == QLatin1String(name) && info.role == BufferRole::Output) {
                bool answered = false;
                panel.source()->read(info.id, at, 1, window_.get(), [&](const BufferReply<QByteArray>& reply) {
                    answered = true;
                    if (reply.ok() && reply.value.size() == 4) memcpy(&value, reply.value.constData(), 4);
                });
                (void)QTest::qWaitFor([&] { return answered; }, patience);
                break;
            }
        return value;
    }
    /// Runs a kernel without an end, until it is in it.
    void startEndless() {
        window_->document().mainSource()->setText(endless);
        bool running = false;
        const auto seen = QObject::connect(&workbench().worker(), &WorkerConnection::progress, window_.get(),
                                           [&](int, const QString& stage) { running = running || stage == "run"; });
        trigger("run.run");
        QTRY_VERIFY_WITH_TIMEOUT(running, patience);
        QObject::disconnect(seen);
    }
};

} // namespace warplight::ui
