// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/texture_rows.hpp"

#include "ui/common/theme.hpp"
#include "ui/launch/argument_text.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <initializer_list>

namespace warplight::ui {

namespace {

using session::TextureKind;
using session::TextureMemory;

QString kindName(TextureKind kind) {
    switch (kind) {
    case TextureKind::d1: return TextureRows::tr("1D");
    case TextureKind::d2: return TextureRows::tr("2D");
    case TextureKind::d3: return TextureRows::tr("3D");
    case TextureKind::layered_d1: return TextureRows::tr("1D layered");
    case TextureKind::layered_d2: return TextureRows::tr("2D layered");
    case TextureKind::cubemap: return TextureRows::tr("cubemap");
    case TextureKind::layered_cubemap: break;
    }
    return TextureRows::tr("layered cubemap");
}

QString shapeOfKind(TextureKind kind) {
    switch (kind) {
    case TextureKind::d1: return TextureRows::tr("1D: width");
    case TextureKind::d2: return TextureRows::tr("2D: height, width");
    case TextureKind::d3: return TextureRows::tr("3D: depth, height, width");
    case TextureKind::layered_d1: return TextureRows::tr("1D layered: layers, width");
    case TextureKind::layered_d2: return TextureRows::tr("2D layered: layers, height, width");
    case TextureKind::cubemap: return TextureRows::tr("Cubemap: 6, width, width");
    case TextureKind::layered_cubemap: break;
    }
    return TextureRows::tr("Layered cubemap: cubemaps, 6, width, width");
}

bool isCube(TextureKind kind) { return kind == TextureKind::cubemap || kind == TextureKind::layered_cubemap; }

/// Coordinates that have an address mode.
std::size_t coordinateCount(TextureKind kind) {
    if (kind == TextureKind::d3) return 3;
    return kind == TextureKind::d1 || kind == TextureKind::layered_d1 ? 1 : 2;
}

QComboBox* choice(const QStringList& texts) {
    auto* box = new QComboBox;
    box->addItems(texts);
    return box;
}

QWidget* inOneRow(const std::initializer_list<QWidget*> widgets) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::grid);
    for (QWidget* each : widgets)
        layout->addWidget(each);
    layout->addStretch();
    return row;
}

} // namespace

QString textureName(const session::Argument& argument) {
    if (argument.direction == session::Direction::scalar || (!argument.texture && !argument.surface)) return {};
    const QString kind = kindName(argument.texture ? argument.texture->kind : argument.surface->kind);
    if (argument.texture && argument.surface) return TextureRows::tr("%1 texture and surface").arg(kind);
    return (argument.texture ? TextureRows::tr("%1 texture") : TextureRows::tr("%1 surface")).arg(kind);
}

TextureRows::TextureRows(const session::Argument& argument, QFormLayout* form, QObject* parent)
    : QObject(parent), variable_(argument.variable), form_(form) {
    given_ = choice(variable_ ? QStringList{tr("The variable"), tr("Texture reference"), tr("Surface reference")}
                              : QStringList{tr("Address"), tr("Texture"), tr("Surface"), tr("Texture and surface")});
    given_->setToolTip(tr("What the kernel gets. Textures are read with filters and address modes, and surfaces "
                          "are read and written by coordinates."));
    kind_ = new QComboBox;
    for (std::size_t i = 0; i < session::texture_kinds.size(); ++i)
        kind_->addItem(shapeOfKind(TextureKind(i)));
    kind_->setToolTip(tr("The axes of the data. One more axis has the 1, 2 or 4 components of an element."));
    memory_ = choice({tr("An array"), tr("Linear memory, for tex1Dfetch"), tr("Rows of memory")});
    filter_ = choice({tr("The nearest element"), tr("Between elements (linear)")});
    read_ = choice({tr("As they are"), tr("As floats up to 1 (normalised)")});
    coordinates_ = choice({tr("In elements"), tr("From 0 to 1 (normalised)")});
    for (std::size_t i = 0; i < address_.size(); ++i) {
        address_[i] = choice({tr("Wrap"), tr("Clamp"), tr("Mirror"), tr("Border")});
        address_[i]->setAccessibleName(tr("Outside along %1").arg(QLatin1Char("xyz"[i])));
        address_[i]->setToolTip(address_[i]->accessibleName());
    }
    addressRow_ = inOneRow({address_[0], address_[1], address_[2]});
    border_ = new QLineEdit;
    border_->setPlaceholderText(QStringLiteral("0, 0, 0, 0"));
    fourth_ = new QLineEdit;
    fourth_->setPlaceholderText(tr("none; 255 for a picture of three components"));
    fourth_->setToolTip(tr("Elements have 1, 2 or 4 components. Data of three get this as their fourth."));
    srgb_ = new QCheckBox(tr("sRGB"));
    srgb_->setToolTip(tr("Bytes are sRGB, and are read as linear values."));
    seamless_ = new QCheckBox(tr("Seamless"));
    seamless_->setToolTip(tr("A filter takes elements of the next face across an edge of the cubemap."));
    gather_ = new QCheckBox(tr("For tex2Dgather"));
    optionsRow_ = inOneRow({srgb_, seamless_, gather_});
    form_->addRow(tr("&Given as"), given_);
    form_->addRow(tr("&Kind"), kind_);
    form_->addRow(tr("Lies in"), memory_);
    form_->addRow(tr("Filter"), filter_);
    form_->addRow(tr("Values"), read_);
    form_->addRow(tr("&Coordinates"), coordinates_);
    form_->addRow(tr("&Outside"), addressRow_);
    form_->addRow(tr("Border colour"), border_);
    form_->addRow(tr("Fourth component"), fourth_);
    form_->addRow(QString(), optionsRow_);
    if (auto* label = qobject_cast<QLabel*>(form_->labelForField(addressRow_))) label->setBuddy(address_[0]);
    fill(argument);
    shown_ = state();
    for (const QComboBox* each :
         {given_, kind_, memory_, filter_, read_, coordinates_, address_[0], address_[1], address_[2]})
        connect(each, &QComboBox::currentIndexChanged, this, &TextureRows::showRows);
    showRows();
}

void TextureRows::fill(const session::Argument& argument) {
    const auto& texture = argument.texture;
    const auto& surface = argument.surface;
    given_->setCurrentIndex(texture && surface && !variable_ ? Both : texture ? Texture : surface ? Surface : Address);
    const session::TextureSetup setup = texture.value_or(session::TextureSetup{});
    kind_->setCurrentIndex(int(texture ? texture->kind : surface ? surface->kind : setup.kind));
    memory_->setCurrentIndex(int(setup.memory));
    filter_->setCurrentIndex(int(setup.filter));
    read_->setCurrentIndex(int(setup.read));
    coordinates_->setCurrentIndex(setup.normalized_coordinates ? 1 : 0);
    for (std::size_t i = 0; i < address_.size(); ++i)
        address_[i]->setCurrentIndex(int(setup.address[i]));
    if (setup.border != session::TextureSetup{}.border) {
        QStringList parts;
        for (const double each : setup.border)
            parts << numberText(each);
        border_->setText(parts.join(QStringLiteral(", ")));
    }
    if (setup.fourth) fourth_->setText(numberText(*setup.fourth));
    srgb_->setChecked(setup.srgb);
    seamless_->setChecked(setup.seamless);
    gather_->setChecked(setup.gather);
}

QStringList TextureRows::state() const {
    QStringList values{border_->text(), fourth_->text()};
    for (const QComboBox* each :
         {given_, kind_, memory_, filter_, read_, coordinates_, address_[0], address_[1], address_[2]})
        values << QString::number(each->currentIndex());
    for (const QCheckBox* each : {srgb_, seamless_, gather_})
        values << QString::number(int(each->isChecked()));
    return values;
}

bool TextureRows::isTexture() const { return given_->currentIndex() == Texture || given_->currentIndex() == Both; }
bool TextureRows::isSurface() const { return given_->currentIndex() == Surface || given_->currentIndex() == Both; }
TextureKind TextureRows::kind() const { return TextureKind(kind_->currentIndex()); }

TextureMemory TextureRows::memory() const {
    const auto chosen = TextureMemory(memory_->currentIndex());
    return form_->isRowVisible(memory_) ? chosen : TextureMemory::array;
}

void TextureRows::setElementType(const QString& dtype) {
    dtype_ = dtype;
    showRows();
}

void TextureRows::showRows() {
    const bool texture = isTexture();
    form_->setRowVisible(kind_, texture || isSurface());
    const bool mayBePlain = texture && !isSurface() && (kind() == TextureKind::d1 || kind() == TextureKind::d2);
    form_->setRowVisible(memory_, mayBePlain);
    if (mayBePlain && ((memory_->currentIndex() == int(TextureMemory::linear) && kind() != TextureKind::d1) ||
                       (memory_->currentIndex() == int(TextureMemory::pitch2d) && kind() != TextureKind::d2)))
        memory_->setCurrentIndex(int(TextureMemory::array)); // calls this again
    const bool sampled = texture && memory() != TextureMemory::linear;
    form_->setRowVisible(filter_, sampled);
    const bool small =
        dtype_.isEmpty() || dtype_.endsWith(QLatin1String("int8")) || dtype_.endsWith(QLatin1String("int16"));
    form_->setRowVisible(read_, texture && small);
    form_->setRowVisible(coordinates_, sampled && !isCube(kind()));
    form_->setRowVisible(addressRow_, sampled);
    bool border = false;
    for (std::size_t i = 0; i < address_.size(); ++i) {
        const bool shown = i < coordinateCount(kind());
        address_[i]->setVisible(shown);
        border = border || (shown && address_[i]->currentIndex() == int(session::AddressMode::border));
    }
    form_->setRowVisible(border_, sampled && border && !variable_);
    form_->setRowVisible(fourth_, texture && !isSurface());
    const bool bytes = texture && (dtype_.isEmpty() || dtype_ == QLatin1String("uint8")) && read_->currentIndex() == 1;
    const bool gathers = sampled && kind() == TextureKind::d2 && memory() == TextureMemory::array;
    srgb_->setVisible(bytes);
    seamless_->setVisible(texture && isCube(kind()));
    gather_->setVisible(gathers);
    form_->setRowVisible(optionsRow_, bytes || gathers || (texture && isCube(kind())));
    emit changed();
}

bool TextureRows::take(session::Argument& argument, QString* problem) const {
    if (state() == shown_) return true; // as the session has it, with what no row shows
    const session::TextureSetup before = argument.texture.value_or(session::TextureSetup{});
    const session::SurfaceSetup surface = argument.surface.value_or(session::SurfaceSetup{});
    argument.texture.reset();
    argument.surface.reset();
    if (isSurface()) argument.surface = session::SurfaceSetup{kind(), surface.unknown};
    if (!isTexture()) return true;
    session::TextureSetup setup; // rows that are not shown are as by default
    setup.unknown = before.unknown;
    setup.kind = kind();
    setup.memory = memory();
    if (form_->isRowVisible(filter_)) setup.filter = session::FilterMode(filter_->currentIndex());
    if (form_->isRowVisible(read_)) setup.read = session::ReadMode(read_->currentIndex());
    if (form_->isRowVisible(addressRow_))
        for (std::size_t i = 0; i < address_.size(); ++i)
            // An axis that the texture has not does as the last one that it has.
            setup.address[i] =
                session::AddressMode(address_[std::min(i, coordinateCount(setup.kind) - 1)]->currentIndex());
    setup.normalized_coordinates = isCube(setup.kind)
                                       ? before.normalized_coordinates
                                       : form_->isRowVisible(coordinates_) && coordinates_->currentIndex() == 1;
    session::Components colour;
    if (form_->isRowVisible(border_) && !border_->text().trimmed().isEmpty()) {
        if (!readNumbers(border_->text(), &colour) || colour.size() > setup.border.size()) {
            *problem = tr("The border's colour is one to four numbers, such as “0, 0, 0, 1”.");
            return false;
        }
        for (std::size_t i = 0; i < colour.size(); ++i)
            setup.border[i] = session::as_double(colour[i]);
    }
    if (form_->isRowVisible(fourth_) && !fourth_->text().trimmed().isEmpty()) {
        session::Number fourth;
        if (!readNumber(fourth_->text(), &fourth)) {
            *problem = tr("“%1” is not a number.").arg(fourth_->text());
            return false;
        }
        setup.fourth = session::as_double(fourth);
    }
    const bool options = form_->isRowVisible(optionsRow_);
    setup.srgb = options && !srgb_->isHidden() && srgb_->isChecked();
    setup.seamless = options && !seamless_->isHidden() && seamless_->isChecked();
    setup.gather = options && !gather_->isHidden() && gather_->isChecked();
    argument.texture = setup;
    return true;
}

} // namespace warplight::ui
