// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icons.hpp"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#ifdef WARPLIGHT_QT_SVG
#include <QSvgRenderer>
#endif

namespace warplight::ui {
namespace {

/// The drawing as text, with #000 wherever the colour goes; without Qt Svg a picture of it (cmake/IconPictures.cmake).
QByteArray drawing(const QString& name) {
    static QHash<QString, QByteArray> drawings;
    auto it = drawings.find(name);
    if (it == drawings.end()) {
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
        it = drawings.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    }
    return *it;
}

/// Draws it over the whole of a transparent picture.
void draw(const QString& name, const QColor& colour, QPixmap& picture) {
    QPainter painter(&picture);
#ifdef WARPLIGHT_QT_SVG
    QByteArray svg = drawing(name);
    svg.replace("#000", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.render(&painter, QRectF(picture.rect()));
#else
    const QImage shape = QImage::fromData(drawing(name));
    painter.drawImage(0, 0, shape.scaled(picture.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(picture.rect(), QColor(colour.rgb()));
#endif
}

class StrokeIcon : public QIconEngine {
public:
    StrokeIcon(QString name, const QColor& colour) : name_(std::move(name)), colour_(colour) {}

    QIconEngine* clone() const override { return new StrokeIcon(name_, colour_); }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const qreal scale = painter->device() ? painter->device()->devicePixelRatio() : 1.0;
        painter->drawPixmap(rect, scaledPixmap(rect.size() * scale, mode, state, scale));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
        const QColor colour = colourFor(mode);
        const QString key = QStringLiteral("warplight/%1/%2/%3x%4@%5")
                                .arg(name_, colour.name(QColor::HexArgb))
                                .arg(size.width())
                                .arg(size.height())
                                .arg(scale);
        QPixmap result;
        if (QPixmapCache::find(key, &result)) return result;
        result = QPixmap(size);
        result.fill(Qt::transparent);
        draw(name_, colour, result);
        QPixmapCache::insert(key, result);
        return result;
    }

private:
    QColor colourFor(QIcon::Mode mode) const {
        const QPalette palette = QApplication::palette();
        if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::WindowText);
        return colour_.isValid() ? colour_ : palette.color(QPalette::Active, QPalette::WindowText);
    }

    QString name_;
    QColor colour_;
};

} // namespace

QIcon icon(const QString& name) { return icon(name, QColor()); }

QIcon icon(const QString& name, const QColor& colour) {
    if (drawing(name).isEmpty()) return {};
    return QIcon(new StrokeIcon(name, colour));
}

} // namespace warplight::ui
