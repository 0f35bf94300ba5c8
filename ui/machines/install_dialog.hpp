// SPDX-License-Identifier: GPL-3.0-or-later
/// Installs Warplight on another machine: `warplight-cli remote install`, with its messages and a way to stop it.
#pragma once

#include <QDialog>
#include <QProcess>
#include <QTimer>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace warplight::ui {

class ElapsedLabel;

class InstallDialog : public QDialog {
    Q_OBJECT
public:
    explicit InstallDialog(const QString& address, QWidget* parent = nullptr);
    ~InstallDialog() override;

    /// The first call stops the installation; the second, or one after its end, closes the dialog.
    void reject() override;
    bool isRunning() const { return process_.state() != QProcess::NotRunning; }

signals:
    void installed();

private:
    void start();
    void read();
    void finished(int code, QProcess::ExitStatus status);
    void updateButtons();

    const QString address_;
    QLabel *text_, *stage_;
    QProgressBar* progress_;
    ElapsedLabel* elapsed_;
    QPlainTextEdit* log_;
    QPushButton *install_, *close_;
    QProcess process_;
    QTimer killTimer_;
    bool stopping_ = false, done_ = false;
};

} // namespace warplight::ui
