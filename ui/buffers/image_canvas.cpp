// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/image_canvas.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace warplight::ui {

ImageCanvas::ImageCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(64, 64);
    setAccessibleName(tr("Picture of the buffer; arrow keys move the reading point, plus and minus zoom, 0 shows all"));
}

void ImageCanvas::setPicture(const QSize& size) {
    image_ = {};
    if (size == picture_) {
        emit viewChanged();
        return;
    }
    picture_ = size;
    cursor_ = {-1, -1};
    fit();
}

void ImageCanvas::setImage(const QImage& image, const QRect& region) {
    image_ = image;
    region_ = region;
    update();
}

void ImageCanvas::setColours(const QColor& background, const QColor& mark) {
    background_ = background;
    mark_ = mark;
    update();
}

void ImageCanvas::fit() {
    fitted_ = true;
    if (picture_.isEmpty()) return;
    scale_ = std::min(double(width()) / picture_.width(), double(height()) / picture_.height());
    // Pixels of a small picture are squares of whole screen pixels.
    if (scale_ > 1) scale_ = std::floor(scale_);
    clampOffset();
    update();
    emit viewChanged();
}

void ImageCanvas::clampOffset() {
    const double w = picture_.width() * scale_, h = picture_.height() * scale_;
    const auto place = [](double offset, double length, double room) {
        return length <= room ? (room - length) / 2 : std::clamp(offset, room - length, 0.0);
    };
    offset_ = {std::floor(place(offset_.x(), w, width())), std::floor(place(offset_.y(), h, height()))};
}

void ImageCanvas::showCursor(const QPoint& pixel) {
    if (pixel == cursor_) return;
    cursor_ = pixel;
    update();
}

void ImageCanvas::followView(const ImageCanvas& other) {
    if (scale_ == other.scale_ && offset_ == other.offset_) return;
    scale_ = other.scale_;
    offset_ = other.offset_;
    fitted_ = other.fitted_;
    update();
    emit viewChanged();
}

// Six characters, such as -1.234.
int ImageCanvas::textWidth() const { return fontMetrics().horizontalAdvance(QStringLiteral("-0.000")) + 4; }

bool ImageCanvas::showsValues() const {
    return valueText_ && scale_ >= textWidth() && scale_ >= fontMetrics().height() + 4;
}

void ImageCanvas::paintValues(QPainter& painter) {
    const QRect region = shownRegion() & region_;
    for (int y = region.top(); y <= region.bottom(); ++y) {
        for (int x = region.left(); x <= region.right(); ++x) {
            const QString text = valueText_({x, y});
            const QPoint at(x - region_.left(), y - region_.top());
            // A number that is cut off would be another one.
            if (text.isEmpty() || !image_.rect().contains(at)) continue;
            const QSize room = fontMetrics().size(0, text);
            if (room.width() > scale_ || room.height() > scale_) continue;
            const QColor under = image_.pixelColor(at);
            const double bright = 0.299 * under.red() + 0.587 * under.green() + 0.114 * under.blue();
            painter.setPen(bright > 140 ? QColor(0x1b, 0x1f, 0x24) : QColor(0xff, 0xff, 0xff));
            painter.drawText(QRectF(offset_ + QPointF(x, y) * scale_, QSizeF(scale_, scale_)), Qt::AlignCenter, text);
        }
    }
}

void ImageCanvas::zoom(double factor, const QPointF& around) {
    if (picture_.isEmpty()) return;
    const double least = std::min({1.0, double(width()) / picture_.width(), double(height()) / picture_.height()});
    const double scale = std::clamp(scale_ * factor, least, largestScale);
    const QPointF place = (around - offset_) / scale_;
    scale_ = scale;
    offset_ = around - place * scale_;
    fitted_ = false;
    clampOffset();
    update();
    emit viewChanged();
}

QRect ImageCanvas::shownRegion() const {
    if (picture_.isEmpty() || scale_ <= 0) return {};
    const QPointF from = -offset_ / scale_;
    const QPoint first(int(std::floor(std::max(0.0, from.x()))), int(std::floor(std::max(0.0, from.y()))));
    const QPoint last(int(std::ceil((width() - offset_.x()) / scale_)),
                      int(std::ceil((height() - offset_.y()) / scale_)));
    return QRect(first, last) & QRect(QPoint(0, 0), picture_);
}

QPoint ImageCanvas::pixelAt(const QPointF& place) const {
    const QPointF pixel = (place - offset_) / scale_;
    const QPoint at(int(std::floor(pixel.x())), int(std::floor(pixel.y())));
    return QRect(QPoint(0, 0), picture_).contains(at) ? at : QPoint(-1, -1);
}

void ImageCanvas::setCursorPixel(const QPoint& pixel) {
    cursor_ = pixel;
    update();
    emit pixelPointed(pixel);
    if (pixel.x() >= 0) emit pixelChosen(pixel);
}

void ImageCanvas::reveal(const QPoint& pixel) {
    if (picture_.isEmpty() || shownRegion().contains(pixel)) return;
    offset_ = QPointF(width() / 2.0, height() / 2.0) - (QPointF(pixel) + QPointF(0.5, 0.5)) * scale_;
    fitted_ = false;
    clampOffset();
    update();
    emit viewChanged();
}

void ImageCanvas::setMarks(const QImage& mask, const QColor& colour) {
    marks_ = mask;
    marksColour_ = colour;
    update();
}

/// Large pixels get a rim, so that their colour stays; small ones are covered.
void ImageCanvas::paintMarks(QPainter& painter) {
    const double side = scale_ * region_.width() / std::max(1, marks_.width());
    if (side < 8) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(QRectF(offset_ + QPointF(region_.topLeft()) * scale_, QSizeF(region_.size()) * scale_),
                          marks_);
        return;
    }
    painter.setPen(QPen(marksColour_, 2));
    painter.setBrush(Qt::NoBrush);
    for (int y = 0; y < marks_.height(); ++y)
        for (int x = 0; x < marks_.width(); ++x)
            if (qAlpha(marks_.pixel(x, y)))
                painter.drawRect(QRectF(offset_.x() + region_.left() * scale_ + x * side + 1,
                                        offset_.y() + region_.top() * scale_ + y * side + 1, side - 2, side - 2));
}

void ImageCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), background_);
    if (image_.isNull()) return;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale_ < 1);
    painter.drawImage(QRectF(offset_ + QPointF(region_.topLeft()) * scale_, QSizeF(region_.size()) * scale_), image_);
    if (!marks_.isNull() && marks_.size() == image_.size()) paintMarks(painter);
    if (showsValues()) paintValues(painter);
    if (cursor_.x() < 0) return;
    const double side = std::max(scale_, 5.0);
    const QPointF centre = offset_ + (QPointF(cursor_) + QPointF(0.5, 0.5)) * scale_;
    painter.setPen(QPen(mark_, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side));
}

void ImageCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (fitted_) {
        fit();
    } else {
        clampOffset();
        emit viewChanged();
    }
}

void ImageCanvas::wheelEvent(QWheelEvent* event) {
    if (event->angleDelta().y() != 0) zoom(event->angleDelta().y() > 0 ? 1.25 : 0.8, event->position());
    event->accept();
}

void ImageCanvas::mousePressEvent(QMouseEvent* event) {
    dragging_ = event->button() == Qt::LeftButton;
    dragFrom_ = event->position();
    setCursorPixel(pixelAt(event->position()));
}

void ImageCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_ && (event->buttons() & Qt::LeftButton)) {
        offset_ += event->position() - dragFrom_;
        dragFrom_ = event->position();
        fitted_ = false;
        clampOffset();
        update();
        emit viewChanged();
        return;
    }
    emit pixelPointed(pixelAt(event->position()));
}

void ImageCanvas::mouseDoubleClickEvent(QMouseEvent*) { fit(); }

void ImageCanvas::keyPressEvent(QKeyEvent* event) {
    QPoint by;
    const int step = std::max(1, int(1 / scale_));
    switch (event->key()) {
    case Qt::Key_Left: by = {-step, 0}; break;
    case Qt::Key_Right: by = {step, 0}; break;
    case Qt::Key_Up: by = {0, -step}; break;
    case Qt::Key_Down: by = {0, step}; break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1.25, rect().center()); return;
    case Qt::Key_Minus: zoom(0.8, rect().center()); return;
    case Qt::Key_0: fit(); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cursor_.x() >= 0) emit pixelActivated(cursor_);
        return;
    default: QWidget::keyPressEvent(event); return;
    }
    const QPoint next = cursor_.x() < 0 ? QPoint(picture_.width() / 2, picture_.height() / 2) : cursor_ + by;
    setCursorPixel({std::clamp(next.x(), 0, std::max(0, picture_.width() - 1)),
                    std::clamp(next.y(), 0, std::max(0, picture_.height() - 1))});
}

} // namespace warplight::ui
