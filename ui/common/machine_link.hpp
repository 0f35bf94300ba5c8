// SPDX-License-Identifier: GPL-3.0-or-later
/// How workers on another machine are reached, and files on their way there and back, in words.
#pragma once

#include <QString>

namespace warplight::worker {
struct ConnectionState;
}

namespace warplight::ui {

/// How a worker on another machine is reached.
struct MachineLink {
    enum class State { Off, Connecting, Connected, Lost, Failed };
    State state = State::Off;
    QString reason;    ///< Failed: why, for people
    int attempt = 0;   ///< Lost: how often it was tried since
    qint64 lostMs = 0; ///< Lost: since when
};

/// Without the time since the loss.
MachineLink machineLink(const worker::ConnectionState& state);

/// "Connecting to me@box"
QString connectingText(const QString& machine);
/// "sending x.npy: 12 MB of 40 MB, 8.0 MB/s", as a worker tells it, in the user's language.
QString transferText(const QString& told);

} // namespace warplight::ui
