// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/worker_connection.hpp"

#include "ui/common/activities.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/request_text.hpp"
#include "ui/common/worker_access.hpp"
#include "worker/client.hpp"
#include "worker/connection_watch.hpp"
#include "worker/message.hpp"

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace warplight::ui {
namespace {

/// A worker that ends this soon after its start is not started again by itself.
constexpr qint64 tooSoonMs = 1500;
constexpr int stopGraceMs = 1000; ///< for a request to end that was stopped

bool isLong(const QString& method) { return method == QLatin1String("run") || method == QLatin1String("compile"); }

/// Bytes on their way to another machine or from it.
bool isTransfer(const std::string& stage) { return stage == "send" || stage == "fetch"; }

} // namespace

class WorkerConnection::Private {
public:
    struct Pending {
        QString tag;
        QPointer<QObject> context;
        Reply reply;
        Progress progress;
        int clientId = -1;
        bool isLong = false;
        QString method;
        nlohmann::json params; ///< until it is sent
        bool waits = false;    ///< for the worker that is being started anew
        bool background = false;
        bool stopped = false; ///< by the user
        std::shared_ptr<Activity> activity;
    };

    Private(WorkerConnection& owner, QString name)
        : q(owner), driver(std::move(name)), machine(machineOf(driver)), remote(!machine.isEmpty()) {
        lostClock.setInterval(1000); // the seconds are shown
        QObject::connect(&lostClock, &QTimer::timeout, &q, [this] {
            link.lostMs = sinceLost.elapsed();
            emit q.linkChanged();
        });
    }

    template <class F>
    void post(F function) {
        QMetaObject::invokeMethod(&q, std::move(function), Qt::QueuedConnection);
    }

    void set(State next, const QString& why = {}) {
        if (next == state && why == reason) return;
        state = next;
        reason = why;
        emit q.stateChanged(state, reason);
    }

    void setDeviceProblem(const nlohmann::json& devices) {
        QString told;
        if (!devices.value("available", true))
            told = QString::fromStdString(devices.value("problem", std::string()));
        else if (devices.value("devices", nlohmann::json::array()).empty())
            told = tr("The driver has no device.");
        if (std::exchange(deviceProblem, told) != told) emit q.deviceProblemChanged();
    }

    void setLink(MachineLink::State next, const QString& why = {}) {
        if (!remote || (link.state == next && link.reason == why)) return;
        link = {next, why};
        lostClock.stop();
        if (next == MachineLink::State::Lost) {
            sinceLost.start();
            lostClock.start();
        }
        if (next == MachineLink::State::Connecting && activities)
            connecting = activities->begin(connectingText(machine), [this] { q.disconnectMachine(); });
        if (next != MachineLink::State::Connecting) connecting.reset();
        emit q.linkChanged();
    }

    /// What the bridge to the other machine tells of the connection.
    void linkTold(const std::string& text) {
        const auto told = worker::read_connection_state(text);
        if (!told) return;
        const MachineLink next = machineLink(*told);
        switch (next.state) {
        case MachineLink::State::Off:
        case MachineLink::State::Connecting: break; // start() has said so
        case MachineLink::State::Connected:
            if (q.isUsable()) setLink(MachineLink::State::Connected); // else when the worker answers
            break;
        case MachineLink::State::Lost:
            setLink(MachineLink::State::Lost);
            if (std::exchange(link.attempt, next.attempt) != next.attempt) emit q.linkChanged();
            break;
        case MachineLink::State::Failed: setLink(MachineLink::State::Failed, next.reason); break;
        }
    }

    void updateBusy() {
        if (state != State::Ready && state != State::Busy) return;
        bool busy = false;
        for (const Pending& p : pending)
            busy = busy || p.isLong;
        set(busy ? State::Busy : State::Ready);
    }

    int keyOf(int clientId) const {
        for (auto it = pending.begin(); it != pending.end(); ++it)
            if (it->clientId == clientId) return it.key();
        return -1;
    }

    void makeClient() {
        worker::ClientOptions options;
        options.driver = driver.toStdString();
        options.on_output = [this](int id, const std::string& text) {
            post([this, id, text] { emit q.output(keyOf(id), QString::fromStdString(text)); });
        };
        options.on_log = [this](const std::string& level, const std::string& text) {
            post([this, level, text] {
                if (level == "connection")
                    linkTold(text);
                else
                    emit q.log(QString::fromStdString(level), QString::fromStdString(text));
            });
        };
        options.on_ready = [this](const nlohmann::json& hello) {
            post([this, told = hello.value("walls", nlohmann::json::array()),
                  number = hello.value("version", std::string())] {
                walls = told;
                version = QString::fromStdString(number);
                if (state != State::Starting) return;
                set(State::Ready);
                setLink(MachineLink::State::Connected);
                updateBusy();
                if (remote) sendWaiting({});
                if (starts > 1 || remote) emit q.restarted();
            });
        };
        options.on_exit = [this](const worker::Exit& exit) { post([this, exit] { exited(exit); }); };
        client = std::make_unique<worker::Client>(std::move(options));
    }

    /// Starts another worker, which may reach what the waiting requests need, as soon as nothing is lost by it.
    void renewWhenIdle() {
        if (!renewing || ending) return;
        for (const Pending& each : std::as_const(pending))
            if (!each.waits) return;
        ending = true;
        // It ends by itself when its buffers are on the disk.
        client->call("shutdown", nlohmann::json::object(), {});
    }

    void send(int key) {
        const auto it = pending.find(key);
        if (it == pending.end()) return;
        it->waits = false;
        const auto answer = [this, key](const worker::Reply& from) {
            WorkerReply to;
            to.ok = from.ok;
            if (from.result) to.result = *from.result;
            if (from.data) to.errorData = *from.data;
            to.error = QString::fromStdString(from.error);
            to.code = from.code;
            to.workerDied = from.worker_died;
            post([this, key, to = std::move(to)] { answered(key, to); });
        };
        const auto onProgress = [this, key](const worker::Progress& from) {
            post([this, key, from] {
                const auto at = pending.constFind(key);
                if (at == pending.constEnd()) return;
                const QString stage = QString::fromStdString(from.stage), text = QString::fromStdString(from.text);
                if (at->activity)
                    at->activity->tell(isTransfer(from.stage) ? transferText(text) : QString(), from.fraction);
                const Progress own = at->context ? at->progress : Progress();
                emit q.progress(key, stage, from.fraction, text);
                if (own) own(stage, from.fraction, text);
            });
        };
        const int clientId =
            client->call(it->method.toStdString(), std::exchange(it->params, nullptr), answer, onProgress);
        if (const auto at = pending.find(key); at != pending.end()) at->clientId = clientId;
    }

    void answered(int key, const WorkerReply& reply) {
        const auto it = pending.find(key);
        if (it == pending.end()) return; // replaced by a newer one
        const Pending done = std::move(*it);
        pending.erase(it);
        workLost = workLost || (done.isLong && !done.background && reply.workerDied);
        if (tags.value(done.tag, -1) == key) tags.remove(done.tag);
        updateBusy();
        if (done.method == QLatin1String("devices") && reply.ok) setDeviceProblem(reply.result);
        if (done.context && done.reply) done.reply(done.stopped && !reply.ok ? stoppedReply() : reply);
        renewWhenIdle();
    }

    static WorkerReply stoppedReply() {
        WorkerReply reply;
        reply.code = worker::cancelled_request;
        reply.error = tr("Stopped.");
        reply.stopped = true;
        return reply;
    }

    /// Cancels a request that the user does not want to wait for. A worker that goes on with it is ended. One that runs
    /// or builds something else is left alone, and its answer is not waited for.
    void stopRequest(int key) {
        const auto it = pending.find(key);
        if (it == pending.end()) return;
        it->stopped = true;
        q.cancel(key);
        QTimer::singleShot(stopGraceMs, &q, [this, key] {
            if (!pending.contains(key)) return;
            for (const Pending& each : std::as_const(pending))
                if (each.isLong && !each.background) return answered(key, stoppedReply());
            q.stop();
        });
    }

    /// Answers a request that the user does not wait for, and that therefore connects to no machine.
    void refuse(int key) {
        WorkerReply reply;
        reply.notConnected = true;
        reply.error = link.state == MachineLink::State::Failed ? link.reason : tr("%1 is not connected.").arg(machine);
        answered(key, reply);
    }

    /// Sends requests that came while the old worker ended to the new one, in order; refuses them when there is none.
    void sendWaiting(const QString& problem) {
        QList<int> keys;
        for (auto it = pending.constBegin(); it != pending.constEnd(); ++it)
            if (it->waits) keys << it.key();
        std::sort(keys.begin(), keys.end());
        for (const int key : keys) {
            if (problem.isEmpty()) {
                send(key);
                continue;
            }
            WorkerReply reply;
            reply.error = problem;
            reply.workerDied = !remote; // one that was not reached has lost nothing
            answered(key, reply);
        }
    }

    void renewed() {
        renewing = ending = workLost = false;
        state = State::Stopped;
        q.start();
        afterStart();
    }

    /// Requests have waited for the worker that was just started. One of another machine says when it is there.
    void afterStart() {
        if (state == State::Dead)
            sendWaiting(reason);
        else if (!remote)
            sendWaiting({});
    }

    /// The bridge to another machine has ended, and with it the worker there.
    void exitedThere(const worker::Exit& exit, const QString& why, bool wasReady) {
        if (std::exchange(leaving, false)) {
            set(State::Stopped);
            setLink(MachineLink::State::Off);
            sendWaiting(tr("%1 was disconnected.").arg(machine));
            return;
        }
        const bool told = link.state == MachineLink::State::Failed;
        if (told || !wasReady) {
            // It may be for want of the right password: only the user tries again.
            const QString problem = told ? link.reason : why;
            setLink(MachineLink::State::Failed, problem);
            set(State::Dead, problem);
            sendWaiting(problem);
            return;
        }
        setLink(MachineLink::State::Off);
        set(State::Dead, why);
        if (!exit.asked) emit q.endedIdle(reason);
        QTimer::singleShot(0, &q, [this] {
            if (state == State::Dead) q.start();
            afterStart();
        });
    }

    void exited(const worker::Exit& exit) {
        if (renewing && ending && !exit.by_signal) {
            QTimer::singleShot(0, &q, [this] { renewed(); });
            return;
        }
        renewing = false;
        const QString why = exit.asked ? tr("was stopped") : QString::fromStdString(exit.reason.text);
        const bool wasReady = state == State::Ready || state == State::Busy || ending;
        const bool idle = wasReady && !exit.asked && !std::exchange(workLost, false);
        ending = false;
        const QString said = QString::fromStdString(exit.stderr_tail).trimmed().section(QLatin1Char('\n'), -1);
        const QString whole = !said.isEmpty() && !exit.asked ? tr("%1: %2").arg(why, said) : why;
        if (remote) {
            // "on me@host could not be reached: why": the machine is named beside it.
            const QString cause = why.section(QStringLiteral(": "), 1);
            const bool unreachable = exit.reason.kind == worker::EndKind::connection && !cause.isEmpty();
            return exitedThere(exit, unreachable ? cause : whole, wasReady && !unreachable);
        }
        set(State::Dead, whole);
        if (idle) emit q.endedIdle(reason);
        if (exit.asked || wasReady || sinceStart.elapsed() > tooSoonMs)
            QTimer::singleShot(0, &q, [this] {
                if (state == State::Dead) q.start();
                sendWaiting(state == State::Dead ? reason : QString());
            });
        else
            sendWaiting(reason);
    }

    static QString tr(const char* text) { return WorkerConnection::tr(text); }

    WorkerConnection& q;
    QString driver, machine;
    bool remote = false;
    bool leaving = false; ///< the user disconnects
    MachineLink link;
    QTimer lostClock;
    QElapsedTimer sinceLost;
    std::shared_ptr<Activity> connecting;
    State state = State::Stopped;
    QString reason, deviceProblem, version;
    int starts = 0;
    int lastKey = 0;
    bool ending = false;   ///< killed or asked to end, and not gone yet
    bool renewing = false; ///< a worker that may reach more is to take its place
    bool workLost = false; ///< the worker that is ending had a run or a build
    QElapsedTimer sinceStart;
    QHash<int, Pending> pending;
    QHash<QString, int> tags;
    WorkerAccess access;
    nlohmann::json walls = nlohmann::json::array();
    QPointer<Activities> activities;
    std::unique_ptr<worker::Client> client;
};

WorkerConnection::WorkerConnection(const QString& driver, QObject* parent)
    : QObject(parent), d(std::make_unique<Private>(*this, driver)) {}

WorkerConnection::~WorkerConnection() { d->client.reset(); }

QString WorkerConnection::driver() const { return d->driver; }
QString WorkerConnection::machine() const { return d->machine; }
MachineLink WorkerConnection::link() const { return d->link; }
bool WorkerConnection::isAtHand() const { return !d->remote || d->link.state == MachineLink::State::Connected; }
WorkerConnection::State WorkerConnection::state() const { return d->state; }
QString WorkerConnection::reason() const { return d->reason; }
QString WorkerConnection::deviceProblem() const { return d->deviceProblem; }
int WorkerConnection::generation() const { return d->client ? d->client->generation() : 0; }
qint64 WorkerConnection::processId() const { return d->client ? d->client->process_id() : 0; }

void WorkerConnection::start() {
    if (d->state == State::Starting || isUsable()) return;
    if (!d->client) d->makeClient();
    d->client->set_access(d->access.start());
    d->sinceStart.start();
    ++d->starts;
    d->workLost = d->leaving = false;
    d->set(State::Starting);
    d->setLink(MachineLink::State::Connecting);
    try {
        d->client->start();
    } catch (const std::exception& error) {
        d->setLink(MachineLink::State::Failed, QString::fromUtf8(error.what()));
        d->set(State::Dead, QString::fromUtf8(error.what()));
    }
}

int WorkerConnection::request(const QString& method, nlohmann::json params, const QString& tag, QObject* context,
                              Reply reply, Progress progress, bool background) {
    if (!tag.isEmpty())
        if (const auto older = d->tags.constFind(tag); older != d->tags.constEnd()) {
            const int key = *older;
            if (const auto it = d->pending.constFind(key); it != d->pending.constEnd()) {
                if (d->client) d->client->cancel(it->clientId);
                d->pending.erase(it);
            }
        }
    const bool quiet = d->remote && !isUsable() && d->state != State::Starting && (background || !isLong(method));
    if (!d->access.cover(accessOf(method.toStdString(), params)) && d->client && d->client->running())
        d->renewing = true;
    if (!d->ending && !quiet) start();
    const int key = ++d->lastKey;
    if (!tag.isEmpty()) d->tags[tag] = key;
    auto& pending = d->pending[key];
    pending.tag = tag;
    pending.context = context;
    pending.reply = std::move(reply);
    pending.progress = std::move(progress);
    pending.isLong = isLong(method);
    pending.method = method;
    pending.params = std::move(params);
    pending.waits = !quiet;
    pending.background = background;
    const QString text = pending.isLong && !background ? QString() : requestText(method);
    if (d->activities && !text.isEmpty())
        pending.activity = d->activities->begin(text, [this, key] { d->stopRequest(key); });
    if (quiet) {
        d->post([this, key] { d->refuse(key); });
    } else if (d->renewing) {
        d->renewWhenIdle();
    } else if (!d->ending) {
        if (d->remote && d->state == State::Starting) return key; // it waits for the connection
        if (d->state == State::Dead) // it could not be started; the answer comes later, as always
            d->post([this] { d->sendWaiting(d->reason); });
        else
            d->send(key);
    }
    d->updateBusy();
    return key;
}

void WorkerConnection::cancel(int id) {
    const auto it = d->pending.find(id);
    if (it == d->pending.end()) return;
    if (!it->waits) {
        if (d->client) d->client->cancel(it->clientId);
        return;
    }
    it->waits = false; // and never sent
    d->post([this, id] {
        WorkerReply reply;
        reply.code = worker::cancelled_request;
        reply.error = tr("cancelled");
        d->answered(id, reply);
        // A connection that no run or build waits for any more may take minutes.
        const bool wanted = std::any_of(d->pending.cbegin(), d->pending.cend(),
                                        [](const Private::Pending& each) { return each.isLong && !each.background; });
        if (d->remote && d->state == State::Starting && !wanted) disconnectMachine();
    });
}

void WorkerConnection::setActivities(Activities* activities) { d->activities = activities; }
void WorkerConnection::setAccess(worker::Access access) { d->access.setBase(std::move(access)); }
bool WorkerConnection::mayReach(const worker::Access& access) { return d->access.has(access); }
const nlohmann::json& WorkerConnection::walls() const { return d->walls; }
QString WorkerConnection::version() const { return d->version; }

void WorkerConnection::disconnectMachine() {
    if (!d->remote) return;
    if (!d->client || !d->client->running()) { // of one that failed nothing is left
        d->set(State::Stopped);
        d->setLink(MachineLink::State::Off);
        return;
    }
    d->leaving = d->ending = true;
    d->client->kill();
}

void WorkerConnection::stop() {
    if (d->remote && d->state == State::Starting) return disconnectMachine();
    if (!d->client || !d->client->running() || d->ending) return;
    d->ending = true;
    d->client->kill();
}

} // namespace warplight::ui
