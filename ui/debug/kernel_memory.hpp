// SPDX-License-Identifier: GPL-3.0-or-later
/// Memory of a kernel that stands still, as a buffer for the views of buffers.
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QSet>

namespace warplight::ui {

class DebugSession;

class KernelMemory : public BufferSource {
    Q_OBJECT
public:
    explicit KernelMemory(DebugSession& session, QObject* parent = nullptr);

    /// Looks how much of `bytes` from the address on can be read. An error where nothing can.
    void probe(const QString& address, qint64 bytes, QObject* context, Done<qint64> done);
    /// Makes it the buffer, in place of the one before.
    BufferInfo show(const QString& name, const QString& address, ElementType type, qint64 bytes);

    Ticket open(const QString& path, const QString& type, const QList<qint64>& shape, qint64 offset, QObject* context,
                Done<BufferInfo> done) override;
    Ticket read(qint64 buffer, qint64 offset, qint64 count, QObject* context, Done<QByteArray> done) override;
    Ticket summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) override;
    Ticket plot(qint64 buffer, qint64 offset, qint64 count, int points, QObject* context,
                Done<BufferPlot> done) override;
    Ticket compare(qint64 buffer, qint64 with, double rtol, double atol, QObject* context,
                   Done<BufferComparison> done) override;
    Ticket save(qint64 buffer, const QString& path, QObject* context, Done<QString> done) override;
    void close(qint64 buffer) override;
    void cancel(Ticket ticket) override { open_.remove(ticket); }

    /// The protocol's answer gives at most so many bytes.
    static constexpr qint64 mostAtOnce = qint64(1) << 20;
    /// A summary is of at most so many bytes.
    static constexpr qint64 mostSummary = qint64(16) << 20;

private:
    template <class T>
    Ticket later(QObject* context, Done<T> done, BufferReply<T> reply);
    void fetch(qint64 from, qint64 bytes, QByteArray so_far, const std::function<void(BufferReply<QByteArray>)>& done);

    DebugSession& session_;
    BufferInfo info_;
    QString address_;
    qint64 lastId_ = 0;
    Ticket lastTicket_ = 0;
    QSet<Ticket> open_;
};

} // namespace warplight::ui
