// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/workbench.hpp"

#include "session/data_file.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/loading.hpp"
#include "ui/common/settings.hpp"
#include "worker/client.hpp"

#include <QFile>
#include <QFileInfo>
#include <utility>

namespace warplight::ui {
namespace {

QString remoteKey() { return QStringLiteral("device/remote"); }

} // namespace

Workbench::Workbench(QObject* parent) : QObject(parent), loading_(std::make_unique<Loading>(activities_)) {
    software_ = new WorkerConnection(QStringLiteral("software"), this);
    if (cudaDriverInstalled()) cuda_ = new WorkerConnection(QStringLiteral("cuda"), this);
    for (WorkerConnection* worker : workers())
        worker->setActivities(&activities_);
    history_.setActivities(&activities_);
    active_ = software_;
    connect(&document_, &Document::pathChanged, this, &Workbench::giveAccess);
    connect(&document_, &Document::sessionReplaced, this, &Workbench::giveAccess);
    giveAccess();
    remoteDevice_ = settings().value(remoteKey()).toString();
    followMachines();
    follow();
    connect(&document_, &Document::sessionChanged, this, &Workbench::follow);
    connect(machines_.get(), &Machines::changed, this, &Workbench::followMachines);
    if (!cuda_) return;
    askCuda();
    connect(cuda_, &WorkerConnection::restarted, this, &Workbench::askCuda);
    connect(cuda_, &WorkerConnection::stateChanged, this, [this](WorkerConnection::State state) {
        // A driver that ends its worker at once will never answer.
        if (state == WorkerConnection::State::Dead && !cudaKnown_) setCudaUsable(false);
    });
}

Workbench::~Workbench() {
    // Before the folder, whose files they may have mapped.
    qDeleteAll(remote_);
    delete software_;
    delete cuda_;
}

void Workbench::follow() { selectDevice(QString::fromStdString(document_.session().device)); }

WorkerConnection* Workbench::addWorker(const QString& driver) {
    auto* worker = new WorkerConnection(driver, this);
    worker->setActivities(&activities_);
    remote_ << worker;
    giveAccessTo(*worker);
    connect(worker, &WorkerConnection::linkChanged, this, [this, worker] {
        // helper() is another one.
        if (worker == active_ && std::exchange(activeAtHand_, worker->isAtHand()) != worker->isAtHand())
            emit workerChanged();
    });
    emit workerAdded(worker);
    return worker;
}

void Workbench::followMachines() {
    for (WorkerConnection* worker : std::as_const(remote_))
        if (!machines_->contains(worker->machine())) worker->disconnectMachine();
    if (!remoteDevice_.isEmpty() && !machines_->contains(machineOf(remoteDevice_))) {
        remoteDevice_.clear();
        follow();
    }
}

void Workbench::forEachWorker(QObject* context, const std::function<void(WorkerConnection*)>& call) {
    for (WorkerConnection* worker : workers())
        call(worker);
    connect(this, &Workbench::workerAdded, context, call);
}

WorkerConnection* Workbench::worker(const QString& driver) {
    if (driver == QLatin1String("software")) return software_;
    if (driver == QLatin1String("cuda")) return cuda_;
    const QString machine = machineOf(driver);
    if (machine.isEmpty() || !machines_->contains(machine)) return nullptr;
    for (WorkerConnection* worker : std::as_const(remote_))
        if (worker->driver() == driver) return worker;
    return addWorker(driver);
}

QList<WorkerConnection*> Workbench::workers() const {
    QList<WorkerConnection*> all{software_};
    if (cuda_) all << cuda_;
    return all + remote_;
}

void Workbench::openSource(const QString& path, const std::function<void(SourceFile*, const QString& problem)>& then) {
    if (SourceFile* source = document_.findSource(path)) return then(source, {});
    const QString name = QFileInfo(path).fileName();
    const QPointer<SourceFile> main = document_.mainSource();
    loading_->load(
        tr("Opening %1").arg(name),
        [this, path, main, then]() -> Loading::Then {
            QString problem;
            const auto content = readSource(QFileInfo(path).absoluteFilePath(), &problem);
            return [this, path, main, then, content, problem] {
                if (main && main == document_.mainSource())
                    then(content ? document_.openSource(path, *content) : nullptr, problem);
            };
        },
        [then, name] { then(nullptr, tr("%1 was not opened.").arg(name)); });
}

void Workbench::giveAccess() {
    for (WorkerConnection* worker : workers())
        giveAccessTo(*worker);
}

void Workbench::giveAccessTo(WorkerConnection& worker) {
    worker::Access access;
    const auto folder = session::path_from_utf8(document_.folder().toStdString());
    if (!worker::holds_home(folder)) access.read.push_back(folder);
    if (const auto kept = runFolder_.of(worker.driver()).toStdString(); !kept.empty())
        access.kept.push_back(session::path_from_utf8(kept));
    worker.setAccess(std::move(access));
}

void Workbench::selectRemoteDevice(const QString& device) {
    if (!device.isEmpty() && !worker(DeviceId::parse(device).driver)) return;
    // Of the windows that are opened next.
    if (device.isEmpty())
        settings().remove(remoteKey());
    else
        settings().setValue(remoteKey(), device);
    if (std::exchange(remoteDevice_, device) != device) follow();
}

void Workbench::selectDevice(const QString& device) {
    session::DeviceChoice choice{"auto", 0};
    try {
        choice = session::parse_device(device.toStdString());
    } catch (const session::SessionError&) {
        // The run reports the wrong name. Until then the software device is selected.
    }
    const DeviceId remote = DeviceId::parse(remoteDevice_);
    WorkerConnection* const there = remoteDevice_.isEmpty() ? nullptr : worker(remote.driver);
    if (there) choice.ordinal = remote.ordinal;
    const bool other = std::exchange(ordinal_, choice.ordinal) != choice.ordinal;
    // Only the software device checks kernels.
    const bool best = cudaUsable_ && !document_.session().checks.any();
    const bool wantsCuda = cuda_ && (choice.driver == "cuda" || (choice.driver == "auto" && best));
    WorkerConnection* chosen = there ? there : wantsCuda ? cuda_ : software_;
    if (chosen == active_) {
        if (other) emit ordinalChanged();
        return;
    }
    active_ = chosen;
    activeAtHand_ = active_->isAtHand();
    emit workerChanged();
}

void Workbench::askCuda() {
    cuda_->request(QStringLiteral("devices"), nlohmann::json::object(), QStringLiteral("workbench.devices"), this,
                   [this](const WorkerReply& reply) {
                       if (reply.ok) setCudaUsable(worker::names_device(reply.result));
                   });
}

void Workbench::setCudaUsable(bool usable) {
    const bool known = std::exchange(cudaKnown_, true);
    cudaUsable_ = usable;
    follow();
    if (!known) emit deviceKnown();
}

bool Workbench::waitsForDevice() const {
    if (!cuda_ || cudaKnown_ || !remoteDevice_.isEmpty()) return false;
    try {
        return session::parse_device(document_.session().device).driver == "auto";
    } catch (const session::SessionError&) {
        return false;
    }
}

void Workbench::setFailedAttempt(const QString& sentence) {
    if (sentence == failedAttempt_) return;
    failedAttempt_ = sentence;
    emit failedAttemptChanged();
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
