// SPDX-License-Identifier: GPL-3.0-or-later
/// The machines that the user has added, which windows and the command line share.
#pragma once

#include <QFileSystemWatcher>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

namespace warplight::ui {

struct Machine {
    QString address;   ///< "me@host:22", as the user typed it
    QString name = {}; ///< for people; empty: the address
    QString title() const { return name.isEmpty() ? address : name; }
    friend bool operator==(const Machine&, const Machine&) = default;
};

/// The address of what the user typed: "me@host", "me@host:22", "ssh://me@host". Empty, and a sentence in `problem`,
/// where that is no machine. A port stands in the address or beside it; 0: none.
QString machineAddress(const QString& typed, int port, QString* problem);

class Machines : public QObject {
    Q_OBJECT
public:
    Machines();
    /// The one of this process, while somebody holds it.
    static std::shared_ptr<Machines> shared();

    const QList<Machine>& all() const { return all_; } ///< in the order of their titles
    bool contains(const QString& address) const;
    /// What people call it; the address of one that is not in the list.
    QString title(const QString& address) const;
    /// Why the list could not be read; empty when it could.
    const QString& problem() const { return problem_; }

    /// Returns a sentence where the list cannot be written, or has the name or the machine already.
    QString add(const Machine& machine);
    QString remove(const QString& address);
    /// @param name empty: the address
    QString rename(const QString& address, const QString& name);

signals:
    void changed();

private:
    void read();
    void watch();
    QString change(const std::function<void()>& write);

    QList<Machine> all_;
    QString problem_;
    QFileSystemWatcher watcher_; ///< the command line writes the file, too
};

} // namespace warplight::ui
