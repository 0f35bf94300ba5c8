// SPDX-License-Identifier: GPL-3.0-or-later
/// A case of an exercise: what differs from the session, and what it is worth.
#pragma once

#include "ui/common/document.hpp"
#include "ui/common/form_dialog.hpp"

#include <QStringList>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace warplight::ui {

class ChecksButton;
class Workbench;

class CaseDialog : public FormDialog {
    Q_OBJECT
public:
    /// @param others names of the other cases
    CaseDialog(const session::ExerciseCase& each, const QStringList& others, Workbench& workbench,
               QWidget* parent = nullptr);

    /// The edited case. Valid after accept().
    const session::ExerciseCase& edited() const { return case_; }

    void accept() override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildArguments();
    void showArguments();
    void enableRows();
    void editArgument();
    void resetArgument();
    /// @returns what is wrong, as a sentence
    QString read();

    session::ExerciseCase case_;
    const QStringList others_;
    Workbench& workbench_;
    const Document& document_;
    session::Session base_, made_; ///< without the case, and with it
    QLineEdit *name_, *hint_, *grid_ = nullptr, *block_ = nullptr, *shared_ = nullptr;
    QDoubleSpinBox *points_, *seconds_;
    QCheckBox *hidden_, *ownChecks_;
    ChecksButton* checks_;
    QTreeWidget* arguments_;
    QPushButton *edit_, *reset_;
    QLabel* problem_;
};

} // namespace warplight::ui
