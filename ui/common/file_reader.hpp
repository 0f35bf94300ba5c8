// SPDX-License-Identifier: GPL-3.0-or-later
/// Tells what is in files of data that the window does not parse. A worker of its own looks into them: where a damaged
/// file ends it, runs, buffers and builds of the other workers stay.
#pragma once

#include "ui/common/container_members.hpp"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <memory>

namespace warplight::ui {

class WorkerConnection;

class FileReader : public QObject {
    Q_OBJECT
public:
    explicit FileReader(QObject* parent = nullptr);
    ~FileReader() override;

    /// The arrays of an .npz or HDF5 file, or the one of a .wav file. Calls back later, with members or with a problem;
    /// never once `context` is gone. Files are read one after the other.
    void list(const QString& path, QObject* context, MembersDone done);
    /// The worker, while there is one.
    WorkerConnection* worker() const { return worker_.get(); }

private:
    struct Request {
        QString path;
        QPointer<QObject> context;
        MembersDone done;
    };
    void next();

    std::unique_ptr<WorkerConnection> worker_;
    std::deque<Request> requests_; ///< the first one is being answered
    QTimer idle_;
    bool busy_ = false;
};

} // namespace warplight::ui
