// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QWidget>
#include <functional>

namespace warplight::ui {

/// Where a picture is painted, moved and zoomed. Its pixels show their values where they are large enough.
class ImageCanvas : public QWidget {
    Q_OBJECT
public:
    explicit ImageCanvas(QWidget* parent = nullptr);

    /// One of the same size is shown at the same place.
    void setPicture(const QSize& size);
    void setImage(const QImage& image, const QRect& region);
    void setColours(const QColor& background, const QColor& mark);
    /// The text of a pixel; empty where it is not known.
    void setValueText(std::function<QString(const QPoint&)> text) { valueText_ = std::move(text); }
    void fit();
    void zoom(double factor, const QPointF& around);
    double scale() const { return scale_; }
    QRect shownRegion() const; ///< of the picture
    QPoint pixelAt(const QPointF& place) const;
    QPoint cursorPixel() const { return cursor_; }
    void setCursorPixel(const QPoint& pixel);
    /// As of another canvas, without telling it.
    void showCursor(const QPoint& pixel);
    /// Moves the picture so that the pixel can be seen.
    void reveal(const QPoint& pixel);
    /// Pixels of the image that are marked, as setImage() has them; null marks none.
    void setMarks(const QImage& mask, const QColor& colour);
    void followView(const ImageCanvas& other);
    bool showsValues() const;

    static constexpr double largestScale = 128;

signals:
    void viewChanged();
    void pixelPointed(const QPoint& pixel);
    void pixelChosen(const QPoint& pixel);    ///< by a click or a key
    void pixelActivated(const QPoint& pixel); ///< by Enter

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
    void paintValues(QPainter& painter);
    void paintMarks(QPainter& painter);
    int textWidth() const;

    QSize picture_;
    QImage image_;
    QRect region_;
    QImage marks_; ///< a colour, or nothing, for each pixel of the image
    QColor background_, mark_, marksColour_;
    std::function<QString(const QPoint&)> valueText_;
    double scale_ = 1;
    QPointF offset_, dragFrom_; ///< offset: of the picture's corner in the widget
    QPoint cursor_{-1, -1};
    bool fitted_ = true, dragging_ = false;
};

} // namespace warplight::ui
