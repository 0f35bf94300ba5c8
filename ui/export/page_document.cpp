// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/page_document.hpp"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QPolygonF>
#include <QTextFrame>
#include <QUrl>

namespace warplight::ui {
namespace {

constexpr int sharpness = 4; ///< pixels for each unit of a drawing, so that paper shows no steps

QColor colourOf(const page::Colour& colour) { return QColor(colour.red, colour.green, colour.blue); }

QPolygonF polygonOf(const std::vector<page::Point>& points) {
    QPolygonF polygon;
    polygon.reserve(qsizetype(points.size()));
    for (const page::Point& point : points)
        polygon << QPointF(point.x, point.y);
    return polygon;
}

struct ShapePainter {
    QPainter& painter;

    void operator()(const page::Box& box) const {
        painter.fillRect(QRectF(box.x, box.y, box.width, box.height), colourOf(box.fill));
    }
    void operator()(const page::Area& area) const {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOf(area.fill));
        painter.drawPolygon(polygonOf(area.corners));
    }
    void operator()(const page::Stroke& stroke) const {
        painter.setPen(QPen(colourOf(stroke.colour), stroke.width, stroke.dashed ? Qt::DashLine : Qt::SolidLine));
        painter.drawPolyline(polygonOf(stroke.points));
    }
    void operator()(const page::Dot& dot) const {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOf(dot.fill));
        painter.drawEllipse(QPointF(dot.centre.x, dot.centre.y), dot.radius, dot.radius);
    }
    void operator()(const page::Label& label) const {
        QFont font = painter.font();
        font.setPixelSize(int(page::label_size));
        painter.setFont(font);
        painter.setPen(colourOf(label.colour));
        const QString text = QString::fromStdString(label.text);
        double x = label.at.x;
        const double width = painter.fontMetrics().horizontalAdvance(text);
        if (label.anchor == page::Label::Anchor::middle) x -= width / 2;
        if (label.anchor == page::Label::Anchor::end) x -= width;
        painter.drawText(QPointF(x, label.at.y), text);
    }
};

QImage imageOf(const page::Image& image) {
    if (const auto* pixels = std::get_if<page::Pixels>(&image)) {
        const QImage shown(pixels->values.data(), pixels->width, pixels->height, pixels->width * 3,
                           QImage::Format_RGB888);
        // Enlarged here, because rich text smooths what it enlarges.
        const int scale = qMax(1, 768 / qMax(1, qMax(pixels->width, pixels->height)));
        // Converted, for what is scaled by 1 would still have the values of `pixels`.
        return shown.scaled(pixels->width * scale, pixels->height * scale).convertToFormat(QImage::Format_RGB32);
    }
    const auto& drawing = std::get<page::Drawing>(image);
    QImage drawn((QSizeF(drawing.width, drawing.height) * sharpness).toSize(), QImage::Format_RGB32);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(sharpness, sharpness);
    for (const page::Shape& shape : drawing.shapes)
        std::visit(ShapePainter{painter}, shape);
    return drawn;
}

} // namespace

PageDocument::PageDocument(const history::Run& run, const std::vector<page::ResultView>& results,
                           const QString& fixedFont) {
    const auto address = [this](const page::Image& image) {
        images_ << imageOf(image);
        return QStringLiteral("page:%1").arg(images_.size() - 1).toStdString();
    };
    setDefaultStyleSheet(QStringLiteral("pre { font-family: '%1'; }").arg(fixedFont));
    setHtml(QString::fromStdString(page::to_html(run, results, address)));
}

bool PageDocument::printTo(QPdfWriter& writer, const std::function<bool(double done)>& goOn) {
    constexpr double unit = 1 / 96.0;   // of rich text, in inches
    constexpr double margin = 2 / 2.54; // inches
    constexpr double gap = 5 / 72.0;    // between text and number, in inches
    QPainter painter(&writer);
    if (!painter.isActive()) return false;
    const double resolution = writer.logicalDpiY();
    const QSizeF paper = writer.pageLayout().paintRectPixels(writer.resolution()).size();
    documentLayout()->setPaintDevice(&writer);
    QTextFrameFormat frame = rootFrame()->frameFormat();
    frame.setMargin(margin / unit); // the layout makes it dots of the paper
    rootFrame()->setFrameFormat(frame);
    setPageSize(paper);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black);
    const int pages = pageCount();
    for (int page = 0; page < pages; ++page) {
        if (!goOn(double(page) / pages)) return false;
        if (page > 0 && !writer.newPage()) return false;
        painter.save();
        painter.translate(0, -page * paper.height());
        context.clip = QRectF(QPointF(0, page * paper.height()), paper);
        painter.setClipRect(context.clip);
        documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(defaultFont());
        const QString number = QString::number(page + 1);
        const QFontMetricsF metrics = painter.fontMetrics();
        painter.drawText(QPointF(paper.width() - margin * resolution - metrics.horizontalAdvance(number),
                                 paper.height() - margin * resolution + metrics.ascent() + gap * resolution),
                         number);
    }
    return goOn(1);
}

QVariant PageDocument::loadResource(int type, const QUrl& name) {
    if (type != ImageResource || name.scheme() != QLatin1String("page")) return {}; // nothing else is read
    return images_.value(name.path().toInt());
}

} // namespace warplight::ui
