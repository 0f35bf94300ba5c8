// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/image_page.hpp"

#include "ui/buffers/export_button.hpp"
#include "ui/buffers/plane_box.hpp"
#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

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
    bar->setSpacing(Theme::half);
    map_ = new QComboBox(page);
    map_->addItems(ColourMap::names());
    map_->setCurrentIndex(ColourMap::Viridis);
    map_->setAccessibleName(tr("Colour map"));
    plane_ = new PlaneBox(page);
    range_ = new QComboBox(page);
    range_->addItems({tr("Fit range"), tr("2 % to 98 %"), tr("Around 0"), tr("Between")});
    range_->setAccessibleName(tr("Range of the colours"));
    range_->setToolTip(tr("Colours span the values that are shown, most of them, as much below 0 as above, or yours"));
    low_ = new QLineEdit(page);
    high_ = new QLineEdit(page);
    low_->setAccessibleName(tr("Value of the first colour"));
    high_->setAccessibleName(tr("Value of the last colour"));
    scale_ = new QLabel(page);
    scale_->setAccessibleName(tr("Colour scale"));
    for (QLineEdit* edit : {low_, high_}) {
        edit->setEnabled(false);
        edit->setAlignment(Qt::AlignRight);
        connect(edit, &QLineEdit::editingFinished, this, &ImagePage::recolour);
    }
    readout_ = new QLabel(page);
    readout_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    view_ = new ImageView(theme, page);
    beside_ = new ImageView(theme, page);
    beside_->hide();
    export_ = new ExportButton({[this] { return view_->info().name + QStringLiteral("-image"); },
                                [this](QChar separator) { return valuesText(separator); }, nullptr,
                                [this] { return view_->image(); }},
                               page);
    bar->addWidget(map_);
    bar->addWidget(plane_);
    bar->addWidget(range_);
    bar->addWidget(low_);
    bar->addWidget(scale_);
    bar->addWidget(high_);
    bar->addStretch();
    bar->addWidget(readout_);
    bar->addWidget(export_);
    inner->addLayout(bar);
    auto* pictures = new QHBoxLayout;
    pictures->setSpacing(Theme::half);
    pictures->addWidget(view_, 1);
    pictures->addWidget(beside_, 1);
    inner->addLayout(pictures, 1);
    stack_->addWidget(page);

    link(view_, beside_);
    link(beside_, view_);
    connect(map_, &QComboBox::currentIndexChanged, this, [this] {
        paintScale();
        recolour();
    });
    connect(range_, &QComboBox::currentIndexChanged, this, [this](int kind) {
        low_->setEnabled(kind == ColourRange::Manual);
        high_->setEnabled(kind == ColourRange::Manual);
        recolour();
    });
    connect(plane_, &QSpinBox::valueChanged, view_, &ImageView::setPlane);
    connect(plane_, &QSpinBox::valueChanged, beside_, &ImageView::setPlane);
    connect(view_, &ImageView::rendered, this, [this] {
        if (range_->currentIndex() != ColourRange::Manual) {
            const NumberFormat format{NumberBase::Decimal, 5};
            low_->setText(numberText(view_->range().low, format));
            high_->setText(numberText(view_->range().high, format));
        }
        // Equal values have equal colours in both.
        beside_->setColours(ColourMap::Name(map_->currentIndex()), ColourRange::Manual, view_->range());
        point(canvas()->cursorPixel());
    });
    connect(export_, &ExportButton::message, this, &ImagePage::message);
    connect(&theme_, &Theme::themeChanged, this, &ImagePage::restyle);
    restyle();
    setBuffer(nullptr, {});
}

void ImagePage::link(ImageView* view, ImageView* other) {
    connect(view->canvas(), &ImageCanvas::viewChanged, this, [this, view, other] {
        if (beside_->isVisible()) other->canvas()->followView(*view->canvas());
    });
    connect(view->canvas(), &ImageCanvas::pixelPointed, this, [this, view, other](const QPoint& pixel) {
        other->canvas()->showCursor(view->canvas()->cursorPixel());
        point(pixel);
    });
    connect(view->canvas(), &ImageCanvas::pixelChosen, this,
            [this](const QPoint& pixel) { emit indexChosen(view_->indexOf(pixel)); });
    connect(view, &ImageView::message, this, &ImagePage::message);
}

void ImagePage::restyle() {
    readout_->setFont(theme_.monospace());
    for (QLineEdit* edit : {low_, high_})
        edit->setMaximumWidth(QFontMetrics(edit->font()).averageCharWidth() * 12);
    paintScale();
}

void ImagePage::paintScale() {
    const ColourMap map(ColourMap::Name(map_->currentIndex()));
    QImage image(64, 12, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            image.setPixel(x, y, map.at(x / double(image.width() - 1)));
    scale_->setPixmap(QPixmap::fromImage(image));
}

void ImagePage::recolour() {
    ColourRange manual;
    bool lowIsNumber = false, highIsNumber = false;
    manual.low = low_->text().toDouble(&lowIsNumber);
    manual.high = high_->text().toDouble(&highIsNumber);
    const auto kind = ColourRange::Kind(range_->currentIndex());
    if (kind == ColourRange::Manual && !(lowIsNumber && highIsNumber && manual.low < manual.high)) {
        emit message(tr("The range of the colours needs two numbers, the smaller one first."));
        return;
    }
    view_->setColours(ColourMap::Name(map_->currentIndex()), kind, manual);
}

void ImagePage::setManualRange(double low, double high) {
    const NumberFormat format{NumberBase::Decimal, 9};
    low_->setText(numberText(low, format));
    high_->setText(numberText(high, format));
    if (range_->currentIndex() == ColourRange::Manual)
        recolour();
    else
        range_->setCurrentIndex(ColourRange::Manual);
}

void ImagePage::setBuffer(BufferSource* source, const BufferInfo& info, const BufferInfo& beside) {
    const auto kind = kinds_ ? kinds_(info) : std::nullopt;
    view_->setBuffer(source, info, kind);
    const ImageShape other = ImageShape::of(beside, kind);
    const bool two = view_->shape().isValid() && other.isValid() && other.height == view_->shape().height &&
                     other.width == view_->shape().width;
    beside_->setVisible(two);
    beside_->setBuffer(source, two ? beside : BufferInfo(), kind);
    for (ImageView* view : {view_, beside_})
        view->setTitleShown(two);
    if (two) beside_->canvas()->followView(*canvas());
    const ImageShape& shape = view_->shape();
    readout_->clear();
    if (!shape.isValid()) {
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
        plane_->setPlanes(shape.planes, kind);
    }
    const bool heat = shape.channels == 1;
    map_->setVisible(heat);
    scale_->setVisible(heat);
}

bool ImagePage::isShowingNote() const { return stack_->currentIndex() == 0; }

void ImagePage::setIndex(qint64 index) {
    const ImageShape& shape = view_->shape();
    if (!shape.isValid() || index < 0) {
        for (ImageView* view : {view_, beside_})
            view->canvas()->showCursor({-1, -1});
        return;
    }
    const qint64 pixel = index / shape.channels, plane = pixel / (shape.width * shape.height);
    const QPoint place(int(pixel % shape.width), int(pixel / shape.width % shape.height));
    plane_->setValue(int(plane));
    view_->canvas()->reveal(place);
    for (ImageView* view : {view_, beside_})
        view->canvas()->showCursor(place);
    point(place);
}

void ImagePage::point(const QPoint& pixel) {
    QString text = view_->textAt(pixel);
    if (beside_->isVisible() && pixel.x() >= 0) text += QStringLiteral("   ") + beside_->valuesAt(pixel, 7);
    readout_->setText(text);
}

QString ImagePage::readout() const { return readout_->text(); }

/// The values that are drawn, row after row. Channels are beside each other.
QString ImagePage::valuesText(QChar separator) const {
    const ImageSample& sample = view_->sample();
    QString text;
    const qsizetype fields = qsizetype(sample.columns) * sample.channels;
    for (qsizetype i = 0; i < sample.values.size(); ++i) {
        text += QString::number(double(sample.values[i]), 'g', 9);
        text += (i + 1) % fields ? separator : QLatin1Char('\n');
    }
    return text;
}

} // namespace warplight::ui
