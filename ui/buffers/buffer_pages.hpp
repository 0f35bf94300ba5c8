// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QCache>
#include <QHash>
#include <QPointer>
#include <QTimer>

namespace warplight::ui {

/// A bounded cache of pages of one buffer. Asking for an element that is not cached fetches its page, and `loaded`
/// tells when it came. Only the latest requests are kept: scrolling past a page drops its request.
class BufferPages : public QObject {
    Q_OBJECT
public:
    explicit BufferPages(QObject* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    const BufferInfo& info() const { return info_; }
    BufferSource* source() const { return source_; }

    /// The bytes of an element, or nullptr while they are on their way. Valid until the next call into this object.
    const char* element(qint64 index);
    /// Why the page of an element could not be read; empty when it could or was not tried.
    QString failure(qint64 index) const;
    /// Forgets failures and cached pages, for example after the buffer was written again.
    void refresh();
    qint64 cachedBytes() const { return pages_.totalCost(); }
    int pending() const { return int(pending_.size()); }

    static constexpr qint64 pageBytes = 64 * 1024;
    static constexpr qint64 cacheBytes = 32 * 1024 * 1024;
    static constexpr int maximumPending = 16;

signals:
    void loaded(qint64 first, qint64 count); ///< elements
    void failed(const QString& message);

private:
    void fetch();
    void cancelAll();

    QPointer<BufferSource> source_;
    BufferInfo info_;
    qint64 pageElements_ = 1;
    QCache<qint64, QByteArray> pages_{cacheBytes};
    QHash<qint64, BufferSource::Ticket> pending_;
    QList<qint64> wanted_;
    QHash<qint64, QString> failures_;
    QTimer timer_;
    quint64 generation_ = 0;
};

} // namespace warplight::ui
