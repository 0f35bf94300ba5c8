// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_list_model.hpp"

#include "ui/common/format.hpp"

#include <QIcon>
#include <QPainter>
#include <QPixmap>

namespace warplight::ui {

BufferListModel::BufferListModel(QObject* parent) : QAbstractTableModel(parent) {}

void BufferListModel::setBuffers(const QList<BufferInfo>& buffers) {
    beginResetModel();
    buffers_ = buffers;
    endResetModel();
}

int BufferListModel::add(const BufferInfo& buffer) {
    const int row = int(buffers_.size());
    beginInsertRows({}, row, row);
    buffers_.append(buffer);
    endInsertRows();
    return row;
}

void BufferListModel::removeAt(int row) {
    if (row < 0 || row >= buffers_.size()) return;
    beginRemoveRows({}, row, row);
    buffers_.removeAt(row);
    endRemoveRows();
}

void BufferListModel::replace(int row, const BufferInfo& buffer) {
    if (row < 0 || row >= buffers_.size()) return;
    buffers_[row] = buffer;
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void BufferListModel::setFields(qint64 id, const QList<BufferField>& fields) {
    const int row = rowOf(id);
    if (row < 0) return;
    buffers_[row].fields = fields;
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int BufferListModel::rowOf(qint64 id) const {
    for (int row = 0; row < buffers_.size(); ++row)
        if (buffers_[row].id == id) return row;
    return -1;
}

void BufferListModel::setColours(std::function<QColor(int)> colours) {
    colours_ = std::move(colours);
    if (rowCount()) emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::DecorationRole});
}

int BufferListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(buffers_.size()); }
int BufferListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant BufferListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const BufferInfo& buffer = buffers_[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Name: return buffer.name;
        case Role: return bufferRoleText(buffer.role);
        case Type: return buffer.typeText();
        case Shape: return buffer.shapeText();
        case Size: return formatBytes(quint64(buffer.bytes));
        case Run: return buffer.run;
        default: return {};
        }
    case Qt::DecorationRole: {
        if (index.column() != Name || !colours_) return {};
        QPixmap swatch(12, 12);
        swatch.fill(Qt::transparent);
        QPainter painter(&swatch);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours_(index.row()));
        painter.drawRoundedRect(1, 1, 10, 10, 2, 2);
        painter.end();
        // The same in a selected row, where views would tint it; with a rim, for the row may have its colour.
        QPixmap rimmed = swatch;
        painter.begin(&rimmed);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Qt::white, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(1.25, 1.25, 9.5, 9.5), 2, 2);
        painter.end();
        QIcon icon(swatch);
        icon.addPixmap(rimmed, QIcon::Selected);
        return icon;
    }
    case Qt::TextAlignmentRole:
        return int((index.column() == Shape || index.column() == Size ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return QStringLiteral("%1 · %2 · %3 · %4%5")
            .arg(buffer.run.isEmpty() ? buffer.name : buffer.name + QStringLiteral(" · ") + buffer.run,
                 buffer.typeText(), buffer.shapeText(), formatBytes(quint64(buffer.bytes)),
                 buffer.path.isEmpty() ? QString() : QLatin1Char('\n') + buffer.path);
    case IdRole: return buffer.id;
    default: return {};
    }
}

QVariant BufferListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Shape || section == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Buffer");
    case Role: return tr("Direction");
    case Type: return tr("Type");
    case Shape: return tr("Shape");
    case Size: return tr("Size");
    case Run: return tr("Run");
    default: return {};
    }
}

} // namespace warplight::ui
