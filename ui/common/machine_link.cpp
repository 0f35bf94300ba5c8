// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/machine_link.hpp"

#include "worker/connection_watch.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

namespace warplight::ui {
namespace {

class LinkWords {
    Q_DECLARE_TR_FUNCTIONS(MachineLink)
};

} // namespace

MachineLink machineLink(const worker::ConnectionState& state) {
    using Kind = worker::ConnectionState::Kind;
    MachineLink link;
    switch (state.kind) {
    case Kind::off: break;
    case Kind::connecting: link.state = MachineLink::State::Connecting; break;
    case Kind::connected: link.state = MachineLink::State::Connected; break;
    case Kind::lost: link.state = MachineLink::State::Lost; break;
    case Kind::gone:
        link.state = MachineLink::State::Failed;
        link.reason =
            state.reason.empty() ? LinkWords::tr("The connection has ended.") : QString::fromStdString(state.reason);
        break;
    }
    link.attempt = state.attempt;
    return link;
}

QString connectingText(const QString& machine) { return LinkWords::tr("Connecting to %1").arg(machine); }

QString transferText(const QString& told) {
    static const QRegularExpression amount(QStringLiteral("^(.+): (\\S+ \\w+) of (\\S+ \\w+)(, .+)?$"));
    const QString word = told.section(QLatin1Char(' '), 0, 0);
    QString rest = told.section(QLatin1Char(' '), 1);
    if (const auto found = amount.match(rest); found.hasMatch())
        rest = found.captured(1) + QStringLiteral(": ") +
               LinkWords::tr("%1 of %2", "sizes").arg(found.captured(2), found.captured(3)) + found.captured(4);
    if (word == QLatin1String("sending")) return LinkWords::tr("Sending %1").arg(rest);
    if (word == QLatin1String("fetching")) return LinkWords::tr("Fetching %1").arg(rest);
    if (word == QLatin1String("reading")) return LinkWords::tr("Reading %1").arg(rest);
    return told;
}

} // namespace warplight::ui
