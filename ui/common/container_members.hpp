// SPDX-License-Identifier: GPL-3.0-or-later
/// The arrays of an .npz or HDF5 file. A worker lists them.
#pragma once

#include <QList>
#include <QString>
#include <functional>
#include <vector>

class QObject;

namespace warplight::ui {

class WorkerConnection;

struct ContainerMember {
    QString name;
    QString type; ///< empty where it cannot be read …
    std::vector<qint64> shape;
    QString problem; ///< … for this reason

    /// "x — float32, 3 × 4"
    [[nodiscard]] QString text() const;
};

using MembersDone = std::function<void(const QList<ContainerMember>& members, const QString& problem)>;

/// Calls back later, with members or with a problem; never once `context` is gone. Prefer FileReader, whose worker has
/// nothing to lose.
void listMembers(WorkerConnection& worker, const QString& path, QObject* context, MembersDone done);

} // namespace warplight::ui
