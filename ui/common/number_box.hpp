// SPDX-License-Identifier: GPL-3.0-or-later
/// A field for a whole number that keeps what is typed: a limit is shown, never enforced.
#pragma once

#include <QDoubleSpinBox>

namespace warplight::ui {

class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberBox(const QString& name, QWidget* parent = nullptr);

    quint64 number() const { return quint64(value()); }
    /// What the session has. Text that says the same number stays as it was typed.
    void setNumber(quint64 number);
    /// The arrows stop there; typing does not. 0: no limit.
    void setLimit(quint64 limit);
    /// Shows the field as one with a problem, which is its tooltip until it is gone.
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
