// SPDX-License-Identifier: GPL-3.0-or-later
/// A field for a whole number. It keeps the text as typed: a number above the limit is marked, never changed.
#pragma once

#include <QDoubleSpinBox>

namespace warplight::ui {

class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberBox(const QString& name, QWidget* parent = nullptr);

    quint64 number() const { return quint64(value()); }
    /// Shows the session's number. Text that already means this number stays as typed.
    void setNumber(quint64 number);
    /// The arrows stop there; typing does not. 0: no limit.
    void setLimit(quint64 limit);
    /// Marks the field as wrong; the problem is its tool tip. An empty one clears the mark.
    void setProblem(const QString& problem);
    void setHelp(const QString& help);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    /// The user has changed it, by keys, wheel or arrows.
    void edited(quint64 number);

protected:
    void stepBy(int steps) override;
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent* event) override;

private:
    quint64 limit_ = 0;
    QString help_;
    bool setting_ = false;
};

} // namespace warplight::ui
