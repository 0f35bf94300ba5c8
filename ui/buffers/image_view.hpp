// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/colour_range.hpp"
#include "ui/buffers/mismatch_set.hpp"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <memory>

class QLabel;

namespace warplight::ui {

class ImageCanvas;
class Theme;

/// One buffer as a picture, with its name above: RGB where it has three or four channels, else in colours of a map.
class ImageView : public QWidget {
    Q_OBJECT
public:
    explicit ImageView(Theme& theme, QWidget* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info, std::optional<session::TextureKind> kind = {});
    const BufferInfo& info() const { return info_; }
    const ImageShape& shape() const { return shape_; }
    ImageCanvas* canvas() const { return canvas_; }
    /// What is shown, in its colours: a pixel for each element that was read.
    const QImage& image() const { return image_; }
    const ImageSample& sample() const { return sample_; }
    void setPlane(int plane);
    /// A range that is not manual is found anew for each part that is shown.
    void setColours(ColourMap::Name map, ColourRange::Kind kind, const ColourRange& manual);
    const ColourRange& range() const { return range_; }
    void setTitleShown(bool shown);
    int plane() const { return plane_; }
    /// Marks elements that differ. Null marks none.
    void setMarks(std::shared_ptr<const MismatchSet> marks);
    /// A pixel for each of image(): transparent where nothing differs.
    QImage marks() const;
    /// The first channel's element; -1 outside.
    qint64 indexOf(const QPoint& pixel) const;
    /// "[5, 10] = 80, 60, 200"; the size where the pixel is not known.
    QString textAt(const QPoint& pixel) const;
    QString valuesAt(const QPoint& pixel, int digits) const;

signals:
    void rendered();
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void restyle();
    void request();
    void render();

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    ImageShape shape_;
    ImageSampler sampler_;
    ImageSample sample_;
    QImage image_;
    QTimer timer_;
    QLabel* title_;
    ImageCanvas* canvas_;
    int plane_ = 0;
    ColourMap::Name map_ = ColourMap::Viridis;
    ColourRange::Kind kind_ = ColourRange::Fit;
    ColourRange range_;
    bool stale_ = false;
    std::shared_ptr<const MismatchSet> marks_;
};

} // namespace warplight::ui
