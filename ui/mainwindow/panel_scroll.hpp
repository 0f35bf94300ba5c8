// SPDX-License-Identifier: GPL-3.0-or-later
/// The content of a dock: a panel that scrolls where there is too little room. So docks never need more room than the
/// window has, at any size of the text.
#pragma once

#include <QScrollArea>

namespace warplight::ui {

class PanelScroll : public QScrollArea {
public:
    explicit PanelScroll(QWidget* panel) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setWidget(panel);
    }
    QSize minimumSizeHint() const override { return {96, 64}; }
    QSize sizeHint() const override { return widget()->sizeHint(); }
};

} // namespace warplight::ui
