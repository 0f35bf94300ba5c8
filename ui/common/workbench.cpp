// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/workbench.hpp"

#include <QFile>

namespace warplight::ui {

Workbench::Workbench(QObject* parent) : QObject(parent) {
    software_ = new WorkerConnection(QStringLiteral("software"), this);
    if (cudaDriverInstalled()) cuda_ = new WorkerConnection(QStringLiteral("cuda"), this);
    active_ = software_;
    selectDevice(QString::fromStdString(document_.session().device));
    const auto follow = [this] { selectDevice(QString::fromStdString(document_.session().device)); };
    connect(&document_, &Document::sessionChanged, this, follow);
}

Workbench::~Workbench() = default;

WorkerConnection* Workbench::worker(const QString& driver) {
    if (driver == QLatin1String("software")) return software_;
    return driver == QLatin1String("cuda") ? cuda_ : nullptr;
}

QList<WorkerConnection*> Workbench::workers() const {
    QList<WorkerConnection*> all{software_};
    if (cuda_) all << cuda_;
    return all;
}

void Workbench::selectDevice(const QString& device) {
    session::DeviceChoice choice{"auto", 0};
    try {
        choice = session::parse_device(device.toStdString());
    } catch (const session::SessionError&) {
        // The run reports what is wrong with the name; the software device is there meanwhile.
    }
    ordinal_ = choice.ordinal;
    const bool wantsCuda = cuda_ && (choice.driver == "cuda" || (choice.driver == "auto" && cudaUsable_));
    WorkerConnection* chosen = wantsCuda ? cuda_ : software_;
    if (chosen == active_) return;
    active_ = chosen;
    emit workerChanged();
}

void Workbench::setCudaUsable(bool usable) {
    cudaUsable_ = usable;
    selectDevice(QString::fromStdString(document_.session().device));
}

void Workbench::setBufferWorker(WorkerConnection* worker) {
    bufferWorker_ = worker;
    emit bufferWorkerChanged();
}

bool Workbench::cudaDriverInstalled() {
#ifdef Q_OS_WIN
    return QFile::exists(qEnvironmentVariable("SystemRoot", QStringLiteral("C:\\Windows")) +
                         QStringLiteral("\\System32\\nvcuda.dll"));
#else
    // Looked for as a file: opening it would start the driver in this process.
    QStringList folders = qEnvironmentVariable("LD_LIBRARY_PATH").split(QLatin1Char(':'), Qt::SkipEmptyParts);
    folders << QStringLiteral("/usr/lib/x86_64-linux-gnu") << QStringLiteral("/usr/lib/aarch64-linux-gnu")
            << QStringLiteral("/usr/lib64") << QStringLiteral("/usr/lib") << QStringLiteral("/usr/lib/wsl/lib")
            << QStringLiteral("/usr/lib64/nvidia") << QStringLiteral("/run/opengl-driver/lib")
            << QStringLiteral("/usr/local/nvidia/lib64") << QStringLiteral("/usr/local/cuda/compat");
    for (const QString& folder : folders)
        if (QFile::exists(folder + QStringLiteral("/libcuda.so.1"))) return true;
    return false;
#endif
}

} // namespace warplight::ui
