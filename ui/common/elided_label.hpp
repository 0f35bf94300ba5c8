// SPDX-License-Identifier: GPL-3.0-or-later
/// A line of text that ends with dots where there is too little room; its tool tip then has the whole text. With room
/// for a few letters only, it shows nothing.
#pragma once

#include <QLabel>

namespace warplight::ui {

class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;
    /// The painted text.
    QString shownText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace warplight::ui
