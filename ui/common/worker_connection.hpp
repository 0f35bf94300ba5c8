// SPDX-License-Identifier: GPL-3.0-or-later
/// The window's connection to one worker process. Nothing here blocks: callbacks in the GUI thread bring the answers. A
/// worker that dies or is stopped is started again.
#pragma once

#include "ui/common/machine_link.hpp"
#include "worker/confinement.hpp"

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

namespace warplight::ui {

class Activities;

/// The answer to a request. Exactly one per request, unless a newer one with the same tag replaced it.
struct WorkerReply {
    bool ok = false;
    nlohmann::json result;     ///< when ok; binary values are json binary
    QString error;             ///< when not ok: a sentence for people
    int code = 0;              ///< of the JSON-RPC error
    nlohmann::json errorData;  ///< of the JSON-RPC error; null when it has none
    bool workerDied = false;   ///< the worker ended before it could answer (killed, crashed, stopped)
    bool stopped = false;      ///< the user did not want to wait for it
    bool notConnected = false; ///< the worker's machine is not connected, and this request does not connect it
};

class WorkerConnection : public QObject {
    Q_OBJECT
public:
    enum class State { Stopped, Starting, Ready, Busy, Dead };
    Q_ENUM(State)
    using Reply = std::function<void(const WorkerReply&)>;
    using Progress = std::function<void(const QString& stage, double fraction, const QString& text)>;

    /// @param driver "software", "cuda", or one of another machine ("ssh://me@host/cuda"). The latter starts only by
    /// start() and by requests that the user waits for, runs and builds: connecting takes time and may ask for a
    /// password. Others are answered with `notConnected` until then.
    explicit WorkerConnection(const QString& driver, QObject* parent = nullptr);
    ~WorkerConnection() override;

    QString driver() const;
    /// "me@host:22"; empty for a worker of this machine.
    QString machine() const;
    bool isRemote() const { return !machine().isEmpty(); }
    /// Of a worker on another machine; Off for one of this machine.
    MachineLink link() const;
    /// A request would be answered at once: of this machine, or connected.
    bool isAtHand() const;
    State state() const;
    /// Why the worker is Dead, or its last message; may be empty.
    QString reason() const;
    /// Why the worker has no device, as its last answer to `devices` told; empty when it has one or was not asked.
    QString deviceProblem() const;
    /// Counts starts: ids of buffers are valid only in the generation that made them.
    int generation() const;
    qint64 processId() const;
    bool isUsable() const { return state() == State::Ready || state() == State::Busy; }

    /// Where requests tell that they last, and can be stopped. Runs and builds that the user asked for do not: the
    /// window tells of them.
    void setActivities(Activities* activities);

    /// Starts the worker if it is not running. Requests start it, too.
    void start();

    /// Sends a request; `reply` is called later, in the GUI thread, and only while `context` lives. Returns the id, for
    /// `cancel`. A tag names a kind of request: a newer request with the same tag cancels the older, whose `reply` is
    /// never called.
    /// @param background the user did not ask for it: a worker that crashes on it counts as ended while idle
    int request(const QString& method, nlohmann::json params, const QString& tag, QObject* context, Reply reply,
                Progress progress = {}, bool background = false);
    /// Asks the worker to cancel the request; the reply still comes, usually as an error.
    void cancel(int id);

    /// Kills the worker process at once and starts a new one.
    void stop();
    /// Ends the worker of another machine; nothing starts it again but the user.
    void disconnectMachine();

    /// The files of the open session. A request that needs others is sent to a new worker, which may reach them: it
    /// waits for the run or the build that the old one has.
    void setAccess(worker::Access access);
    /// True if a request for this needs no new worker.
    bool mayReach(const worker::Access& access);
    /// The walls that the worker has told of: [{name, keeps, stands, by, missing}], empty before its first answer.
    const nlohmann::json& walls() const;
    /// Of the program that the worker is of; empty before its first answer.
    QString version() const;

signals:
    void stateChanged(warplight::ui::WorkerConnection::State state, const QString& reason);
    void deviceProblemChanged();
    void linkChanged(); ///< link()
    /// Of the request `id`; the fraction is below 0 when unknown.
    void progress(int id, const QString& stage, double fraction, const QString& text);
    /// What a kernel printed.
    void output(int id, const QString& text);
    void log(const QString& level, const QString& text);
    /// A new worker answers. The old one's buffers are gone.
    /// One of another machine: also the first.
    void restarted();
    /// The worker ended by itself while nobody waited for a run or a build. Another is being started.
    void endedIdle(const QString& reason);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace warplight::ui
