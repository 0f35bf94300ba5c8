// SPDX-License-Identifier: GPL-3.0-or-later
/// What limits on the registers of a thread do to the kernel: registers, spills, stack and occupancy of each. A limit
/// can be put into the session's compile options. Of a pipeline it is the kernel of the first launch.
#pragma once

#include "session/register_table.hpp"
#include "ui/common/workbench.hpp"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace warplight::ui {

class RegisterDialog : public QDialog {
    Q_OBJECT
public:
    explicit RegisterDialog(Workbench& workbench, QWidget* parent = nullptr);

    const session::RegisterTable& table() const { return table_; }
    QTreeWidget* rows() const { return rows_; }
    QComboBox* archBox() const { return arch_; }
    QPushButton* useButton() const { return use_; }
    QString noteText() const;

signals:
    void filled(); ///< the table or the reason that there is none is shown

private:
    void ask();
    void fill();
    void useChosen();
    /// The limit of the chosen row; -1: none is chosen, or its compilation failed.
    int chosenLimit() const;
    void updateButton();

    Workbench& workbench_;
    session::RegisterTable table_;
    QComboBox* arch_;
    QTreeWidget* rows_;
    QLabel *head_, *note_;
    QPushButton* use_;
};

} // namespace warplight::ui
