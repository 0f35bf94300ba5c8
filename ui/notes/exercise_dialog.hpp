// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes a session an exercise: its cases, hints and rules.
#pragma once

#include "ui/common/document.hpp"
#include "ui/common/form_dialog.hpp"

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace warplight::ui {

class Workbench;

class ExerciseDialog : public FormDialog {
    Q_OBJECT
public:
    explicit ExerciseDialog(Workbench& workbench, QWidget* parent = nullptr);

    /// None where all cases were removed: the session is no exercise then. Valid after accept().
    std::optional<session::Exercise> exercise() const;

    void accept() override;

private:
    QWidget* buildCases();
    void showCases(int current);
    void addCase();
    void editCase();
    void duplicateCase();
    void removeCase();
    void moveCase(int by);
    /// Of the cases; `but` is left out.
    QStringList names(int but = -1) const;
    int current() const;

    Workbench& workbench_;
    const Document& document_;
    session::Exercise exercise_;
    QTreeWidget* cases_;
    QPushButton *edit_, *duplicate_, *remove_, *up_, *down_;
    QPlainTextEdit* hints_;
    QLineEdit *required_, *forbidden_;
    QDoubleSpinBox* seconds_;
    QLabel* problem_;
};

} // namespace warplight::ui
