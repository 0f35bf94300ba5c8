// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/hex_page.hpp"

#include "ui/buffers/hex_view.hpp"
#include "ui/common/format.hpp"
#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

namespace warplight::ui {

HexPage::HexPage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    position_ = new QLabel(this);
    goTo_ = new QLineEdit(this);
    goTo_->setPlaceholderText(tr("Go to offset"));
    goTo_->setAccessibleName(tr("Go to offset"));
    goTo_->setToolTip(tr("Bytes from the start (4096, 0x1000), or from here (+16, -16)"));
    endian_ = new QComboBox(this);
    endian_->setAccessibleName(tr("Byte order"));
    endian_->addItems({tr("Little endian"), tr("Big endian")});
    bar->addWidget(position_);
    bar->addStretch();
    bar->addWidget(goTo_);
    bar->addWidget(endian_);
    column->addLayout(bar);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    view_ = new HexView(splitter);
    inspector_ = new InspectorModel(this);
    table_ = new QTableView(splitter);
    table_->setModel(inspector_);
    table_->setAccessibleName(tr("Value at the cursor in each type"));
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setFrameShape(QFrame::NoFrame);
    splitter->addWidget(view_);
    splitter->addWidget(table_);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({360, 240}); // more room goes to the bytes
    column->addWidget(splitter, 1);

    connect(view_, &HexView::cursorMoved, this, [this](qint64 cursor) {
        inspect();
        if (view_->byteCount() > 0) emit indexChosen(cursor / std::max(1, info_.type.size));
    });
    connect(view_, &HexView::contentChanged, this, &HexPage::inspect);
    connect(endian_, &QComboBox::currentIndexChanged, this,
            [this](int index) { inspector_->setBigEndian(index == 1); });
    connect(goTo_, &QLineEdit::returnPressed, this, [this] {
        const qint64 offset = parseOffset(goTo_->text(), view_->cursor(), view_->byteCount());
        if (offset < 0) {
            emit message(tr("There is no offset %1 here.").arg(goTo_->text()));
            return;
        }
        view_->goTo(offset);
        view_->setFocus();
    });
    connect(&theme_, &Theme::themeChanged, this, &HexPage::restyle);
    restyle();
}

void HexPage::restyle() {
    const Colours& colours = theme_.colours();
    view_->setLook({colours.text, colours.disabledText, colours.base, colours.mutedText, colours.accent,
                    colours.accentText, colours.alternate},
                   theme_.monospace());
    table_->setFont(theme_.monospace());
    const int height = QFontMetrics(theme_.monospace()).height() + Theme::half;
    table_->verticalHeader()->setDefaultSectionSize(height);
    table_->resizeColumnToContents(0);
    position_->setFont(theme_.monospace());
    goTo_->setFixedWidth(goTo_->fontMetrics().horizontalAdvance(goTo_->placeholderText()) + 4 * Theme::grid);
}

void HexPage::setBuffer(BufferSource* source, const BufferInfo& info) {
    info_ = info;
    view_->setBuffer(source, info);
}

void HexPage::inspect() {
    const qint64 cursor = view_->cursor();
    inspector_->setBytes(view_->bytes(cursor, 16));
    const qint64 element = cursor / std::max(1, info_.type.size);
    if (view_->byteCount() == 0) {
        position_->clear();
        return;
    }
    QString text = tr("0x%1 · element %2").arg(QString::number(cursor, 16).toUpper(), formatCount(element));
    if (info_.shape.size() > 1) text += QLatin1Char(' ') + positionText(info_.shape, element);
    const QByteArray value = view_->bytes(element * info_.type.size, info_.type.size);
    if (info_.type.isNumeric() && value.size() == info_.type.size)
        text += QStringLiteral(" = ") + info_.type.toText(value.constData(), {NumberBase::Decimal, 9});
    position_->setText(text);
}

void HexPage::setIndex(qint64 index) {
    const int size = std::max(1, info_.type.size);
    if (index >= 0 && index < info_.count() && view_->cursor() / size != index) view_->goTo(index * size);
}

QString HexPage::position() const { return position_->text(); }

qint64 HexPage::parseOffset(const QString& text, qint64 cursor, qint64 size) {
    const QString trimmed = text.trimmed();
    const bool relative = trimmed.startsWith(QLatin1Char('+')) || trimmed.startsWith(QLatin1Char('-'));
    bool ok = false;
    qint64 offset = (relative ? trimmed.mid(1) : trimmed).toLongLong(&ok, 0);
    if (!ok || offset < 0) return -1;
    if (relative) offset = trimmed.startsWith(QLatin1Char('-')) ? cursor - offset : cursor + offset;
    return offset >= 0 && offset < size ? offset : -1;
}

} // namespace warplight::ui
