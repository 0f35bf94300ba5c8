// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_pages.hpp"

#include <algorithm>

namespace warplight::ui {

BufferPages::BufferPages(QObject* parent) : QObject(parent) {
    timer_.setSingleShot(true);
    timer_.setInterval(0);
    connect(&timer_, &QTimer::timeout, this, &BufferPages::fetch);
}

void BufferPages::setBuffer(BufferSource* source, const BufferInfo& info) {
    cancelAll();
    source_ = source;
    info_ = info;
    pageElements_ = std::max<qint64>(1, pageBytes / std::max(1, info.type.size));
    refresh();
}

void BufferPages::refresh() {
    cancelAll();
    pages_.clear();
    failures_.clear();
}

void BufferPages::cancelAll() {
    ++generation_;
    if (source_)
        for (BufferSource::Ticket ticket : std::as_const(pending_))
            source_->cancel(ticket);
    pending_.clear();
    wanted_.clear();
}

const char* BufferPages::element(qint64 index) {
    if (!source_ || !info_.isValid() || index < 0 || index >= info_.count()) return nullptr;
    const qint64 page = index / pageElements_;
    if (const QByteArray* data = pages_.object(page)) {
        const qint64 at = (index - page * pageElements_) * info_.type.size;
        return at + info_.type.size <= data->size() ? data->constData() + at : nullptr;
    }
    if (!pending_.contains(page) && !failures_.contains(page)) {
        // A page asked for again is the most wanted one: it goes to the end, which is fetched first.
        if (wanted_.isEmpty() || wanted_.last() != page) {
            wanted_.removeOne(page);
            wanted_.append(page);
        }
        if (!timer_.isActive()) timer_.start();
    }
    return nullptr;
}

QString BufferPages::failure(qint64 index) const { return failures_.value(index / pageElements_); }

void BufferPages::fetch() {
    if (!source_) return;
    while (!wanted_.isEmpty() && pending_.size() < maximumPending) {
        const qint64 page = wanted_.takeLast();
        const quint64 generation = generation_;
        const auto done = [this, page, generation](const BufferReply<QByteArray>& reply) {
            if (generation != generation_) return;
            pending_.remove(page);
            const qint64 first = page * pageElements_;
            if (!reply.ok()) {
                failures_.insert(page, reply.error);
                emit failed(reply.error);
            } else {
                pages_.insert(page, new QByteArray(reply.value), std::max<qsizetype>(1, reply.value.size()));
            }
            emit loaded(first, std::min(pageElements_, info_.count() - first));
            if (!wanted_.isEmpty() && !timer_.isActive()) timer_.start();
        };
        pending_.insert(page, 0);
        const BufferSource::Ticket ticket = source_->read(info_.id, page * pageElements_, pageElements_, this, done);
        if (pending_.contains(page)) pending_.insert(page, ticket);
    }
    // Requests beyond the limit were scrolled past. The view asks again for pages that it still shows.
    wanted_.clear();
}

} // namespace warplight::ui
