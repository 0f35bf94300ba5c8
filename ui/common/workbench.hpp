// SPDX-License-Identifier: GPL-3.0-or-later
/// What panels are made with: the theme, the document, the workers, and ways to ask the window for something.
#pragma once

#include "ui/common/buffer_registry.hpp"
#include "ui/common/document.hpp"
#include "ui/common/run_folder.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/worker_connection.hpp"

#include <QObject>

namespace warplight::ui {

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    Theme& theme() { return theme_; }
    Document& document() { return document_; }
    /// The worker of the selected device.
    WorkerConnection& worker() { return *active_; }
    /// The worker of the last run; the selected one before a run.
    WorkerConnection& bufferWorker() { return bufferWorker_ ? *bufferWorker_ : *active_; }
    /// "software" or "cuda"; null for cuda where no driver is installed.
    WorkerConnection* worker(const QString& driver);
    QList<WorkerConnection*> workers() const;

    /// Chooses the worker for the session's device ("auto", "cuda:0", "software:0"). No effect on requests under way.
    void selectDevice(const QString& device);
    /// The session's device is "auto", and NVIDIA's driver has not said yet whether it has one.
    bool waitsForDevice() const;
    int deviceOrdinal() const { return ordinal_; }
    void setBufferWorker(WorkerConnection* worker) { bufferWorker_ = worker; }
    /// Buffers of runs and of opened files.
    BufferRegistry& buffers() { return buffers_; }
    /// Where workers keep what runs leave.
    const RunFolder& runFolder() const { return runFolder_; }
    /// Why the last attempt to run left no report ("The last run was stopped."); empty when it left one.
    QString failedAttempt() const { return failedAttempt_; }
    void setFailedAttempt(const QString& sentence);

    /// True when a library of that driver could be there (cuda: found by the loader's rules, not opened).
    static bool cudaDriverInstalled();

signals:
    void deviceKnown();    ///< waitsForDevice() is false from now on
    void workerChanged();  ///< worker() is another
    void ordinalChanged(); ///< deviceOrdinal() is another, of the same worker
    void failedAttemptChanged();
    // Requests of panels to the window
    void showSource(const QString& path, int line,
                    int column);             ///< open, go there, focus; an empty path is the main source
    void statusMessage(const QString& text); ///< a short note in the status bar
    void runRequested();
    void buildRequested();

private:
    void askCuda();
    void setCudaUsable(bool usable);

    Theme theme_;
    Document document_;
    RunFolder runFolder_;
    BufferRegistry buffers_;
    QString failedAttempt_;
    WorkerConnection* software_ = nullptr;
    WorkerConnection* cuda_ = nullptr;
    WorkerConnection* active_ = nullptr;
    QPointer<WorkerConnection> bufferWorker_;
    int ordinal_ = 0;
    bool cudaUsable_ = true; ///< a driver without a device is not chosen for "auto"
    bool cudaKnown_ = false;
};

} // namespace warplight::ui
