// SPDX-License-Identifier: GPL-3.0-or-later
/// Connects to a machine once, to see what is there.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>

namespace warplight::ui {

class WorkerConnection;

class MachineProbe : public QObject {
    Q_OBJECT
public:
    enum class State { Connecting, Asking, Found, Failed };

    explicit MachineProbe(const QString& address);
    ~MachineProbe() override;

    const QString& address() const { return address_; }
    State state() const { return state_; }
    bool isDone() const { return state_ == State::Found || state_ == State::Failed; }
    /// Found: the devices there ("NVIDIA H100 80GB HBM3, compute capability 9.0, 80 GiB"). Failed: why.
    const QString& text() const { return text_; }

signals:
    void changed();

private:
    void connectTo(const char* kind);
    void take(bool isGpu, const QStringList& devices, const QString& problem);
    void set(State state, const QString& text);

    QString address_, text_, gpuProblem_;
    State state_ = State::Connecting;
    QElapsedTimer since_;
    std::unique_ptr<WorkerConnection> worker_;
};

} // namespace warplight::ui
