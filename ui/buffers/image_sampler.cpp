// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/image_sampler.hpp"

#include <algorithm>

namespace warplight::ui {

namespace {

/// Axes of the data, without that of the components.
qsizetype axesOf(session::TextureKind kind) {
    switch (kind) {
    case session::TextureKind::d1: return 1;
    case session::TextureKind::d2:
    case session::TextureKind::layered_d1: return 2;
    case session::TextureKind::d3:
    case session::TextureKind::layered_d2:
    case session::TextureKind::cubemap: return 3;
    case session::TextureKind::layered_cubemap: return 4;
    }
    return 2;
}

} // namespace

ImageShape ImageShape::of(const BufferInfo& info, std::optional<session::TextureKind> kind) {
    ImageShape image;
    QList<qint64> shape = info.shape;
    const qsizetype axes = kind ? axesOf(*kind) : 0;
    const bool isTexture = kind && (shape.size() == axes || (shape.size() == axes + 1 && shape.last() <= 4));
    if (isTexture && axes == 1) shape.prepend(1); // a line of pixels
    if (!info.isValid() || !info.type.isNumeric() || shape.size() < 2 || info.count() <= 0) return image;
    const qint64 last = shape.last();
    const bool isColour = shape.size() >= 3 && (last == 3 || last == 4) && shape[shape.size() - 2] > 4;
    if (isTexture ? shape.size() > std::max<qsizetype>(axes, 2) : isColour) {
        image.channels = int(last);
        shape.removeLast();
    }
    image.width = shape.takeLast();
    image.height = shape.takeLast();
    image.planes = 1;
    for (qint64 length : std::as_const(shape))
        image.planes *= length;
    // Places in the picture are ints from here on.
    if (image.width > (1 << 30) || image.height > (1 << 30)) image.planes = 0;
    return image;
}

ImageSampler::ImageSampler(QObject* parent) : QObject(parent) {}

void ImageSampler::cancel() {
    ++generation_;
    if (source_)
        for (BufferSource::Ticket ticket : std::as_const(tickets_))
            source_->cancel(ticket);
    tickets_.clear();
    outstanding_ = 0;
}

void ImageSampler::sample(BufferSource* source, const BufferInfo& info, const ImageShape& shape, qint64 plane,
                          const QRect& region, int mostColumns, int mostRows) {
    cancel();
    source_ = source;
    info_ = info;
    shape_ = shape;
    plane_ = plane;
    sample_ = {};
    sample_.region = region & QRect(0, 0, int(shape.width), int(shape.height));
    if (sample_.region.isEmpty() || !source_) return;
    const int width = sample_.region.width(), height = sample_.region.height();
    sample_.step = std::max(
        {1, (width + mostColumns - 1) / std::max(1, mostColumns), (height + mostRows - 1) / std::max(1, mostRows)});
    sample_.columns = (width + sample_.step - 1) / sample_.step;
    sample_.rows = (height + sample_.step - 1) / sample_.step;
    sample_.channels = shape.channels;
    sample_.values.fill(0, qsizetype(sample_.columns) * sample_.rows * shape.channels);
    row_ = 0;
    next();
}

void ImageSampler::next() {
    // A few reads are under way at once; each may be a bundle of whole rows where nothing is left out.
    constexpr int together = 8;
    const quint64 generation = generation_;
    const qint64 pixel = shape_.channels;
    const int width = sample_.region.width();
    const bool wide = width * pixel * info_.type.size > widestRow;
    while (row_ < sample_.rows && outstanding_ < together) {
        const int row = row_;
        const qint64 line = plane_ * shape_.height + sample_.region.top() + qint64(row) * sample_.step;
        const qint64 start = (line * shape_.width + sample_.region.left()) * pixel;
        int rows = 1;
        if (sample_.step == 1 && width == shape_.width)
            rows = int(std::clamp<qint64>((1 << 18) / (width * pixel), 1, sample_.rows - row));
        row_ += rows;
        const auto take = [this, generation, row, pixel](qint64 first, const BufferReply<QByteArray>& reply,
                                                         qint64 values, int stride) {
            if (generation != generation_) return;
            --outstanding_;
            if (!reply.ok()) {
                const QString error = reply.error;
                cancel();
                emit failed(error);
                return;
            }
            float* out = sample_.values.data() + qint64(row) * sample_.columns * pixel + first;
            for (qint64 i = 0; i < values; ++i) {
                const qint64 at = (i / pixel * stride * pixel + i % pixel) * info_.type.size;
                if (at + info_.type.size <= reply.value.size())
                    out[i] = float(info_.type.toDouble(reply.value.constData() + at));
            }
            if (row_ < sample_.rows)
                next();
            else if (outstanding_ == 0) {
                tickets_.clear();
                emit sampled(sample_);
            }
        };
        if (wide && sample_.step > 1) {
            outstanding_ += sample_.columns;
            for (int x = 0; x < sample_.columns; ++x)
                tickets_ << source_->read(
                    info_.id, start + qint64(x) * sample_.step * pixel, pixel, this,
                    [take, x, pixel](const BufferReply<QByteArray>& reply) { take(x * pixel, reply, pixel, 1); });
        } else {
            ++outstanding_;
            const qint64 values = qint64(sample_.columns) * pixel * rows;
            tickets_ << source_->read(info_.id, start, qint64(rows) * width * pixel, this,
                                      [take, values, step = sample_.step](const BufferReply<QByteArray>& reply) {
                                          take(0, reply, values, step);
                                      });
        }
        if (generation != generation_) return;
    }
}

} // namespace warplight::ui
