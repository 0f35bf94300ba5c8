// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_pages.hpp"

#include <QAbstractScrollArea>
#include <QAbstractTableModel>

namespace warplight::ui {

/// Bytes of a buffer: offset, sixteen bytes (eight where there is no room), their characters. Only the lines on the
/// screen are read and painted.
class HexView : public QAbstractScrollArea {
    Q_OBJECT
public:
    struct Look {
        QColor text, muted, background, offset, cursor, cursorText, alternate;
    };

    explicit HexView(QWidget* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    void setLook(const Look& look, const QFont& font);
    void goTo(qint64 byte);
    qint64 cursor() const { return cursor_; }
    qint64 byteCount() const { return pages_.info().isValid() ? pages_.info().count() * pages_.info().type.size : 0; }
    /// Up to `count` bytes from `offset` on, as far as they are there.
    QByteArray bytes(qint64 offset, int count);
    /// The text of one line as it is painted: "00000010  00 01 …  ..".
    QString lineText(qint64 line);
    qint64 topLine() const;
    qint64 lineCount() const { return (byteCount() + perLine_ - 1) / perLine_; }

    int bytesPerLine() const { return perLine_; }

signals:
    void cursorMoved(qint64 byte);
    /// Bytes on the screen came or changed.
    void contentChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void updateBar();
    void moveCursor(qint64 byte);
    int visibleLines() const;
    int lineHeight() const;
    int hexLeft() const;
    int textLeft() const;
    int lineWidth() const;
    int columnX(int column) const;
    int offsetDigits() const;

    BufferPages pages_;
    Look look_;
    qint64 cursor_ = 0, unit_ = 1, top_ = 0;
    int perLine_ = 16;
    bool moving_ = false;
};

/// The bytes at a place, read as every element type.
class InspectorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit InspectorModel(QObject* parent = nullptr);

    void setBytes(const QByteArray& bytes);
    void setBigEndian(bool big);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QByteArray bytes_;
    bool bigEndian_ = false;
};

} // namespace warplight::ui
