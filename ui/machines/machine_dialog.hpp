// SPDX-License-Identifier: GPL-3.0-or-later
/// Adds a machine, whose devices are used over ssh. Test connects and tells what is there.
#pragma once

#include "ui/common/form_dialog.hpp"
#include "ui/common/machines.hpp"

#include <memory>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace warplight::ui {

class MachineProbe;
class Theme;

class MachineDialog : public FormDialog {
    Q_OBJECT
public:
    MachineDialog(Machines& machines, Theme& theme, QWidget* parent = nullptr);
    ~MachineDialog() override;

    Machine machine() const;
    /// Why the address is refused; empty when it is not.
    QString problem() const;
    /// What the test has found, or how far it is; empty before a test.
    QString finding() const;

    void accept() override;

signals:
    /// The user wants to install Warplight on that machine.
    void installRequested(const QString& address);

private:
    void check();
    void test();
    void showProbe();
    void setFinding(const QString& symbol, const QColor& colour, const QString& text);

    Machines& machines_;
    Theme& theme_;
    QLineEdit *address_, *name_;
    QSpinBox* port_;
    QLabel *problem_, *symbol_, *finding_;
    QPushButton *test_, *install_;
    QDialogButtonBox* buttons_;
    std::unique_ptr<MachineProbe> probe_;
};

} // namespace warplight::ui
