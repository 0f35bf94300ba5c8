// SPDX-License-Identifier: GPL-3.0-or-later
/// The object that every panel is given: theme, document, workers, and signals that ask the window for something.
#pragma once

#include "ui/common/activities.hpp"
#include "ui/common/buffer_registry.hpp"
#include "ui/common/document.hpp"
#include "ui/common/file_reader.hpp"
#include "ui/common/machines.hpp"
#include "ui/common/run_folder.hpp"
#include "ui/common/run_history.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/worker_connection.hpp"

#include <QObject>

namespace warplight::ui {

class Loading;

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    Theme& theme() { return *theme_; }
    Document& document() { return document_; }
    /// The worker of the selected device.
    WorkerConnection& worker() { return *active_; }
    /// The worker of the last run; the selected one before a run.
    WorkerConnection& bufferWorker() { return bufferWorker_ ? *bufferWorker_ : *active_; }
    /// A worker for what needs no certain device, and what the user has not asked for: of the selected device, but that
    /// of the software device while a connection to another machine would have to be made first.
    WorkerConnection& helper() { return active_->isAtHand() ? *active_ : *software_; }
    /// "software" or "cuda"; null for cuda where no driver is installed. Of another machine "ssh://me@host/cuda"; null
    /// where the user has not added that machine.
    WorkerConnection* worker(const QString& driver);
    /// Those of this machine, and those of others that something has asked for.
    QList<WorkerConnection*> workers() const;
    /// Calls for each of workers(), and for those that come later while `context` lives.
    void forEachWorker(QObject* context, const std::function<void(WorkerConnection*)>& call);
    /// The machines that the user has added.
    Machines& machines() { return *machines_; }

    /// Chooses the worker for the session's device ("auto", "cuda:0", "software:0"), which another machine's device
    /// replaces. Running requests stay where they are.
    void selectDevice(const QString& device);
    /// Chooses a device of another machine in place of the session's, for this window and the next ones; empty: the
    /// session's. A session never does this: it would choose whom the user's files are sent to.
    void selectRemoteDevice(const QString& device);
    /// "ssh://me@host/cuda:0"; empty while the session's device is used.
    const QString& remoteDevice() const { return remoteDevice_; }
    /// True while the session's device is "auto" and NVIDIA's driver has not answered yet whether it has a device.
    bool waitsForDevice() const;
    int deviceOrdinal() const { return ordinal_; }
    /// The selected device's number for a request to this worker: another one has its first.
    int ordinalFor(const WorkerConnection& worker) const { return &worker == active_ ? ordinal_ : 0; }
    void setBufferWorker(WorkerConnection* worker) { bufferWorker_ = worker; }
    /// Opens a source beside the others of the session, or finds it open. `then` is told at once or later: the source,
    /// or null and a sentence. It is told nothing where another session was opened meanwhile.
    void openSource(const QString& path, const std::function<void(SourceFile*, const QString& problem)>& then);
    /// Buffers of runs and of opened files.
    BufferRegistry& buffers() { return buffers_; }
    /// Lists what is in files of data.
    FileReader& fileReader() { return fileReader_; }
    /// The folder where workers keep the buffers of runs.
    const RunFolder& runFolder() const { return runFolder_; }
    /// What the user may have to wait for.
    Activities& activities() { return activities_; }
    /// Reads files beside the window.
    Loading& loading() { return *loading_; }
    /// Every run that was kept, of this window and of others.
    RunHistory& history() { return history_; }
    /// Why the last attempt to run left no report ("The last run was stopped."), else empty.
    QString failedAttempt() const { return failedAttempt_; }
    void setFailedAttempt(const QString& sentence);

    /// True when a library of that driver could be there (cuda: found by the loader's rules, not opened).
    static bool cudaDriverInstalled();

signals:
    void deviceKnown();   ///< waitsForDevice() is false from now on
    void workerChanged(); ///< worker() or helper() changed
    void workerAdded(warplight::ui::WorkerConnection* worker);
    void ordinalChanged(); ///< deviceOrdinal() changed, worker() did not
    void failedAttemptChanged();
    // Requests of panels to the window
    void showSource(const QString& path, int line,
                    int column);             ///< open, go there, focus; an empty path is the main source
    void showGuide(const QString& anchor);   ///< a section of the user guide
    void statusMessage(const QString& text); ///< a short note in the status bar
    void runRequested();
    void buildRequested();
    void showLanes(const QString& file, int line); ///< which addresses a warp touches there; empty: the main source

private:
    void askCuda();
    void follow();
    WorkerConnection* addWorker(const QString& driver);
    /// Drops workers and the choice of machines that the user has removed.
    void followMachines();
    /// Tells the workers the folder of the open session.
    void giveAccess();
    void giveAccessTo(WorkerConnection& worker);
    void setCudaUsable(bool usable);

    std::shared_ptr<Theme> theme_ = Theme::shared();
    Activities activities_;
    std::unique_ptr<Loading> loading_;
    Document document_;
    RunFolder runFolder_;
    BufferRegistry buffers_;
    RunHistory history_;
    FileReader fileReader_;
    QString failedAttempt_;
    std::shared_ptr<Machines> machines_ = Machines::shared();
    QList<WorkerConnection*> remote_; ///< also those of machines that were removed: buffers may refer to them
    QString remoteDevice_;
    bool activeAtHand_ = true;
    WorkerConnection* software_ = nullptr;
    WorkerConnection* cuda_ = nullptr;
    WorkerConnection* active_ = nullptr;
    QPointer<WorkerConnection> bufferWorker_;
    int ordinal_ = 0;
    bool cudaUsable_ = true; ///< a driver without a device is not chosen for "auto"
    bool cudaKnown_ = false;
};

} // namespace warplight::ui
