// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machines/machine_probe.hpp"

#include "ui/common/device_id.hpp"
#include "ui/common/format.hpp"
#include "ui/common/worker_connection.hpp"
#include "ui/devices/devices_model.hpp"

namespace warplight::ui {

MachineProbe::MachineProbe(const QString& address) : address_(address) {
    since_.start();
    connectTo("cuda");
}

MachineProbe::~MachineProbe() = default;

void MachineProbe::connectTo(const char* kind) {
    worker_ = std::make_unique<WorkerConnection>(driverOn(address_, QLatin1String(kind)));
    connect(worker_.get(), &WorkerConnection::linkChanged, this, [this] {
        const MachineLink link = worker_->link();
        if (link.state == MachineLink::State::Failed) set(State::Failed, link.reason);
        if (link.state == MachineLink::State::Connected && state_ == State::Connecting) set(State::Asking, {});
    });
    connect(worker_.get(), &WorkerConnection::restarted, this, [this] {
        worker_->request(
            QStringLiteral("devices"), nlohmann::json::object(), {}, this, [this](const WorkerReply& reply) {
                if (!reply.ok) return set(State::Failed, reply.error);
                QStringList lines;
                if (reply.result.value("available", true))
                    for (const DeviceInfo& device : devicesFromJson(reply.result))
                        lines << tr("%1, compute capability %2, %3")
                                     .arg(device.name, device.computeCapability, formatBytes(device.totalMemory));
                take(isGpu(worker_->driver()), lines,
                     QString::fromStdString(reply.result.value("problem", std::string())));
            });
    });
    worker_->start();
}

void MachineProbe::take(bool isGpu, const QStringList& devices, const QString& problem) {
    if (isGpu && devices.isEmpty()) {
        gpuProblem_ = problem.isEmpty() ? tr("NVIDIA's driver there has no device.") : problem;
        // Not now: the worker that would go is the one that calls.
        QMetaObject::invokeMethod(this, [this] { connectTo("software"); }, Qt::QueuedConnection);
        return;
    }
    QStringList lines;
    const QString version = worker_->version();
    lines << (version.isEmpty()
                  ? tr("Connected in %1.").arg(formatMs(double(since_.elapsed())))
                  : tr("Connected in %1. Warplight %2 is there.").arg(formatMs(double(since_.elapsed())), version));
    lines << devices;
    if (devices.isEmpty()) lines << (problem.isEmpty() ? tr("There is no device.") : problem);
    if (!gpuProblem_.isEmpty()) lines << tr("No GPU: %1").arg(gpuProblem_);
    set(State::Found, lines.join(QLatin1Char('\n')));
}

void MachineProbe::set(State state, const QString& text) {
    if (isDone()) return;
    state_ = state;
    text_ = text;
    emit changed();
}

} // namespace warplight::ui
