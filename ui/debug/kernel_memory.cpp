// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/kernel_memory.hpp"

#include "ui/debug/debug_session.hpp"

#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplight::ui {
namespace {

QByteArray memoryIn(const nlohmann::json& body) {
    const auto found = body.find("data");
    if (found == body.end() || !found->is_string()) return {};
    return QByteArray::fromBase64(QByteArray::fromStdString(found->get<std::string>()));
}

} // namespace

KernelMemory::KernelMemory(DebugSession& session, QObject* parent) : BufferSource(parent), session_(session) {}

void KernelMemory::probe(const QString& address, qint64 bytes, QObject* context, Done<qint64> done) {
    session_.ask(QStringLiteral("readMemory"),
                 {{"memoryReference", address.toStdString()}, {"count", std::min(bytes, mostAtOnce)}},
                 [bytes, alive = QPointer<QObject>(context), done = std::move(done)](const DapReply& reply) {
                     if (!alive) return;
                     const qint64 there = memoryIn(reply.body).size();
                     // Of what is longer the rest is found out when it is looked at.
                     if (there > 0)
                         done({there == mostAtOnce ? bytes : there, {}});
                     else
                         done({0, reply.ok ? tr("There is no memory at this address.") : reply.error});
                 });
}

BufferInfo KernelMemory::show(const QString& name, const QString& address, ElementType type, qint64 bytes) {
    address_ = address;
    info_ = {};
    info_.id = ++lastId_;
    info_.name = name;
    info_.type = type;
    info_.bytes = bytes / type.size * type.size;
    info_.shape = {bytes / type.size};
    return info_;
}

template <class T>
BufferSource::Ticket KernelMemory::later(QObject* context, Done<T> done, BufferReply<T> reply) {
    const Ticket ticket = ++lastTicket_;
    open_.insert(ticket);
    QTimer::singleShot(0, context, [this, ticket, done = std::move(done), reply = std::move(reply)] {
        if (open_.remove(ticket)) done(reply);
    });
    return ticket;
}

void KernelMemory::fetch(qint64 from, qint64 bytes, QByteArray so_far,
                         const std::function<void(BufferReply<QByteArray>)>& done) {
    if (bytes <= 0) return done({std::move(so_far), {}});
    const qint64 piece = std::min(bytes, mostAtOnce);
    session_.ask(QStringLiteral("readMemory"),
                 {{"memoryReference", address_.toStdString()}, {"offset", from}, {"count", piece}},
                 [this, from, bytes, piece, so_far = std::move(so_far), done,
                  alive = QPointer<KernelMemory>(this)](const DapReply& reply) {
                     if (!alive) return;
                     const QByteArray read = memoryIn(reply.body);
                     if (read.size() < piece)
                         return done({{}, reply.ok ? tr("Some of this memory cannot be read.") : reply.error});
                     fetch(from + piece, bytes - piece, so_far + read, done);
                 });
}

BufferSource::Ticket KernelMemory::read(qint64 buffer, qint64 offset, qint64 count, QObject* context,
                                        Done<QByteArray> done) {
    if (buffer != info_.id) return later<QByteArray>(context, std::move(done), {{}, tr("The kernel has gone on.")});
    offset = std::clamp<qint64>(offset, 0, info_.count());
    count = std::clamp<qint64>(count, 0, info_.count() - offset);
    const Ticket ticket = ++lastTicket_;
    open_.insert(ticket);
    fetch(offset * info_.type.size, count * info_.type.size, {},
          [this, ticket, done = std::move(done),
           alive = QPointer<QObject>(context)](const BufferReply<QByteArray>& reply) {
              if (open_.remove(ticket) && alive) done(reply);
          });
    return ticket;
}

BufferSource::Ticket KernelMemory::summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) {
    const qint64 most = std::min(info_.count(), mostSummary / info_.type.size);
    return read(buffer, 0, most, context,
                [type = info_.type, bins, done = std::move(done)](const BufferReply<QByteArray>& reply) {
                    BufferReply<BufferSummary> to;
                    to.error = reply.error;
                    QList<double> values;
                    for (qint64 at = 0; at + type.size <= reply.value.size(); at += type.size) {
                        const double value = type.toDouble(reply.value.constData() + at);
                        if (std::isnan(value))
                            ++to.value.nan;
                        else if (std::isinf(value))
                            ++to.value.infinite;
                        else
                            values << value;
                    }
                    if (!values.isEmpty()) {
                        const auto [low, high] = std::minmax_element(values.cbegin(), values.cend());
                        to.value.minimum = *low;
                        to.value.maximum = *high;
                        to.value.histogram = QList<qint64>(bins, 0);
                        for (const double value : std::as_const(values)) {
                            to.value.mean += value / double(values.size());
                            const double t = *high > *low ? (value - *low) / (*high - *low) : 0;
                            ++to.value.histogram[std::min<qsizetype>(bins - 1, qsizetype(t * bins))];
                        }
                    }
                    done(to);
                });
}

// Views of memory offer no more than the table and the bytes.

BufferSource::Ticket KernelMemory::open(const QString&, const QString&, const QList<qint64>&, qint64, QObject* context,
                                        Done<BufferInfo> done) {
    return later<BufferInfo>(context, std::move(done), {{}, tr("Memory of a kernel is no file.")});
}
BufferSource::Ticket KernelMemory::plot(qint64, qint64, qint64, int, QObject* context, Done<BufferPlot> done) {
    return later<BufferPlot>(context, std::move(done), {{}, tr("Memory of a kernel that stands has no plot.")});
}
BufferSource::Ticket KernelMemory::compare(qint64, qint64, double, double, QObject* context,
                                           Done<BufferComparison> done) {
    return later<BufferComparison>(context, std::move(done),
                                   {{}, tr("Memory of a kernel that stands is not compared.")});
}
BufferSource::Ticket KernelMemory::save(qint64, const QString&, QObject* context, Done<QString> done) {
    return later<QString>(context, std::move(done), {{}, tr("Memory of a kernel that stands is not saved.")});
}
void KernelMemory::close(qint64 buffer) {
    if (buffer == info_.id) info_ = {};
}

} // namespace warplight::ui
