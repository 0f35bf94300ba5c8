// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/image_view.hpp"

#include "ui/buffers/image_canvas.hpp"
#include "ui/common/theme.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace warplight::ui {

namespace {

// Digits of a value that is written into its pixel.
constexpr int inPixels = 3;

// In none of the colour maps.
constexpr QColor differing(255, 64, 200);

} // namespace

ImageView::ImageView(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    title_ = new QLabel(this);
    title_->setContentsMargins(Theme::grid, 0, Theme::grid, 0);
    title_->hide();
    canvas_ = new ImageCanvas(this);
    canvas_->setValueText([this](const QPoint& pixel) { return valuesAt(pixel, inPixels); });
    column->addWidget(title_);
    column->addWidget(canvas_, 1);
    timer_.setSingleShot(true);
    timer_.setInterval(30);
    connect(&timer_, &QTimer::timeout, this, &ImageView::request);
    connect(canvas_, &ImageCanvas::viewChanged, &timer_, qOverload<>(&QTimer::start));
    connect(&sampler_, &ImageSampler::sampled, this, [this](const ImageSample& sample) {
        sample_ = sample;
        render();
    });
    connect(&sampler_, &ImageSampler::failed, this, &ImageView::message);
    connect(&theme_, &Theme::themeChanged, this, &ImageView::restyle);
    restyle();
}

void ImageView::restyle() {
    canvas_->setColours(theme_.colours().alternate, theme_.colours().accent);
    render();
}

void ImageView::setTitleShown(bool shown) { title_->setVisible(shown); }

void ImageView::setBuffer(BufferSource* source, const BufferInfo& info, std::optional<session::TextureKind> kind) {
    sampler_.cancel();
    timer_.stop();
    source_ = source;
    info_ = info;
    shape_ = ImageShape::of(info, kind);
    plane_ = 0;
    marks_.reset();
    sample_ = {};
    image_ = {};
    title_->setText(info.title());
    if (!shape_.isValid()) return;
    canvas_->setPicture(QSize(int(shape_.width), int(shape_.height)));
    stale_ = true;
    if (isVisible()) timer_.start();
}

void ImageView::setPlane(int plane) {
    plane_ = plane;
    timer_.start();
}

void ImageView::setColours(ColourMap::Name map, ColourRange::Kind kind, const ColourRange& manual) {
    map_ = map;
    kind_ = kind;
    if (kind == ColourRange::Manual) range_ = manual;
    render();
}

void ImageView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // A hidden page reads nothing.
    if (stale_) timer_.start();
}

void ImageView::request() {
    if (!source_ || !shape_.isValid() || !isVisible()) return;
    stale_ = false;
    const double ratio = devicePixelRatioF();
    sampler_.sample(source_, info_, shape_, plane_, canvas_->shownRegion(), std::max(64, int(canvas_->width() * ratio)),
                    std::max(64, int(canvas_->height() * ratio)));
}

void ImageView::render() {
    if (sample_.values.isEmpty()) return;
    if (kind_ != ColourRange::Manual) {
        range_ = ColourRange::of(sample_, kind_);
        // Colour channels of bytes, or of floats from 0 to 1, are shown without scaling.
        const bool colours = sample_.channels > 1;
        if (colours && info_.type.kind == ElementKind::UInt8) range_ = {0, 255};
        if (colours && info_.type.isFloating() && range_.low >= 0 && range_.high <= 1) range_ = {0, 1};
    }
    image_ = paintSample(sample_, range_, ColourMap(map_), theme_.colours().error.rgb());
    QRect region = sample_.region;
    region.setSize(QSize(sample_.columns * sample_.step, sample_.rows * sample_.step));
    canvas_->setImage(image_, region);
    canvas_->setMarks(marks(), differing);
    emit rendered();
}

void ImageView::setMarks(std::shared_ptr<const MismatchSet> marks) {
    marks_ = marks && marks->elements() == info_.count() && marks->columns() == 1 ? std::move(marks) : nullptr;
    canvas_->setMarks(this->marks(), differing);
}

QImage ImageView::marks() const {
    if (!marks_ || image_.isNull()) return {};
    QImage mask(image_.size(), QImage::Format_ARGB32);
    mask.fill(Qt::transparent);
    const QRect region = sample_.region;
    const int step = std::max(1, sample_.step);
    for (int y = region.top(); y <= region.bottom(); ++y) {
        // Of pixels that are left out any that differs is told by the one that was taken.
        const int row = (y - region.top()) / step;
        if (row >= mask.height()) break;
        const qint64 end = indexOf({region.right(), y}) + shape_.channels;
        for (qint64 at = marks_->nextIn(indexOf({region.left(), y}), end); at >= 0; at = marks_->nextIn(at + 1, end)) {
            const int x = int(at / shape_.channels % shape_.width);
            const int column = (x - region.left()) / step;
            if (column < mask.width()) mask.setPixelColor(column, row, differing);
        }
    }
    return mask;
}

qint64 ImageView::indexOf(const QPoint& pixel) const {
    if (pixel.x() < 0 || pixel.y() < 0 || pixel.x() >= shape_.width || pixel.y() >= shape_.height) return -1;
    return ((plane_ * shape_.height + pixel.y()) * shape_.width + pixel.x()) * shape_.channels;
}

QString ImageView::valuesAt(const QPoint& pixel, int digits) const {
    if (pixel.x() < 0 || !sample_.region.contains(pixel) || sample_.values.isEmpty()) return {};
    const int column = (pixel.x() - sample_.region.left()) / sample_.step;
    const int row = (pixel.y() - sample_.region.top()) / sample_.step;
    const qsizetype at = (qsizetype(row) * sample_.columns + column) * sample_.channels;
    QStringList values;
    for (int c = 0; c < sample_.channels; ++c)
        values << numberText(double(sample_.values[at + c]), {NumberBase::Decimal, digits});
    return values.join(digits > inPixels ? QStringLiteral(", ") : QStringLiteral("\n"));
}

QString ImageView::textAt(const QPoint& pixel) const {
    const QString values = valuesAt(pixel, 7);
    if (values.isEmpty()) return QStringLiteral("%1 × %2").arg(shape_.height).arg(shape_.width);
    // Of pixels that are left out the one that was taken.
    const QPoint from = sample_.region.topLeft();
    const QPoint taken = from + (pixel - from) / sample_.step * sample_.step;
    return QStringLiteral("[%1, %2] = %3").arg(taken.y()).arg(taken.x()).arg(values);
}

} // namespace warplight::ui
