// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/texture_setup.hpp"
#include "ui/buffers/buffer_source.hpp"

#include <QPointer>
#include <QRect>
#include <optional>

namespace warplight::ui {

/// A buffer's shape as pictures: height × width × channels, and the number of such planes.
struct ImageShape {
    qint64 planes = 0, height = 0, width = 0;
    int channels = 1; ///< 1, 3 or 4; of textures also 2
    bool isValid() const { return planes > 0 && height > 0 && width > 0; }
    /// @param kind of the texture or surface that the buffer is given as: it tells what its axes are
    static ImageShape of(const BufferInfo& info, std::optional<session::TextureKind> kind = {});
};

/// Values of a part of a picture, no more than the screen can show.
struct ImageSample {
    QRect region;              ///< in the picture
    int columns = 0, rows = 0; ///< of the values
    int step = 1;              ///< every step-th row and column was taken
    int channels = 1;
    QList<float> values; ///< row after row, channels together
};

/// Reads every step-th pixel of a part of a picture. Skipped rows are not read.
class ImageSampler : public QObject {
    Q_OBJECT
public:
    explicit ImageSampler(QObject* parent = nullptr);

    /// A newer request replaces the older.
    void sample(BufferSource* source, const BufferInfo& info, const ImageShape& shape, qint64 plane,
                const QRect& region, int mostColumns, int mostRows);
    void cancel();

    /// A row wider than this (bytes) is read in points, not whole.
    static constexpr qint64 widestRow = 8 * 1024 * 1024;

signals:
    void sampled(const warplight::ui::ImageSample& sample);
    void failed(const QString& message);

private:
    void next();

    QPointer<BufferSource> source_;
    BufferInfo info_;
    ImageShape shape_;
    qint64 plane_ = 0;
    ImageSample sample_;
    int row_ = 0, outstanding_ = 0;
    quint64 generation_ = 0;
    QList<BufferSource::Ticket> tickets_;
};

} // namespace warplight::ui
