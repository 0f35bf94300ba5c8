// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/number_box.hpp"

#include <QLineEdit>
#include <QLocale>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QStyleOptionSpinBox>
#include <QWheelEvent>
#include <algorithm>

namespace warplight::ui {

namespace {

constexpr double most = 999999999999999.0; ///< 15 digits: all of them exact

} // namespace

NumberBox::NumberBox(const QString& name, QWidget* parent) : QDoubleSpinBox(parent) {
    setLocale(QLocale::c());
    setGroupSeparatorShown(false);
    setDecimals(0);
    setRange(0, most);
    setAccessibleName(name);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the panel unless the field is being edited
    connect(this, &QDoubleSpinBox::valueChanged, this, [this] {
        updateGeometry(); // for its digits
        if (!setting_) emit edited(number());
    });
}

void NumberBox::setNumber(quint64 number) {
    if (number == this->number()) return;
    setting_ = true;
    setValue(double(number));
    setting_ = false;
}

void NumberBox::setLimit(quint64 limit) {
    limit_ = limit;
    update();
}

void NumberBox::setProblem(const QString& problem) {
    const bool invalid = !problem.isEmpty();
    setToolTip(invalid ? problem : help_);
    setAccessibleDescription(problem);
    if (property("invalid").toBool() == invalid) return;
    setProperty("invalid", invalid);
    style()->unpolish(this);
    style()->polish(this);
}

void NumberBox::setHelp(const QString& help) {
    help_ = help;
    setToolTip(help);
}

/// Of usual numbers, not of the largest there could be; one that is larger has its room too.
QSize NumberBox::sizeHint() const {
    const QSize whole = QDoubleSpinBox::sizeHint();
    const QString usual = prefix() + QStringLiteral("000000") + suffix();
    int text = 0;
    for (const QString& each : {usual, specialValueText(), this->text()})
        text = std::max(text, fontMetrics().horizontalAdvance(each));
    // Whatever style and arrows take of any width.
    QStyleOptionSpinBox box;
    initStyleOption(&box);
    box.rect = QRect(QPoint(), QSize(1000, whole.height()));
    QStyleOptionFrame edit;
    edit.initFrom(lineEdit());
    edit.rect = style()->subControlRect(QStyle::CC_SpinBox, &box, QStyle::SC_SpinBoxEditField, this);
    const int room = style()->subElementRect(QStyle::SE_LineEditContents, &edit, lineEdit()).width();
    constexpr int aroundText = 4, caret = 2; // of QLineEdit
    return {text + 1000 - room + aroundText + caret, whole.height()};
}

void NumberBox::stepBy(int steps) {
    if (limit_ == 0 || steps < 0) return QDoubleSpinBox::stepBy(steps);
    // Down from above the limit is a step; up to it and not beyond.
    const double next = value() + steps * singleStep();
    if (next <= double(limit_))
        QDoubleSpinBox::stepBy(steps);
    else if (value() < double(limit_))
        setValue(double(limit_));
}

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const {
    StepEnabled enabled = QDoubleSpinBox::stepEnabled();
    if (limit_ != 0 && value() >= double(limit_)) enabled &= ~StepUpEnabled;
    return enabled;
}

void NumberBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace warplight::ui
