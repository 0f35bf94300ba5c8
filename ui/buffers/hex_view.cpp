// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/hex_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <array>

namespace warplight::ui {

namespace {
constexpr int margin = 8;
QChar printable(char byte) { return byte >= 32 && byte < 127 ? QLatin1Char(byte) : QLatin1Char('.'); }
} // namespace

HexView::HexView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Bytes of the buffer"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    viewport()->setCursor(Qt::IBeamCursor);
    connect(&pages_, &BufferPages::loaded, this, [this] {
        viewport()->update();
        emit contentChanged();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!moving_) top_ = std::clamp<qint64>(value * unit_, 0, std::max<qint64>(0, lineCount() - visibleLines()));
        viewport()->update();
    });
}

void HexView::setBuffer(BufferSource* source, const BufferInfo& info) {
    pages_.setBuffer(source, info);
    cursor_ = 0;
    top_ = 0;
    updateBar();
    viewport()->update();
    emit cursorMoved(cursor_);
}

void HexView::setLook(const Look& look, const QFont& font) {
    look_ = look;
    setFont(font);
    updateBar();
    viewport()->update();
}

QByteArray HexView::bytes(qint64 offset, int count) {
    QByteArray result;
    const int size = std::max(1, pages_.info().type.size);
    const qint64 end = std::min(offset + count, byteCount());
    while (offset < end) {
        const qint64 element = offset / size;
        const char* data = pages_.element(element);
        if (!data) break;
        const int at = int(offset - element * size);
        const int take = int(std::min<qint64>(size - at, end - offset));
        result.append(data + at, take);
        offset += take;
    }
    return result;
}

int HexView::offsetDigits() const { return std::max(8, int(QString::number(byteCount(), 16).size())); }

QString HexView::lineText(qint64 line) {
    const qint64 offset = line * perLine_;
    const QByteArray data = bytes(offset, perLine_);
    QString text = QStringLiteral("%1 ").arg(offset, offsetDigits(), 16, QLatin1Char('0')).toUpper();
    QString characters;
    const int expected = int(std::min<qint64>(perLine_, byteCount() - offset));
    for (int i = 0; i < perLine_; ++i) {
        if (i % 8 == 0) text += QLatin1Char(' ');
        if (i < data.size()) {
            text += QStringLiteral("%1 ").arg(quint8(data[i]), 2, 16, QLatin1Char('0')).toUpper();
            characters += printable(data[i]);
        } else {
            text += i < expected ? QStringLiteral("·· ") : QStringLiteral("   ");
        }
    }
    return text + QLatin1Char(' ') + characters;
}

int HexView::lineHeight() const { return fontMetrics().height() + 4; }
int HexView::visibleLines() const { return std::max(1, viewport()->height() / lineHeight()); }
int HexView::hexLeft() const {
    return margin + fontMetrics().horizontalAdvance(QLatin1Char('0')) * (offsetDigits() + 2);
}
int HexView::columnX(int column) const {
    return hexLeft() + fontMetrics().horizontalAdvance(QLatin1Char('0')) * (column * 3 + column / 8);
}
int HexView::textLeft() const { return columnX(perLine_) + fontMetrics().horizontalAdvance(QLatin1Char('0')); }

int HexView::lineWidth() const {
    return textLeft() + fontMetrics().horizontalAdvance(QLatin1Char('0')) * perLine_ + margin;
}

qint64 HexView::topLine() const { return top_; }

void HexView::updateBar() {
    // As many bytes a line as fit with their characters; offsets are easiest to read in multiples of 16.
    const int room = width() - verticalScrollBar()->sizeHint().width();
    const qint64 first = top_ * perLine_;
    for (const int bytes : {64, 48, 32, 16, 8}) {
        perLine_ = bytes;
        if (lineWidth() <= room) break;
    }
    top_ = first / perLine_;
    const qint64 most = std::max<qint64>(0, lineCount() - visibleLines());
    unit_ = most / (1 << 30) + 1;
    moving_ = true;
    top_ = std::min(top_, most);
    verticalScrollBar()->setRange(0, int((most + unit_ - 1) / unit_));
    verticalScrollBar()->setPageStep(visibleLines());
    verticalScrollBar()->setValue(int(top_ / unit_));
    moving_ = false;
    horizontalScrollBar()->setRange(0, std::max(0, lineWidth() - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
}

void HexView::goTo(qint64 byte) { moveCursor(byte); }

void HexView::moveCursor(qint64 byte) {
    if (byteCount() == 0) return;
    cursor_ = std::clamp<qint64>(byte, 0, byteCount() - 1);
    const qint64 line = cursor_ / perLine_;
    if (line < top_) top_ = line;
    if (line >= top_ + visibleLines()) top_ = line - visibleLines() + 1;
    moving_ = true;
    verticalScrollBar()->setValue(int(top_ / unit_));
    moving_ = false;
    viewport()->update();
    emit cursorMoved(cursor_);
}

void HexView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), look_.background);
    painter.setFont(font());
    painter.translate(-horizontalScrollBar()->value(), 0);
    const QFontMetrics metrics = fontMetrics();
    const int height = lineHeight(), character = metrics.horizontalAdvance(QLatin1Char('0'));
    const int digits = offsetDigits(), ascent = metrics.ascent() + 2;
    const int lines = viewport()->height() / height + 1;
    for (int row = 0; row < lines; ++row) {
        const qint64 line = top_ + row;
        if (line >= lineCount()) break;
        const int y = row * height;
        if (line % 2) painter.fillRect(0, y, 1 << 15, height, look_.alternate);
        const qint64 offset = line * perLine_;
        painter.setPen(look_.offset);
        painter.drawText(margin, y + ascent, QStringLiteral("%1").arg(offset, digits, 16, QLatin1Char('0')).toUpper());
        const QByteArray data = bytes(offset, perLine_);
        const int expected = int(std::min<qint64>(perLine_, byteCount() - offset));
        for (int i = 0; i < expected; ++i) {
            const bool here = offset + i == cursor_;
            const int x = columnX(i), c = textLeft() + i * character;
            if (here) {
                if (hasFocus()) {
                    painter.fillRect(x - 2, y, 2 * character + 4, height, look_.cursor);
                    painter.fillRect(c, y, character, height, look_.cursor);
                } else {
                    painter.setPen(look_.cursor);
                    painter.drawRect(x - 2, y, 2 * character + 3, height - 1);
                    painter.drawRect(c, y, character, height - 1);
                }
            }
            const QColor text = here && hasFocus() ? look_.cursorText : look_.text;
            if (i < data.size()) {
                painter.setPen(data[i] == 0 && !(here && hasFocus()) ? look_.muted : text);
                painter.drawText(x, y + ascent,
                                 QStringLiteral("%1").arg(quint8(data[i]), 2, 16, QLatin1Char('0')).toUpper());
                painter.drawText(c, y + ascent, printable(data[i]));
            } else {
                painter.setPen(look_.muted);
                painter.drawText(x, y + ascent, QStringLiteral("··"));
            }
        }
    }
}

void HexView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateBar();
}

void HexView::keyPressEvent(QKeyEvent* event) {
    const qint64 page = qint64(visibleLines()) * perLine_;
    const bool control = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left: moveCursor(cursor_ - 1); break;
    case Qt::Key_Right: moveCursor(cursor_ + 1); break;
    case Qt::Key_Up: moveCursor(cursor_ >= perLine_ ? cursor_ - perLine_ : cursor_); break;
    case Qt::Key_Down: moveCursor(cursor_ + perLine_ < byteCount() ? cursor_ + perLine_ : cursor_); break;
    case Qt::Key_PageUp: moveCursor(cursor_ - page); break;
    case Qt::Key_PageDown: moveCursor(cursor_ + page); break;
    case Qt::Key_Home: moveCursor(control ? 0 : cursor_ / perLine_ * perLine_); break;
    case Qt::Key_End: moveCursor(control ? byteCount() - 1 : cursor_ / perLine_ * perLine_ + perLine_ - 1); break;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void HexView::mousePressEvent(QMouseEvent* event) {
    const int x = int(event->position().x()) + horizontalScrollBar()->value();
    const int character = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    int column = 0;
    if (x >= textLeft())
        column = (x - textLeft()) / std::max(1, character);
    else
        while (column + 1 < perLine_ && x >= columnX(column + 1) - character / 2)
            ++column;
    const qint64 line = top_ + int(event->position().y()) / lineHeight();
    if (line < lineCount()) moveCursor(line * perLine_ + std::clamp(column, 0, perLine_ - 1));
}

void HexView::wheelEvent(QWheelEvent* event) {
    // Lines, not steps of the bar: of a huge buffer one step is many lines.
    const int steps = event->angleDelta().y();
    if (steps == 0) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    top_ = std::clamp<qint64>(top_ - steps / 40, 0, std::max<qint64>(0, lineCount() - visibleLines()));
    moving_ = true;
    verticalScrollBar()->setValue(int(top_ / unit_));
    moving_ = false;
    viewport()->update();
    event->accept();
}

void HexView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void HexView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

namespace {
constexpr std::array inspected{
    ElementKind::Int8,    ElementKind::UInt8,   ElementKind::Int16,     ElementKind::UInt16,    ElementKind::Int32,
    ElementKind::UInt32,  ElementKind::Int64,   ElementKind::UInt64,    ElementKind::Float16,   ElementKind::BFloat16,
    ElementKind::Float32, ElementKind::Float64, ElementKind::Complex64, ElementKind::Complex128};
}

InspectorModel::InspectorModel(QObject* parent) : QAbstractTableModel(parent) {}

void InspectorModel::setBytes(const QByteArray& bytes) {
    bytes_ = bytes;
    emit dataChanged(index(0, 1), index(rowCount() - 1, 1));
}

void InspectorModel::setBigEndian(bool big) {
    bigEndian_ = big;
    emit dataChanged(index(0, 1), index(rowCount() - 1, 1));
}

int InspectorModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(inspected.size()) + 1;
}
int InspectorModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant InspectorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const bool binary = index.row() == int(inspected.size());
    if (index.column() == 0) return binary ? tr("binary") : ElementType(inspected[size_t(index.row())]).name();
    if (binary)
        return bytes_.isEmpty() ? QString() : QStringLiteral("%1").arg(quint8(bytes_[0]), 8, 2, QLatin1Char('0'));
    const ElementType type(inspected[size_t(index.row())]);
    if (bytes_.size() < type.size) return QStringLiteral("–");
    QByteArray value = bytes_.left(type.size);
    if (bigEndian_) {
        // Each part of a complex number has its own byte order.
        const int part = type.isComplex() ? type.size / 2 : type.size;
        for (int at = 0; at < type.size; at += part)
            std::reverse(value.begin() + at, value.begin() + at + part);
    }
    return type.toText(value.constData(), {NumberBase::Decimal, type.size >= 8 && !type.isComplex() ? 17 : 9});
}

QVariant InspectorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == 0 ? tr("Type") : tr("Value");
}

} // namespace warplight::ui
