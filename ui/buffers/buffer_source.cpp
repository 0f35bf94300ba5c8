// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_source.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace warplight::ui {

QString bufferRoleText(BufferRole role) {
    switch (role) {
    case BufferRole::Input: return QCoreApplication::translate("BufferRole", "in");
    case BufferRole::Output: return QCoreApplication::translate("BufferRole", "out");
    case BufferRole::InOut: return QCoreApplication::translate("BufferRole", "in/out");
    case BufferRole::Expected: return QCoreApplication::translate("BufferRole", "expected");
    case BufferRole::Formula: return QCoreApplication::translate("BufferRole", "formula");
    case BufferRole::View: return QCoreApplication::translate("BufferRole", "view");
    case BufferRole::Frames: return QCoreApplication::translate("BufferRole", "frames");
    case BufferRole::File: break;
    }
    return QCoreApplication::translate("BufferRole", "file");
}

bool isOwn(BufferRole role) {
    return role == BufferRole::File || role == BufferRole::View || role == BufferRole::Formula;
}

qint64 BufferInfo::count() const {
    qint64 product = 1;
    for (qint64 length : shape)
        product *= length;
    return product;
}

QString BufferInfo::typeText() const {
    return isStructs() ? QCoreApplication::translate("BufferInfo", "struct") : type.name();
}

QString BufferInfo::title() const {
    return QStringLiteral("%1 (%2)").arg(name, run.isEmpty() ? bufferRoleText(role)
                                                             : bufferRoleText(role) + QStringLiteral(", ") + run);
}

QString BufferInfo::shapeText() const {
    if (shape.isEmpty()) return QCoreApplication::translate("BufferInfo", "single");
    QStringList parts;
    for (qint64 length : shape)
        parts << QString::number(length);
    return parts.join(QStringLiteral(" × "));
}

BufferSource::Ticket BufferSource::saveAs(qint64 buffer, const QString& path, const FileDetails&, QObject* context,
                                          Done<QString> done) {
    return save(buffer, path, context, std::move(done));
}

BufferSource::Ticket BufferSource::members(const QString&, QObject* context, Done<QList<ContainerMember>> done) {
    return refuse<QList<ContainerMember>>(context, std::move(done));
}

BufferSource::Ticket BufferSource::openMember(const QString&, const QString&, QObject* context, Done<BufferInfo> done) {
    return refuse<BufferInfo>(context, std::move(done));
}

BufferSource::Ticket BufferSource::slice(qint64, const BufferSlice&, QObject* context, Done<BufferInfo> done) {
    return refuse<BufferInfo>(context, std::move(done));
}

BufferSource::Ticket BufferSource::complexPart(qint64, ComplexPart, QObject* context, Done<BufferInfo> done) {
    return refuse<BufferInfo>(context, std::move(done));
}

BufferSource::Ticket BufferSource::field(qint64, const QString&, const QList<qint64>&, QObject* context,
                                         Done<BufferInfo> done) {
    return refuse<BufferInfo>(context, std::move(done));
}

BufferSource::Ticket BufferSource::fields(qint64, QObject* context, Done<QList<BufferField>> done) {
    QTimer::singleShot(0, context, [done = std::move(done)] { done({}); });
    return 0;
}

BufferSource::Ticket BufferSource::formula(qint64, const QString&, const QList<QPair<QString, qint64>>&,
                                           const QHash<QString, double>&, QObject* context, Done<BufferInfo> done) {
    return refuse<BufferInfo>(context, std::move(done));
}

BufferSource::Ticket BufferSource::columns(const QList<qint64>&, QObject* context, Done<BufferInfo> done) {
    return refuse<BufferInfo>(context, std::move(done));
}

BufferSource::Ticket BufferSource::histogram(qint64 buffer, int bins, const HistogramRange& range, QObject* context,
                                             Done<BufferHistogram> done) {
    if (!range.isEverything()) return refuse<BufferHistogram>(context, std::move(done));
    return summary(buffer, bins, context, [done = std::move(done)](const BufferReply<BufferSummary>& reply) {
        BufferReply<BufferHistogram> answer;
        answer.error = reply.error;
        const BufferSummary& from = reply.value;
        BufferHistogram& to = answer.value;
        to.minimum = to.low = from.minimum;
        to.maximum = to.high = from.maximum;
        if (!(to.high > to.low)) {
            to.low -= 0.5;
            to.high += 0.5;
        }
        to.nan = from.nan;
        to.infinite = from.infinite;
        to.counts = from.histogram;
        to.elements = to.nan + to.infinite;
        for (const qint64 count : to.counts)
            to.elements += count;
        done(answer);
    });
}

BufferSource::Ticket BufferSource::scatter(qint64, qint64, const ScatterGrid&, QObject* context,
                                           Done<BufferDensity> done) {
    return refuse<BufferDensity>(context, std::move(done));
}

} // namespace warplight::ui
