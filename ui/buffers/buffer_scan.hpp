// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QPointer>

namespace warplight::ui {

/// Gives each element of a buffer, or of two side by side, to a function until it says stop. Reads in pieces, so the
/// window stays responsive. Starting a scan ends the one before.
class BufferScan : public QObject {
    Q_OBJECT
public:
    /// True stops the scan at this element. `second` is null when one buffer is scanned.
    using Visit = std::function<bool(qint64 index, const char* first, const char* second)>;

    explicit BufferScan(QObject* parent = nullptr);

    /// From `from` to the end, or backwards to 0. `second.id` is -1 to scan one buffer; else both have as many
    /// elements.
    void start(BufferSource* source, const BufferInfo& first, const BufferInfo& second, qint64 from, bool forward,
               Visit visit);
    void cancel();
    bool isRunning() const { return running_; }

    static constexpr qint64 pieceBytes = 1024 * 1024;

signals:
    void progress(double fraction);
    /// `found` is -1 when the end was reached without a stop.
    void finished(qint64 found);
    void failed(const QString& message);

private:
    void next();
    void take(int which, quint64 generation, const BufferReply<QByteArray>& reply);
    void process();

    QPointer<BufferSource> source_;
    BufferInfo infos_[2];
    QByteArray data_[2];
    BufferSource::Ticket tickets_[2] = {};
    int outstanding_ = 0;
    qint64 position_ = 0; ///< forward: next element to look at; backward: one past it
    qint64 begin_ = 0, length_ = 0, total_ = 1, visited_ = 0;
    bool forward_ = true, running_ = false;
    Visit visit_;
    quint64 generation_ = 0;
};

} // namespace warplight::ui
