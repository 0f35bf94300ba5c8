// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/buffer_registry.hpp"

#include "ui/common/worker_connection.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace warplight::ui {

qint64 BufferRegistry::add(WorkerConnection* worker, qint64 id, const Origin& origin) {
    Entry entry;
    entry.origin = origin;
    if (worker) entry.places.insert(worker, {worker->generation(), id});
    entries_.insert(++last_, entry);
    return last_;
}

void BufferRegistry::remove(qint64 number) {
    const auto it = entries_.find(number);
    if (it == entries_.end()) return;
    const Entry entry = std::move(*it);
    entries_.erase(it);
    for (auto place = entry.places.cbegin(); place != entry.places.cend(); ++place)
        if (isThere(entry, place.key()))
            place.key()->request(QStringLiteral("buffer.close"), {{"buffer", place->id}}, {}, this,
                                 [](const WorkerReply&) {});
}

bool BufferRegistry::isThere(const Entry& entry, WorkerConnection* worker) const {
    const auto place = entry.places.constFind(worker);
    return place != entry.places.constEnd() && place->id > 0 && place->generation == worker->generation() &&
           worker->isUsable();
}

bool BufferRegistry::canOpen(const Entry& entry, WorkerConnection* worker) {
    return !entry.origin.path.isEmpty() && (!entry.origin.only || entry.origin.only == worker);
}

QString BufferRegistry::lostText(const Entry& entry) {
    return entry.origin.lost.isEmpty() ? tr("The buffer went with its worker. Run again to have it.")
                                       : entry.origin.lost;
}

WorkerConnection* BufferRegistry::workerOf(const QList<qint64>& numbers, QString* problem) const {
    QList<WorkerConnection*> candidates;
    for (const qint64 number : numbers) {
        const auto entry = entries_.constFind(number);
        if (entry == entries_.constEnd()) {
            *problem = tr("The buffer is not there any more.");
            return nullptr;
        }
        for (auto place = entry->places.cbegin(); place != entry->places.cend(); ++place)
            if (!candidates.contains(place.key())) candidates << place.key();
    }
    for (WorkerConnection* worker : std::as_const(candidates))
        if (std::all_of(numbers.cbegin(), numbers.cend(), [&](qint64 number) {
                const Entry& entry = *entries_.constFind(number);
                return isThere(entry, worker) || canOpen(entry, worker);
            }))
            return worker;
    *problem =
        tr("These buffers lie on different machines. Save one to a file and open that, to have it beside the other.");
    for (const qint64 number : numbers)
        if (const Entry& entry = *entries_.constFind(number); entry.origin.path.isEmpty()) *problem = lostText(entry);
    return nullptr;
}

void BufferRegistry::find(qint64 number, WorkerConnection* worker, QObject* context,
                          std::function<void(qint64, const QString&)> found) {
    const auto it = entries_.find(number);
    if (it == entries_.end()) {
        found(-1, tr("The buffer is not there any more."));
        return;
    }
    if (isThere(*it, worker)) {
        found(it->places.value(worker).id, {});
        return;
    }
    if (!canOpen(*it, worker)) {
        found(-1, lostText(*it));
        return;
    }
    QList<Waiting>& waiting = it->opening[worker];
    waiting.append({context, std::move(found)});
    if (waiting.size() > 1) return; // it is on its way
    const Origin& origin = it->origin;
    nlohmann::json parameters = {{"path", origin.path.toStdString()}};
    if (!origin.type.isEmpty()) parameters["dtype"] = origin.type.toStdString();
    if (!origin.shape.isEmpty()) parameters["shape"] = std::vector<qint64>(origin.shape.begin(), origin.shape.end());
    if (origin.offset) parameters["offset"] = origin.offset;
    if (!origin.member.isEmpty()) parameters["member"] = origin.member.toStdString();
    worker->request(QStringLiteral("buffer.open"), std::move(parameters), {}, this,
                    [this, number, worker](const WorkerReply& reply) {
                        qint64 id = reply.ok ? reply.result.value("buffer", qint64(-1)) : -1;
                        // Nothing said: a worker that ended meanwhile, and the next one may do better.
                        QString problem = reply.ok || reply.workerDied ? QString() : reply.error;
                        QList<Waiting> waiting;
                        if (const auto entry = entries_.find(number); entry != entries_.end()) {
                            waiting = entry->opening.take(worker);
                            if (id >= 0)
                                entry->places.insert(worker, {worker->generation(), id});
                            else if (!reply.workerDied && !entry->origin.lost.isEmpty())
                                problem = entry->origin.lost;
                        }
                        for (const Waiting& one : std::as_const(waiting))
                            if (one.context) one.found(id, problem);
                    });
}

void BufferRegistry::forget(qint64 number, WorkerConnection* worker) {
    // The worker stays known as the one to open it again.
    if (const auto it = entries_.find(number); it != entries_.end()) it->places.insert(worker, {});
}

} // namespace warplight::ui
