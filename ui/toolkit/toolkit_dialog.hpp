// SPDX-License-Identifier: GPL-3.0-or-later
/// Installs a missing CUDA compiler: shows size and licence, asks, shows progress. The work is done by a process,
/// `warplight-cli toolkit install`.
#pragma once

#include <QDialog>
#include <QProcess>
#include <QTimer>

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace warplight::ui {

class ElapsedLabel;

class ToolkitDialog : public QDialog {
    Q_OBJECT
public:
    enum class Missing { Nvrtc, Nvcc, Disassembler };
    explicit ToolkitDialog(Missing missing = Missing::Nvrtc, QWidget* parent = nullptr);
    ~ToolkitDialog() override;

    /// The first call cancels a running installation. The second closes the dialog once its process has ended.
    void reject() override;

signals:
    void installed(); ///< compilers can be looked for again

private:
    enum class Step { Asking, Ready, Failed, Installing, Cancelling };
    void describe();
    void install();
    void readProgress();
    void finished(int code, QProcess::ExitStatus status);
    void setStep(Step step);
    void start(const QStringList& arguments);

    QLabel *text_, *problem_, *stage_;
    QCheckBox* nvcc_;
    QProgressBar* progress_;
    ElapsedLabel* elapsed_;
    QPushButton *install_, *cancel_;
    QProcess process_;
    QTimer killTimer_;
    Step step_ = Step::Asking;
    bool closing_ = false;
};

} // namespace warplight::ui
