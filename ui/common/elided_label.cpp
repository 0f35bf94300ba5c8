// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/elided_label.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace warplight::ui {

QSize ElidedLabel::minimumSizeHint() const { return {0, QLabel::minimumSizeHint().height()}; }

QString ElidedLabel::shownText() const {
    constexpr int fewest = 5; // letters and the dots
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    return shown == text() || shown.size() >= fewest ? shown : QString();
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shownText() != text()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
        return true;
    }
    return QLabel::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment()) | Qt::TextSingleLine, shownText());
}

} // namespace warplight::ui
