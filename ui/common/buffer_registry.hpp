// SPDX-License-Identifier: GPL-3.0-or-later
/// The window's own numbers for buffers. A worker's number is void when the worker ends. The window's number stays and
/// names the buffer's file, which the next worker opens on demand.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace warplight::ui {

class WorkerConnection;

class BufferRegistry : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// The file that a new worker opens in place of the buffer. Type and shape are needed for raw data only.
    struct Origin {
        QString path; ///< empty: the buffer goes with its worker
        QString type;
        QList<qint64> shape;
        qint64 offset = 0;
        QString member = {};              ///< of an .npz or HDF5 file
        WorkerConnection* only = nullptr; ///< the file lies on the machine of this worker; null: on this machine
        QString lost = {};                ///< the message when the file is gone; empty: the worker's own message
    };

    /// Enters a buffer that the worker holds as `id`. Returns the window's number, from 1.
    qint64 add(WorkerConnection* worker, qint64 id, const Origin& origin);
    /// Forgets a buffer; the worker closes it too.
    void remove(qint64 number);
    bool contains(qint64 number) const { return entries_.contains(number); }

    /// The worker that has, or can open, all of these buffers; null and `problem` set when there is none.
    WorkerConnection* workerOf(const QList<qint64>& numbers, QString* problem) const;
    /// Calls back with the buffer's current number in this worker: at once, or later when the worker has to open it.
    /// On failure `id` is below 0, and `problem` says why; it is empty when the worker ended. Never calls back once
    /// `context` is gone.
    void find(qint64 number, WorkerConnection* worker, QObject* context,
              std::function<void(qint64 id, const QString& problem)> found);
    /// The worker did not know the buffer: the next `find` opens it again.
    void forget(qint64 number, WorkerConnection* worker);

private:
    struct Place {
        int generation = 0; ///< of the worker
        qint64 id = 0;
    };
    struct Waiting {
        QPointer<QObject> context;
        std::function<void(qint64, const QString&)> found;
    };
    struct Entry {
        Origin origin;
        QHash<WorkerConnection*, Place> places;
        QHash<WorkerConnection*, QList<Waiting>> opening;
    };
    bool isThere(const Entry& entry, WorkerConnection* worker) const;
    static bool canOpen(const Entry& entry, WorkerConnection* worker);
    static QString lostText(const Entry& entry);

    QHash<qint64, Entry> entries_;
    qint64 last_ = 0;
};

} // namespace warplight::ui
