// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace warplight::ui {

class HexView;
class InspectorModel;
class Theme;

/// The bytes of a buffer, and the bytes at the cursor read as each element type.
class HexPage : public QWidget {
    Q_OBJECT
public:
    explicit HexPage(Theme& theme, QWidget* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    HexView* view() const { return view_; }
    InspectorModel* inspector() const { return inspector_; }
    /// "0x1f", "31", "+8", "-8" (from the cursor). -1 for anything else or a place outside.
    static qint64 parseOffset(const QString& text, qint64 cursor, qint64 size);

    /// Moves the cursor to an element, unless it is in it.
    void setIndex(qint64 flatIndex);
    QString position() const;

signals:
    void message(const QString& text);
    void indexChosen(qint64 flatIndex);

private:
    void restyle();
    void inspect();

    Theme& theme_;
    HexView* view_;
    InspectorModel* inspector_;
    QTableView* table_;
    QLineEdit* goTo_;
    QComboBox* endian_;
    QLabel* position_;
    BufferInfo info_;
};

} // namespace warplight::ui
