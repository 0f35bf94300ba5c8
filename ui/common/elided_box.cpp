// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/elided_box.hpp"

#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

namespace warplight::ui {

int ElidedBox::textWidth() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    // As styles do: the icon with 4 pixels, and one on either side of the text.
    const int icon = option.currentIcon.isNull() ? 0 : option.iconSize.width() + 4;
    return field.width() - icon - 2;
}

QString ElidedBox::shownText() const { return fontMetrics().elidedText(currentText(), Qt::ElideRight, textWidth()); }

bool ElidedBox::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !isEditable() && shownText() != currentText()) {
        const QString whole = toolTip().isEmpty() ? currentText() : currentText() + QLatin1Char('\n') + toolTip();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), whole, this);
        return true;
    }
    return QComboBox::event(event);
}

void ElidedBox::paintEvent(QPaintEvent* event) {
    if (isEditable() || currentText().isEmpty()) return QComboBox::paintEvent(event);
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = shownText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace warplight::ui
