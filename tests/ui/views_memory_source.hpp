// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers without a worker: real ones in memory, and one of any size whose element i has the value of a function.
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QFileInfo>
#include <QHash>
#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace warplight::ui {

class MemorySource : public BufferSource {
public:
    using Element = std::function<float(qint64)>;

    qint64 reads = 0, elementsRead = 0;
    QString failure; ///< when set, every read fails with it

    BufferInfo add(const QString& name, BufferRole role, const QList<qint64>& shape, Element element) {
        BufferInfo info;
        info.id = next_++;
        info.name = name;
        info.role = role;
        info.type = ElementType(ElementKind::Float32);
        info.shape = shape;
        info.bytes = info.count() * 4;
        infos_.insert(info.id, info);
        virtual_.insert(info.id, element);
        return info;
    }
    template <class T>
    BufferInfo add(const QString& name, BufferRole role, const QList<qint64>& shape, ElementKind kind,
                   const QList<T>& values) {
        BufferInfo info;
        info.id = next_++;
        info.name = name;
        info.role = role;
        info.type = ElementType(kind);
        info.shape = shape;
        info.bytes = qint64(values.size() * qsizetype(sizeof(T)));
        infos_.insert(info.id, info);
        data_.insert(info.id, QByteArray(reinterpret_cast<const char*>(values.constData()), info.bytes));
        return info;
    }

    Ticket open(const QString& path, const QString&, const QList<qint64>&, qint64, QObject* context,
                Done<BufferInfo> done) override {
        BufferReply<BufferInfo> reply;
        for (const BufferInfo& info : std::as_const(infos_))
            if (info.name == QFileInfo(path).fileName()) reply.value = info;
        if (!reply.value.isValid()) reply.error = QStringLiteral("no such file");
        return later<BufferInfo>(context, std::move(done), reply);
    }
    Ticket read(qint64 buffer, qint64 offset, qint64 count, QObject* context, Done<QByteArray> done) override {
        ++reads;
        BufferReply<QByteArray> reply;
        if (!failure.isEmpty()) {
            reply.error = failure;
        } else {
            reply.value = bytes(buffer, offset, count);
            elementsRead += reply.value.size() / infos_[buffer].type.size;
        }
        return later<QByteArray>(context, std::move(done), reply);
    }
    Ticket summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) override {
        BufferReply<BufferSummary> reply;
        BufferSummary& s = reply.value;
        const BufferInfo info = infos_[buffer];
        const QByteArray data = bytes(buffer, 0, std::min<qint64>(info.count(), 1 << 20));
        QList<double> values;
        for (qint64 at = 0; at + info.type.size <= data.size(); at += info.type.size) {
            const double value = info.type.toDouble(data.constData() + at);
            if (std::isnan(value))
                ++s.nan;
            else if (std::isinf(value))
                ++s.infinite;
            else
                values << value;
        }
        if (!values.isEmpty()) {
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            s.minimum = *low;
            s.maximum = *high;
            s.histogram = QList<qint64>(bins, 0);
            for (double value : values) {
                s.mean += value / double(values.size());
                const double t = *high > *low ? (value - *low) / (*high - *low) : 0;
                ++s.histogram[std::min<qsizetype>(bins - 1, qsizetype(t * bins))];
            }
        }
        return later<BufferSummary>(context, std::move(done), reply);
    }
    Ticket plot(qint64 buffer, qint64 offset, qint64 count, int points, QObject* context,
                Done<BufferPlot> done) override {
        BufferReply<BufferPlot> reply;
        const BufferInfo info = infos_[buffer];
        count = std::clamp<qint64>(count, 0, info.count() - offset);
        const qint64 buckets = std::min<qint64>(points, count);
        reply.value.offset = offset;
        reply.value.count = count;
        for (qint64 i = 0; i < buckets; ++i) {
            const qint64 from = offset + i * count / buckets, to = offset + (i + 1) * count / buckets;
            double low = std::numeric_limits<double>::infinity(), high = -low;
            const qint64 stride = std::max<qint64>(1, (to - from) / 64);
            for (qint64 at = from; at < to; at += stride) {
                const double value = info.type.toDouble(bytes(buffer, at, 1).constData());
                if (!std::isfinite(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
            reply.value.minimum << (low <= high ? low : std::nan(""));
            reply.value.maximum << (low <= high ? high : std::nan(""));
        }
        return later<BufferPlot>(context, std::move(done), reply);
    }
    Ticket compare(qint64 buffer, qint64 with, double rtol, double atol, QObject* context,
                   Done<BufferComparison> done) override {
        BufferReply<BufferComparison> reply;
        BufferComparison& c = reply.value;
        const BufferInfo a = infos_[buffer], b = infos_[with];
        if (a.shape != b.shape) c.problem = QStringLiteral("shapes differ");
        c.elements = a.count();
        const QByteArray x = bytes(buffer, 0, a.count()), y = bytes(with, 0, b.count());
        for (qint64 i = 0; c.problem.isEmpty() && i < a.count(); ++i) {
            const double actual = a.type.toDouble(x.constData() + i * a.type.size);
            const double expected = b.type.toDouble(y.constData() + i * b.type.size);
            const double error = std::abs(actual - expected);
            if (error > c.largestError) {
                c.largestError = error;
                c.largestAt = i;
            }
            if (error <= atol + rtol * std::abs(expected)) continue;
            if (c.mismatches++) continue;
            c.first = i;
            c.firstActual = actual;
            c.firstExpected = expected;
        }
        return later<BufferComparison>(context, std::move(done), reply);
    }
    Ticket save(qint64, const QString&, QObject* context, Done<QString> done) override {
        return later<QString>(context, std::move(done), {{}, QStringLiteral("this source cannot write")});
    }
    void close(qint64 buffer) override { infos_.remove(buffer); }
    void cancel(Ticket ticket) override { waiting_.remove(ticket); }

    QByteArray bytes(qint64 buffer, qint64 offset, qint64 count) const {
        const BufferInfo info = infos_[buffer];
        offset = std::clamp<qint64>(offset, 0, info.count());
        count = std::clamp<qint64>(count, 0, info.count() - offset);
        if (data_.contains(buffer)) return data_[buffer].mid(offset * info.type.size, count * info.type.size);
        QByteArray result(count * 4, 0);
        const Element element = virtual_[buffer];
        for (qint64 i = 0; i < count; ++i) {
            const float value = element(offset + i);
            std::memcpy(result.data() + i * 4, &value, 4);
        }
        return result;
    }

private:
    template <class T>
    Ticket later(QObject* context, Done<T> done, const BufferReply<T>& reply) {
        const Ticket ticket = nextTicket_++;
        waiting_.insert(ticket, true);
        QTimer::singleShot(0, context, [this, ticket, done, reply] {
            if (waiting_.remove(ticket)) done(reply);
        });
        return ticket;
    }

    qint64 next_ = 1;
    Ticket nextTicket_ = 1;
    QHash<qint64, BufferInfo> infos_;
    QHash<qint64, QByteArray> data_;
    QHash<qint64, Element> virtual_;
    QHash<Ticket, bool> waiting_;
};

} // namespace warplight::ui
