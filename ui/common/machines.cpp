// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/machines.hpp"

#include "remote/machines.hpp"
#include "remote/place.hpp"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <exception>
#include <utility>

namespace warplight::ui {
namespace {

/// Empty where there is no folder for it.
QString fileName() {
    try {
        return QString::fromStdU16String(remote::machines_file().u16string());
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace

QString machineAddress(const QString& typed, int port, QString* problem) {
    const std::string text = typed.trimmed().toStdString();
    std::string why;
    auto place = remote::parse_place(remote::is_place(text) ? text : "ssh://" + text, &why);
    *problem = QString::fromStdString(why);
    if (place && port != 0) {
        if (place->port != 0) {
            *problem = Machines::tr("The address has a port already; leave the field below as it is.");
            return {};
        }
        place->port = port;
    }
    return place ? QString::fromStdString(remote::machine_of(*place)) : QString();
}

Machines::Machines() {
    read();
    watch();
    const auto look = [this] {
        watch(); // a file that was replaced is watched no longer
        const QList<Machine> before = all_;
        read();
        if (all_ != before) emit changed();
    };
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, look);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, look);
}

std::shared_ptr<Machines> Machines::shared() {
    static std::weak_ptr<Machines> one;
    std::shared_ptr<Machines> machines = one.lock();
    if (!machines) one = machines = std::make_shared<Machines>();
    return machines;
}

void Machines::watch() {
    const QString file = fileName();
    if (file.isEmpty()) return;
    const QString folder = QFileInfo(file).absolutePath();
    if (QFileInfo::exists(file) && !watcher_.files().contains(file)) watcher_.addPath(file);
    if (QFileInfo::exists(folder) && !watcher_.directories().contains(folder)) watcher_.addPath(folder);
}

void Machines::read() {
    problem_.clear();
    QList<Machine> all;
    try {
        for (const remote::Machine& each : remote::read_machines())
            all << Machine{QString::fromStdString(remote::machine_of(each.place)), QString::fromStdString(each.name)};
    } catch (const std::exception& error) {
        problem_ = QString::fromUtf8(error.what());
        return; // those that were known stay
    }
    std::sort(all.begin(), all.end(),
              [](const Machine& a, const Machine& b) { return QString::localeAwareCompare(a.title(), b.title()) < 0; });
    all_ = std::move(all);
}

bool Machines::contains(const QString& address) const {
    return std::ranges::find(all_, address, &Machine::address) != all_.end();
}

QString Machines::title(const QString& address) const {
    const auto found = std::ranges::find(all_, address, &Machine::address);
    return found == all_.end() ? address : found->title();
}

QString Machines::add(const Machine& machine) {
    return change([&machine] {
        remote::add_machine(remote::place_of_machine("ssh://" + machine.address.toStdString()),
                            machine.name.toStdString());
    });
}

QString Machines::remove(const QString& address) {
    return change([&address] { remote::remove_machine(address.toStdString()); });
}

QString Machines::rename(const QString& address, const QString& name) {
    return change([&] { remote::rename_machine("ssh://" + address.toStdString(), name.trimmed().toStdString()); });
}

QString Machines::change(const std::function<void()>& write) {
    QString problem;
    try {
        write();
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    watch();
    const QList<Machine> before = all_;
    read();
    if (all_ != before) emit changed();
    return problem;
}

} // namespace warplight::ui
