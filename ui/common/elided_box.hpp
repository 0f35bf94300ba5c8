// SPDX-License-Identifier: GPL-3.0-or-later
/// A combo box whose text ends with dots where there is too little room. Its tool tip has the whole text.
#pragma once

#include <QComboBox>

namespace warplight::ui {

class ElidedBox : public QComboBox {
public:
    using QComboBox::QComboBox;
    /// The painted part of the chosen text.
    QString shownText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Beside the icon and the arrow.
    int textWidth() const;
};

} // namespace warplight::ui
