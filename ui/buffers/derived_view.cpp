// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/derived_view.hpp"

#include <QPointer>

#include <memory>
#include <utility>

namespace warplight::ui {

namespace {

/// The steps of a view, one after the other.
struct ViewJob : std::enable_shared_from_this<ViewJob> {
    QPointer<BufferSource> source;
    QPointer<QObject> context;
    BufferView rest; ///< steps that are left
    BufferSource::Done<BufferInfo> done;
    qint64 made = -1; ///< by the step before; -1: none was

    void next(qint64 of) {
        if (!source || !context) return;
        const auto take = [self = shared_from_this()](const BufferReply<BufferInfo>& reply) { self->take(reply); };
        if (const QString field = std::exchange(rest.field, {}); !field.isEmpty()) {
            source->field(of, field, rest.index, context, take);
        } else if (const auto part = std::exchange(rest.part, {})) {
            source->complexPart(of, *part, context, take);
        } else if (const auto slice = std::exchange(rest.slice, {})) {
            source->slice(of, *slice, context, take);
        }
    }
    void take(const BufferReply<BufferInfo>& reply) {
        // The worker keeps what the new buffer reads.
        if (made >= 0 && source) source->close(made);
        made = reply.ok() ? reply.value.id : -1;
        if (reply.ok() && !rest.isWhole())
            next(made);
        else
            done(reply);
    }
};

} // namespace

BufferSlice sliceOfChannel(const QList<qint64>& shape, int channel) {
    BufferSlice slice;
    for (qsizetype axis = 0; axis + 1 < shape.size(); ++axis)
        slice.axes.append({axis, 0, shape[axis]});
    slice.index = QList<qint64>(shape.size(), 0);
    slice.index.last() = channel;
    return slice;
}

void deriveView(BufferSource* source, qint64 buffer, const BufferView& view, QObject* context,
                BufferSource::Done<BufferInfo> done) {
    auto job = std::make_shared<ViewJob>();
    job->source = source;
    job->context = context;
    job->rest = view;
    job->done = std::move(done);
    job->next(buffer);
}

} // namespace warplight::ui
