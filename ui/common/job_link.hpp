// SPDX-License-Identifier: GPL-3.0-or-later
/// The connection of a background job's workers to another machine, and the files on their way.
#pragma once

#include "ui/common/machine_link.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>

namespace warplight::worker {
class ConnectionWatch;
}

namespace warplight::ui {

class JobLink : public QObject {
    Q_OBJECT
public:
    explicit JobLink(QObject* parent);
    ~JobLink() override;

    /// A job begins. @param machine "me@host:22", where its devices are; empty: here
    /// Returns what its workers are to have, which tells until the job has ended; null for this machine.
    std::shared_ptr<worker::ConnectionWatch> begin(const QString& machine);
    /// Takes over what was told since, in the window's thread.
    void take();
    void end();

    const QString& machine() const { return machine_; }
    const MachineLink& link() const { return link_; }
    bool isLost() const { return link_.state == MachineLink::State::Lost; }
    /// What the job waits for: a connection, or files. Empty while it waits for neither.
    QString text() const;
    double fraction() const; ///< of the files; below 0: unknown

signals:
    void changed();

private:
    struct News;

    QString machine_, files_;
    double fraction_ = -1;
    MachineLink link_;
    QElapsedTimer sinceLost_;
    QTimer lostClock_;
    std::shared_ptr<News> news_;
};

} // namespace warplight::ui
