// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_scan.hpp"

#include <algorithm>

namespace warplight::ui {

BufferScan::BufferScan(QObject* parent) : QObject(parent) {}

void BufferScan::start(BufferSource* source, const BufferInfo& first, const BufferInfo& second, qint64 from,
                       bool forward, Visit visit) {
    cancel();
    source_ = source;
    infos_[0] = first;
    infos_[1] = second;
    forward_ = forward;
    visit_ = std::move(visit);
    const qint64 count = first.count();
    position_ = forward ? std::clamp<qint64>(from, 0, count) : std::clamp<qint64>(from + 1, 0, count);
    total_ = std::max<qint64>(1, forward ? count - position_ : position_);
    visited_ = 0;
    running_ = true;
    next();
}

void BufferScan::cancel() {
    ++generation_;
    if (running_ && source_)
        for (BufferSource::Ticket ticket : tickets_)
            if (ticket) source_->cancel(ticket);
    tickets_[0] = tickets_[1] = 0;
    running_ = false;
}

void BufferScan::next() {
    const qint64 count = infos_[0].count();
    const bool two = infos_[1].isValid();
    const qint64 left = forward_ ? count - position_ : position_;
    if (left <= 0 || !source_) {
        running_ = false;
        emit finished(-1);
        return;
    }
    length_ =
        std::min(left, std::max<qint64>(1, pieceBytes / std::max(infos_[0].type.size, two ? infos_[1].type.size : 1)));
    begin_ = forward_ ? position_ : position_ - length_;
    outstanding_ = two ? 2 : 1;
    const quint64 generation = generation_;
    for (int which = 0; which < (two ? 2 : 1); ++which) {
        const BufferSource::Ticket ticket = source_->read(
            infos_[which].id, begin_, length_, this,
            [this, which, generation](const BufferReply<QByteArray>& reply) { take(which, generation, reply); });
        if (generation != generation_) return;
        tickets_[which] = ticket;
    }
}

void BufferScan::take(int which, quint64 generation, const BufferReply<QByteArray>& reply) {
    if (generation != generation_) return;
    const bool whole = reply.value.size() >= length_ * infos_[which].type.size;
    if (!reply.ok() || !whole) {
        cancel();
        emit failed(reply.ok() ? tr("The buffer is shorter than it said.") : reply.error);
        return;
    }
    data_[which] = reply.value;
    if (--outstanding_ == 0) process();
}

void BufferScan::process() {
    tickets_[0] = tickets_[1] = 0;
    const bool two = infos_[1].isValid();
    for (qint64 i = 0; i < length_; ++i) {
        const qint64 at = forward_ ? i : length_ - 1 - i;
        if (visit_(begin_ + at, data_[0].constData() + at * infos_[0].type.size,
                   two ? data_[1].constData() + at * infos_[1].type.size : nullptr)) {
            running_ = false;
            emit finished(begin_ + at);
            return;
        }
    }
    position_ = forward_ ? begin_ + length_ : begin_;
    visited_ += length_;
    const quint64 generation = generation_;
    emit progress(double(visited_) / double(total_));
    if (generation == generation_ && running_) next();
}

} // namespace warplight::ui
