// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/image_page.hpp"

#include "ui/common/theme.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplight::ui {

ImagePage::ImagePage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    stack_ = new QStackedWidget(this);
    column->addWidget(stack_);
    note_ = new QLabel(stack_);
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    note_->setMargin(2 * Theme::grid);
    stack_->addWidget(note_);
    auto* page = new QWidget(stack_);
    auto* inner = new QVBoxLayout(page);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    map_ = new QComboBox(page);
    map_->addItems(ColourMap::names());
    map_->setCurrentIndex(ColourMap::Viridis);
    map_->setAccessibleName(tr("Colour map"));
    plane_ = new QSpinBox(page);
    plane_->setPrefix(tr("Plane "));
    plane_->setAccessibleName(tr("Plane"));
    automatic_ = new QCheckBox(tr("Fit range"), page);
    automatic_->setChecked(true);
    automatic_->setToolTip(tr("Colours span the values that are shown"));
    low_ = new QLineEdit(page);
    high_ = new QLineEdit(page);
    low_->setAccessibleName(tr("Value of the first colour"));
    high_->setAccessibleName(tr("Value of the last colour"));
    scale_ = new QLabel(page);
    scale_->setAccessibleName(tr("Colour scale"));
    for (QLineEdit* edit : {low_, high_}) {
        edit->setEnabled(false);
        edit->setAlignment(Qt::AlignRight);
        connect(edit, &QLineEdit::editingFinished, this, &ImagePage::render);
    }
    readout_ = new QLabel(page);
    readout_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    bar->addWidget(map_);
    bar->addWidget(plane_);
    bar->addWidget(automatic_);
    bar->addWidget(low_);
    bar->addWidget(scale_);
    bar->addWidget(high_);
    bar->addStretch();
    bar->addWidget(readout_);
    inner->addLayout(bar);
    canvas_ = new ImageCanvas(page);
    inner->addWidget(canvas_, 1);
    stack_->addWidget(page);

    timer_.setSingleShot(true);
    timer_.setInterval(30);
    connect(&timer_, &QTimer::timeout, this, &ImagePage::request);
    connect(canvas_, &ImageCanvas::viewChanged, &timer_, qOverload<>(&QTimer::start));
    connect(canvas_, &ImageCanvas::pixelPointed, this, &ImagePage::point);
    connect(map_, &QComboBox::currentIndexChanged, this, [this] {
        paintScale();
        render();
    });
    connect(plane_, &QSpinBox::valueChanged, &timer_, qOverload<>(&QTimer::start));
    connect(automatic_, &QCheckBox::toggled, this, [this](bool on) {
        low_->setEnabled(!on);
        high_->setEnabled(!on);
        render();
    });
    connect(&sampler_, &ImageSampler::sampled, this, [this](const ImageSample& sample) {
        sample_ = sample;
        render();
    });
    connect(&sampler_, &ImageSampler::failed, this, &ImagePage::message);
    connect(&theme_, &Theme::themeChanged, this, &ImagePage::restyle);
    restyle();
    setBuffer(nullptr, {});
}

void ImagePage::restyle() {
    canvas_->setColours(theme_.colours().alternate, theme_.colours().accent);
    readout_->setFont(theme_.monospace());
    for (QLineEdit* edit : {low_, high_})
        edit->setMaximumWidth(QFontMetrics(edit->font()).averageCharWidth() * 12);
    paintScale();
}

void ImagePage::paintScale() {
    const ColourMap map(ColourMap::Name(map_->currentIndex()));
    QImage image(96, 12, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            image.setPixel(x, y, map.at(x / double(image.width() - 1)));
    scale_->setPixmap(QPixmap::fromImage(image));
}

void ImagePage::setBuffer(BufferSource* source, const BufferInfo& info) {
    sampler_.cancel();
    timer_.stop();
    source_ = source;
    info_ = info;
    shape_ = ImageShape::of(info);
    sample_ = {};
    image_ = {};
    readout_->clear();
    if (!shape_.isValid()) {
        note_->setText(info.isValid()
                           ? tr("%1 has %2: a picture needs a buffer of numbers with two dimensions or more.")
                                 .arg(info.name, info.shape.size() < 2 ? tr("one dimension") : tr("no numbers"))
                           : tr("Choose a buffer."));
        stack_->setCurrentIndex(0);
        return;
    }
    stack_->setCurrentIndex(1);
    {
        const QSignalBlocker block(plane_);
        plane_->setRange(0, int(std::min<qint64>(shape_.planes - 1, 1 << 30)));
        plane_->setValue(0);
        plane_->setVisible(shape_.planes > 1);
    }
    const bool heat = shape_.channels == 1;
    map_->setVisible(heat);
    scale_->setVisible(heat);
    canvas_->setPicture(QSize(int(shape_.width), int(shape_.height)));
    stale_ = true;
    if (isVisible()) timer_.start();
}

bool ImagePage::isShowingNote() const { return stack_->currentIndex() == 0; }

void ImagePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // A hidden page reads nothing.
    if (stale_) timer_.start();
}

void ImagePage::request() {
    if (!source_ || !shape_.isValid() || !isVisible()) return;
    stale_ = false;
    const QRect region = canvas_->shownRegion();
    const double ratio = devicePixelRatioF();
    sampler_.sample(source_, info_, shape_, plane_->value(), region, std::max(64, int(canvas_->width() * ratio)),
                    std::max(64, int(canvas_->height() * ratio)));
}

void ImagePage::render() {
    if (sample_.values.isEmpty()) return;
    const int channels = sample_.channels;
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (float value : std::as_const(sample_.values)) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high) low = 0, high = 1;
    // Colour channels of bytes, or of floats from 0 to 1, are shown without scaling.
    if (channels > 1 && info_.type.kind == ElementKind::UInt8) low = 0, high = 255;
    if (channels > 1 && info_.type.isFloating() && low >= 0 && high <= 1) low = 0, high = 1;
    if (automatic_->isChecked()) {
        const NumberFormat format{NumberBase::Decimal, 5};
        low_->setText(numberText(double(low), format));
        high_->setText(numberText(double(high), format));
    } else {
        low = low_->text().toFloat();
        high = high_->text().toFloat();
    }
    const float range = high > low ? high - low : 1;
    const ColourMap map(ColourMap::Name(map_->currentIndex()));
    const QRgb none = theme_.colours().error.rgb(); // NaN and infinity stand out
    QImage image(sample_.columns, sample_.rows, channels == 4 ? QImage::Format_ARGB32 : QImage::Format_RGB32);
    for (int y = 0; y < sample_.rows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const float* values = sample_.values.constData() + qsizetype(y) * sample_.columns * channels;
        for (int x = 0; x < sample_.columns; ++x, values += channels) {
            if (channels == 1) {
                line[x] = std::isfinite(values[0]) ? map.at(double((values[0] - low) / range)) : none;
                continue;
            }
            int parts[4] = {0, 0, 0, 255};
            for (int c = 0; c < channels; ++c) {
                const float t = (values[c] - low) / range;
                parts[c] = std::isfinite(t) ? int(std::lround(std::clamp(t, 0.0F, 1.0F) * 255)) : 0;
            }
            line[x] = qRgba(parts[0], parts[1], parts[2], parts[3]);
        }
    }
    image_ = image;
    QRect region = sample_.region;
    region.setSize(QSize(sample_.columns * sample_.step, sample_.rows * sample_.step));
    canvas_->setImage(image_, region);
    point(canvas_->cursorPixel());
}

void ImagePage::point(const QPoint& pixel) {
    if (pixel.x() < 0 || !sample_.region.contains(pixel) || sample_.values.isEmpty()) {
        readout_->setText(QStringLiteral("%1 × %2").arg(shape_.height).arg(shape_.width));
        return;
    }
    const int column = (pixel.x() - sample_.region.left()) / sample_.step;
    const int row = (pixel.y() - sample_.region.top()) / sample_.step;
    const QPoint taken = sample_.region.topLeft() + QPoint(column, row) * sample_.step;
    QStringList values;
    const qsizetype at = (qsizetype(row) * sample_.columns + column) * sample_.channels;
    for (int c = 0; c < sample_.channels; ++c)
        values << numberText(double(sample_.values[at + c]), {NumberBase::Decimal, 7});
    readout_->setText(
        QStringLiteral("[%1, %2] = %3").arg(taken.y()).arg(taken.x()).arg(values.join(QStringLiteral(", "))));
}

QString ImagePage::readout() const { return readout_->text(); }

} // namespace warplight::ui
