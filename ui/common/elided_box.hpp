// SPDX-License-Identifier: GPL-3.0-or-later
/// A box to choose from whose text ends with dots where there is no room for all of it; all of it is in its tool tip.
#pragma once

#include <QComboBox>

namespace warplight::ui {

class ElidedBox : public QComboBox {
public:
    using QComboBox::QComboBox;
    /// What is painted of the chosen text.
    QString shownText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Beside the icon and the arrow.
    int textWidth() const;
};

} // namespace warplight::ui
