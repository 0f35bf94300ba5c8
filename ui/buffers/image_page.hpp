// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/image_sampler.hpp"
#include "ui/common/colour_map.hpp"

#include <QImage>
#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace warplight::ui {

class Theme;

/// Where the picture is painted, moved and zoomed.
class ImageCanvas : public QWidget {
    Q_OBJECT
public:
    explicit ImageCanvas(QWidget* parent = nullptr);

    void setPicture(const QSize& size);
    void setImage(const QImage& image, const QRect& region);
    void setColours(const QColor& background, const QColor& mark);
    void fit();
    void zoom(double factor, const QPointF& around);
    double scale() const { return scale_; }
    QRect shownRegion() const; ///< of the picture
    QPoint pixelAt(const QPointF& place) const;
    QPoint cursorPixel() const { return cursor_; }
    void setCursorPixel(const QPoint& pixel);

signals:
    void viewChanged();
    void pixelPointed(const QPoint& pixel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void clampOffset();

    QSize picture_;
    QImage image_;
    QRect region_;
    QColor background_, mark_;
    double scale_ = 1;
    QPointF offset_, dragFrom_; ///< offset: of the picture's corner in the widget
    QPoint cursor_{-1, -1};
    bool fitted_ = true, dragging_ = false;
};

/// A two-dimensional buffer as a picture: RGB where it has three or four channels, else a heat map.
class ImagePage : public QWidget {
    Q_OBJECT
public:
    explicit ImagePage(Theme& theme, QWidget* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    ImageCanvas* canvas() const { return canvas_; }
    const QImage& image() const { return image_; }
    QString readout() const;
    bool isShowingNote() const;

signals:
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void restyle();
    void request();
    void render();
    void point(const QPoint& pixel);
    void paintScale();

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    ImageShape shape_;
    ImageSampler sampler_;
    ImageSample sample_;
    QImage image_;
    QTimer timer_;
    QStackedWidget* stack_;
    ImageCanvas* canvas_;
    QComboBox* map_;
    QSpinBox* plane_;
    QCheckBox* automatic_;
    QLineEdit *low_, *high_;
    QLabel *readout_, *note_, *scale_;
    bool stale_ = false;
};

} // namespace warplight::ui
