// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes a program of a saved session: `warplight-cli export` in a process of its own, as the window loads no compiler.
#pragma once

#include "ui/common/form_dialog.hpp"

#include <QProcess>
#include <QStringList>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace warplight::ui {

class ElapsedLabel;

class ExportDialog : public FormDialog {
    Q_OBJECT
public:
    /// @param session the saved document
    /// @param allowed files outside of its folder that the user has agreed to
    ExportDialog(const QString& session, const QStringList& allowed, QWidget* parent = nullptr);
    ~ExportDialog() override;

    void done(int result) override;

private:
    void chooseFolder();
    void update();
    void start();
    void finish(bool ok, const QString& text);

    QString session_;
    QStringList allowed_;
    QComboBox* format_;
    QLineEdit* folder_;
    QCheckBox* force_;
    QLabel *needs_, *said_;
    QProgressBar* progress_;
    ElapsedLabel* elapsed_;
    QPushButton *export_, *close_, *show_;
    QProcess process_;
    bool stopped_ = false;
};

} // namespace warplight::ui
