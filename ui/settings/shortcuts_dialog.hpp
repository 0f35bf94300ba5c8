// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace warplight::ui {

class Shortcuts;

/// The commands with their keys, which can be changed. Each change holds at once.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(Shortcuts& shortcuts, QWidget* parent = nullptr);

private:
    void fill();
    void filter();
    void choose();
    void check();
    void refresh();
    QAction* current() const;

    Shortcuts& shortcuts_;
    QLineEdit* words_;
    QTreeWidget* list_;
    QKeySequenceEdit* keys_;
    QPushButton *set_, *restore_, *all_;
    QLabel* note_;
};

} // namespace warplight::ui
