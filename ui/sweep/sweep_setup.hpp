// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/sweep.hpp"
#include "ui/common/document.hpp"

#include <QList>
#include <QWidget>
#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace warplight::ui {

class NumberBox;
class SweepRow;
class Theme;

/// The sweep of the session: what is varied, what follows, and how points are chosen and measured. A text that cannot
/// be read as values stays in its field, marked, and is not in the session.
class SweepSetup : public QWidget {
    Q_OBJECT
public:
    SweepSetup(Document& document, Theme& theme, QWidget* parent = nullptr);

    /// Why the sweep cannot start; empty when it can.
    QString problem() const { return problem_; }
    /// Points that are run. Where a constraint chooses among very many, they are counted at the start, and this is how
    /// many there are at most.
    quint64 points() const { return points_; }
    bool isUpperLimit() const { return upperLimit_; }
    SweepRow* addAxis();
    SweepRow* addSetting();
    const QList<SweepRow*>& axes() const { return axes_; }
    const QList<SweepRow*>& settings() const { return settings_; }
    QLineEdit* where() const { return where_; }
    QCheckBox* zip() const { return zip_; }
    QComboBox* timeOf() const { return timeOf_; }
    NumberBox* sample() const { return sample_; }
    NumberBox* rounds() const { return rounds_; }

signals:
    /// problem() or points() may be others.
    void checked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    SweepRow* addRow(bool axis);
    void removeRow(SweepRow* row);
    void showSession();
    void showArguments();
    void showSteps();
    void showSlower();
    void check();
    void commit(const QString& key);
    [[nodiscard]] std::optional<session::Sweep> sweepOfFields() const;
    QString problemOf(const session::Sweep& sweep) const;
    void mark(QLineEdit* field, const QString& problem);
    void restyle();

    Document& document_;
    Theme& theme_;
    QList<SweepRow*> axes_, settings_;
    QVBoxLayout *axesColumn_, *settingsColumn_;
    QToolButton *addAxis_, *addSetting_;
    QCheckBox* zip_;
    QComboBox* timeOf_; ///< of pipelines
    QLabel* timeTitle_;
    QLineEdit *where_, *bytes_, *operations_;
    NumberBox *sample_, *rounds_;
    QDoubleSpinBox* slower_;
    QLabel* fieldProblem_; ///< of the formulas below the rows
    QString problem_;
    quint64 points_ = 0;
    double shownSlower_ = 0; ///< of the document, with the digits of the field
    bool upperLimit_ = false, committing_ = false, filling_ = false;
};

} // namespace warplight::ui
