// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/difference_picture.hpp"

#include "ui/buffers/image_canvas.hpp"
#include "ui/common/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace warplight::ui {

DifferencePicture::DifferencePicture(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    view_ = new ImageView(theme, this);
    view_->setColours(ColourMap::Diverging, ColourRange::Symmetric, {});
    column->addWidget(view_, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    foot->setSpacing(Theme::half);
    plane_ = new QSpinBox(this);
    plane_->setPrefix(tr("Plane "));
    plane_->setAccessibleName(tr("Plane"));
    low_ = new QLabel(this);
    scale_ = new QLabel(this);
    scale_->setAccessibleName(tr("Colour scale"));
    high_ = new QLabel(this);
    readout_ = new QLabel(this);
    readout_->setMinimumWidth(0);
    readout_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    foot->addWidget(plane_);
    foot->addWidget(low_);
    foot->addWidget(scale_);
    foot->addWidget(high_);
    foot->addWidget(readout_, 1);
    column->addLayout(foot);
    const ColourMap map(ColourMap::Diverging);
    QImage image(64, 12, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            image.setPixel(x, y, map.at(x / double(image.width() - 1)));
    scale_->setPixmap(QPixmap::fromImage(image));
    connect(plane_, &QSpinBox::valueChanged, view_, &ImageView::setPlane);
    connect(view_, &ImageView::rendered, this, [this] {
        const NumberFormat format{NumberBase::Decimal, 3};
        low_->setText(numberText(view_->range().low, format));
        high_->setText(numberText(view_->range().high, format));
    });
    connect(view_->canvas(), &ImageCanvas::pixelPointed, this, &DifferencePicture::point);
    connect(view_->canvas(), &ImageCanvas::pixelChosen, this, [this](const QPoint& pixel) {
        index_ = view_->indexOf(pixel);
        emit indexChosen(index_);
    });
    connect(view_->canvas(), &ImageCanvas::pixelActivated, this,
            [this](const QPoint& pixel) { emit indexRequested(view_->indexOf(pixel)); });
    connect(&theme_, &Theme::themeChanged, this, &DifferencePicture::restyle);
    restyle();
}

DifferencePicture::~DifferencePicture() { clear(); }

void DifferencePicture::restyle() {
    for (QLabel* label : {low_, high_, readout_})
        label->setFont(theme_.monospace());
}

bool DifferencePicture::canShow(const BufferInfo& actual, const BufferInfo& expected) {
    const ImageShape shape = ImageShape::of(actual);
    return shape.isValid() && shape.channels == 1 && expected.type.isNumeric() && !actual.type.isComplex() &&
           !expected.type.isComplex() && actual.count() == expected.count();
}

void DifferencePicture::clear() {
    ++generation_;
    if (source_ && difference_.isValid()) source_->close(difference_.id);
    difference_ = {};
    readout_->clear();
    view_->setBuffer(nullptr, {});
    view_->canvas()->setPicture({});
}

void DifferencePicture::setBuffers(BufferSource* source, const BufferInfo& actual, const BufferInfo& expected) {
    clear();
    source_ = source;
    source_->formula(actual.id, QStringLiteral("a - b"),
                     {{QStringLiteral("a"), actual.id}, {QStringLiteral("b"), expected.id}}, {}, this,
                     [this, name = actual.name, generation = generation_](const BufferReply<BufferInfo>& reply) {
                         if (generation != generation_) {
                             if (reply.ok() && source_) source_->close(reply.value.id);
                             return;
                         }
                         if (!reply.ok()) {
                             readout_->setText(reply.error);
                             return;
                         }
                         difference_ = reply.value;
                         difference_.name = name;
                         {
                             const QSignalBlocker block(plane_);
                             const qint64 planes = ImageShape::of(difference_).planes;
                             plane_->setRange(0, int(std::min<qint64>(planes - 1, 1 << 30)));
                             plane_->setValue(0);
                             plane_->setVisible(planes > 1);
                         }
                         view_->setBuffer(source_, difference_);
                         setIndex(index_);
                     });
}

void DifferencePicture::setIndex(qint64 index) {
    index_ = index;
    const ImageShape& shape = view_->shape();
    if (!shape.isValid()) return;
    const QPoint place =
        index < 0 ? QPoint(-1, -1) : QPoint(int(index % shape.width), int(index / shape.width % shape.height));
    if (index >= 0) {
        plane_->setValue(int(index / (shape.width * shape.height)));
        view_->canvas()->reveal(place);
    }
    view_->canvas()->showCursor(place);
    point(place);
}

void DifferencePicture::point(const QPoint& pixel) { readout_->setText(view_->textAt(pixel)); }

QString DifferencePicture::readout() const { return readout_->text(); }

} // namespace warplight::ui
