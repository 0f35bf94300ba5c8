// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/difference_picture.hpp"

#include "ui/buffers/formula_scope.hpp"
#include "ui/buffers/image_canvas.hpp"
#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace warplight::ui {

namespace {

/// Floats in pairs, which may be complex numbers, such as those of float2.
bool isPairs(const BufferInfo& info) {
    return info.type.isFloating() && !info.type.isComplex() && info.shape.size() >= 3 && info.shape.last() == 2;
}

} // namespace

DifferencePicture::DifferencePicture(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    view_ = new ImageView(theme, this);
    view_->setColours(ColourMap::Diverging, ColourRange::Symmetric, {});
    auto* head = new QHBoxLayout; // the foot is narrow
    head->setContentsMargins(0, Theme::half, 0, 0);
    kind_ = new QComboBox(this);
    kind_->setAccessibleName(tr("What is subtracted"));
    kind_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    head->addWidget(kind_);
    head->addStretch();
    column->addLayout(head);
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
    connect(kind_, &QComboBox::currentIndexChanged, this, &DifferencePicture::subtract);
    connect(plane_, &QSpinBox::valueChanged, view_, &ImageView::setPlane);
    connect(view_, &ImageView::rendered, this, [this] {
        const NumberFormat format{NumberBase::Decimal, 3};
        low_->setText(numberText(isSigned() ? view_->range().low : 0, format));
        high_->setText(numberText(view_->range().high, format));
    });
    connect(view_->canvas(), &ImageCanvas::pixelPointed, this, &DifferencePicture::point);
    connect(view_->canvas(), &ImageCanvas::pixelChosen, this, [this](const QPoint& pixel) {
        const qint64 index = view_->indexOf(pixel);
        index_ = index < 0 ? -1 : index * elementsOfPixel() + channel();
        emit indexChosen(index_);
    });
    connect(view_->canvas(), &ImageCanvas::pixelActivated, this, [this](const QPoint& pixel) {
        if (const qint64 index = view_->indexOf(pixel); index >= 0)
            emit indexRequested(index * elementsOfPixel() + channel());
    });
    connect(&theme_, &Theme::themeChanged, this, &DifferencePicture::restyle);
    restyle();
}

DifferencePicture::~DifferencePicture() { clear(); }

void DifferencePicture::restyle() {
    for (QLabel* label : {low_, high_, readout_})
        label->setFont(theme_.monospace());
}

void DifferencePicture::paintScale() {
    const ColourMap map(ColourMap::Diverging);
    QImage image(64, 12, QImage::Format_RGB32);
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y) {
            const double place = x / double(image.width() - 1);
            image.setPixel(x, y, map.at(isSigned() ? place : 0.5 + place / 2));
        }
    scale_->setPixmap(QPixmap::fromImage(image));
}

bool DifferencePicture::canShow(const BufferInfo& actual, const BufferInfo& expected) {
    const ImageShape shape = ImageShape::of(actual);
    if (!shape.isValid() || !expected.type.isNumeric() || actual.count() != expected.count() ||
        actual.type.isComplex() != expected.type.isComplex())
        return false;
    if (shape.channels == 1) return true;
    // Pixels have their channels in both. What is left of the shape is no picture of colours itself.
    if (actual.type.isComplex() || actual.shape != expected.shape) return false;
    BufferInfo one = actual;
    one.shape.removeLast();
    return ImageShape::of(one).channels == 1;
}

void DifferencePicture::fillKinds() {
    const QSignalBlocker block(kind_);
    const Kind before = kind();
    const int channelBefore = channel();
    kind_->clear();
    const auto add = [this](const QString& text, Kind kind, int channel = 0) {
        kind_->addItem(text, int(kind));
        kind_->setItemData(kind_->count() - 1, channel, Qt::UserRole + 1);
    };
    const bool complex = actual_.type.isComplex(), pairs = isPairs(actual_) && actual_.shape == expected_.shape;
    if (const int channels = ImageShape::of(actual_).channels; channels > 1) {
        add(tr("Largest of the channels"), Kind::LargestChannel);
        const QStringList names{tr("Red"), tr("Green"), tr("Blue"), tr("Alpha")};
        for (int i = 0; i < channels; ++i)
            add(names[i], Kind::Channel, i);
    }
    if (pairs) add(tr("As stored"), Kind::Numbers);
    if (complex || pairs) {
        add(tr("Magnitude of the difference"), Kind::Magnitude);
        add(tr("Real"), Kind::Real);
        add(tr("Imaginary"), Kind::Imaginary);
        add(tr("Phase"), Kind::Phase);
    }
    for (int i = 0; i < kind_->count(); ++i)
        if (kind_->itemData(i).toInt() == int(before) && kind_->itemData(i, Qt::UserRole + 1).toInt() == channelBefore)
            kind_->setCurrentIndex(i);
    kind_->setVisible(kind_->count() > 0);
}

DifferencePicture::Kind DifferencePicture::kind() const {
    return kind_->currentIndex() < 0 ? Kind::Numbers : Kind(kind_->currentData().toInt());
}

int DifferencePicture::channel() const {
    return kind_->currentIndex() < 0 ? 0 : kind_->currentData(Qt::UserRole + 1).toInt();
}

bool DifferencePicture::isSigned() const { return kind() != Kind::Magnitude && kind() != Kind::LargestChannel; }

/// Elements of the buffers to one of the difference.
qint64 DifferencePicture::elementsOfPixel() const {
    const qint64 count = difference_.isValid() ? difference_.count() : 0;
    return count > 0 ? std::max<qint64>(1, actual_.count() / count) : 1;
}

void DifferencePicture::clear() {
    reset();
    actual_ = expected_ = {};
}

void DifferencePicture::reset() {
    ++generation_;
    if (source_ && difference_.isValid()) source_->close(difference_.id);
    difference_ = {};
    readout_->clear();
    view_->setBuffer(nullptr, {});
    view_->canvas()->setPicture({});
}

void DifferencePicture::setBuffers(BufferSource* source, const BufferInfo& actual, const BufferInfo& expected) {
    reset();
    source_ = source;
    actual_ = actual;
    expected_ = expected;
    fillKinds();
    subtract();
}

void DifferencePicture::subtract() {
    reset();
    paintScale();
    if (!source_ || !actual_.isValid()) return;
    FormulaScope scope;
    const auto add = [&](const char* name, const BufferInfo& info, std::optional<ComplexPart> part, int channel = -1) {
        BufferView view;
        view.part = part;
        if (channel >= 0) view.slice = sliceOfChannel(info.shape, channel);
        scope.add(QLatin1String(name), {}, info.id, view);
    };
    const auto both = [&](std::optional<ComplexPart> part, int channel = -1) {
        add("a", actual_, part, channel);
        add("b", expected_, part, channel);
        return QStringLiteral("a - b");
    };
    QString expression;
    switch (kind()) {
    case Kind::Numbers: expression = both(std::nullopt); break;
    case Kind::Real: expression = both(ComplexPart::Real); break;
    case Kind::Imaginary: expression = both(ComplexPart::Imaginary); break;
    case Kind::Phase: // the way around the circle that is shorter
        both(ComplexPart::Phase);
        expression = QStringLiteral("atan2(sin(a - b), cos(a - b))");
        break;
    case Kind::Magnitude:
        both(ComplexPart::Real);
        add("c", actual_, ComplexPart::Imaginary);
        add("d", expected_, ComplexPart::Imaginary);
        expression = QStringLiteral("hypot(a - b, c - d)");
        break;
    case Kind::Channel: expression = both(std::nullopt, channel()); break;
    case Kind::LargestChannel: {
        static constexpr const char* names[2][4] = {{"a0", "a1", "a2", "a3"}, {"b0", "b1", "b2", "b3"}};
        QStringList differences;
        for (int i = 0; i < std::min(4, ImageShape::of(actual_).channels); ++i) {
            add(names[0][i], actual_, std::nullopt, i);
            add(names[1][i], expected_, std::nullopt, i);
            differences << QStringLiteral("abs(a%1 - b%1)").arg(i);
        }
        expression = QStringLiteral("max(%1)").arg(differences.join(QLatin1Char(',')));
        break;
    }
    }
    deriveFormula(source_, -1, expression, scope, this,
                  [this, generation = generation_](const BufferReply<BufferInfo>& reply) {
                      if (generation != generation_) {
                          if (reply.ok() && source_) source_->close(reply.value.id);
                      } else if (reply.ok()) {
                          show(reply.value);
                      } else {
                          readout_->setText(reply.error);
                      }
                  });
}

void DifferencePicture::show(const BufferInfo& difference) {
    difference_ = difference;
    difference_.name = actual_.name;
    {
        const QSignalBlocker block(plane_);
        const qint64 planes = ImageShape::of(difference_).planes;
        plane_->setRange(0, int(std::min<qint64>(planes - 1, 1 << 30)));
        plane_->setValue(0);
        plane_->setVisible(planes > 1);
    }
    view_->setBuffer(source_, difference_);
    setIndex(index_);
}

void DifferencePicture::setIndex(qint64 index) {
    index_ = index;
    const ImageShape& shape = view_->shape();
    if (!shape.isValid()) return;
    const qint64 pixel = index < 0 ? -1 : index / elementsOfPixel();
    const QPoint place =
        pixel < 0 ? QPoint(-1, -1) : QPoint(int(pixel % shape.width), int(pixel / shape.width % shape.height));
    if (pixel >= 0) {
        plane_->setValue(int(pixel / (shape.width * shape.height)));
        view_->canvas()->reveal(place);
    }
    view_->canvas()->showCursor(place);
    point(place);
}

void DifferencePicture::point(const QPoint& pixel) { readout_->setText(view_->textAt(pixel)); }

QString DifferencePicture::readout() const { return readout_->text(); }

} // namespace warplight::ui
