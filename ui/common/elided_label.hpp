// SPDX-License-Identifier: GPL-3.0-or-later
/// A line of text that may be cut where there is no room for it; all of it is its tool tip then. Where there is room
/// for a few letters only, it shows nothing.
#pragma once

#include <QLabel>

namespace warplight::ui {

class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;
    /// What is painted.
    QString shownText() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace warplight::ui
